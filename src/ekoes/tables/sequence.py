"""The analysis board of a race: its decisions one after the other, all hands open, played by one user."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol, Self

from ekoes.bots import Search
from ekoes.games.api.contract import Action, Json, Position
from ekoes.games.api.registry import part_of
from ekoes.games.api.table import Decision
from ekoes.games.api.values import changed
from ekoes.records import GameRecord
from ekoes.tables.analysis import check_open
from ekoes.tables.orders import What
from ekoes.tables.race import RaceTable, presenter
from ekoes.tables.settings import Seat
from ekoes.tables.table import outcome_json
from ekoes.tables.turn_state import played


class SequencePart(Protocol):
    """How a race is played as a sequence of decisions. All positions and actions are of that game."""

    def converted(
        self,
        start: Any,  # noqa: ANN401
        decisions: Sequence[Decision],
        after: int,
    ) -> tuple[Any, list[Decision], int]:
        """Return a live game around a place as a sequence: its start, its decisions, those before the place.

        after: decisions of the live game before the place.
        """

    def state(self, positions: Sequence[Any]) -> Json:
        """Return the state of a table after some positions, with all that is hidden."""

    def described(self, position: Any, seat: int, action: Any) -> Json:  # noqa: ANN401
        """Return a decision in a position as an entry of a log, without its effects."""

    def entry(self, before: Any, decision: Decision, after: Any) -> Json:  # noqa: ANN401
        """Return a decision as an entry of a log."""

    def search(self, position: Any) -> Search:  # noqa: ANN401
        """Return a search of a position in which a player or chance is to decide, not yet started."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SequenceTable(RaceTable):
    """A race as a sequence of decisions, which is not stored. positions: the first, and that after each."""

    positions: tuple[Position, ...]
    play: None = None

    @classmethod
    def of_record(cls, record: GameRecord, seats: tuple[Seat, ...]) -> Self:
        """Return a table at the first position of a record."""
        return cls(
            game=record.game,
            options=presenter(record.game).settings({"players": record.start.players}),
            seed=record.seed or 0,
            seats=seats,
            positions=(record.start,),
            outcome=record.start.outcome(),
        )

    @property
    def part(self) -> SequencePart:
        """How the game is played as a sequence."""
        part: SequencePart = part_of(self.game, "sequence")
        return part

    @property
    def position(self) -> Any:  # noqa: ANN401 - each game has its own
        """The position now."""
        return self.positions[-1]

    @property
    def needs_deal(self) -> bool:
        """Never: chance decides when the user wants it."""
        return False

    def after(self, decision: Decision) -> Self:
        """Return the table after a decision. Raises RefusedError."""
        position = played(self.position, decision.seat, decision.action)
        return changed(
            self,
            version=self.version + 1,
            positions=(*self.positions, position),
            log=(*self.log, decision),
            outcome=position.outcome(),
        )

    def shared_state(self, now: datetime) -> Json:  # noqa: ARG002 - no clock runs
        """Return the state with all that is hidden, and the legal decisions."""
        ends = {"outcome": outcome_json(self.outcome), "rematch": self._rematch_json(), **self._abort_json()}
        return self.part.state(self.positions) | ends

    def own_state(self, seats: Collection[int]) -> Json:  # noqa: ARG002 - all is open
        """Return nothing more."""
        return {}

    def entries_json(self, start: int = 0) -> list[Json]:
        """Return the decisions from one on, complete."""
        steps = zip(self.positions, self.log, self.positions[1:], strict=False)
        entries = [{"n": n, **self.part.entry(*step), "at": ""} for n, step in enumerate(steps, 1)]
        return entries[start:]

    def foretold(self, actions: Sequence[Action]) -> list[Json]:
        """Return a decision in the position as an entry of a log without ``n`` and ``at``."""
        (seat,) = self.position.actors()
        return [self.part.described(self.position, seat, action) for action in actions]

    def proposable(self) -> tuple[What, ...]:
        """Return nothing: one user plays."""
        return ()

    def idle_seats(self) -> Collection[int]:
        """Return nothing: no clock runs."""
        return ()

    def search(self) -> Search:
        """Return a search of the position, not yet started. Raises TableError if the game is over."""
        check_open(self.position)
        return self.part.search(self.position)
