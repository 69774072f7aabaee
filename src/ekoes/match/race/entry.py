"""What a table where the quicker hand wins remembers: entries of its log, claims, receipts, rounds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal

from ekoes.games.ekko.action import Action
from ekoes.games.ekko.position import EkkoPosition
from ekoes.games.ekko.remarks import Remark
from ekoes.games.recording import milliseconds_between

__all__ = ["Claim", "Entry", "Loser", "Moment", "Receipt", "Round", "Stage", "Verdict"]


class Stage(StrEnum):
    """What a table waits for."""

    WAITING = "waiting"
    LOOK = "look"
    RACE = "race"
    WINDOW = "window"
    EFFECT = "effect"
    LEAVING = "leaving"
    OVER = "over"


class Verdict(StrEnum):
    """What came of something that was sent."""

    DEAL = "deal"
    PLAY = "play"
    CLAIM = "claim"
    MIRROR = "mirror"
    DRAW = "draw"
    MISPLAY = "misplay"
    LATE = "late"
    PASS = "pass"  # noqa: S105 - a player lets something pass
    CLOSE = "close"
    RESIGN = "resign"


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the log. round: its number; position: the one after it.

    on: the top card that its player saw (K7.2). behind: of a late one, by how many milliseconds
    something else was quicker. draws: who drew how many cards through it. covers: the card that it put a card
    on. came_at: when that card came, thus earlier than ``at`` for a mirror that was claimed first.
    by_clock: whether the clock decided for the player (K7.5).
    """

    round: int
    seat: int
    action: Action | Remark
    verdict: Verdict
    at: datetime
    position: EkkoPosition
    on: int | None = None
    behind: int | None = None
    draws: tuple[tuple[int, int], ...] = ()
    covers: int | None = None
    came_at: datetime | None = None
    by_clock: bool = False


@dataclass(frozen=True, slots=True)
class Moment:
    """When something came about; number: that of the entry, by which bots draw their chance."""

    number: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Claim:
    """A mirror that was claimed; its effect may still be open. Rule: K3.2."""

    seat: int
    card: int
    on: int
    at: datetime
    effect: str | None = None
    aside: int | None = None


@dataclass(frozen=True, slots=True)
class Loser:
    """A card that came too late. behind: milliseconds."""

    seat: int
    card: int
    kind: Literal["mirror", "play"]
    behind: int


@dataclass(frozen=True, slots=True)
class Receipt:
    """Who was first. number: of the latest entry of this race; at: when the winner's card came."""

    number: int
    seat: int
    card: int
    kind: Literal["mirror", "play"]
    at: datetime
    losers: tuple[Loser, ...] = ()

    def behind(self, begin: datetime, at: datetime) -> int:
        """Return by how many milliseconds something came later, as the record counts them."""
        return milliseconds_between(begin, at) - milliseconds_between(begin, self.at)


@dataclass(frozen=True, slots=True)
class Round:
    """How a round ended. Rule: K5. by: who ended it, None if the pile was empty."""

    dealer: int
    points: tuple[int, ...]
    sizes: tuple[int, ...]
    totals: tuple[int, ...]
    reason: str
    by: int | None
