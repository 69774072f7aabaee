"""The database that servers share: a file on the small disk, or PostgreSQL with a line of its own to each."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Mapping
from pathlib import Path
from time import sleep
from typing import Protocol

from sqlalchemy import make_url, select

from ekoes.storage.database import connect, transaction, ways_of
from ekoes.storage.schema import TableRow
from ekoes.storage.store import Store
from tests.services.postgres import Postgres
from tools.faults.proxy import Proxy

__all__ = ["DATABASES", "Database", "File", "Service", "hold"]


class Database(Protocol):
    """Where servers keep all that they keep. url: for whoever comes straight to it."""

    url: str

    async def way(self) -> tuple[str, Proxy | None]:
        """Return the URL by which one server comes to it, and what lies between, if anything does."""

    def close(self) -> None:
        """Leave nothing."""


class File:
    """An SQLite file in the servers' folder."""

    def __init__(self, folder: Path) -> None:
        """Begin without a file."""
        self.url = f"sqlite:///{folder / 'ekoes.sqlite'}"

    async def way(self) -> tuple[str, Proxy | None]:
        """Return the URL by which one server comes to it; nothing lies between."""
        return self.url, None

    def close(self) -> None:
        """Do nothing: the file goes with its folder."""


class Service:
    """A PostgreSQL server of its own. Each server comes to it through a proxy of its own."""

    def __init__(self, _folder: Path) -> None:
        """Start it, with an empty schema; it has a folder of its own."""
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


DATABASES: Mapping[str, Callable[[Path], Database]] = {"sqlite": File, "postgresql": Service}
"""What may be played on, by the names that people call it."""


def hold(url: str, seconds: float) -> None:
    """Let nobody change a table for some seconds; SQLite's have one writer anyway. Blocks."""
    engine = connect(url)
    with transaction(engine) as connection:
        ways_of(engine).lock(connection)
        connection.execute(select(TableRow.id).with_for_update())
        sleep(seconds)
    engine.dispose()
