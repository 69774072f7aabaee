"""The analysis board: a line of play from a new game or a record, on which one user plays all seats.

Also what was played in finished games at the moment of a table, with results; and the editor of boards and
positions, with the record of a game that would start from its position.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import takewhile
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from ekoes.errors import EkoesError, RecordError, TableError
from ekoes.games.api.contract import CHANCE, Action, Json, Position
from ekoes.games.api.parts import WIN, Editor, OpeningEntry, Openings, Played, Score
from ekoes.games.api.registry import check_part, part_of
from ekoes.games.api.registry import game as game_of
from ekoes.records import (
    Decision,
    GameRecord,
    GameTree,
    Node,
    Place,
    read_record,
    read_tree,
    replay,
    write_record,
    write_tree,
)
from ekoes.records.tree import main_line, tree_from_notation
from ekoes.tables.analysis import tried
from ekoes.tables.create import table_from_plan
from ekoes.tables.orders import MAX_PLAYERS, Count, Foreseen, Strict
from ekoes.tables.settings import Seat, TableOptions, TablePlan
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

    after: only so many decisions of the record. of: a piece, as the game names it, whose moves are wanted
    too. tree: whether the record's variations are wanted too.
    """

    after: Count | None = None
    decisions: Annotated[list[LineDecision], Field(max_length=MOST_DECISIONS)] = Field(default_factory=list)
    of: Count | str | None = None
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


@dataclass(frozen=True, slots=True)
class Line:
    """A line of play. record: of it. begin, table: before and after it.

    refusal: why its last decision was not played.
    """

    record: GameRecord
    begin: TurnTable
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
    if any(one.seat == CHANCE for one in plan.decisions):
        raise TableError("chance decides nothing in this game", code="table/not-now")
    start = _start(name, plan, seed)
    return _line(start, len(start.decisions[: plan.after]), plan.decisions, at)


def tree_record(name: str, plan: TreePlan, seed: int, at: datetime) -> str:
    """Return the record of a tree as text, with the times and the result of its start as far as they hold.

    Raises: EkoesError if a decision is illegal, or the record gets too long.
    """
    start = _start(name, plan, seed)

    def played(decisions: list[Decision]) -> GameRecord:
        pairs = zip(decisions, start.decisions, strict=False)
        same = len(list(takewhile(lambda two: two[0].action == two[1].action, pairs)))
        line = _line(start, same, _as_json(name, decisions[same:]), at)
        if line.refusal is not None:
            raise line.refusal
        return line.record

    return tree_text(start, plan, played)


def tree_text(start: GameRecord, plan: TreePlan, played: Callable[[list[Decision]], GameRecord]) -> str:
    """Return a tree from the start of a record as text. played: returns the record of the main line.

    Raises: EkoesError if a decision is illegal, or the record gets too long.
    """
    given = [
        (number - 1 if one.parent is None else one.parent, one.notation, one.sign, one.comment)
        for number, one in enumerate(plan.tree)
    ]
    nodes = tree_from_notation(start, given)
    main = main_line(nodes)
    record = played([one for number in main if (one := nodes[number].decision)])
    for number, decision in zip(main, record.decisions, strict=True):
        nodes[number] = replace(nodes[number], decision=decision)
    text = write_tree(GameTree(record, tuple(nodes)))
    if len(text) > LONGEST_RECORD:
        message = f"the record would have {len(text)} characters; it may have {LONGEST_RECORD}"
        raise RecordError(message, key="tree")
    return text


def _line(record: GameRecord, given: int, decisions: Sequence[Foreseen], at: datetime) -> Line:
    """Play decisions after so many of a record."""
    names = record.names or ("",) * record.start.players
    seats = tuple(Seat("here", each, number, session=USER) for number, each in enumerate(names))
    begin, parse = TurnTable.of_record(record, seats), game_of(record.game).parse_action
    ahead = tried(begin, USER, [*decisions_of(record)[:given], *decisions], at)
    own = [Decision(one.seat, parse(one.action)) for one in decisions]
    played = (*record.decisions[:given], *own)[: ahead.table.length]
    outcome = ahead.table.outcome or (record.outcome if played == record.decisions else None)
    line = replace(record, decisions=played, outcome=outcome)
    return Line(line, begin, ahead.table, ahead.refusal)


def _start(name: str, plan: StartPlan, seed: int) -> GameRecord:
    game = game_of(name)
    check_part(name, "analysis")
    if plan.record is not None:
        return record_of_game(name, plan.record)
    if plan.position is not None:
        position = game.from_json(plan.position)
        return GameRecord(name, position, outcome=position.outcome(), rules=game.rules_version)
    options = plan.options or TableOptions()
    seed = seed if options.seed is None else options.seed
    start = game.new(presenter(name).settings(options.of_game()), seed)
    return GameRecord(name, start, seed=seed, rules=game.rules_version)


def tree_of(plan: LinePlan, line: Line) -> list[Json]:
    """Return the variations of the record of a plan as ``listed_tree`` does; without a record, none."""
    tree = GameTree(line.record, (Node(),)) if plan.record is None else read_tree(plan.record)
    return listed_tree(tree, _entry)


def listed_tree(tree: GameTree, entry: Callable[[Position, int, Action, Position], Json]) -> list[Json]:
    """Return a tree as a list. entry: describes a decision between two positions, for a log.

    A list of nodes, each behind its ``parent`` (none given: the node before) and with its ``entry`` of a log,
    ``sign`` and ``comment``; the first is the start. Raises RecordError if a decision is illegal, or there
    is too much.
    """
    found, positions = list[Json](), positions_of(tree)
    for number, node in enumerate(tree.nodes):
        notes = {key: text for key, text in (("sign", node.sign), ("comment", node.comment)) if text}
        if node.decision is None:
            found.append(notes)
            continue
        before, decision = positions[node.parent], node.decision
        parent = {} if node.parent == number - 1 else {"parent": node.parent}
        about = entry(before, decision.seat, decision.action, positions[number])
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


def decisions_of(record: GameRecord) -> list[Foreseen]:
    """Return the decisions of a record as JSON."""
    return _as_json(record.game, record.decisions)


def _as_json(name: str, decisions: Sequence[Decision]) -> list[Foreseen]:
    write = game_of(name).action_to_json
    return [Foreseen(seat=one.seat, action=write(one.action)) for one in decisions]


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


class Variations:
    """Variations from the position of a table. What they have in common is played once."""

    def __init__(self, table: TurnTable) -> None:
        """Start with none."""
        self._known: dict[tuple[Action, ...], tuple[Position, tuple[Json, ...]]] = {(): (table.position, ())}

    def entries(self, actions: tuple[Action, ...]) -> tuple[Json, ...]:
        """Return a variation as entries of a log, without ``n`` and ``at``."""
        return self._reach(actions)[1]

    def _reach(self, actions: tuple[Action, ...]) -> tuple[Position, tuple[Json, ...]]:
        if actions not in self._known:
            position, entries = self._reach(actions[:-1])
            (seat,) = position.actors()
            after = position.play(seat, actions[-1])
            self._known[actions] = after, (*entries, _entry(position, seat, actions[-1], after))
        return self._known[actions]


def _entry(before: Position, seat: int, action: Action, after: Position) -> Json:
    """Return a decision as an entry of a log, without ``n`` and ``at``."""
    look = presenter(before.game.name)
    turn, written = look.turn(before).number, before.game.action_to_json(action)
    return {"turn": turn, "seat": seat, "action": written, **look.describe(before, action, after)}


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
    entries = Variations(table)
    return {
        "board": width == 0,
        "games": played.games,
        "moves": [
            {
                **_result(table.position, part, played.scores[gist]),
                "decisions": len(decisions[gist]),
                "entries": [entries.entries((action,))[0] for action in decisions[gist][:MOST_DESCRIBED]],
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
