"""Pictures of tables as PNG files: drawn beside the loop, each in bounded time, and remembered."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

from ekoes.games.picturing import Picturing, Sitter
from ekoes.games.registry import game, load
from ekoes.match.kinds import kind_of
from ekoes.match.state import Table
from ekoes.server.clock import Clock
from ekoes.server.logs import log_of
from ekoes.storage.remembered import Remembered

__all__ = ["Pictures", "drawn", "draws", "sitters"]

_LOG = log_of("ekoes.server")
_RASTER = Path(__file__).with_name("raster.py")
_KNOWN = 128
"""Pictures of some 60 KB that need not be made again."""
_WAITING = 8
"""Who asks for another one while so many are to be made is told to come back."""
_SECONDS = 10


class Pictures:
    """Makes one picture at a time."""

    def __init__(self) -> None:
        """Begin with none."""
        self._known: Remembered[bytes] = Remembered(_KNOWN)
        self._one = asyncio.Semaphore(1)
        self._waiting = 0

    async def png(self, key: str, draw: Callable[[], str]) -> bytes | None:
        """Return the picture of a key; draw: makes its SVG document. None: it can't be had now."""
        if (known := self._known.get(key)) is not None:
            return known
        if self._waiting >= _WAITING:
            return None
        self._waiting += 1
        try:
            async with self._one:
                return self._known.get(key) or await self._made(key, draw)
        finally:
            self._waiting -= 1

    async def _made(self, key: str, draw: Callable[[], str]) -> bytes | None:
        svg = await asyncio.to_thread(draw)
        try:
            async with asyncio.timeout(_SECONDS):
                made = await _rastered(svg)
        except TimeoutError:
            made = b""
        if not made:
            _LOG.warning("a picture could not be made", picture=key)
            return None
        return self._known.put(key, made)


async def _rastered(svg: str) -> bytes:
    """Return a document as a PNG file, made in a process that ends with this, however it ends."""
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
    """Tell whether the game of a table brings pictures."""
    return game(table.game).parts.picture is not None


def drawn(table: Table, clock: Clock) -> str:
    """Draw a table as everybody who looks on sees it."""
    part: Picturing = load(str(game(table.game).parts.picture))
    kind = kind_of(table.game)
    return part.preview(kind.position_of(table), kind.shared_state(table, clock.now()), sitters(table))


def sitters(table: Table) -> list[Sitter]:
    """Return who sits at a table, as pictures and links tell it."""
    winners = table.outcome.winners if table.outcome else ()
    return [
        Sitter(seat.name or (seat.bot or str(number + 1)).capitalize(), seat.colour, number in winners)
        for number, seat in enumerate(table.seats)
    ]
