"""Pictures of tables as PNG, made in worker processes and cached."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

from ekoes.games.api.registry import game, load
from ekoes.games.api.table import Picturing, Sitter
from ekoes.server.ops.clock import Clock
from ekoes.server.ops.limits import Places
from ekoes.server.ops.logs import log_of
from ekoes.storage.cache import LRUCache
from ekoes.tables.table import Table

_LOG = log_of("ekoes.server")
_RASTER = Path(__file__).with_name("raster.py")
_KNOWN = 128
"""Cached pictures, about 60 KB each."""
_WAITING = 8
"""Requests that may wait; more are refused."""
_SECONDS = 10


class Pictures:
    """Renders and caches pictures, one at a time."""

    def __init__(self) -> None:
        self._known: LRUCache[bytes] = LRUCache(_KNOWN)
        self._one = asyncio.Semaphore(1)
        self._places = Places(_WAITING)

    async def png(self, key: str, draw: Callable[[], str], address: str | None = None) -> bytes | None:
        """Return the picture of a key, None if it can't be rendered now.

        draw: returns its SVG document. address: of the client.
        """
        if (known := self._known.get(key)) is not None:
            return known
        if not self._places.take(address):
            return None
        try:
            async with self._one:
                return self._known.get(key) or await self._made(key, draw)
        finally:
            self._places.leave(address)

    async def _made(self, key: str, draw: Callable[[], str]) -> bytes | None:
        svg = await asyncio.to_thread(draw)
        try:
            async with asyncio.timeout(_SECONDS):
                made = await _rastered(svg)
        except TimeoutError:
            made = b""
        if not made:
            _LOG.warning("rendering a picture failed", picture=key)
            return None
        return self._known.put(key, made)


async def _rastered(svg: str) -> bytes:
    """Render an SVG document to PNG in a process that is killed if this is cancelled."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(sys.executable, "-I", _RASTER, stdin=pipe, stdout=pipe)
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
    part: Picturing = load(str(game(table.game).parts.picture))
    return part.preview(table.position, table.shared_state(clock.now()), sitters(table))


def sitters(table: Table) -> list[Sitter]:
    """Return the players of a table for pictures and link previews."""
    winners = table.outcome.winners if table.outcome else ()
    return [
        Sitter(seat.name or (seat.bot or str(number + 1)).capitalize(), seat.colour, number in winners)
        for number, seat in enumerate(table.seats)
    ]
