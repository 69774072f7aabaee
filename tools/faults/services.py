"""What servers stand on: their disk, their database, and a TCP proxy that simulates a bad network."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import sleep

from sqlalchemy import make_url, select

from ekoes.storage.dialects import dialect_of
from ekoes.storage.engine import connect, transaction
from ekoes.storage.schema import TableRow
from ekoes.storage.store import Store
from tests.services.postgres import Postgres

_READ = 1 << 16

Address = tuple[str, int]
"""Host and port."""


@dataclass
class Weather:
    """How bytes travel, either way.

    delay: seconds that each piece waits. rate: bytes a second; None: all that there are. piece: bytes of the
    largest one. is_silent: nothing arrives, without an error. halves: half of each connection's next piece
    arrives, and the connection is lost. is_cut: connections that are opened are lost at once.
    """

    delay: float = 0.0
    rate: int | None = None
    piece: int = _READ
    is_silent: bool = False
    halves: bool = False
    is_cut: bool = False


class Proxy:
    """Accepts connections and forwards each to a server that is up."""

    def __init__(self, server: Callable[[], Address | Path | None]) -> None:
        """Begin with fair weather.

        server: returns where the next connection goes, an address or the file of a socket; None: refuse it.
        """
        self._server = server
        self._listener: asyncio.Server | None = None
        self._connections: set[_Relay] = set()
        self.weather = Weather()
        self.address: Address = ("", 0)

    async def open(self) -> None:
        """Listen on any free port of this machine."""
        self._listener = await asyncio.start_server(self._take, "127.0.0.1", 0)
        self.address = self._listener.sockets[0].getsockname()[:2]

    def cut(self) -> None:
        """Lose every connection."""
        connections, self._connections = self._connections, set()
        for connection in connections:
            connection.lose()

    async def close(self) -> None:
        """Take no more connections, and lose those that there are."""
        self.cut()
        if self._listener is not None:
            self._listener.close()

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = None if self.weather.is_cut else await _connected(self._server())
        if there is None:
            writer.transport.abort()
            return
        connection = _Relay(self, (reader, writer), there)
        self._connections.add(connection)
        try:
            await connection.pass_on()
        finally:
            self._connections.discard(connection)
            connection.lose()


Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def _connected(address: Address | Path | None) -> Ends | None:
    """Open a connection to a server, None if it is not there."""
    try:
        if isinstance(address, Path):
            return await asyncio.open_unix_connection(address)
        return None if address is None else await asyncio.open_connection(*address)
    except OSError:
        return None


class _Relay:
    """A connection through the proxy: bytes are forwarded as the weather lets them."""

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


_SIZE = 256 << 20
_ROOM = 8192
"""Bytes of a file where its length is bounded: fewer than any database has."""
_PAGE = 4096


class Disk:
    """A disk at a folder."""

    def __init__(self, folder: Path, *, is_own: bool) -> None:
        """Begin empty. is_own: whether it is a file system of its own."""
        self.folder = folder
        self.is_own = is_own
        self._filler = folder / "filler"

    def fill(self, pids: Iterable[int]) -> None:
        """Leave no room. pids: of the servers that write there."""
        if self.is_own:
            self._fill_up()
        else:
            _bound(pids, _ROOM)

    def clear(self, pids: Iterable[int]) -> None:
        """Make room again."""
        if self.is_own:
            self._filler.unlink()
        else:
            _bound(pids, resource.RLIM_INFINITY)

    def _fill_up(self) -> None:
        """Take all the room, by smaller and smaller pieces.

        A piece is had whole or not at all, and servers write meanwhile: one as large as what was free a
        moment ago would often be refused, and the disk stay empty.
        """
        length, piece = 0, _SIZE
        with self._filler.open("wb") as file:
            while piece >= _PAGE:
                try:
                    os.posix_fallocate(file.fileno(), length, piece)
                except OSError:
                    piece //= 2
                else:
                    length += piece


def _bound(pids: Iterable[int], length: int) -> None:
    """Let no file that these processes write become longer."""
    for pid in pids:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (length, resource.RLIM_INFINITY))


@contextmanager
def small_disk(folder: Path) -> Iterator[Disk]:
    """Make a disk at a folder for a while; where none may be made its files can be bounded."""
    folder.mkdir(parents=True, exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={_SIZE}", "tmpfs", str(folder)]
    try:
        is_own = subprocess.run(mount, capture_output=True, check=False).returncode == 0  # noqa: S603
    except OSError:
        is_own = False
    try:
        yield Disk(folder, is_own=is_own)
    finally:
        if is_own:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)  # noqa: S603, S607


class Database:
    """An SQLite file in the servers' folder. url: without a proxy."""

    def __init__(self, folder: Path) -> None:
        """Begin without a file."""
        self.url = f"sqlite:///{folder / 'ekoes.sqlite'}"

    async def way(self) -> tuple[str, Proxy | None]:
        """Return the URL by which one server comes to it, and what lies between, if anything does."""
        return self.url, None

    def close(self) -> None:
        """Leave nothing; a file goes with its folder."""


class Service(Database):
    """A PostgreSQL server of its own. Each server comes to it through a proxy of its own."""

    def __init__(self, folder: Path) -> None:  # noqa: ARG002 - it has a folder of its own
        """Start it, with an empty schema."""
        self._server = Postgres()
        self.url = self._server.empty()
        Store(self.url).close()

    async def way(self) -> tuple[str, Proxy]:
        """Return the URL by which one server comes to it, and the proxy that lies between."""
        proxy = Proxy(lambda: self._server.socket)
        await proxy.open()
        host, port = proxy.address
        own = make_url(self.url).set(host=host, port=port, query={})
        return own.render_as_string(hide_password=False), proxy

    async def stop(self, how: signal.Signals) -> None:
        """End it: SIGINT in good order, SIGKILL as a power cut would."""
        await asyncio.to_thread(self._server.stop, how)

    async def start(self) -> None:
        """Start it again, and return when it answers."""
        await asyncio.to_thread(self._server.start)

    def close(self) -> None:
        """End it, and leave nothing."""
        self._server.remove()


DATABASES: Mapping[str, Callable[[Path], Database]] = {"sqlite": Database, "postgresql": Service}
"""What may be played on, by the names that people call it."""


def hold(url: str, seconds: float) -> None:
    """Lock all tables for some seconds; SQLite has one writer anyway. Blocks."""
    engine = connect(url)
    with transaction(engine) as connection:
        dialect_of(engine.dialect.name).lock(connection)
        connection.execute(select(TableRow.id).with_for_update())
        sleep(seconds)
    engine.dispose()
