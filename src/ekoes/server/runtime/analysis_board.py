"""What is computed for an analysis board in other processes: lines of play, and evaluations of positions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import cache

from ekoes.bots import Info, KeptSearch, Search, begin_search, watch
from ekoes.games.api.contract import Action, Json
from ekoes.games.api.registry import game as game_of
from ekoes.server.runtime.viewers import trial_text
from ekoes.server.workers.worker_process import cores
from ekoes.tables.analysis import check_open
from ekoes.tables.analysis_board import (
    USER,
    Line,
    LinePlan,
    TreePlan,
    Variations,
    play_line,
    tree_of,
    tree_record,
)
from ekoes.tables.sequence import (
    SequenceLine,
    SequenceTable,
    play_sequence,
    sequence_part,
    sequence_record,
    sequence_tree,
)
from ekoes.tables.turns import TurnTable

MEMORY = 64
"""MiB of the tree of a search."""
_THREADS = 8
"""Most threads that search a position: the stack of each counts as memory of the process."""
_LONGEST_VARIATION = 8
"""Decisions of a best variation that are described, at most."""


def line_text(name: str, plan: LinePlan, seed: int, now: datetime) -> str:
    """Return the table after a line of play, as a user with all seats sees it, and its record, as JSON."""
    line = _line(name, plan, seed, now)
    about: Json = {"record": line.text}
    if plan.tree:
        about["tree"] = tree_of(plan, line) if isinstance(line, Line) else sequence_tree(plan, line)
    return trial_text(about, line.refusal, USER, line.table, USER, plan.of, now)


def table_after(name: str, plan: LinePlan, seed: int, now: datetime) -> TurnTable | SequenceTable:
    """Return the table after a line of play. Raises EkoesError if a decision is illegal."""
    line = _line(name, plan, seed, now)
    if line.refusal is not None:
        raise line.refusal
    return line.table


def record_text(name: str, plan: TreePlan, seed: int, now: datetime) -> str:
    """Return a tree as a record. Raises EkoesError if a decision is illegal, or the record gets too long."""
    part = sequence_part(name)
    return tree_record(name, plan, seed, now) if part is None else sequence_record(name, part, plan, seed)


def _line(name: str, plan: LinePlan, seed: int, now: datetime) -> Line | SequenceLine:
    part = sequence_part(name)
    return play_line(name, plan, seed, now) if part is None else play_sequence(name, part, plan, seed)


KEPT = KeptSearch()
"""The latest search of this process, one of a few beside the server."""


def evaluations(table: TurnTable | SequenceTable, seconds: float, lines: int, session: str) -> Iterator[Json]:
    """Search the position of a table, and yield what is known.

    session: whose search goes on in its next position if no other one was searched here in between.
    """
    entries: Callable[[tuple[Action, ...]], Sequence[Json]]
    if isinstance(table, SequenceTable):
        search, entries = table.search(), cache(table.foretold)
    else:
        search, entries = _search(table, session), Variations(table).entries
    for info in watch(search, seconds=seconds, lines=lines, threads=_threads()):
        yield _evaluation(info, entries)


def _evaluation(info: Info, entries: Callable[[tuple[Action, ...]], Sequence[Json]]) -> Json:
    lines = [
        {
            "value": list(line.value),
            **line.about,
            "iterations": line.iterations,
            **({"proven": True} if line.proven else {}),
            "entries": list(entries(tuple(line.actions[:_LONGEST_VARIATION]))),
        }
        for line in info.lines
    ]
    return {
        "value": list(info.value),
        **info.about,
        "iterations": info.iterations,
        "depth": info.depth,
        "seconds": round(info.seconds, 3),
        "lines": lines,
    }


def table_evaluations(table: TurnTable, seconds: float, lines: int, session: str) -> Iterator[Json]:
    """Search the position of a table like ``evaluations``; what is known is as in the protocol of engines."""
    for info in watch(_search(table, session), seconds=seconds, lines=lines, threads=_threads()):
        yield {**info.to_json(table.position), "seconds": round(info.seconds, 3)}


def _threads() -> int:
    return min(_THREADS, cores())


def _search(table: TurnTable, session: str) -> Search:
    check_open(table.position)
    position, seen, game = table.position, table.begun, game_of(table.game)
    return KEPT.next((session, game), position, seen, lambda: begin_search(game, position, seen, MEMORY))
