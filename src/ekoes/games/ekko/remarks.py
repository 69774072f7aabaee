"""What arrives at a live table beside the decisions of the game (K7), and the notation of all of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ekoes.errors import NotationError
from ekoes.games.ekko import notation
from ekoes.games.ekko.action import Action, read_card

__all__ = ["Claim", "Late", "Ready", "Remark", "Resign", "format_arrived", "parse_arrived", "points_text"]


@dataclass(frozen=True, slots=True)
class Late:
    """A card that came too late and went back to the hand (K3.5, K7.2); card None: a draw came too late."""

    card: int | None


@dataclass(frozen=True, slots=True)
class Claim:
    """A mirror whose player has still to choose its effect, or whose window is still open (K3.2)."""

    card: int


@dataclass(frozen=True, slots=True)
class Ready:
    """A player has seen their hand (K1.3)."""


@dataclass(frozen=True, slots=True)
class Resign:
    """A player leaves the game: a bot takes the seat, or the only other player wins."""


Remark = Late | Claim | Ready | Resign
"""What was sent to a table and left the position as it was; ``Pass`` of a live table is another."""

_WITH_CARD = re.compile(r"(late|claim):([0-9]{1,2}|draw)", re.ASCII)
_BARE: dict[str, Remark] = {"ready": Ready(), "resign": Resign()}


def parse_arrived(text: str, _position: object = None) -> Action | Remark:
    """Read a decision or a remark. Raises NotationError."""
    if text in _BARE:
        return _BARE[text]
    match = _WITH_CARD.fullmatch(text)
    if match is None:
        return notation.parse_action(text)
    if match[1] == "late":
        return Late(None if match[2] == "draw" else read_card(int(match[2]), "late"))
    if match[2] == "draw":
        raise NotationError("a claim names a mirror", rule="K3.2")
    return Claim(read_card(int(match[2]), "claim"))


def format_arrived(action: Action | Remark, _position: object = None) -> str:
    """Write a decision or a remark, the inverse of ``parse_arrived``."""
    match action:
        case Late(card):
            return f"late:{card or 'draw'}"
        case Claim(card):
            return f"claim:{card}"
        case Ready():
            return "ready"
        case Resign():
            return "resign"
        case _:
            return notation.format_action(action)


def points_text(number: int, points: Sequence[int], totals: Sequence[int]) -> str:
    """Write the points that a round brought, as a record notes them behind its end (K5.4)."""
    return f"{number}. points: {' '.join(map(str, points))}, in all {' '.join(map(str, totals))}"
