"""The analysis board: a line of play from a new game or a record, on which one user plays all seats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated

from pydantic import Field, model_validator

from ekoes.errors import EkoesError, RecordError, TableError
from ekoes.games.api.contract import Action, Json
from ekoes.games.api.registry import game as game_of
from ekoes.records import Decision, GameRecord, Place, read_record, replay, write_record
from ekoes.tables.analysis import tried
from ekoes.tables.create import table_from_plan
from ekoes.tables.orders import Count, Foreseen, Strict
from ekoes.tables.plan import TableOptions, TablePlan
from ekoes.tables.seats import Seat
from ekoes.tables.table import Table
from ekoes.tables.turns.presenter import presenter
from ekoes.tables.turns.table import TurnTable

LONGEST_RECORD = 48 * 1024
"""Characters of a record from which a line or a table starts, at most."""
RecordText = Annotated[str, Field(max_length=LONGEST_RECORD)]
MOST_DECISIONS = 400
USER = "analysis"
"""The session of all seats of an analysis board."""


class LinePlan(Strict):
    """A line of play: its start, and decisions since.

    record: the start, with its decisions; ``after``: only so many of them. options: of a new game, in place
    of a record. of: a piece, as the game names it, whose moves are wanted too.
    """

    record: RecordText | None = None
    options: TableOptions | None = None
    after: Count | None = None
    decisions: Annotated[list[Foreseen], Field(max_length=MOST_DECISIONS)] = Field(default_factory=list)
    of: Count | str | None = None

    @model_validator(mode="after")
    def _has_one_start(self) -> LinePlan:
        if (self.record is None) == (self.options is None):
            raise ValueError("needs either record or options")
        return self


@dataclass(frozen=True, slots=True)
class Line:
    """A line of play. record: of it. table: after it. refusal: why its last decision was not played."""

    record: GameRecord
    table: TurnTable
    refusal: EkoesError | None = None

    @property
    def text(self) -> str:
        """The record as text."""
        return write_record(self.record, [Place(entry.turn.number) for entry in self.table.log])


def play_line(name: str, plan: LinePlan, seed: int, at: datetime) -> Line:
    """Play a line on a new table. seed: of a new game that names none.

    Its last decision may be illegal. Raises: EkoesError if an earlier one is, or the start is not valid.
    """
    start = _start(name, plan, seed)
    names = start.names or ("",) * start.start.players
    seats = tuple(Seat("here", each, number, session=USER) for number, each in enumerate(names))
    given = decisions_of(start)[: plan.after]
    ahead = tried(TurnTable.of_record(start, seats), USER, [*given, *plan.decisions], at)
    parse = game_of(name).parse_action
    decisions = [Decision(one.seat, parse(one.action)) for one in plan.decisions]
    played = (*start.decisions[: len(given)], *decisions)[: ahead.table.length]
    outcome = ahead.table.outcome or (start.outcome if played == start.decisions else None)
    return Line(replace(start, decisions=played, outcome=outcome), ahead.table, ahead.refusal)


def _start(name: str, plan: LinePlan, seed: int) -> GameRecord:
    game = game_of(name)
    if game.parts.analysis is None:
        raise TableError("this game has no analysis", code="table/wrong-order")
    if plan.record is not None:
        return record_of_game(name, plan.record)
    options = plan.options or TableOptions()
    seed = seed if options.seed is None else options.seed
    start = game.new(presenter(name).settings(options.of_game()), seed)
    return GameRecord(name, start, seed=seed, rules=game.rules_version)


def record_of_game(name: str, text: str) -> GameRecord:
    """Read the record of a game. Raises RecordError if it is not valid, or of another game."""
    record = read_record(text)
    if record.game != name:
        raise RecordError(f"this is a record of {record.game}, not of {name}", key="Game")
    return record


def decisions_of(record: GameRecord) -> list[Foreseen]:
    """Return the decisions of a record as JSON."""
    write = game_of(record.game).action_to_json
    return [Foreseen(seat=one.seat, action=write(one.action)) for one in record.decisions]


def table_from_record(
    plan: TablePlan, text: str, session: str, fresh_seed: int
) -> tuple[Table, list[Foreseen]]:
    """Return the table of a plan at the first position of a record, and the record's decisions.

    Raises: EkoesError, also if the game is over after them.
    """
    record = record_of_game(plan.game, text)
    *_, last = replay(record)
    if last.outcome() is not None:
        raise TableError("the game of this record is over", code="table/game-over", key="record")
    table = table_from_plan(plan, session, fresh_seed=fresh_seed, start=record)
    return table, decisions_of(record)


def entries_of(table: TurnTable, actions: Sequence[Action]) -> list[Json]:
    """Return a variation from the position of a table as entries of a log, without ``n`` and ``at``."""
    look, write, position = table.presenter, game_of(table.game).action_to_json, table.position
    entries = []
    for action in actions:
        (seat,), turn = position.actors(), look.turn(position)
        after = position.play(seat, action)
        about = look.describe(position, action, after)
        entries.append({"turn": turn.number, "seat": seat, "action": write(action), **about})
        position = after
    return entries
