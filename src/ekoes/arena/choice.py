"""What a player of the arena is asked and answers: a limit in, a choice out, or the game is lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ekoes.errors import EkoesError
from ekoes.games.contract import Position

__all__ = ["Choice", "ForfeitError", "Limit", "Past"]


@dataclass(frozen=True, slots=True)
class Limit:
    """How much a choice may cost, and what its chance comes from.

    seconds: of wall clock; iterations: steps of a search; None: as the player likes, the first that is
    reached counts. seed: equal seeds make equal choices, of whoever does not look at a clock.
    """

    seconds: float | None = None
    iterations: int | None = None
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Choice:
    """What a player chose. action: of the game, legal where it was asked. seconds: how long it took."""

    action: Any
    seconds: float


@dataclass(frozen=True, slots=True)
class Past:
    """How a game came to where it is.

    first: a position; decisions: (seat, action), in order, since. seen: the positions that began a turn,
    as the rule of repetition compares them, if the game has one.
    """

    first: Position
    decisions: Sequence[tuple[int, Any]]
    seen: Sequence[bytes] = ()


class ForfeitError(EkoesError):
    """A player has lost the game by what it did outside the rules of play; not the match.

    reason: a stable word, ``illegal``, ``time``, ``dead``, ``flood``, ``memory`` or ``garbled``. The
    message tells what was seen, in one line.
    """

    def __init__(self, reason: str, message: str = "") -> None:
        """Keep the word beside the sentence."""
        super().__init__(message or reason)
        self.reason = reason
