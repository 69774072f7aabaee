"""What can befall servers and those who play there: small values, drawn by chance or named.

``who`` is any number, which stands for one of the servers.
"""

from __future__ import annotations

import asyncio
import signal
from dataclasses import dataclass, replace
from typing import Protocol

from tools.faults.crew import cookie_of
from tools.faults.database import hold
from tools.faults.deaf import is_let_go
from tools.faults.house import House
from tools.faults.proxy import Weather

__all__ = [
    "Apart",
    "Away",
    "Cut",
    "Deaf",
    "Emptied",
    "Fault",
    "Full",
    "Jump",
    "Kill",
    "Locked",
    "Pause",
    "Restart",
    "Sever",
    "Stormy",
    "Uncounted",
]


class Fault(Protocol):
    """Something that goes wrong, and is over again when ``strike`` returns. Its repr tells all of it."""

    async def strike(self, house: House) -> str | None:
        """Let it happen. Returns: what of it was wrong, None if that is seen elsewhere."""


@dataclass(frozen=True)
class Kill:
    """SIGKILL after some messages, and a start, before which others go on for some more, if there are any."""

    messages: int
    who: int = 0
    without: int = 0

    async def strike(self, house: House) -> None:
        """Let it happen."""
        process = house.process(self.who)
        await house.messages(self.messages)
        await process.end()
        await house.without(process, self.without)
        await process.start()


@dataclass(frozen=True)
class Cut:
    """SIGKILL in the midst of a transaction, after some statements that change the database."""

    statements: int
    who: int = 0
    without: int = 0

    async def strike(self, house: House) -> None:
        """Let it happen."""
        process = house.process(self.who)
        process.say("cut", self.statements)
        await process.ended()
        await house.without(process, self.without)
        await process.start()


@dataclass(frozen=True)
class Restart:
    """SIGTERM, and a start when the server has gone by itself."""

    messages: int
    who: int = 0

    async def strike(self, house: House) -> None:
        """Let it happen."""
        process = house.process(self.who)
        await house.messages(self.messages)
        await process.end(signal.SIGTERM)
        await process.start()


@dataclass(frozen=True)
class Pause:
    """SIGSTOP, and SIGCONT seconds later: by then others may have all that the server owned."""

    seconds: float
    who: int = 0

    async def strike(self, house: House) -> None:
        """Let it happen."""
        process = house.process(self.who)
        process.send(signal.SIGSTOP)
        await asyncio.sleep(self.seconds)
        process.send(signal.SIGCONT)


@dataclass(frozen=True)
class Jump:
    """The clock on the wall is set forward, or back, while the server is there."""

    seconds: float
    who: int = 0

    async def strike(self, house: House) -> None:
        """Let it happen."""
        house.process(self.who).jump(self.seconds)
        await house.messages(20)


@dataclass(frozen=True)
class Sever:
    """All lines are lost at once."""

    async def strike(self, house: House) -> None:
        """Let it happen."""
        house.proxy.cut()


@dataclass(frozen=True)
class Stormy:
    """A network that is slow, narrow, in small pieces, silent, or loses lines in the midst of a message."""

    seconds: float
    weather: Weather

    async def strike(self, house: House) -> None:
        """Let it happen; lines that were silent are lost at its end."""
        house.proxy.weather = replace(self.weather)
        await asyncio.sleep(self.seconds)
        house.proxy.weather = Weather()
        if self.weather.is_silent:
            house.proxy.cut()


@dataclass(frozen=True)
class Full:
    """The disk is full until people have been told, and for some seconds more.

    What was written ahead before leaves room that is used again: at first nobody may notice.
    """

    seconds: float

    async def strike(self, house: House) -> None:
        """Let it happen."""
        pids = [process.pid for process in house.cluster.processes]
        house.disk.fill(pids)
        await house.refused("storage/failed")
        await asyncio.sleep(self.seconds)
        house.disk.clear(pids)


@dataclass(frozen=True)
class Locked:
    """Somebody else holds the database for some seconds."""

    seconds: float

    async def strike(self, house: House) -> None:
        """Let it happen."""
        await asyncio.to_thread(hold, house.database.url, self.seconds)


@dataclass(frozen=True)
class Away:
    """The database stops, or is killed, until people have been told, and for some seconds more."""

    seconds: float
    how: signal.Signals

    async def strike(self, house: House) -> None:
        """Let it happen."""
        await house.service.stop(self.how)
        try:
            await house.refused("storage/failed", "http/503")
            await asyncio.sleep(self.seconds)
        finally:
            await house.service.start()


@dataclass(frozen=True)
class Emptied:
    """Redis forgets all it had; people go on."""

    async def strike(self, house: House) -> None:
        """Let it happen."""
        await asyncio.to_thread(house.redis.flush)
        await house.messages(20)


@dataclass(frozen=True)
class Uncounted:
    """Redis stops, or is killed, for some seconds; people go on meanwhile."""

    seconds: float
    how: signal.Signals

    async def strike(self, house: House) -> None:
        """Let it happen."""
        await asyncio.to_thread(house.redis.stop, self.how)
        try:
            await house.messages(20)
            await asyncio.sleep(self.seconds)
        finally:
            await asyncio.to_thread(house.redis.start)


@dataclass(frozen=True)
class Apart:
    """One server is cut off from the database, and the others are not.

    It notices at once, as its lines are lost; or it does not, as nothing arrives any more.
    """

    seconds: float
    weather: Weather
    who: int = 0

    async def strike(self, house: House) -> None:
        """Let it happen; lines that were silent are lost at its end."""
        way = house.process(self.who).way
        if way is None:
            raise TypeError("nothing lies between a server and its file")
        way.weather = replace(self.weather)
        if not self.weather.is_silent:
            way.cut()
        await asyncio.sleep(self.seconds)
        way.cut()
        way.weather = Weather()


@dataclass(frozen=True)
class Deaf:
    """Sockets that ask for much and read nothing: they have to be let go, and nobody else may notice."""

    sockets: int
    who: int = 0

    async def strike(self, house: House) -> str | None:
        """Let it happen. Returns: what was wrong."""
        process = house.process(self.who)
        cookies = [await cookie_of(process.url) for _ in range(self.sockets)]
        return await is_let_go(process, cookies, house.watched)
