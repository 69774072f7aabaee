"""What lies between players and servers: a TCP proxy in which a network's weather is made."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Proxy", "Weather"]

_READ = 1 << 16

Address = tuple[str, int]
"""Host and port."""


@dataclass
class Weather:
    """How bytes travel, either way.

    delay: seconds that each piece waits. rate: bytes a second; None: all that there are. piece: bytes of the
    largest one. is_silent: nothing arrives, and nobody is told. halves: the next piece of each line arrives
    by half, and then the line is lost. is_cut: lines that are opened are lost at once.
    """

    delay: float = 0.0
    rate: int | None = None
    piece: int = _READ
    is_silent: bool = False
    halves: bool = False
    is_cut: bool = False


class Proxy:
    """Takes lines at an address of its own and goes on with each to a server that is there."""

    def __init__(self, server: Callable[[], Address | Path | None]) -> None:
        """Begin with fair weather.

        server: tells who takes the next line, by address or by the file of a socket; None: nobody is there.
        """
        self._server = server
        self._listener: asyncio.Server | None = None
        self._lines: set[_Line] = set()
        self.weather = Weather()
        self.address: Address = ("", 0)

    async def open(self) -> None:
        """Listen on any free port of this machine."""
        self._listener = await asyncio.start_server(self._take, "127.0.0.1", 0)
        self.address = self._listener.sockets[0].getsockname()[:2]

    def cut(self) -> int:
        """Lose every line. Returns: how many there were."""
        lines, self._lines = self._lines, set()
        for line in lines:
            line.lose()
        return len(lines)

    async def close(self) -> None:
        """Take no more lines, and lose those that there are."""
        self.cut()
        if self._listener is not None:
            self._listener.close()

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = None if self.weather.is_cut else await _opened(self._server())
        if there is None:
            writer.transport.abort()
            return
        line = _Line(self, (reader, writer), there)
        self._lines.add(line)
        try:
            await line.pass_on()
        finally:
            self._lines.discard(line)
            line.lose()


Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def _opened(address: Address | Path | None) -> Ends | None:
    """Open a line to a server, None if it is not there."""
    try:
        if isinstance(address, Path):
            return await asyncio.open_unix_connection(address)
        return None if address is None else await asyncio.open_connection(*address)
    except OSError:
        return None


class _Line:
    """A line through the proxy: what comes at one end goes out at the other, as the weather lets it."""

    def __init__(self, proxy: Proxy, near: Ends, far: Ends) -> None:
        self._proxy = proxy
        self._near, self._far = near, far

    def lose(self) -> None:
        """Lose it at both ends."""
        for _, writer in (self._near, self._far):
            writer.transport.abort()

    async def pass_on(self) -> None:
        """Pass bytes on until either end is gone."""
        ways = (self._way(self._near[0], self._far[1]), self._way(self._far[0], self._near[1]))
        tasks = [asyncio.create_task(way) for way in ways]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _way(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while some := await reader.read(self._proxy.weather.piece):
                weather = self._proxy.weather
                if weather.is_silent:
                    continue
                await asyncio.sleep(weather.delay + (len(some) / weather.rate if weather.rate else 0))
                writer.write(some[: len(some) // 2] if weather.halves else some)
                await writer.drain()
                if weather.halves:
                    return
