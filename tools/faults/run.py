"""A run: players play, faults strike one after the other, all games end, and the database is checked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any

from ekoes.games.api.chance import Chance
from tests.kit.client import Browser
from tests.services.redis import redis_server
from tools.faults.audit import endless
from tools.faults.audit import faults as audited
from tools.faults.fault import Fault, drawn, possible
from tools.faults.player import Figures, Player
from tools.faults.servers import Scene
from tools.faults.services import DATABASES, small_disk
from tools.faults.witness import Witness

_FEWEST, _MOST = 20, 100
"""Messages that players receive between two faults."""
_PATIENCE = 240.0
"""Seconds in which it has to go on, and in which all games have to end after the last fault.

A machine at work with much else needs them; what was lost stays lost however long it is waited for.
"""

Report = Callable[[str], object]


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

    figures: Figures
    is_own_disk: bool
    orders: int = 0
    tables: int = 0
    messages: int = 0
    seconds: float = 0.0
    struck: dict[str, Struck] = field(default_factory=dict)
    waits: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


async def run(folder: Path, plan: Plan, report: Report) -> Result:
    """Play in a folder, with a database there, and look at what came of it."""
    began = monotonic()
    with ExitStack() as stack:
        disk = stack.enter_context(small_disk(folder / "disk"))
        database = stack.enter_context(closing(DATABASES[plan.database](disk.folder)))
        log = folder / "log.txt"
        redis = stack.enter_context(redis_server()) if plan.redis else None
        scene = Scene(disk, database, log, plan.processes, redis)
        result = Result(is_own_disk=disk.is_own, figures=scene.figures)
        try:
            await _Run(scene, plan, result, report).play()
        finally:
            await scene.end()
        result.wrong += _tracebacks(log)
        result.seconds = monotonic() - began
    return result


class _Run:
    """Seats players, inflicts faults, and lets all games end."""

    def __init__(self, scene: Scene, plan: Plan, result: Result, report: Report) -> None:
        self._scene, self._plan, self._result, self._report = scene, plan, result, report
        self._chance = Chance(plan.seed)
        self._groups: Sequence[Sequence[Player]] = ()

    async def play(self) -> None:
        scene, result, witness = self._scene, self._result, Witness()
        await scene.start()
        chance = self._chance.split()
        # In a thread: connections to Redis and PostgreSQL go through this loop.
        self._groups = await asyncio.to_thread(seated, scene, self._plan.tables, chance, witness)
        players = [player for group in self._groups for player in group]
        tasks = [asyncio.create_task(work) for work in (self._story(), *(one.play() for one in players))]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
        failed = [end for end in ends if end is not None and not isinstance(end, asyncio.CancelledError)]
        result.wrong += [f"{end!r} at {_unfinished(self._groups)}" for end in failed]
        await scene.end()
        acknowledged = [player.acknowledgements for player in players]
        result.orders = sum(not each.is_again for some in acknowledged for each in some)
        result.tables = len({each.table for some in acknowledged for each in some})
        result.messages = witness.messages
        result.wrong += [fault for player in players for fault in player.wrong]
        result.wrong += audited(scene.database.url, acknowledged)
        result.wrong += endless(
            scene.database.url,
            scene.figures.played,
            [span for process in scene.processes for span in process.spans],
        )

    async def _story(self) -> None:
        """Inflict one fault after the other, then wait for all games to end.

        Raises TimeoutError if the games do not go on after a fault, or do not end.
        """
        plan, over = self._plan, monotonic() + self._plan.minutes * 60
        names = plan.names or possible(plan.database, redis=plan.redis)
        async with asyncio.timeout(_PATIENCE):
            await self._scene.messages(_FEWEST)  # they have begun
        for number in range(1, plan.number + 1):
            if monotonic() > over:
                break
            fault = drawn(self._chance, names)
            self._report(f"{number} of {plan.number}: {fault}")
            async with asyncio.timeout(_PATIENCE):
                await self._inflict(fault)
        for player in (player for group in self._groups for player in group):
            player.plays_on = False
        async with asyncio.timeout(_PATIENCE):
            while left := _unfinished(self._groups):
                self._report(f"{len(left)} tables play to their end")
                await asyncio.sleep(1)

    async def _inflict(self, fault: Fault) -> None:
        """Inflict a fault, and return when the games have gone on."""
        waits = self._scene.figures.waits
        waits.clear()
        await fault.strike(self._scene)
        await self._scene.messages(_FEWEST + self._chance.below(_MOST - _FEWEST))
        struck = self._result.struck.setdefault(fault.name, Struck())
        struck.acknowledged += len(waits)
        struck.longest.append(max(waits, default=0.0))
        self._result.waits += waits
        self._report(f"  {len(waits)} orders, the longest wait {struck.longest[-1]:.1f} s")


def _unfinished(groups: Sequence[Sequence[Player]]) -> list[str]:
    """Return the tables where the game goes on, or another one is about to begin."""
    return [group[0].table for group in groups if not _is_finished(group)]


def _is_finished(group: Sequence[Player]) -> bool:
    is_over = all(player.is_over for player in group) and len({player.table for player in group}) == 1
    return is_over and max(player.agreed for player in group) < len(group)


def _tracebacks(log: Path) -> list[str]:
    """Return tracebacks in the log of the servers."""
    text = log.read_text() if log.exists() else ""
    return [f"a traceback of the server: ...{part[:1500]}" for part in text.split("Traceback")[1:4]]


_CLOCK = {"base": 4 * 3600, "increment": 0}
_RACE = {"target": 8, "reaction": 1}
_KINDS: tuple[tuple[Callable[..., str], int, dict[str, Any]], ...] = (
    (Browser.create, 2, {"turn_limit": 20}),
    (Browser.create_race, 2, _RACE),
    (Browser.create, 3, {"turn_limit": 15, "clock": _CLOCK}),
    (Browser.create_race, 3, {"calm": True, "window": 2, **_RACE}),
    (Browser.create, 2, {"turn_limit": 20, "clock": _CLOCK}),
    (Browser.create_race, 3, _RACE),
)
"""How tables are made, of both games: players, and options."""


def seated(scene: Scene, tables: int, chance: Chance, witness: Witness) -> list[list[Player]]:
    """Make tables; return the players of each, who have a session of their own."""
    groups = []
    for number in range(tables):
        create, players, options = _KINDS[number % len(_KINDS)]
        browsers = [Browser(scene.process(number).url) for _ in range(players)]
        table = create(browsers[0], "here", *["open"] * (players - 1), **options)
        own = [chance.split() for _ in browsers]
        groups.append(
            [
                Player(
                    f"p{number}{seat}", scene.address, one.cookie, table, own[seat], witness, scene.figures
                )
                for seat, one in enumerate(browsers)
            ]
        )
    return groups
