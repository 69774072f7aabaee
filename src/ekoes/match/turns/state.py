"""The table of turns as a value: a position, what is open, and the log."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from ekoes.games.contract import Json, Position, Turn
from ekoes.games.registry import game
from ekoes.match.state import Table
from ekoes.match.turns.lines import Lines
from ekoes.match.turns.presenter import Presenter, presenter
from ekoes.match.turns.times import Times

__all__ = ["Entry", "Start", "TurnTable", "Undoable"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One decision in the log. turn: the one it belongs to; about: notation, and what it did.

    written: the action as JSON. left: what each seat had left then, in milliseconds, None for a bot's; None
    where there is no clock. position: after it; None in one that the store gave back.
    """

    turn: Turn
    seat: int
    action: Any
    written: Json
    about: Json
    at: datetime
    position: Position | None = None
    left: tuple[int | None, ...] | None = None


@dataclass(frozen=True, slots=True)
class Undoable:
    """A decision that can be taken back: the position before it, how many turns had begun, and the times."""

    position: Position
    begun: int
    times: Times | None = None


@dataclass(frozen=True, slots=True)
class Start:
    """How the table stood when a player began a turn. length: of the log."""

    turn: Turn
    length: int
    before: Undoable


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnTable(Table):
    """A game that is played one decision after the other.

    begun: what the repetition rule compares, for each turn that has begun. undoable: the decisions of
    the open turn that its player can take back, the latest last; where a turn is not held open, the one
    that ended it. held: the seat whose finished turn
    waits for ``EndTurn``. offers: the seats that offer a draw. pace: before each decision of a bot. times:
    what the clocks show, where there are any. starts: of each player's last turn, the latest last, where
    turns can be taken back; what chance has decided since stays. lines: what players have written down, each
    for themselves.
    """

    position: Position
    begun: tuple[bytes, ...] = ()
    undoable: tuple[Undoable, ...] = ()
    held: int | None = None
    offers: frozenset[int] = frozenset()
    times: Times | None = None
    starts: tuple[Start, ...] = ()
    lines: tuple[Lines, ...] = ()

    @property
    def presenter(self) -> Presenter:
        """How to look at this game's positions."""
        return presenter(self.game)

    @cached_property
    def turn(self) -> Turn:
        """The turn that the next decision belongs to."""
        return self.presenter.turn(self.position)

    @cached_property
    def asked(self) -> tuple[int, ...]:
        """The seats that may decide now; nobody while a seat is free or a turn is held."""
        is_waiting = not self.is_started or self.held is not None or self.outcome is not None
        return () if is_waiting else self.position.actors()

    @cached_property
    def asked_bots(self) -> tuple[int, ...]:
        """The bots' seats among those that are asked."""
        return tuple(seat for seat in self.asked if seat >= 0 and self.seats[seat].kind == "bot")

    @cached_property
    def repetition(self) -> int:
        """How often the position that began the latest turn has begun one, this time included."""
        return self.begun.count(self.begun[-1]) if self.begun else 1

    @property
    def last_turn(self) -> int | None:
        """The number of the last turn that may be played; None: no limit."""
        return self.turn_limit or (None if self.people else game(self.game).table_ends.longest)

    def start_of(self, seat: int) -> Start | None:
        """Return where the seat's last turn began, None if it can't be had back."""
        return next((start for start in reversed(self.starts) if start.turn.player == seat), None)

    def lines_of(self, seat: int) -> Lines | None:
        """Return what a seat has written down."""
        return next((lines for lines in self.lines if lines.seat == seat), None)

    def can_undo(self, seat: int) -> bool:
        """Tell whether the latest decision is one that the seat has taken in its own turn and may take back.

        The turn is still open, or is none that can be held open.
        """
        if not self.undoable or self.outcome is not None:
            return False
        return seat == self.presenter.turn(self.undoable[-1].position).player
