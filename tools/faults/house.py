"""All that a fault may lay hands on: servers, what lies before them, their disk, and the players' orders."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.services.redis import RedisServer
from tools.faults.cluster import Cluster, Process
from tools.faults.database import Database, Service
from tools.faults.disk import Disk
from tools.faults.player import Figures
from tools.faults.proxy import Proxy

__all__ = ["House"]

_PAUSE = 0.05


@dataclass
class House:
    """What is played in. data: the folder of servers, on a disk that can be filled.

    watched: a table that whoever comes may look on at. counter: the Redis of the servers, if they have one.
    """

    data: Path
    log: Path
    disk: Disk
    database: Database
    cluster: Cluster
    proxy: Proxy
    figures: Figures = field(default_factory=Figures)
    watched: str = ""
    counter: RedisServer | None = None

    def __post_init__(self) -> None:
        """Begin to count messages."""
        self._left = 0
        self._enough = asyncio.Event()
        self.figures.hears = self._heard

    @property
    def address(self) -> str:
        """Where players come in: by any server that is there."""
        return "http://{}:{}".format(*self.proxy.address)

    @property
    def service(self) -> Service:
        """The database, where it is a server of its own. Raises TypeError."""
        if not isinstance(self.database, Service):
            raise TypeError("the database is a file")
        return self.database

    @property
    def redis(self) -> RedisServer:
        """The Redis of the servers. Raises TypeError."""
        if self.counter is None:
            raise TypeError("the servers have no Redis")
        return self.counter

    def process(self, who: int) -> Process:
        """Return the server that a fault befalls. who: any number."""
        return self.cluster.processes[who % len(self.cluster.processes)]

    async def without(self, process: Process, messages: int) -> None:
        """Return when the others have gone on for so many messages; at once where there are no others."""
        if self.cluster.others(process):
            await self.messages(messages)

    def _heard(self) -> None:
        self._left -= 1
        if self._left <= 0:
            self._enough.set()

    async def refused(self, *codes: str) -> None:
        """Return when somebody has been refused an order, or a line, for one of some reasons."""
        before = self._refusals(codes)
        while self._refusals(codes) == before:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(_PAUSE)

    def _refusals(self, codes: Sequence[str]) -> int:
        return sum(self.figures.refused.get(code, 0) for code in codes)

    async def messages(self, number: int) -> None:
        """Return when players have heard so many messages more."""
        self._enough.clear()
        self._left = number
        await self._enough.wait()
