"""Pictures of tables as PNG and GIF, made in worker processes and cached."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Literal

from ekoes.games.api.contract import Json, Position
from ekoes.games.api.registry import check_part, game, part_of
from ekoes.games.api.table import Picturing, Sitter
from ekoes.server.ops.clock import Clock
from ekoes.server.ops.logs import LOG
from ekoes.server.workers.fair_queue import FairQueue
from ekoes.storage.cache import LRUCache
from ekoes.storage.store import Store
from ekoes.storage.tables import History
from ekoes.tables.analysis_board import Line, LinePlan, play_line
from ekoes.tables.puzzles import puzzle_of
from ekoes.tables.table import Table

_RASTER = Path(__file__).with_name("raster.py")
_Kind = Literal["png", "gif"]
_KNOWN: dict[_Kind, int] = {"png": 128, "gif": 16}
"""Cached pictures, about 300 KB each."""
_SECONDS: dict[_Kind, int] = {"png": 10, "gif": 60}
_WAITING = 7
"""Requests of each kind that may wait; more are refused."""
_WAIT = 10
"""Seconds after which a place in a full queue may be free."""
MOST_FRAMES = 60
_SEPARATOR = "\0"
"""Between the documents that the script reads; XML has no such character."""


class Pictures:
    """Renders and caches pictures, one of each kind at a time."""

    def __init__(self) -> None:
        self._known: dict[_Kind, LRUCache[bytes]] = {kind: LRUCache(size) for kind, size in _KNOWN.items()}
        self._queues = {kind: FairQueue(1, _WAITING, "pictures", _WAIT) for kind in _KNOWN}

    def close(self) -> None:
        """Draw nothing more."""
        for queue in self._queues.values():
            queue.close()

    async def png(self, key: str, draw: Callable[[], str], address: str | None = None) -> bytes:
        """Return the picture of a key. draw: returns its SVG document. address: of the client.

        Raises: LimitError if it can't be rendered now.
        """
        return await self._picture("png", key, partial(self._queues["png"].in_thread, draw), address)

    async def gif(
        self, key: str, draw: Callable[[], Awaitable[Sequence[str]]], address: str | None = None
    ) -> bytes:
        """Return the animation of a key. draw: returns the SVG documents of its frames. address: as above.

        Raises: LimitError if it can't be rendered now.
        """

        async def joined() -> str:
            return _SEPARATOR.join(await draw())

        return await self._picture("gif", key, joined, address)

    async def _picture(
        self, kind: _Kind, key: str, draw: Callable[[], Awaitable[str]], address: str | None
    ) -> bytes:
        if (known := self._known[kind].get(key)) is not None:
            return known
        queue = self._queues[kind]
        with queue.places.place(address):
            async with queue.turn((address,)):
                return self._known[kind].get(key) or await self._made(kind, key, draw)

    async def _made(self, kind: _Kind, key: str, draw: Callable[[], Awaitable[str]]) -> bytes:
        queue = self._queues[kind]
        svg = await draw()
        try:
            async with asyncio.timeout(_SECONDS[kind]):
                made = await _rastered(kind, svg)
        except TimeoutError:
            made = b""
        if not made:
            LOG.warning("rendering a picture failed", picture=key)
            raise queue.places.busy()
        return self._known[kind].put(key, made)


async def _rastered(kind: _Kind, svg: str) -> bytes:
    """Render SVG in a process that is killed if this is cancelled."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-I", _RASTER, kind, str(_SECONDS[kind]), stdin=pipe, stdout=pipe
    )
    try:
        made, _ = await process.communicate(svg.encode())
        return b"" if process.returncode else made
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def draws(table: Table) -> bool:
    """Return whether the game of a table has pictures."""
    return game(table.game).parts.picture is not None


def drawn(table: Table, clock: Clock) -> str:
    """Return a table as spectators see it, as an SVG document."""
    return _draw(table.game, table.position, table.shared_state(clock.now()), sitters(table))


def drawn_past(table_id: str, table: Table, store: Store, entries: int) -> str:
    """Return a table after some entries of its log, as an SVG document. Raises TableError."""
    return _drawn_after(table, entries, table if entries > table.log_start else store.past(table_id, entries))


def drawn_frames(table: Table, history: History) -> list[str]:
    """Return a finished game as SVG documents: its beginning, and the end of each turn. Raises TableError.

    For a long game this takes half a second, so it runs in the sandbox.
    """
    moments = history.moments()
    ends = frames_of([entry["seat"] for entry in moments[-1].entries_json()])
    return [_drawn_after(table, entries, moments[entries]) for entries in ends]


def drawn_line(name: str, plan: LinePlan, seed: int, now: datetime) -> str:
    """Return the position after a line of play as an SVG document. Raises EkoesError."""
    line = _line(name, plan, seed, now)
    return _draw(name, line.table.position, line.table.shared_state(now), sitters(line.table))


def drawn_line_frames(name: str, plan: LinePlan, seed: int, now: datetime) -> list[str]:
    """Return a line of play as SVG documents, like ``drawn_frames``. Raises EkoesError."""
    line = _line(name, plan, seed, now)
    ends = frames_of([entry.seat for entry in line.table.log])
    return [_drawn_after(line.table, entries, line.table if entries else line.begin) for entries in ends]


@lru_cache(maxsize=16)
def drawn_puzzle(name: str, puzzle: str) -> str:
    """Return the position of a puzzle as an SVG document; all visitors get that of the day.

    Raises TableError if there is none of this name.
    """
    position = puzzle_of(name, puzzle).position
    players = [Sitter("", seat, won=False) for seat in range(position.players)]
    return _draw(name, position, position.view(None), players)


def _line(name: str, plan: LinePlan, seed: int, now: datetime) -> Line:
    check_part(name, "analysis")
    return play_line(name, plan, seed, now)


def frames_of(seats: Sequence[int]) -> list[int]:
    """Return after how many entries of a log each frame shows a game. seats: who decided, by entry.

    Consecutive entries of a seat share a frame. Of more than MOST_FRAMES, evenly spread ones are left.
    """
    last = len(seats)
    ends = [0, *(n for n in range(1, last) if seats[n] != seats[n - 1]), *([last] if last else [])]
    if len(ends) <= MOST_FRAMES:
        return ends
    step = (len(ends) - 1) / (MOST_FRAMES - 1)
    return [ends[round(step * number)] for number in range(MOST_FRAMES)]


def _drawn_after(table: Table, entries: int, then: Table) -> str:
    """Draw a table after some entries of its log. then: as in ``Table.past_state``."""
    _, position = table.entry_and_position(entries, then)
    return _draw(table.game, position, table.past_state(entries, then), sitters(table, entries))


def _draw(name: str, position: Position, shown: Json, players: Sequence[Sitter]) -> str:
    part: Picturing[Any] = part_of(name, "picture")
    return part.preview(position, shown, players)


def sitters(table: Table, entries: int | None = None) -> list[Sitter]:
    """Return the players of a table for pictures and link previews.

    entries: of the log, before the last of which there is no winner; None: all.
    """
    is_end = entries is None or entries == table.length
    winners = table.outcome.winners if table.outcome and is_end else ()
    return [
        Sitter(seat.shown_name, seat.colour, number in winners) for number, seat in enumerate(table.seats)
    ]
