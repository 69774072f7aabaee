"""A run: people play, fault after fault befalls their server, all games end, and what is kept is read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from time import monotonic

from ekoes.games.chance import Chance
from tests.services.redis import redis_server
from tools.faults.audit import endless
from tools.faults.audit import faults as audited
from tools.faults.cluster import Cluster
from tools.faults.crew import seated
from tools.faults.database import DATABASES
from tools.faults.disk import small_disk
from tools.faults.drawing import drawn, possible
from tools.faults.eyes import Witness
from tools.faults.house import House
from tools.faults.player import Figures, Player
from tools.faults.proxy import Proxy

__all__ = ["Plan", "Result", "Struck", "run"]

_FEWEST, _MOST = 20, 100
"""Messages that players hear between two faults: it goes on, by itself."""
_PATIENCE = 240.0
"""Seconds in which it has to go on, and in which all games have to end after the last fault.

A machine at work with much else needs them; what was lost stays lost however long it is waited for.
"""

Tell = Callable[[str], object]


@dataclass(frozen=True)
class Plan:
    """What a run is to be.

    number: of faults. names: of faults; (): all that are possible. tables: for two and three, of both games
    by turns. processes: of servers. database: its name, of ``DATABASES``. minutes: after which no other fault
    follows, however many there were. redis: whether the servers have one.
    """

    number: int
    names: tuple[str, ...] = ()
    tables: int = 8
    seed: int = 1
    processes: int = 1
    database: str = "sqlite"
    minutes: float = inf
    redis: bool = False


@dataclass
class Struck:
    """What one kind of fault came to. longest: wait for an acknowledgement, in seconds, of each time."""

    acknowledged: int = 0
    longest: list[float] = field(default_factory=list)


@dataclass
class Result:
    """How it ended. wrong: what must not be; orders: that were acknowledged."""

    orders: int = 0
    tables: int = 0
    messages: int = 0
    seconds: float = 0.0
    is_own_disk: bool = False
    figures: Figures = field(default_factory=Figures)
    struck: dict[str, Struck] = field(default_factory=dict)
    waits: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


async def run(folder: Path, plan: Plan, tell: Tell) -> Result:
    """Play in a folder, with a database there, and look at what came of it."""
    result, began = Result(), monotonic()
    with ExitStack() as stack:
        disk = stack.enter_context(small_disk(folder / "disk"))
        database = stack.enter_context(closing(DATABASES[plan.database](disk.folder)))
        log = folder / "log.txt"
        redis = stack.enter_context(redis_server()) if plan.redis else None
        cluster = Cluster(disk.folder, database, log, plan.processes, redis.url if redis else "")
        house = House(disk.folder, log, disk, database, cluster, Proxy(cluster.next), counter=redis)
        result.is_own_disk, result.figures = disk.is_own, house.figures
        try:
            await _play(house, plan, result, tell)
        finally:
            await house.proxy.close()
            await cluster.end()
        result.wrong += _tracebacks(house.log)
        result.seconds = monotonic() - began
    return result


async def _play(house: House, plan: Plan, result: Result, tell: Tell) -> None:
    """Seat people, let faults befall them, and let them play to the end."""
    chance, witness = Chance(plan.seed), Witness()
    await house.cluster.start()
    await house.proxy.open()
    crews = await seated(house, plan.tables, chance.split(), witness)
    players = [player for crew in crews for player in crew]
    tasks = [asyncio.create_task(player.play()) for player in players]
    work = asyncio.create_task(_story(house, plan, result, chance, crews, tell))
    await asyncio.wait([work, *tasks], return_when=asyncio.FIRST_COMPLETED)
    for task in (work, *tasks):
        task.cancel()
    ends = await asyncio.gather(work, *tasks, return_exceptions=True)
    failed = [end for end in ends if end is not None and not isinstance(end, asyncio.CancelledError)]
    result.wrong += [f"{end!r} at {_unfinished(crews)}" for end in failed]
    await house.cluster.end()
    told = [player.told for player in players]
    result.orders = sum(not one.is_again for one in (each for some in told for each in some))
    result.tables = len({each.table for some in told for each in some})
    result.messages = witness.messages
    result.wrong += [fault for player in players for fault in player.wrong]
    result.wrong += audited(house.database.url, told)
    result.wrong += endless(house.database.url, house.figures.played, house.cluster.spans)


async def _story(
    house: House,
    plan: Plan,
    result: Result,
    chance: Chance,
    crews: Sequence[Sequence[Player]],
    tell: Tell,
) -> None:
    """Let faults befall, and all games come to their end. Raises TimeoutError if it does not go on."""
    async with asyncio.timeout(None) as bound:
        await _befall(house, plan, result, chance, bound, tell)
        bound.reschedule(asyncio.get_running_loop().time() + _PATIENCE)
        await _ends(crews, tell)


async def _befall(
    house: House, plan: Plan, result: Result, chance: Chance, bound: asyncio.Timeout, tell: Tell
) -> None:
    """Let one fault after the other strike; after each of them it has to go on."""
    figures, loop = house.figures, asyncio.get_running_loop()
    names = plan.names or possible(plan.database, redis=plan.redis)
    over = loop.time() + plan.minutes * 60
    bound.reschedule(loop.time() + _PATIENCE)
    await house.messages(_FEWEST)  # they have begun
    for number in range(1, plan.number + 1):
        if loop.time() > over:
            return
        name, fault = drawn(chance, names)
        tell(f"{number} of {plan.number}: {fault}")
        bound.reschedule(loop.time() + _PATIENCE)
        figures.waits.clear()
        wrong = await fault.strike(house)
        await house.messages(_FEWEST + chance.below(_MOST - _FEWEST))
        if wrong is not None:
            result.wrong.append(f"{fault}: {wrong}")
        struck = result.struck.setdefault(name, Struck())
        struck.acknowledged += len(figures.waits)
        struck.longest.append(max(figures.waits, default=0.0))
        result.waits += figures.waits
        tell(f"  {len(figures.waits)} orders, the longest wait {struck.longest[-1]:.1f} s")


async def _ends(crews: Sequence[Sequence[Player]], tell: Tell) -> None:
    """Return when every game is over and no other follows."""
    for player in (player for crew in crews for player in crew):
        player.plays_on = False
    while left := _unfinished(crews):
        tell(f"{len(left)} tables play to their end")
        await asyncio.sleep(1)


def _unfinished(crews: Sequence[Sequence[Player]]) -> list[str]:
    """Return the tables where the game goes on, or another one is about to begin."""
    return [crew[0].table for crew in crews if not _is_finished(crew)]


def _is_finished(crew: Sequence[Player]) -> bool:
    is_over = all(player.is_over for player in crew) and len({player.table for player in crew}) == 1
    return is_over and max(player.agreed for player in crew) < len(crew)


def _tracebacks(log: Path) -> list[str]:
    """Return what went wrong in a server without anybody having been told why."""
    text = log.read_text() if log.exists() else ""
    return [f"a traceback of the server: ...{part[:1500]}" for part in text.split("Traceback")[1:4]]
