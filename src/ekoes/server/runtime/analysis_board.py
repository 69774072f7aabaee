"""What an analysis board is sent: the table after a line of play, and the evaluations of its position."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from datetime import datetime
from functools import cache

from ekoes.bots.analysis import Info, search_in_steps
from ekoes.errors import TableError
from ekoes.games.api.contract import Action, Json
from ekoes.protocol.incoming import encode
from ekoes.server.runtime.analyses import MEMORY, Analyses, AnalysisRequest
from ekoes.server.runtime.messages import error_json
from ekoes.server.runtime.viewers import Audience
from ekoes.storage.store import Store
from ekoes.tables.analysis import check_open, search_of, turn_table, turns_so_far
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
from ekoes.tables.table import Table
from ekoes.tables.turns.table import TurnTable

_LONGEST_VARIATION = 8
"""Decisions of a best variation that are described, at most."""


def check_no_copy(store: Store, table: Table) -> None:
    """Raise TableError if a game has passed through the turn of a running game between people. Blocks."""
    if store.is_played(turns_so_far(table)):
        message = "people play a game with this position; there is advice again when they have gone on"
        raise TableError(message, code="table/copy")


def line_text(name: str, plan: LinePlan, seed: int, now: datetime) -> str:
    """Return the table after a line of play, as a user with all seats sees it, and its record, as JSON."""
    line = _line(name, plan, seed, now)
    about: Json = {
        "refusal": None if line.refusal is None else error_json(line.refusal),
        "record": line.text,
    }
    if plan.tree:
        about["tree"] = tree_of(plan, line) if isinstance(line, Line) else sequence_tree(plan, line)
    if plan.of is not None:
        about["ways"] = turn_table(line.table).ways(plan.of)
    shown = Audience(USER, lambda: now).table_text(USER, line.table, ())
    return f'{encode(about)[:-1]},"table":{shown}}}'


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


def evaluations(table: TurnTable | SequenceTable, seconds: float, lines: int) -> Iterator[Json | None]:
    """Search the position of a table, and yield what is known, or None; see ``search_in_steps``."""
    entries: Callable[[tuple[Action, ...]], Sequence[Json]]
    if isinstance(table, SequenceTable):
        search, entries = table.search(), cache(table.foretold)
    else:
        search, entries = search_of(table, MEMORY), Variations(table).entries
    for info in search_in_steps(search, seconds, lines):
        yield None if info is None else _evaluation(info, entries)


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


def table_evaluations(table: TurnTable, seconds: float, lines: int) -> Iterator[Json | None]:
    """Search the position of a table like ``evaluations``; what is known is as in the protocol of engines."""
    for info in search_in_steps(search_of(table, MEMORY), seconds, lines):
        yield None if info is None else {**info.to_json(table.position), "seconds": round(info.seconds, 3)}


NOTHING_KNOWN: Json = {"value": [], "iterations": 0, "depth": 0, "seconds": 0.0, "lines": []}
"""What is known of a position before the search has begun."""


class Evaluation:
    """The running evaluation of a position for one reader."""

    def __init__(self, analyses: Analyses, table: TurnTable | SequenceTable) -> None:
        self._analyses = analyses
        self._table = table
        self._found: asyncio.Queue[Json] = asyncio.Queue()
        self._session = ""

    async def begin(self, session: str, seconds: float, lines: int, address: str | None) -> None:
        """Start it; an earlier one of the session ends. Raises: TableError, LimitError."""
        self._session = session
        check_open(self._table.position)
        work = (self._table, seconds, lines)
        await self._analyses.begin(AnalysisRequest(session, self, evaluations, work, self._add, address))

    async def lines(self) -> AsyncIterator[str]:
        """Yield what is known as JSON lines, the last one ``final``; closing the iterator ends the search."""
        try:
            is_final = False
            while not is_final:
                found = await self._found.get()
                is_final = found["final"]
                yield f"{encode(found)}\n"
        finally:
            self._analyses.drop(self._session, self)

    def _add(self, field: str, known: Json | None, ahead: int | None) -> None:
        place = {} if ahead is None else {"ahead": ahead}
        self._found.put_nowait((known or NOTHING_KNOWN) | place | {"final": field == "result"})
