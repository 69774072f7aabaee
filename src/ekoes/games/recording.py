"""What a game's book and the records share: decisions as a record holds them, and times in them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

__all__ = ["Arrival", "Decision", "milliseconds_between", "moment_text", "read_seconds", "seconds_text"]

_SECONDS = re.compile(r"([0-9]{1,9})(?:\.([0-9]{1,3}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Arrival:
    """When an intent reached a table where the quicker hand wins, and what its player saw (K7.2).

    at: milliseconds since the table began. saw: what its player saw as it was sent, by its number.
    behind: of one that came too late, by how many milliseconds another was quicker. is_clock: the
    table's clock decided, not a player (K7.5).
    """

    at: int
    saw: int | None = None
    behind: int | None = None
    is_clock: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of a seat, or of the table (seat ``CHANCE``).

    action: of the game, or what its book knows besides. milliseconds: how long it took, if that is
    known. arrival: where the quicker hand wins, when it came and what its player saw.
    """

    seat: int
    action: Any
    milliseconds: int | None = None
    arrival: Arrival | None = None


def milliseconds_between(begin: datetime, at: datetime) -> int:
    """Return the whole milliseconds from one moment to another, as records count them."""
    return (at - begin) // timedelta(milliseconds=1)


def moment_text(at: datetime) -> str:
    """Write a moment as everybody may see it: no finer than milliseconds."""
    return at.isoformat(timespec="milliseconds")


def seconds_text(milliseconds: int) -> str:
    """Write milliseconds as seconds, as short as possible: 4.2."""
    return f"{milliseconds / 1000:.3f}".rstrip("0").rstrip(".")


def read_seconds(text: str) -> int | None:
    """Read what ``seconds_text`` writes; None if it is no such text. Returns milliseconds."""
    match = _SECONDS.fullmatch(text)
    return int(match[1]) * 1000 + int((match[2] or "").ljust(3, "0")) if match else None
