"""What can happen to servers and players: functions that inflict it, and how their values are drawn."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ekoes.games.api.chance import Chance
from tools.faults.servers import Process, Scene
from tools.faults.services import Weather, hold


async def _restart(scene: Scene, process: Process, how: signal.Signals, messages: int, without: int) -> None:
    """Send a signal after some messages, and start the server when it has gone.

    Others go on for some messages before that, if there are any.
    """
    await scene.messages(messages)
    await process.end(how)
    await scene.without(process, without)
    await process.start()


async def _cut(scene: Scene, process: Process, statements: int, without: int) -> None:
    """Kill a server in the midst of a transaction, after some statements that change the database."""
    process.order("cut", statements)
    await process.ended()
    await scene.without(process, without)
    await process.start()


async def _pause(_scene: Scene, process: Process, seconds: float) -> None:
    """Send SIGSTOP, and SIGCONT seconds later: by then others may have all that the server owned."""
    process.send(signal.SIGSTOP)
    await asyncio.sleep(seconds)
    process.send(signal.SIGCONT)


async def _jump(scene: Scene, process: Process, seconds: float) -> None:
    """Set the wall clock forward, or back, while the server is there."""
    process.jump(seconds)
    await scene.messages(20)


async def _sever(scene: Scene, _process: Process) -> None:
    """Lose all connections at once."""
    scene.proxy.cut()


async def _storm(scene: Scene, _process: Process, seconds: float, weather: Weather) -> None:
    """Make the network slow, narrow or silent, or let it cut connections inside a message.

    Silent connections are cut at its end.
    """
    scene.proxy.weather = replace(weather)
    await asyncio.sleep(seconds)
    scene.proxy.weather = Weather()
    if weather.is_silent:
        scene.proxy.cut()


async def _full(scene: Scene, _process: Process, seconds: float) -> None:
    """Fill the disk until an order is refused, and for some seconds more.

    The write-ahead log has free pages that are used first.
    """
    pids = [process.pid for process in scene.processes]
    scene.disk.fill(pids)
    await scene.refused("storage/failed")
    await asyncio.sleep(seconds)
    scene.disk.clear(pids)


async def _lock(scene: Scene, _process: Process, seconds: float) -> None:
    """Lock all tables by another connection for some seconds."""
    await asyncio.to_thread(hold, scene.database.url, seconds)


async def _stop(scene: Scene, _process: Process, seconds: float, how: signal.Signals) -> None:
    """Stop the database, or kill it, until an order is refused, and for some seconds more."""
    await scene.service.stop(how)
    try:
        await scene.refused("storage/failed", "http/503")
        await asyncio.sleep(seconds)
    finally:
        await scene.service.start()


async def _empty(scene: Scene, _process: Process) -> None:
    """Let Redis forget all it had; people go on."""
    await asyncio.to_thread(scene.redis.flush)
    await scene.messages(20)


async def _uncount(scene: Scene, _process: Process, seconds: float, how: signal.Signals) -> None:
    """Stop Redis, or kill it, for some seconds; people go on meanwhile."""
    await asyncio.to_thread(scene.redis.stop, how)
    try:
        await scene.messages(20)
        await asyncio.sleep(seconds)
    finally:
        await asyncio.to_thread(scene.redis.start)


async def _part(_scene: Scene, process: Process, seconds: float, weather: Weather) -> None:
    """Cut one server off from the database, and not the others.

    It notices at once, as its connections are cut; or it does not, as nothing arrives any more, and silent
    connections are cut at the end.
    """
    way = process.way
    if way is None:
        raise TypeError("nothing lies between a server and its file")
    way.weather = replace(weather)
    if not weather.is_silent:
        way.cut()
    await asyncio.sleep(seconds)
    way.cut()
    way.weather = Weather()


class Kind(NamedTuple):
    """A kind of fault. draw: the values of one. database, needs_redis: where alone it can happen."""

    inflict: Callable[..., Awaitable[None]]
    draw: Callable[[Chance], tuple[Any, ...]] = lambda _chance: ()
    database: str = ""
    needs_redis: bool = False


_ASLEEP = 30.0
"""Seconds after which the others have had all that a server owned for long."""
_ENDS = (signal.SIGTERM, signal.SIGKILL)
_JUMPS = (-86_400, -3600, -60, -5, 5, 60, 3600, 86_400)


def _up_to(chance: Chance, most: int) -> int:
    return 1 + chance.below(most)


def _seconds(chance: Chance, most: int) -> float:
    """Return some seconds, to the tenth."""
    return _up_to(chance, most * 10) / 10


FAULTS: Mapping[str, Kind] = {
    "kill": Kind(_restart, lambda chance: (signal.SIGKILL, _up_to(chance, 80), _up_to(chance, 60))),
    "cut": Kind(_cut, lambda chance: (_up_to(chance, 60), _up_to(chance, 60))),
    "restart": Kind(_restart, lambda chance: (signal.SIGTERM, _up_to(chance, 100), _up_to(chance, 60))),
    "pause": Kind(_pause, lambda chance: (_seconds(chance, 6),)),
    "sleep": Kind(_pause, lambda _chance: (_ASLEEP,)),
    "jump": Kind(_jump, lambda chance: (chance.choice(_JUMPS),)),
    "sever": Kind(_sever),
    "delay": Kind(_storm, lambda chance: (_seconds(chance, 5), Weather(delay=_seconds(chance, 1) / 4))),
    "throttle": Kind(
        _storm,
        lambda chance: (
            _seconds(chance, 5),
            Weather(rate=2000 + chance.below(20_000), piece=_up_to(chance, 300)),
        ),
    ),
    "halve": Kind(_storm, lambda chance: (_seconds(chance, 1), Weather(halves=True))),
    "silence": Kind(_storm, lambda chance: (_seconds(chance, 8), Weather(is_silent=True))),
    "full": Kind(_full, lambda chance: (1 + _seconds(chance, 4),), "sqlite"),
    "lock": Kind(_lock, lambda chance: (_seconds(chance, 20),)),
    "stop": Kind(_stop, lambda chance: (_seconds(chance, 20), signal.SIGINT), "postgresql"),
    "crash": Kind(_stop, lambda chance: (_seconds(chance, 20), signal.SIGKILL), "postgresql"),
    "apart": Kind(_part, lambda chance: (_seconds(chance, 20), Weather(is_cut=True)), "postgresql"),
    "mute": Kind(_part, lambda chance: (_seconds(chance, 20), Weather(is_silent=True)), "postgresql"),
    "empty": Kind(_empty, needs_redis=True),
    "uncount": Kind(_uncount, lambda chance: (_seconds(chance, 20), chance.choice(_ENDS)), needs_redis=True),
}
"""The kinds of faults by name."""


def possible(database: str, *, redis: bool = False) -> tuple[str, ...]:
    """Return the names of all faults that can happen with a database. redis: whether there is one, too."""
    kinds = FAULTS.items()
    return tuple(name for name, it in kinds if it.database in {"", database} and redis >= it.needs_redis)


_ANY = 6
"""A number below which any one of one, two or three servers is as likely as each other one."""


class Fault(NamedTuple):
    """A fault with its values. server: any number, which selects the server that it strikes."""

    name: str
    server: int
    values: tuple[Any, ...]

    async def strike(self, scene: Scene) -> None:
        """Inflict it; it is over then."""
        await FAULTS[self.name].inflict(scene, scene.process(self.server), *self.values)


def drawn(chance: Chance, names: Sequence[str]) -> Fault:
    """Draw a fault of one of some names."""
    name = chance.choice(names)
    return Fault(name, chance.below(_ANY), FAULTS[name].draw(chance))
