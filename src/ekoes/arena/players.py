"""The players of the arena: a bot of this package, or anything else that answers within limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Protocol, Self

from ekoes.bots import Bot, Thought, decide
from ekoes.errors import EkoesError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Position


@dataclass(frozen=True, slots=True)
class Limit:
    """The limit of a choice, and its seed.

    seconds: of wall clock; iterations: of a search; None: no limit. The first one reached ends the search.
    seed: equal seeds make equal choices, unless the clock decides.
    """

    seconds: float | None = None
    iterations: int | None = None
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice. action: a legal action of the game. seconds: how long it took."""

    action: Any
    seconds: float


@dataclass(frozen=True, slots=True)
class Past:
    """The history of a game.

    first: a position; decisions: (seat, action) since then, in order. seen: the positions at the beginning
    of each turn, as the repetition rule compares them, if the game has one.
    """

    first: Position
    decisions: Sequence[tuple[int, Any]]
    seen: Sequence[bytes] = ()


class ForfeitError(EkoesError):
    """A player loses the game, not the match, because it broke the protocol, the rules or its limits.

    reason: a stable word, ``illegal``, ``time``, ``dead``, ``flood``, ``memory`` or ``garbled``. The
    message describes what happened in one line.
    """

    def __init__(self, reason: str, message: str = "") -> None:
        super().__init__(message or reason)
        self.reason = reason


class Player(Protocol):
    """A player of many games, one after the other; entered before the first, exited after the last."""

    def __enter__(self) -> Self:
        """Get ready. Raises ForfeitError."""

    def __exit__(self, *_: object) -> None:
        """Release everything."""

    def choose(self, position: Position, seat: int, limit: Limit, past: Past | None = None) -> Choice:
        """Choose a legal action for a seat to move. Raises ForfeitError.

        position, past: complete. A player that is not trusted passes on only what its seat may see.
        """


class BotPlayer:
    """A bot of this package. It sees only ``Position.sight``, and respects limits if it supports them."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot

    def __enter__(self) -> Self:
        """Do nothing."""
        return self

    def __exit__(self, *_: object) -> None:
        """Do nothing."""

    def choose(self, position: Position, seat: int, limit: Limit, past: Past | None = None) -> Choice:
        """Let the bot choose, with the seed of the limit."""
        begun = perf_counter()
        thought = Thought(limit.seconds, limit.iterations, () if past is None else past.seen)
        action = decide(self.bot, position.sight(seat), seat, Chance(limit.seed), thought)
        return Choice(action, perf_counter() - begun)
