"""The table of turns: a position, and everything that has been decided; immutable."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from ekoes.games.contract import Json, Position
from ekoes.games.registry import game
from ekoes.match.orders import AnyOrder
from ekoes.match.table import Move, Shuffled, Table
from ekoes.match.turns import bots, decide, record, views
from ekoes.match.turns.entry import Entry
from ekoes.match.turns.lens import Lens, Turn, lens

__all__ = ["TurnTable"]

BOTS_ONLY_TURN_LIMIT = 400
"""The turn limit of a table where no person sits (E11.5: that of simulations)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnTable(Table):
    """A game that is played one decision after the other.

    positions: that of the beginning, then one after each entry of the log. identities: beside each
    position what the repetition rule compares, None where no turn begins. held: the seat whose
    finished turn waits for ``EndTurn``. offers: the seats that offer a draw. pace: before each
    decision of a bot.
    """

    positions: tuple[Position, ...]
    identities: tuple[bytes | None, ...]
    log: tuple[Entry, ...] = ()
    held: int | None = None
    offers: frozenset[int] = frozenset()

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

    def parse_action(self, value: object) -> Any:  # noqa: ANN401 - each game has its own actions
        """Read an action of this game. Raises NotationError naming the key."""
        return game(self.game).parse_action(value)

    def why_not(self, seat: int, action: Json) -> Json | None:
        """Explain why an action is not possible; None if it is legal."""
        refusal = self.position.why_not(seat, self.parse_action(action))
        if refusal is None:
            return None
        return {"code": refusal.code, "rule": refusal.rule, "message": refusal.message}

    # ------------------------------------------------------------ orders

    def decide(self, order: AnyOrder, session: str | None, at: datetime) -> TurnTable:  # noqa: ARG002
        """Return the table after an order that changes the game."""
        return decide.decided(self, order, at)

    def check_seat_is_free_for(self, session: str | None) -> None:
        """Anybody may take as many seats as they like: nothing is hidden here."""

    def vacated(self, seat: int) -> TurnTable:
        """Return the table without a seat's offer of a draw."""
        return replace(self, offers=self.offers - {seat})

    # ------------------------------------------------------------ what happens by itself

    @property
    def length(self) -> int:
        """The number of decisions in the log."""
        return len(self.log)

    @property
    def moves_by_itself(self) -> bool:
        """Whether a bot is to decide."""
        return self.asked_bot is not None

    def next_move(self, now: datetime) -> Move | None:
        """Return the decision of the bot that is asked, after the table's pace."""
        if self.asked_bot is None:
            return None
        return Move(now + timedelta(milliseconds=self.pace), bots.next_decision(self))

    def due(self, at: datetime, shuffled: Shuffled) -> None:
        """Nothing is ever due: there is no clock."""

    def wake(self) -> None:
        """Nothing is to be done when a server opens the table again."""

    # ------------------------------------------------------------ views

    def options_json(self) -> Json:
        """Return the options, with the seed: it tells the first position and nothing else."""
        limit = {} if self.turn_limit is None else {"turn_limit": self.turn_limit}
        return {**self.options, "seed": self.seed, **limit}

    def board_json(self) -> Json:
        """Describe the board."""
        return self.lens.board(self.position)

    def shared_state(self, now: datetime) -> Json:  # noqa: ARG002
        """Return the part of the state that is the same for everybody."""
        return views.shared_state(self)

    def own_state(self, seats: Collection[int]) -> Json:
        """Return choices and undo of the holder of some seats."""
        return views.own_state(self, seats)

    def past_state(self, entries: int) -> Json:
        """Return the state after some decisions, without choices."""
        return views.past_state(self, entries)

    def entries_json(self, start: int = 0) -> list[Json]:
        """Return the log from its entry ``start`` on."""
        return views.entries_json(self, start)

    def kept_entries(self, before: TurnTable) -> int:
        """Return how many decisions stand unchanged; an undo takes back the last."""
        return min(len(before.log), len(self.log))

    def record_text(self) -> str:
        """Write the game so far as a record."""
        return record.record_text(self)
