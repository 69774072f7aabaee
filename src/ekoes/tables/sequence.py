"""The analysis board of a race: its decisions one after the other, all hands open, played by one user."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Protocol, cast

from ekoes.bots import Search
from ekoes.errors import EkoesError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE, Action, Json, Position
from ekoes.games.api.registry import game as game_of
from ekoes.games.api.registry import load
from ekoes.games.api.table import Decision
from ekoes.games.api.values import changed
from ekoes.records import GameRecord, read_tree, write_record
from ekoes.tables.analysis import check_open
from ekoes.tables.analysis_board import (
    USER,
    LineDecision,
    LinePlan,
    StartPlan,
    TreePlan,
    listed_tree,
    record_of_game,
    tree_text,
)
from ekoes.tables.orders import What
from ekoes.tables.race import RaceTable
from ekoes.tables.race import presenter as race_presenter
from ekoes.tables.settings import Seat, TableOptions
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

    def begun(self, position: Any) -> tuple[bytes, ...]:  # noqa: ANN401
        """Return what shows that another game is a copy of this one, the latest last."""

    def state(self, positions: Sequence[Any]) -> Json:
        """Return the state of a table after some positions, with all that is hidden."""

    def described(self, position: Any, seat: int, action: Any) -> Json:  # noqa: ANN401
        """Return a decision in a position as an entry of a log, without its effects."""

    def entry(self, before: Any, decision: Decision, after: Any) -> Json:  # noqa: ANN401
        """Return a decision as an entry of a log."""

    def search(self, position: Any) -> Search:  # noqa: ANN401
        """Return a search of a position in which a player or chance is to decide, not yet started."""


def sequence_part(name: str) -> SequencePart | None:
    """Return how a race is played as a sequence; None if the game has no such part."""
    part = game_of(name).parts.sequence
    return None if part is None else cast("SequencePart", load(part))


@dataclass(frozen=True, slots=True, kw_only=True)
class SequenceTable(RaceTable):
    """A race as a sequence of decisions, which is not stored. positions: the first, and that after each."""

    part: SequencePart
    positions: tuple[Position, ...]
    play: None = None

    @property
    def position(self) -> Any:  # noqa: ANN401 - each game has its own
        """The position now."""
        return self.positions[-1]

    @property
    def needs_deal(self) -> bool:
        """Never: chance decides when the user wants it."""
        return False

    def after(self, decision: Decision) -> SequenceTable:
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

    def entry(self, before: Position, seat: int, action: Action, after: Position) -> Json:
        """Return a decision as an entry of a log without ``n`` and ``at``."""
        return self.part.entry(before, Decision(seat, action), after)

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


@dataclass(frozen=True, slots=True)
class SequenceLine:
    """A line of play of a race. record: of it. table: after it. refusal: why its last decision is illegal."""

    record: GameRecord
    table: SequenceTable
    refusal: EkoesError | None = None

    @property
    def text(self) -> str:
        """The record as text."""
        return write_record(self.record)


def play_sequence(name: str, part: SequencePart, plan: LinePlan, seed: int) -> SequenceLine:
    """Play a line on a new table. seed: for what chance decides.

    Of a live game, ``after`` counts decisions of its record; without ``decisions`` the record of the line
    goes on after the table. Its last decision may be illegal. Raises: EkoesError if an earlier one is, or the
    start is not valid.
    """
    start, shown = _start(name, part, plan, seed, plan.after)
    table = _table_at(name, part, start)
    for decision in start.decisions[:shown]:
        table = table.after(decision)
    refusal = None
    for number, one in enumerate(plan.decisions, 1):
        try:
            table = table.after(_decision(table.position, one, seed))
        except EkoesError as error:
            if number < len(plan.decisions):
                raise
            refusal = error
    goes_on = start.table is not None and not plan.decisions
    decisions = start.decisions if goes_on else tuple(table.log)
    whole = decisions == start.decisions
    outcome = start.outcome if whole else table.outcome
    return SequenceLine(replace(start, decisions=decisions, outcome=outcome, table=None), table, refusal)


def sequence_tree(plan: LinePlan, line: SequenceLine) -> list[Json]:
    """Return the variations of the record of a plan as ``listed_tree`` does; of a live game, its line."""
    is_sequence = plan.record is not None and record_of_game(line.record.game, plan.record).table is None
    tree = read_tree(plan.record if is_sequence and plan.record is not None else line.text)
    return listed_tree(tree, line.table.entry)


def sequence_record(name: str, part: SequencePart, plan: TreePlan, seed: int) -> str:
    """Return a tree as a record. Raises EkoesError if a decision is illegal, or the record gets too long."""
    start, _ = _start(name, part, plan, seed, None)

    def recorded(decisions: list[Decision]) -> GameRecord:
        same = tuple(decisions) == start.decisions
        last = _last(start.start, decisions)
        outcome = start.outcome if same else last.outcome()
        return replace(start, decisions=tuple(decisions), outcome=outcome, table=None)

    return tree_text(start, plan, recorded)


def _last(position: Position, decisions: Sequence[Decision]) -> Position:
    for decision in decisions:
        position = position.play(decision.seat, decision.action)
    return position


def _start(
    name: str, part: SequencePart, plan: StartPlan, seed: int, after: int | None
) -> tuple[GameRecord, int]:
    """Return a record that is a sequence but for its options, and how many of its decisions are shown."""
    if plan.position is not None:
        start, _, _ = part.converted(game_of(name).from_json(plan.position), (), 0)
        return GameRecord(name, start, outcome=start.outcome(), rules=game_of(name).rules_version), 0
    if plan.record is None:
        return _new(name, part, plan.options or TableOptions(), seed), 1
    record = record_of_game(name, plan.record)
    after = len(record.decisions) if after is None else min(after, len(record.decisions))
    if record.table is None:
        return record, after
    start, decisions, shown = part.converted(record.start, record.decisions, after)
    outcome = _last(start, decisions).outcome()
    return replace(
        record, start=start, decisions=tuple(decisions), outcome=outcome, seed=None, tags={}
    ), shown


def _new(name: str, part: SequencePart, options: TableOptions, seed: int) -> GameRecord:
    """Return the record of a new game after its first chance decision."""
    look = race_presenter(name)
    seed = seed if options.seed is None else options.seed
    state = look.begin(look.settings(options.of_game()), seed, frozenset())
    start, _, _ = part.converted(look.position(state), (), 0)
    deal = Decision(CHANCE, start.chance_action(Chance(seed)))
    return GameRecord(name, start, (deal,), seed=seed, rules=game_of(name).rules_version)


def _table_at(name: str, part: SequencePart, record: GameRecord) -> SequenceTable:
    """Return a table at the first position of a record."""
    start = record.start
    names = record.names or ("",) * start.players
    return SequenceTable(
        game=name,
        options=race_presenter(name).settings({"players": start.players}),
        seed=record.seed or 0,
        seats=tuple(Seat("here", each, number, session=USER) for number, each in enumerate(names)),
        part=part,
        positions=(start,),
        outcome=start.outcome(),
    )


def _decision(position: Position, one: LineDecision, seed: int) -> Decision:
    """Read a decision; one of chance that names its kind only is drawn."""
    game = game_of(position.game.name)
    action = game.parse_action(one.action)
    if one.seat == CHANCE and action in position.legal(CHANCE):
        action = position.chance_action(Chance(seed))
    return Decision(one.seat, action)
