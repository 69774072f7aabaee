"""A hub as a test looks into it: time stands until the test moves it, and threads do their work at once."""

from __future__ import annotations

import asyncio
import heapq
import json
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime, timedelta
from functools import wraps
from itertools import count
from typing import Any, ParamSpec, TypeVar, cast

from sqlalchemy import text

from ekoes.bots import BotRequest, answer_to
from ekoes.client.client import seen, updated
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Answer
from ekoes.server.realtime.connection import Broadcast, Socket
from ekoes.server.runtime.hub import Hub
from ekoes.server.runtime.table_actor import TableActor
from ekoes.server.workers.bot_pool import BotPool
from ekoes.server.workers.fair_queue import Whose
from ekoes.storage.store import Store
from ekoes.tables.create import new_table
from ekoes.tables.orders import Act, Intent
from ekoes.tables.race import RaceTable
from ekoes.tables.settings import ClockPlan, Seat
from ekoes.tables.table import Table
from ekoes.tables.turns import TurnTable
from tests.kit.loops import apart
from tests.kit.stored import stored_table
from tests.kit.tables import Dealing
from tests.unit.tables.racing import NOW, stacked

P = ParamSpec("P")
T = TypeVar("T")
Json = dict[str, Any]
_NUMBERS = count()
_STEPS = 60
"""More turns of the loop than anything needs that waits for no time."""


class AtOnce(ThreadPoolExecutor):
    """Threads that do their work while they are asked to."""

    def submit(self, work: Callable[..., T], /, *args: Any, **named: Any) -> Future[T]:
        done: Future[T] = Future()
        try:
            done.set_result(work(*args, **named))
        except Exception as error:  # noqa: BLE001 - handed on, as a thread does
            done.set_exception(error)
        return done


class Clock:
    """A clock that stands until the test moves it; sleepers wake when their moment has come."""

    def __init__(self) -> None:
        self._now = NOW
        self._sleepers: list[tuple[datetime, int, asyncio.Future[None]]] = []

    def now(self) -> datetime:
        return self._now

    def set(self, now: datetime) -> None:
        """Begin where another clock stood."""
        self._now = now

    async def sleep(self, seconds: float) -> None:
        waits: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._now + timedelta(seconds=seconds), next(_NUMBERS), waits))
        await waits

    async def forward(self, milliseconds: int) -> None:
        """Let time pass, sleeper by sleeper."""
        end = self._now + timedelta(milliseconds=milliseconds)
        await settled()
        while self._sleepers and self._sleepers[0][0] <= end:
            at, _, waits = heapq.heappop(self._sleepers)
            if not waits.done():
                self._now = max(self._now, at)
                waits.set_result(None)
                await settled()
        self._now = end

    async def late(self, milliseconds: int) -> None:
        """Let time pass in which the server does nothing; then it does what it has missed."""
        await settled()
        self._now += timedelta(milliseconds=milliseconds)
        await self.forward(0)


REFUSES = "CREATE TRIGGER refuses BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'full'); END"
NO_ACCOUNTS = "ALTER TABLE accounts RENAME TO lost", "ALTER TABLE lost RENAME TO accounts"


@contextmanager
def broken(store: Store, how: str, mended: str) -> Iterator[None]:
    """Break the database by one statement, and mend it by another."""
    with store._engine.begin() as connection:
        connection.execute(text(how))
    yield
    with store._engine.begin() as connection:
        connection.execute(text(mended))


class SwiftClock:
    """A clock that stands still until a task waits for it, and goes to that moment at once."""

    def __init__(self) -> None:
        self._now = NOW

    def now(self) -> datetime:
        return self._now

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(0)
        self._now += timedelta(seconds=seconds)


async def settled() -> None:
    """Let everything run that can run without time passing."""
    for _ in range(_STEPS):
        await asyncio.sleep(0)


class Viewer:
    """A browser that records all it is sent."""

    def __init__(self, session: str, *, lists_actions: bool = False) -> None:
        self.session = session
        self.lists_actions = lists_actions
        self.texts: list[str] = []

    def send(self, text: str) -> None:
        self.texts.append(text)

    @property
    def messages(self) -> list[Json]:
        return [json.loads(text) for text in self.texts]

    @property
    def table(self) -> Json:
        """The table that the messages add up to."""
        table: Json = {}
        for message in self.messages:
            if message["type"] == "table":
                table = message
            elif message["type"] == "update":
                table = updated(table, message)
        return table

    @property
    def state(self) -> Json:
        return seen(self.table)


class ScriptedLine:
    """A socket to which the test brings messages, one by one."""

    def __init__(self) -> None:
        """Begin with nothing said."""
        self.messages: list[Json] = []
        self.code: int | None = None
        self.round_trip = 0.0
        self._hear: Callable[[str | None], None] | None = None
        self.leave: Callable[[], None] = lambda: None
        self._early: list[str] = []
        self._is_over = asyncio.Event()

    @property
    def socket(self) -> Socket:
        """This, for the server."""
        return cast("Socket", self)

    def bring(self, **message: Any) -> None:
        """Say something to the server."""
        said = json.dumps(message)
        if self._hear is None:
            self._early.append(said)
        else:
            self._hear(said)

    def hang_up(self) -> None:
        """Close the browser's end."""
        self._is_over.set()

    def acknowledged(self) -> list[str]:
        """Return the keys that the server has acknowledged."""
        return [message["key"] for message in self.messages if message["type"] == "ack"]

    def listen(self, hear: Callable[[str | None], None], leave: Callable[[], None]) -> None:
        self._hear, self.leave = hear, leave
        for early in self._early:
            hear(early)

    def pause(self) -> None:
        """Nothing waits here."""

    def resume(self) -> None:
        """Nothing has waited here."""

    def send_text(self, text: str) -> None:
        self.messages.append(json.loads(text))

    def send_shared(self, message: Broadcast) -> None:
        self.send_text(message.text)

    def end(self, code: int, reason: str) -> None:
        self.code = code
        self._is_over.set()

    async def ended(self) -> None:
        await self._is_over.wait()


async def watch(live: TableActor, session: str) -> Viewer:
    """Let a new viewer join a table."""
    viewer = Viewer(session)
    await live.join(viewer)
    return viewer


class Swift(BotPool):
    """Answers what bots are asked without thinking about it for long.

    asked: the keys of all questions. urgent: those that were not in the background.
    """

    def __init__(self) -> None:
        super().__init__(0)
        self.asked: list[tuple[str, str]] = []
        self.urgent: list[tuple[str, str]] = []

    async def ask(self, question: BotRequest, whose: Whose, *, is_urgent: bool = True) -> Answer:
        self.asked.append((str(whose[-1]), question.key))
        if is_urgent:
            self.urgent.append(self.asked[-1])
        return answer_to(question)


class Room:
    """A hub with one table open in it."""

    def __init__(
        self, store: Store, shuffled: Callable[[], tuple[int, ...]] | Chance, thinkers: Swift | None = None
    ) -> None:
        self.clock = Clock()
        self.thinkers = thinkers or Swift()
        chance = shuffled if isinstance(shuffled, Chance) else Dealing(shuffled)
        self.hub = Hub(store, self.clock, chance, self.thinkers, AtOnce(1))
        self._is_open = True

    async def stop(self) -> None:
        """Stop the hub, unless it has stopped."""
        if self._is_open:
            self._is_open = False
            await self.hub.stop()

    @asynccontextmanager
    async def table(self, table: Table) -> AsyncIterator[TableActor]:
        """Store a table and open it; the hub stops afterwards."""
        self._is_open = True
        table_id = await self.hub.create(table)
        async with self.hub.table(table_id) as live:
            yield live
        await self.stop()

    async def send(self, live: TableActor, seat: int, kind: str, key: str = "", **content: Any) -> int:
        """Send an intent of the seat's user; return the version that is acknowledged."""
        value = {"key": key or f"key-{next(_NUMBERS)}", "seat": seat, "action": {"type": kind, **content}}
        order = Intent.model_validate(value)
        version = await live.submit(order, live.table.seats[seat].session or "nobody")
        await settled()
        return version

    async def begin(self, live: TableActor) -> None:
        """Let all people be ready."""
        await settled()
        for seat in sorted(live.table.people):
            await self.send(live, seat, "ready", round=race(live).position.round)


def race(live: TableActor) -> RaceTable:
    assert isinstance(live.table, RaceTable)
    return live.table


def run(work: Coroutine[object, object, T]) -> T:
    """Run to the end, what waits for threads at once."""

    async def alone() -> T:
        asyncio.get_running_loop().set_default_executor(AtOnce(1))
        return await work

    return apart(alone())


def in_loop(test: Callable[P, Coroutine[object, object, None]]) -> Callable[P, None]:
    """Run an asynchronous test to its end, as ``run`` does; its fixture ``room`` is stopped then."""

    async def stopping(*args: P.args, **named: P.kwargs) -> None:
        await test(*args, **named)
        if isinstance(room := named.get("room"), Room):
            await room.stop()

    @wraps(test)
    def whole(*args: P.args, **named: P.kwargs) -> None:
        run(stopping(*args, **named))

    return whole


HANDS = {0: [40, 50, 60], 1: [73, 2, 4]}
"""37 lies on top, seat 0 begins, seat 1 holds the mirror."""


def cards() -> tuple[int, ...]:
    return stacked(HANDS, 37, 3, 2)


def stored_race(store: Store, table_id: str) -> RaceTable:
    loaded = stored_table(store, table_id)
    assert isinstance(loaded.table, RaceTable)
    return loaded.table


def last_entry(store: Store, table_id: str) -> Json:
    """Return the last entry of a table's log, as everybody may see it."""
    entry: Json = json.loads(store.log(table_id)[-1])
    return entry


KEEP: Json = {"type": "swap"}


def turns(live: TableActor) -> TurnTable:
    assert isinstance(live.table, TurnTable)
    return live.table


def reason(live: TableActor) -> str | None:
    return None if live.table.outcome is None else live.table.outcome.reason


async def act(live: TableActor, action: Json, lag: int = 0) -> None:
    """Let the seat in turn decide."""
    table = turns(live)
    seat = table.asked[0]
    order = Act(key=f"key-{table.version}", version=table.version, seat=seat, action=action)
    await live.submit(order, f"p{seat}", lag=lag)
    await settled()


async def begun(room: Room, **clock: Any) -> str:
    """Make a table at which both have decided, so that clocks run."""
    seats = tuple(Seat("here", f"P{seat}", seat, session=f"p{seat}") for seat in range(2))
    plan = ClockPlan.model_validate(clock or {"days": 3, "up": "lose"})
    table_id = await room.hub.create(new_table("eko", {"players": 2}, 7, seats, clock=plan))
    async with room.hub.table(table_id) as live:
        for _ in range(2):
            table: Any = live.table
            seat, key = table.asked[0], f"k{table.version}"
            order = Act(key=key, version=table.version, seat=seat, action={"type": "swap"})
            await live.submit(order, f"p{seat}")
    await settled()
    return table_id
