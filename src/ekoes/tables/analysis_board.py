"""The analysis board: a line of play from a new game or a record, on which one user plays all seats.

Also what was played in finished games at the moment of a table, with results; and the editor of boards and
positions, with the record of a game that would start from its position.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from itertools import takewhile
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from ekoes.errors import EkoesError, RecordError, TableError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE, Action, Json, Position
from ekoes.games.api.parts import WIN, Editor, OpeningEntry, Openings, Played, Score
from ekoes.games.api.registry import check_part, part_of
from ekoes.games.api.registry import game as game_of
from ekoes.records import (
    Decision,
    GameRecord,
    GameTree,
    Node,
    read_record,
    read_tree,
    replay,
    write_record,
    write_tree,
)
from ekoes.records.tree import main_line, tree_from_notation
from ekoes.tables.analysis import play_all
from ekoes.tables.create import table_class, table_from_plan
from ekoes.tables.orders import MAX_PLAYERS, Count, Foreseen, Strict
from ekoes.tables.sequence import SequencePart, SequenceTable
from ekoes.tables.settings import Seat, TableOptions, TablePlan
from ekoes.tables.submit import submit
from ekoes.tables.table import Table
from ekoes.tables.turn_state import presenter
from ekoes.tables.turns import TurnTable

LONGEST_RECORD = 48 * 1024
"""Characters of a record from which a line or a table starts, at most."""
RecordText = Annotated[str, Field(max_length=LONGEST_RECORD)]
MOST_DECISIONS = 400
MOST_NODES = 1500
"""Decisions of a tree of variations and its start, at most."""
LONGEST_COMMENT = 2000
"""Characters of a comment, at most."""
USER = "analysis"
"""The session of all seats of an analysis board."""


class LineDecision(Foreseen):
    """A decision of a seat, or of chance."""

    seat: Annotated[int, Field(ge=CHANCE, lt=MAX_PLAYERS)]


class StartPlan(Strict):
    """The start of an analysis board: a record, a position as JSON, or the options of a new game."""

    record: RecordText | None = None
    position: dict[str, Any] | None = None
    options: TableOptions | None = None

    @model_validator(mode="after")
    def _has_one_start(self) -> Self:
        if [self.record, self.position, self.options].count(None) != 2:
            raise ValueError("needs one of record, position and options")
        return self


class LinePlan(StartPlan):
    """A line of play: its start, and decisions since.

    after: only so many decisions of the record. tree: whether the record's variations are wanted too.
    """

    after: Count | None = None
    decisions: Annotated[list[LineDecision], Field(max_length=MOST_DECISIONS)] = Field(default_factory=list)
    tree: bool = False


class TreeNode(Strict):
    """A decision of a tree. parent: the number of the node before it; None: the one before in the list."""

    parent: Count | None = None
    notation: Annotated[str, Field(max_length=400)] = ""
    sign: Literal["", "!!", "!", "!?", "?!", "?", "??"] = ""
    comment: Annotated[str, Field(max_length=LONGEST_COMMENT)] = ""


class TreePlan(StartPlan):
    """A tree of variations: its start, of whose record no decision counts, and its nodes.

    tree: the first node is the start; the first child of a node is its main line.
    """

    tree: Annotated[list[TreeNode], Field(min_length=1, max_length=MOST_NODES)]

    @model_validator(mode="after")
    def _has_parents_first(self) -> Self:
        if any((node.parent or 0) >= number for number, node in enumerate(self.tree) if number):
            raise ValueError("tree: a node stands behind its parent")
        return self


AnalysisTable = TurnTable | SequenceTable
"""A table on which one user plays all seats."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of play. record: of it. begin, table: before and after it.

    refusal: why its last decision was not played.
    """

    record: GameRecord
    begin: AnalysisTable
    table: AnalysisTable
    refusal: EkoesError | None = None


def play_line(name: str, plan: LinePlan, seed: int, at: datetime) -> Line:
    """Play a line on a new table. seed: of a new game that names none, and of what chance decides.

    Of a live game, ``after`` counts decisions of its record; without ``decisions`` the record of the line
    goes on after the table. Its last decision may be illegal. Raises: EkoesError if an earlier one is, or the
    start is not valid.
    """
    start, shown = _start(name, plan, seed, plan.after)
    if not _has_sequence(name):
        if any(one.seat == CHANCE for one in plan.decisions):
            raise TableError("chance decides nothing in this game", code="table/not-now")
        for one in plan.decisions:
            game_of(name).parse_action(one.action)  # what is no action refuses the request
    line = _line(start, shown, plan.decisions, seed, at)
    goes_on = start.table is not None and not plan.decisions
    return replace(line, record=replace(start, table=None)) if goes_on else line


def legal_line(name: str, plan: LinePlan, seed: int, at: datetime) -> Line:
    """Play a line like ``play_line``. Raises EkoesError also if its last decision is illegal."""
    line = play_line(name, plan, seed, at)
    if line.refusal is not None:
        raise line.refusal
    return line


def tree_record(name: str, plan: TreePlan, seed: int, at: datetime) -> str:
    """Return the record of a tree as text, with the times and the result of its start as far as they hold.

    Raises: EkoesError if a decision is illegal, or the record gets too long.
    """
    start, _ = _start(name, plan, seed, None)
    given = [
        (number - 1 if one.parent is None else one.parent, one.notation, one.sign, one.comment)
        for number, one in enumerate(plan.tree)
    ]
    nodes = tree_from_notation(start, given)
    main = main_line(nodes)
    decisions = [one for number in main if (one := nodes[number].decision)]
    pairs = zip(decisions, start.decisions, strict=False)
    same = len(list(takewhile(lambda two: two[0].action == two[1].action, pairs)))
    line = _line(start, same, _as_json(name, decisions[same:]), seed, at)
    if line.refusal is not None:
        raise line.refusal
    for number, decision in zip(main, line.record.decisions, strict=True):
        nodes[number] = replace(nodes[number], decision=decision)
    text = write_tree(GameTree(line.record, tuple(nodes)))
    if len(text) > LONGEST_RECORD:
        message = f"the record would have {len(text)} characters; it may have {LONGEST_RECORD}"
        raise RecordError(message, key="tree")
    return text


def _line(start: GameRecord, shown: int, then: Sequence[LineDecision], seed: int, at: datetime) -> Line:
    """Play so many decisions of a record, and others after them."""
    names = start.names or ("",) * start.start.players
    seats = tuple(Seat("here", each, number, session=USER) for number, each in enumerate(names))
    kind: type[AnalysisTable] = SequenceTable if _has_sequence(start.game) else TurnTable
    begin = kind.of_record(start, seats)

    def play(table: AnalysisTable, one: LineDecision) -> AnalysisTable:
        if isinstance(table, TurnTable):
            return submit(table, table.order_for(one.seat, one.action), USER, at)
        return table.after(_drawn(table.position, one, seed))

    table, refusal = play_all(begin, [*_as_json(start.game, start.decisions[:shown]), *then], play)
    own = tuple(Decision(one.seat, one.action) for one in table.log[shown:])
    decisions = (*start.decisions[:shown], *own)
    outcome = table.outcome or (start.outcome if decisions == start.decisions else None)
    record = replace(start, decisions=decisions, outcome=outcome, table=None)
    return Line(record, begin, table, refusal)


def _drawn(position: Position, one: LineDecision, seed: int) -> Decision:
    """Read a decision; one of chance that names its kind only is drawn."""
    action = position.game.parse_action(one.action)
    if one.seat == CHANCE and action in position.legal(CHANCE):
        action = position.chance_action(Chance(seed))
    return Decision(one.seat, action)


def _has_sequence(name: str) -> bool:
    """Return whether a game is a race, whose board is a sequence of decisions with all hands open."""
    return game_of(name).parts.sequence is not None


def _start(name: str, plan: StartPlan, seed: int, after: int | None) -> tuple[GameRecord, int]:
    """Return the record of a start, and how many of its decisions are shown.

    A race is a sequence of decisions, a new one from its first deal on; a live game is one around ``after``.
    """
    game, has_sequence = game_of(name), _has_sequence(name)
    if not has_sequence:
        check_part(name, "analysis")
    if plan.record is not None:
        record = record_of_game(name, plan.record)
        shown = len(record.decisions[:after])
        return (record, shown) if record.table is None else _as_sequence(record, shown)
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
    """Return a live game around a place as a sequence, but for its options, and its decisions before it."""
    part: SequencePart = part_of(record.game, "sequence")
    start, decisions, shown = part.converted(record.start, record.decisions, after)
    sequence = replace(record, start=start, decisions=tuple(decisions), seed=None, tags={})
    *_, last = replay(sequence)
    return replace(sequence, outcome=last.outcome()), shown


def tree_of(plan: LinePlan, line: Line) -> list[Json]:
    """Return the variations of the record of a plan, of a live game its line; without a record, the start.

    A list of nodes, each behind its ``parent`` (none given: the node before) and with its ``entry`` of a log,
    ``sign`` and ``comment``; the first is the start. Raises RecordError if a decision is illegal, or there
    is too much.
    """
    tree = GameTree(line.record, (Node(),)) if plan.record is None else read_tree(plan.record)
    entry: Callable[[Position, Decision, Position], Json] = _entry
    if isinstance(line.table, SequenceTable):
        entry = line.table.part.entry
        if plan.record is None or tree.record.table is not None:
            tree = read_tree(write_record(line.record))
    found, positions = list[Json](), positions_of(tree)
    for number, node in enumerate(tree.nodes):
        notes = {key: text for key, text in (("sign", node.sign), ("comment", node.comment)) if text}
        if node.decision is None:
            found.append(notes)
            continue
        parent = {} if node.parent == number - 1 else {"parent": node.parent}
        about = entry(positions[node.parent], node.decision, positions[number])
        found.append(parent | {"entry": about} | notes)
    return found


def positions_of(tree: GameTree) -> list[Position]:
    """Return the position after each node of a tree.

    Raises RecordError if a decision is illegal, or there is too much.
    """
    _check_size(tree.nodes)
    positions = [tree.record.start]
    for node in tree.nodes[1:]:
        decision = node.decision
        if decision is not None:
            positions.append(positions[node.parent].play(decision.seat, decision.action))
    return positions


def _check_size(nodes: Sequence[Node]) -> None:
    if len(nodes) > MOST_NODES:
        message = f"the variations have {len(nodes) - 1} decisions; a board has {MOST_NODES - 1} at most"
        raise RecordError(message, key="record")
    longest = max(len(node.comment) for node in nodes)
    if longest > LONGEST_COMMENT:
        message = f"a comment has {longest} characters; it may have {LONGEST_COMMENT}"
        raise RecordError(message, key="record")


def record_of_game(name: str, text: str) -> GameRecord:
    """Read the record of a game. Raises RecordError if it is not valid, or of another game."""
    record = read_record(text)
    if record.game != name:
        raise RecordError(f"this is a record of {record.game}, not of {name}", key="Game")
    return record


def _as_json(name: str, decisions: Sequence[Decision]) -> list[LineDecision]:
    write = game_of(name).action_to_json
    return [LineDecision(seat=one.seat, action=write(one.action)) for one in decisions]


def table_from_record(
    plan: TablePlan, text: str, session: str, fresh_seed: int
) -> tuple[Table, list[LineDecision]]:
    """Return the table of a plan at the first position of a record, and the record's decisions.

    Raises: EkoesError, also if the game is over after them.
    """
    record = record_of_game(plan.game, text)
    *_, last = replay(record)
    if last.outcome() is not None:
        raise TableError("the game of this record is over", code="table/game-over", key="record")
    table = table_from_plan(plan, session, fresh_seed=fresh_seed, start=record)
    return table, _as_json(record.game, record.decisions)


def variation_entries(board: AnalysisTable) -> Callable[[tuple[Action, ...]], Sequence[Json]]:
    """Return what describes a variation from a board as entries of a log, without ``n`` and ``at``.

    What variations have in common is played once.
    """
    if isinstance(board, SequenceTable):
        return cache(board.foretold)

    @cache
    def reached(actions: tuple[Action, ...]) -> tuple[Position, tuple[Json, ...]]:
        if not actions:
            return board.position, ()
        position, entries = reached(actions[:-1])
        after, entry = _played(position, actions[-1])
        return after, (*entries, entry)

    return lambda actions: reached(actions)[1]


def _played(position: Position, action: Action) -> tuple[Position, Json]:
    """Return the position after a decision, and its entry."""
    (seat,) = position.actors()
    after = position.play(seat, action)
    return after, _entry(position, Decision(seat, action), after)


def _entry(before: Position, decision: Decision, after: Position) -> Json:
    """Return a decision as an entry of a log, without ``n`` and ``at``."""
    look, action = presenter(before.game.name), decision.action
    turn, written = look.turn(before).number, before.game.action_to_json(action)
    return {"turn": turn, "seat": decision.seat, "action": written, **look.describe(before, action, after)}


def edited(name: str, content: Json) -> Json:
    """Judge the content of a game's editor. record: of a game from its position, None while it has none.

    Raises: EkoesError if the game has no editor, or the content can't be read.
    """
    editor: Editor = part_of(name, "editor")
    answer, position = editor.examine(content)
    start = None if position is None else GameRecord(name, position, rules=game_of(name).rules_version)
    return answer | {"record": None if start is None else write_record(start)}


FEW = 10
"""Games on a board from which on those on other boards are not shown."""
MOST_MOVES = 8
MOST_DESCRIBED = 6
"""Of one move that are described."""


def openings_of(game: str) -> Openings:
    """Return the openings of a game. Raises TableError if it has none."""
    part: Openings = part_of(game, "openings")
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
    part: Openings,
    legal: Sequence[tuple[Action, Sequence[str]]],
    known: Sequence[Played | None],
) -> Json | None:
    """Return what is known on this board, or on boards of its kind if that is little; None: nothing.

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
                "entries": [_played(table.position, one)[1] for one in decisions[gist][:MOST_DESCRIBED]],
            }
            for gist in order[:MOST_MOVES]
        ],
    }


def _result(position: Any, part: Openings, score: Score) -> Json:  # noqa: ANN401 - of the game
    """Return the results of a move. wins: by seat; score: of the mover; no winner counts for all alike."""
    (seat,), every = position.actors(), WIN * score.games
    wins = [score.wins[part.place(position, other)] / every for other in range(position.players)]
    own = wins[seat] + (1 - sum(wins)) / position.players
    return {"games": score.games, "wins": [round(one, 4) for one in wins], "score": round(own, 4)}
