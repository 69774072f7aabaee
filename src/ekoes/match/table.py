"""What every table has and does, whatever is played at it; immutable.

``ekoes.match.submit`` judges one order and returns the table after it; the old one stays as it is,
so an order can be stored before anybody sees what it did.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Self

from ekoes.games.contract import Json, Outcome
from ekoes.match.orders import AnyOrder
from ekoes.match.seats import Seat

__all__ = ["DEFAULT_PACE", "Move", "Shuffled", "Table", "outcome_json"]

DEFAULT_PACE = 700
"""Milliseconds before a bot's decision, at a new table of turns; elsewhere the measure of its delays."""

Shuffled = Callable[[], tuple[int, ...]]
"""Returns the cards in an order that nobody can know."""


@dataclass(frozen=True, slots=True)
class Move:
    """What happens next at a table by itself, and when; order: a bot's, None where the clock strikes."""

    at: datetime
    order: AnyOrder | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Table(ABC):
    """A game as it is played by the people and bots at it.

    options: all of them, as JSON. seed: of the first position and of the bots' chance. version:
    counts the orders that changed the game. pace: milliseconds. agreed: the seats that want a
    rematch; rematch: the table of it. answers: (session, key) of every order taken -> version
    after it.
    """

    game: str
    options: Json
    seed: int
    seats: tuple[Seat, ...]
    turn_limit: int | None = None
    version: int = 0
    outcome: Outcome | None = None
    pace: int = DEFAULT_PACE
    agreed: frozenset[int] = frozenset()
    rematch: str | None = None
    answers: Mapping[tuple[str | None, str], int] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def is_started(self) -> bool:
        """Whether every seat is taken."""
        return all(seat.is_taken for seat in self.seats)

    @property
    def people(self) -> frozenset[int]:
        """The seats that persons hold or may take."""
        return frozenset(number for number, seat in enumerate(self.seats) if seat.kind != "bot")

    @property
    def wants_rematch(self) -> bool:
        """Whether everybody agreed to a rematch that has no table yet."""
        return bool(self.people) and self.agreed >= self.people and self.rematch is None

    @property
    def stirs(self) -> bool:
        """Whether the server may have something to do here though nobody asks for it."""
        return self.moves_by_itself or self.wants_rematch

    def is_held_by(self, session: str | None, seat: int) -> bool:
        """Tell whether a session (None: the program itself, for bots) decides for a seat."""
        if seat >= len(self.seats):
            return False
        chair = self.seats[seat]
        return chair.kind == "bot" if session is None else chair.session == session

    # ------------------------------------------------------------ what differs from game to game

    @property
    @abstractmethod
    def length(self) -> int:
        """The number of entries in the log."""

    @property
    @abstractmethod
    def moves_by_itself(self) -> bool:
        """Whether something may happen here though nobody asks for it: a bot, a clock, a deal."""

    @abstractmethod
    def next_move(self, now: datetime) -> Move | None:
        """Return what happens next by itself, None if nothing does. Blocks while bots think."""

    @abstractmethod
    def due(self, at: datetime, shuffled: Shuffled) -> tuple[AnyOrder, datetime] | None:
        """Return what the program itself has to order at a moment, and as of when; None if nothing."""

    @abstractmethod
    def wake(self) -> AnyOrder | None:
        """Return what the program orders as a server opens the table again; None if nothing."""

    @abstractmethod
    def decide(self, order: AnyOrder, session: str | None, at: datetime) -> Self:
        """Return the table after an order that changes the game; itself if it changes nothing.

        Raises: TableError, IllegalActionError, NotationError.
        """

    @abstractmethod
    def check_seat_is_free_for(self, session: str | None) -> None:
        """Raise TableError if a session may take no further seat here."""

    @abstractmethod
    def vacated(self, seat: int) -> Self:
        """Return the table without what the holder of a seat, who leaves it, would leave behind."""

    @abstractmethod
    def why_not(self, seat: int, action: Json) -> Json | None:
        """Explain why an action is not possible; None if it is legal. Raises EkoesError."""

    @abstractmethod
    def options_json(self) -> Json:
        """Return the options as everybody may see them."""

    @abstractmethod
    def board_json(self) -> Json:
        """Describe what stays the same for the whole game."""

    @abstractmethod
    def shared_state(self, now: datetime) -> Json:
        """Return the part of the state that is the same for everybody."""

    @abstractmethod
    def own_state(self, seats: Collection[int]) -> Json:
        """Return the part of the state that is for the holder of some seats."""

    @abstractmethod
    def past_state(self, entries: int) -> Json:
        """Return the state after some entries of the log (0 … length)."""

    @abstractmethod
    def entries_json(self, start: int = 0) -> list[Json]:
        """Return the log from its entry ``start`` (0: the first) on."""

    @abstractmethod
    def kept_entries(self, before: Self) -> int:
        """Return how many entries of an earlier log stand in this one unchanged, from the first on."""

    @abstractmethod
    def record_text(self) -> str:
        """Write the game as a record. Raises TableError while it may not be seen."""

    def rematch_json(self) -> Json:
        """Tell who wants a rematch, and where it is."""
        return {"agreed": sorted(self.agreed), "table": self.rematch}


def outcome_json(outcome: Outcome | None) -> Json | None:
    """Write how a game ended."""
    if outcome is None:
        return None
    return {"winners": list(outcome.winners), "reason": outcome.reason, "rule": outcome.rule}
