"""The analysis board: where it starts, and lines of play on it.

Also the openings, which are the moves that finished games played from a position, with their results.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Annotated, Any, Protocol, Self, TypeVar, cast

from pydantic import Field, model_validator

from ekoes.errors import RecordError, TableError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE, Action, Json, Outcome, Position
from ekoes.games.api.parts import WIN, OpeningEntry, Openings, Played, Score
from ekoes.games.api.registry import check_part, part_of
from ekoes.games.api.registry import game as game_of
from ekoes.games.api.values import changed
from ekoes.records import Decision, GameRecord, read_record, read_tree, replay, write_record, write_tree
from ekoes.records.referee import book_of
from ekoes.tables.create import check_start, table_class, table_from_plan
from ekoes.tables.orders import (
    MAX_PLAYERS,
    Act,
    Count,
    Deal,
    Draw,
    FirstOrder,
    Intent,
    Resign,
    SeatDecision,
    Strict,
)
from ekoes.tables.race import RaceTable
from ekoes.tables.settings import Seat, TableOptions, TablePlan
from ekoes.tables.submit import submit
from ekoes.tables.table import Table
from ekoes.tables.turn_state import presenter_of
from ekoes.tables.turns import TurnTable

LONGEST_RECORD = 48 * 1024
"""Characters of a record from which a line or a table starts, at most."""
RecordText = Annotated[str, Field(max_length=LONGEST_RECORD)]
MOST_DECISIONS = 400
USER = "analysis"
"""The session of all seats of an analysis board."""


P = TypeVar("P")
S_contra = TypeVar("S_contra", contravariant=True)


class LineDecision(SeatDecision):
    """A decision of a seat, or of chance."""

    seat: Annotated[int, Field(ge=CHANCE, lt=MAX_PLAYERS)]


class SequencePart(Protocol[P, S_contra]):
    """How a race is played as a sequence of decisions, all hands open. All positions are of that game."""

    def converted(
        self,
        start: P,
        decisions: Sequence[Decision],
        after: int,
    ) -> tuple[P, list[Decision], int]:
        """Return a live game around a place as a sequence: start, decisions, how many lie before the place.

        after: decisions of the live game before the place.
        """

    untimed: Mapping[str, object]
    """The options of a table without clocks, as a sequence has none."""

    def sends(self, state: S_contra, decision: Decision | None) -> Iterator[tuple[int, Json]]:
        """Yield what the players of such a table send for a decision, or at the end of the sequence.

        state: the game's own, before the first of them.
        """


class StartPlan(Strict):
    """The start of an analysis board: a record, a position as JSON, or the options of a new game.

    after: how many decisions of the record are played; a live game is converted around that place.
    """

    record: RecordText | None = None
    position: Json | None = None
    options: TableOptions | None = None
    after: Count | None = None

    @model_validator(mode="after")
    def _has_one_start(self) -> Self:
        if [self.record, self.position, self.options].count(None) != 2:
            raise ValueError("needs one of record, position and options")
        return self


class LinePlan(StartPlan):
    """A line of play: its start, and decisions since."""

    decisions: Annotated[list[LineDecision], Field(max_length=MOST_DECISIONS)] = Field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Line:
    """The tables before and after a line of play, on which one user plays all seats."""

    begin: TurnTable
    table: TurnTable


def board_start(name: str, plan: StartPlan, seed: int) -> Json:
    """Return the record with which a board begins, and how many decisions of it lie before the place.

    seed: of a new game that names none. ``{"record", "n"}``. Raises: EkoesError if a decision is illegal, or
    the start is not valid.
    """
    record, shown = _start(name, plan, seed)
    if plan.record is None or plan.after is not None or record_of_game(name, plan.record) != record:
        return {"record": write_record(record), "n": shown}
    return {"record": write_tree(read_tree(plan.record)), "n": shown}


def play_line(name: str, plan: LinePlan, seed: int, at: datetime) -> Line:
    """Play a line of a game in turns on a new table. Raises EkoesError if a decision is illegal."""
    if any(one.seat == CHANCE for one in plan.decisions):
        raise TableError("chance decides nothing in this game", code="table/not-now")
    start, _ = _start(name, plan, seed)
    names = start.names or ("",) * start.start.players
    seats = tuple(Seat("here", each, number, session=USER) for number, each in enumerate(names))
    begin = TurnTable.of_record(start, seats)
    write, table = game_of(name).action_to_json, begin
    given = [(one.seat, write(one.action)) for one in start.decisions]
    for seat, action in [*given, *((one.seat, one.action) for one in plan.decisions)]:
        table = submit(table, Act(key="now", version=table.version, seat=seat, action=action), USER, at)
    return Line(begin, table)


def _has_sequence(name: str) -> bool:
    """Return whether a game is a race, whose board is a sequence of decisions with all hands open."""
    return game_of(name).parts.sequence is not None


def _start(name: str, plan: StartPlan, seed: int) -> tuple[GameRecord, int]:
    """Return the record of a start, and how many of its decisions lie before the place.

    A race is made a sequence of decisions: a new one from its first deal on, a live game around ``after``.
    """
    game, has_sequence = game_of(name), _has_sequence(name)
    if not has_sequence:
        check_part(name, "analysis")
    if plan.record is not None:
        record = record_of_game(name, plan.record)
        decisions = record.decisions[: plan.after]
        if record.table is not None:
            return _as_sequence(record, len(decisions))
        if len(decisions) < len(record.decisions):
            record = replace(record, decisions=decisions, outcome=None)
        return record, len(decisions)
    if plan.position is not None:
        position = game.from_json(plan.position)
        record = GameRecord(name, position, outcome=position.outcome(), rules=game.rules_version)
        return _as_sequence(record, 0) if has_sequence else (record, 0)
    options = plan.options or TableOptions()
    seed = seed if options.seed is None else options.seed
    fresh = table_class(name).new(name, options.of_game(), seed, (), None)
    record = GameRecord(name, fresh.position, seed=seed, rules=game.rules_version)
    if not has_sequence:
        return record, 0
    record, _ = _as_sequence(record, 0)
    deal = Decision(CHANCE, record.start.chance_action(Chance(seed)))
    return replace(record, decisions=(deal,), seed=seed), 1


def _as_sequence(record: GameRecord, after: int) -> tuple[GameRecord, int]:
    """Return a live game around a place as a sequence, without options, and how many decisions precede it."""
    part: SequencePart[Any, Any] = part_of(record.game, "sequence")
    start, decisions, shown = part.converted(record.start, record.decisions, after)
    sequence = replace(record, start=start, decisions=tuple(decisions), seed=None, table=None, tags={})
    *_, last = replay(sequence)
    return replace(sequence, outcome=last.outcome()), shown


def record_of_game(name: str, text: str) -> GameRecord:
    """Read the record of a game. Raises RecordError if it is not valid, or of another game."""
    record = read_record(text)
    if record.game != name:
        raise RecordError(f"this is a record of {record.game}, not of {name}", key="Game")
    return record


def table_from_record(
    plan: TablePlan, text: str, session: str, fresh_seed: int, *, is_over: bool
) -> tuple[Table, list[FirstOrder]]:
    """Return the table of a plan at the first position of a record, and the orders of the record's game.

    is_over: the game was finished elsewhere, and is imported as it ended. Raises: EkoesError, also if
    ``is_over`` is not true of the game.
    """
    record = record_of_game(plan.game, text)
    *_, last = replay(record)
    if is_over and record.outcome is None:
        raise TableError("the game of this record is not over", code="table/not-over", key="record")
    if last.outcome() is not None and not is_over:
        raise TableError("the game of this record is over", code="table/game-over", key="record")
    if is_over and _has_sequence(plan.game):
        return _raced(plan, record, session)
    table = table_from_plan(plan, session, fresh_seed=fresh_seed, start=record)
    write = game_of(record.game).action_to_json
    orders: list[FirstOrder] = [
        Act(key=f"record-{number}", version=table.version + number, seat=one.seat, action=write(one.action))
        for number, one in enumerate(record.decisions)
    ]
    if not is_over:
        return table, orders
    table = changed(table, imported=True)
    return table, [*orders, *_ending(table, record, len(orders))]


_SEEDS = 200
"""Seeds that are tried to find the one that deals a given first position."""
_ONCE = datetime(2000, 1, 1, tzinfo=UTC)
"""The time of all orders of an imported game: it has no clocks."""


def _raced(plan: TablePlan, record: GameRecord, session: str) -> tuple[Table, list[FirstOrder]]:
    """Return a race table, and the orders by which its game takes the course of a sequence of decisions.

    Raises: EkoesError, also if the record doesn't begin with a first position.
    """
    check_start(plan, record)
    game, part = game_of(plan.game), cast("SequencePart[Any, Any]", part_of(plan.game, "sequence"))
    start = record.start.to_json()
    chosen = {key: start[key] for key in ("players", "target")}
    seed = next((seed for seed in range(_SEEDS) if game.new(chosen, seed) == record.start), None)
    if seed is None or record.table is not None:
        message = "only a sequence of decisions is imported, from the first deal on"
        raise TableError(message, code="table/wrong-order", key="record")
    options = TableOptions.model_validate({**chosen, **part.untimed})
    plan = plan.model_copy(update={"options": options, "gives_part": False})
    made = table_from_plan(plan, session, fresh_seed=seed)
    table, orders = cast("RaceTable[Any, Any]", made), list[FirstOrder]()

    def give(order: FirstOrder) -> None:
        nonlocal table
        orders.append(order)
        table = submit(table, order, table.session_of(order), _ONCE)

    def send(seat: int, action: Json) -> None:
        give(Intent(key=f"record-{len(orders)}", seat=seat, action=action))

    endings = list(_ending(made, record, len(record.decisions)))
    for decision in (*record.decisions, *([] if endings else [None])):
        for seat, action in part.sends(table.play, decision):
            send(seat, action)
        if decision is not None and decision.seat == CHANCE:
            give(Deal(key=f"record-{len(orders)}", action=game.action_to_json(decision.action)))
            for seat in range(len(table.seats)):
                send(seat, {"type": "ready", "round": table.position.round})
    return changed(made, imported=True), [*orders, *endings]


def _ending(table: Table, record: GameRecord, decisions: int) -> Iterator[FirstOrder]:
    """Yield the orders by which the players of a finished game ended it; none if the rules did.

    Raises: TableError if a clock did.
    """
    outcome, version = cast("Outcome", record.outcome), table.version + decisions
    if outcome.reason == "time":
        message = "a game that was lost on time can't be imported, as records have no clocks"
        raise TableError(message, code="table/wrong-order", key="record")
    if outcome.reason == "resignation":
        (loser,) = {0, 1}.difference(outcome.winners)
        yield Resign(key="record-result", version=version, seat=loser)
    elif outcome.reason == "agreement":
        for number, seat in enumerate(sorted(table.people)):
            yield Draw(key=f"record-result-{seat}", version=version + number, seat=seat, offer=True)


def _entry(position: Position, action: Action) -> Json:
    """Return a decision as an entry of a log, without ``n`` and ``at``."""
    game, (seat,) = position.game, position.actors()
    book = book_of(game.name)
    return {
        "turn": book.number(position),
        "seat": seat,
        "action": game.action_to_json(action),
        "notation": book.format_action(action, position),
        **presenter_of(game.name).describe(position, action, position.play(seat, action)),
    }


FEW = 10
"""Games on one board, from which on those on other boards are not shown."""
MOST_MOVES = 8
MOST_DESCRIBED = 6
"""Decisions that are described for one move, at most."""


def openings_of(game: str) -> Openings[Any, Any]:
    """Return the openings of a game. Raises TableError if it has none."""
    part: Openings[Any, Any] = part_of(game, "openings")
    return part


def opening_of(
    made: Table, log: Sequence[Any], winners: Collection[int]
) -> tuple[Sequence[OpeningEntry], list[int]]:
    """Return what was played in the opening of a game, and the places of the winners in the order of turns.

    made: the new table. log: its entries. winners: their seats. Raises EkoesError if the rules have changed.
    """
    if game_of(made.game).parts.openings is None:
        return (), []
    part, start = openings_of(made.game), made.position
    entries = part.entries(start, [Decision(entry.seat, entry.action) for entry in log])
    return entries, sorted(part.place(start, seat) for seat in winners)


def opening_json(table: TurnTable, games: Mapping[str, Played]) -> Json:
    """Return what was played at the moment of a table.

    games: of this server, by moment. ``{"is_opening", "games", "bots"}``: the two sources, null where nothing
    was played.
    """
    part, position = openings_of(table.game), table.position
    moments, bots = part.moments(position), part.self_play()
    seat = next(iter(position.actors()), 0)
    legal = [(action, part.gists(position, action)) for action in position.legal(seat)] if moments else []
    sources = {
        name: _source(table, part, legal, [known.get(moment) for moment in moments])
        for name, known in (("games", games), ("bots", bots.moments))
    }
    if sources["bots"] is not None:
        sources["bots"]["level"] = bots.level
    return {"is_opening": bool(moments), **sources}


def _source(
    table: TurnTable,
    part: Openings[Any, Any],
    legal: Sequence[tuple[Action, Sequence[str]]],
    known: Sequence[Played | None],
) -> Json | None:
    """Return the moves played on this board, or on boards of its kind if those are few; None: there are none.

    legal: the decisions with their gists. known: what was played at each moment.
    """
    found = [(width, played) for width, played in enumerate(known) if played is not None]
    if not found:
        return None
    width, played = next((one for one in found if one[1].games >= FEW), found[-1])
    decisions: dict[str, list[Action]] = defaultdict(list)
    for action, gists in legal:
        if gists[width] in played.scores:
            decisions[gists[width]].append(action)
    order = sorted(decisions, key=lambda gist: (-played.scores[gist].games, gist))
    return {
        "board": width == 0,
        "games": played.games,
        "moves": [
            {
                **_result(table.position, part, played.scores[gist]),
                "decisions": len(decisions[gist]),
                "entries": [_entry(table.position, one) for one in decisions[gist][:MOST_DESCRIBED]],
            }
            for gist in order[:MOST_MOVES]
        ],
    }


def _result(position: Position, part: Openings[Any, Any], score: Score) -> Json:
    """Return the results of a move. wins: by seat; score: of the mover; no winner counts for all alike."""
    (seat,), every = position.actors(), WIN * score.games
    wins = [score.wins[part.place(position, other)] / every for other in range(position.players)]
    own = wins[seat] + (1 - sum(wins)) / position.players
    return {"games": score.games, "wins": [round(one, 4) for one in wins], "score": round(own, 4)}
