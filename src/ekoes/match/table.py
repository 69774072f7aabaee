"""The table: a game, its seats and everything that has been decided; immutable.

``ekoes.match.submit`` judges one order and returns the table after it; the old one stays as it is,
so an order can be stored before anybody sees what it did.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any

from ekoes.games.contract import Json, Outcome, Position
from ekoes.games.registry import game
from ekoes.match.lens import Lens, Turn, lens
from ekoes.match.seats import Seat

__all__ = ["DEFAULT_PACE", "Entry", "Table"]

DEFAULT_PACE = 700
"""Milliseconds before a bot's decision, at a new table."""
BOTS_ONLY_TURN_LIMIT = 400
"""The turn limit of a table where no person sits (E11.5: that of simulations)."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One decision in the log. turn: the turn it belongs to; about: notation, effect, path."""

    turn: Turn
    seat: int
    action: Any
    about: Json
    at: datetime


@dataclass(frozen=True, slots=True)
class Table:
    """A game as it is played by the people and bots at it.

    positions: that of the beginning, then one after each entry of the log. identities: beside each
    position what the repetition rule compares, None where no turn begins. version: counts the
    orders that changed the game. held: the seat whose finished turn waits for ``EndTurn``. offers:
    the seats that offer a draw. answers: (session, key) of every order taken -> version after it.
    """

    game: str
    options: Json
    seed: int
    seats: tuple[Seat, ...]
    positions: tuple[Position, ...]
    identities: tuple[bytes | None, ...]
    turn_limit: int | None = None
    log: tuple[Entry, ...] = ()
    version: int = 0
    held: int | None = None
    offers: frozenset[int] = frozenset()
    outcome: Outcome | None = None
    pace: int = DEFAULT_PACE
    answers: Mapping[tuple[str | None, str], int] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def position(self) -> Position:
        """The position as it stands."""
        return self.positions[-1]

    @property
    def lens(self) -> Lens:
        """How to look at this game's positions."""
        return lens(self.game)

    @property
    def turn(self) -> Turn:
        """The turn that the next decision belongs to."""
        return self.lens.turn(self.position)

    @property
    def is_started(self) -> bool:
        """Whether every seat is taken."""
        return all(seat.is_taken for seat in self.seats)

    @property
    def people(self) -> frozenset[int]:
        """The seats that persons hold or may take."""
        return frozenset(number for number, seat in enumerate(self.seats) if seat.kind != "bot")

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that may decide now; nobody while a seat is free or a turn is held."""
        is_waiting = not self.is_started or self.held is not None or self.outcome is not None
        return () if is_waiting else self.position.actors()

    @property
    def asked_bot(self) -> int | None:
        """The first bot's seat among those that are asked."""
        return next((seat for seat in self.asked if self.seats[seat].kind == "bot"), None)

    @property
    def repetition(self) -> int:
        """How often the position that began the latest turn has begun one, this time included (E11.6)."""
        latest = next((identity for identity in reversed(self.identities) if identity is not None), None)
        return 1 if latest is None else self.identities.count(latest)

    @property
    def last_turn(self) -> int | None:
        """The number of the last turn that may be played (E12.9); None: no limit."""
        return self.turn_limit or (None if self.people else BOTS_ONLY_TURN_LIMIT)

    def can_undo(self, seat: int) -> bool:
        """Tell whether the latest decision is the seat's own, of its own turn, which is still open."""
        if not self.log or self.outcome is not None:
            return False
        latest = self.log[-1]
        is_open = self.held == seat or latest.turn == self.turn
        return latest.seat == seat == latest.turn.player and is_open

    def is_held_by(self, session: str | None, seat: int) -> bool:
        """Tell whether a session (None: the program itself, for bots) decides for a seat."""
        if seat >= len(self.seats):
            return False
        chair = self.seats[seat]
        return chair.kind == "bot" if session is None else chair.session == session

    def parse_action(self, value: object) -> Any:  # noqa: ANN401 - each game has its own actions
        """Read an action of this game. Raises NotationError naming the key."""
        return game(self.game).parse_action(value)
