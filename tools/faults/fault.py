"""What can happen to servers and players: small values, drawn at random or named.

``server`` is any number, which selects one of the servers.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from ekoes.games.api.chance import Chance
from tools.faults.servers import Scene
from tools.faults.services import Weather, hold


class Fault(Protocol):
    """Something that goes wrong and is over when ``strike`` returns. Its repr has all its values."""

    async def strike(self, scene: Scene) -> None:
        """Inflict it."""


@dataclass(frozen=True)
class Restart:
    """A signal after some messages, and a start when the server has gone.

    Others go on for some messages before that, if there are any.
    """

    messages: int
    how: signal.Signals
    server: int
    without: int

    async def strike(self, scene: Scene) -> None:
        """Inflict it."""
        process = scene.process(self.server)
        await scene.messages(self.messages)
        await process.end(self.how)
        await scene.without(process, self.without)
        await process.start()


@dataclass(frozen=True)
class Cut:
    """SIGKILL in the midst of a transaction, after some statements that change the database."""

    statements: int
    server: int
    without: int

    async def strike(self, scene: Scene) -> None:
        """Inflict it."""
        process = scene.process(self.server)
        process.order("cut", self.statements)
        await process.ended()
        await scene.without(process, self.without)
        await process.start()


@dataclass(frozen=True)
class Pause:
    """SIGSTOP, and SIGCONT seconds later: by then others may have all that the server owned."""

    seconds: float
    server: int

    async def strike(self, scene: Scene) -> None:
        """Inflict it."""
        process = scene.process(self.server)
        process.send(signal.SIGSTOP)
        await asyncio.sleep(self.seconds)
        process.send(signal.SIGCONT)


@dataclass(frozen=True)
class Jump:
    """The wall clock is set forward, or back, while the server is there."""

    seconds: float
    server: int

    async def strike(self, scene: Scene) -> None:
        """Inflict it."""
        scene.process(self.server).jump(self.seconds)
        await scene.messages(20)


@dataclass(frozen=True)
class Sever:
    """All connections are lost at once."""

    async def strike(self, scene: Scene) -> None:
        """Inflict it."""
        scene.proxy.cut()


@dataclass(frozen=True)
class Stormy:
    """A network that is slow, narrow, silent, or cuts connections inside a message."""

    seconds: float
    weather: Weather

    async def strike(self, scene: Scene) -> None:
        """Inflict it; silent connections are cut at its end."""
        scene.proxy.weather = replace(self.weather)
        await asyncio.sleep(self.seconds)
        scene.proxy.weather = Weather()
        if self.weather.is_silent:
            scene.proxy.cut()


@dataclass(frozen=True)
class Full:
    """The disk is full until an order is refused, and for some seconds more.

    The write-ahead log has free pages that are used first.
    """

    seconds: float

    async def strike(self, scene: Scene) -> None:
        """Inflict it."""
        pids = [process.pid for process in scene.processes]
        scene.disk.fill(pids)
        await scene.refused("storage/failed")
        await asyncio.sleep(self.seconds)
        scene.disk.clear(pids)


@dataclass(frozen=True)
class Locked:
    """Another connection locks all tables for some seconds."""

    seconds: float

    async def strike(self, scene: Scene) -> None:
        """Inflict it."""
        await asyncio.to_thread(hold, scene.database.url, self.seconds)


@dataclass(frozen=True)
class Away:
    """The database stops, or is killed, until an order is refused, and for some seconds more."""

    seconds: float
    how: signal.Signals

    async def strike(self, scene: Scene) -> None:
        """Inflict it."""
        await scene.service.stop(self.how)
        try:
            await scene.refused("storage/failed", "http/503")
            await asyncio.sleep(self.seconds)
        finally:
            await scene.service.start()


@dataclass(frozen=True)
class Emptied:
    """Redis forgets all it had; people go on."""

    async def strike(self, scene: Scene) -> None:
        """Inflict it."""
        await asyncio.to_thread(scene.redis.flush)
        await scene.messages(20)


@dataclass(frozen=True)
class Uncounted:
    """Redis stops, or is killed, for some seconds; people go on meanwhile."""

    seconds: float
    how: signal.Signals

    async def strike(self, scene: Scene) -> None:
        """Inflict it."""
        await asyncio.to_thread(scene.redis.stop, self.how)
        try:
            await scene.messages(20)
            await asyncio.sleep(self.seconds)
        finally:
            await asyncio.to_thread(scene.redis.start)


@dataclass(frozen=True)
class Apart:
    """One server is cut off from the database, and the others are not.

    It notices at once, as its connections are cut; or it does not, as nothing arrives any more.
    """

    seconds: float
    weather: Weather
    server: int

    async def strike(self, scene: Scene) -> None:
        """Inflict it; silent connections are cut at its end."""
        way = scene.process(self.server).way
        if way is None:
            raise TypeError("nothing lies between a server and its file")
        way.weather = replace(self.weather)
        if not self.weather.is_silent:
            way.cut()
        await asyncio.sleep(self.seconds)
        way.cut()
        way.weather = Weather()


_ANY = 6
"""A number below which any one of one, two or three servers is as likely as each other one."""
_ASLEEP = 30.0
"""Seconds after which the others have had all that a server owned for long."""
_ENDS = (signal.SIGTERM, signal.SIGKILL)
_JUMPS = (-86_400, -3600, -60, -5, 5, 60, 3600, 86_400)


def _seconds(chance: Chance, most: int) -> float:
    """Return some seconds, to the tenth."""
    return (1 + chance.below(most * 10)) / 10


def _any_server(chance: Chance) -> int:
    return chance.below(_ANY)


def _restart(chance: Chance, how: signal.Signals) -> Fault:
    return Restart(1 + chance.below(80), how, _any_server(chance), 1 + chance.below(60))


def _storm(chance: Chance, seconds: int, weather: Weather) -> Fault:
    return Stormy(_seconds(chance, seconds), weather)


FAULTS: Mapping[str, Callable[[Chance], Fault]] = {
    "kill": lambda chance: _restart(chance, signal.SIGKILL),
    "cut": lambda chance: Cut(1 + chance.below(60), _any_server(chance), 1 + chance.below(60)),
    "restart": lambda chance: _restart(chance, signal.SIGTERM),
    "pause": lambda chance: Pause(_seconds(chance, 6), _any_server(chance)),
    "sleep": lambda chance: Pause(_ASLEEP, _any_server(chance)),
    "jump": lambda chance: Jump(chance.choice(_JUMPS), _any_server(chance)),
    "sever": lambda _chance: Sever(),
    "delay": lambda chance: _storm(chance, 5, Weather(delay=_seconds(chance, 1) / 4)),
    "throttle": lambda chance: _storm(
        chance, 5, Weather(rate=2000 + chance.below(20_000), piece=1 + chance.below(300))
    ),
    "halve": lambda chance: _storm(chance, 1, Weather(halves=True)),
    "silence": lambda chance: _storm(chance, 8, Weather(is_silent=True)),
    "full": lambda chance: Full(1 + _seconds(chance, 4)),
    "lock": lambda chance: Locked(_seconds(chance, 20)),
    "stop": lambda chance: Away(_seconds(chance, 20), signal.SIGINT),
    "crash": lambda chance: Away(_seconds(chance, 20), signal.SIGKILL),
    "apart": lambda chance: Apart(_seconds(chance, 20), Weather(is_cut=True), _any_server(chance)),
    "mute": lambda chance: Apart(_seconds(chance, 20), Weather(is_silent=True), _any_server(chance)),
    "empty": lambda _chance: Emptied(),
    "uncount": lambda chance: Uncounted(_seconds(chance, 20), chance.choice(_ENDS)),
}
"""Each fault's name, and how one is drawn."""

_ONLY: Mapping[str, str] = {
    "full": "sqlite",
    "stop": "postgresql",
    "crash": "postgresql",
    "apart": "postgresql",
    "mute": "postgresql",
}
"""Faults that only one database can have."""
_OF_REDIS = frozenset({"empty", "uncount"})


def possible(database: str, *, redis: bool = False) -> tuple[str, ...]:
    """Return the names of all faults that can happen with a database. redis: whether there is one, too."""
    names = (name for name in FAULTS if _ONLY.get(name, database) == database)
    return tuple(name for name in names if redis or name not in _OF_REDIS)


def drawn(chance: Chance, names: Sequence[str]) -> tuple[str, Fault]:
    """Draw a fault of one of some names."""
    name = chance.choice(names)
    return name, FAULTS[name](chance)
