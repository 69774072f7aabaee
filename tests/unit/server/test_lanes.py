"""However many sockets somebody opens, nobody else waits: one lane for each session and table."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import pytest
from fastapi import WebSocket

from ekoes.server.connection import serve_socket
from ekoes.server.limits import BURST, MOST_SOCKETS, RATE
from ekoes.storage.store import Store
from tests.unit.match.racing import people, race_table, stacked
from tests.unit.server.hub_room import Json, Room, run, settled


class Line:
    """The browser's end of a web socket, and the server's."""

    def __init__(self) -> None:
        self.told: list[Json] = []
        self.code: int | None = None
        self._sent: asyncio.Queue[Json] = asyncio.Queue()

    def send(self, kind: str, key: str, **content: Any) -> None:
        text = json.dumps({"type": kind, "key": key, **content})
        self._sent.put_nowait({"type": "websocket.receive", "text": text})

    def acknowledged(self) -> list[str]:
        return [message["key"] for message in self.told if message["type"] == "ack"]

    async def receive(self) -> Json:
        return await self._sent.get()

    async def send_text(self, text: str) -> None:
        self.told.append(json.loads(text))

    async def close(self, code: int, reason: str) -> None:
        self.code = code


@asynccontextmanager
async def lines(room: Room, table_id: str, session: str, number: int) -> AsyncIterator[list[Line]]:
    """Open so many sockets of a session."""
    opened = [Line() for _ in range(number)]
    tasks = [
        asyncio.create_task(serve_socket(cast("WebSocket", line), room.hub, table_id, session))
        for line in opened
    ]
    while not all(line.told or line.code for line in opened):
        await settled()
    yield opened
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def rename(line: Line, seat: int, key: str) -> None:
    line.send("rename", key, seat=seat, name=key)


def test_hundred_sockets_of_a_session_are_one_before_anybody_else(store: Store) -> None:
    """Each has sent something when the opponent does; who is quick is taken before all but one of it."""

    async def serve() -> list[str]:
        room = Room(store, cards)
        table_id = await room.hub.create(race_table(people(2), 0))
        async with room.hub.table(table_id) as live, lines(room, table_id, "p0", 100) as many:
            open_lines = [line for line in many if line.code is None]
            assert len(open_lines) == MOST_SOCKETS
            assert {line.code for line in many if line not in open_lines} == {1013}
            async with lines(room, table_id, "p1", 1) as (mine,):
                async with live._lock:
                    for number, line in enumerate(open_lines * 10):
                        rename(line, 0, f"flood-{number}")
                    await settled()
                    rename(mine, 1, "mine")
                    await settled()
                names = watched(live)
                await settled()
        await room.hub.stop()
        return names

    names = run(serve())
    assert names.index("mine") <= 1


def watched(live: Any) -> list[str]:
    """Return the keys of the orders that a table keeps from now on, in their order."""
    keys: list[str] = []
    take = live._ledger.take

    async def noting(order: Any, session: str, at: Any) -> int:
        keys.append(order.key)
        version: int = await take(order, session, at)
        return version

    live._ledger.take = noting
    return keys


def test_sockets_of_a_session_share_what_it_may_send(store: Store) -> None:
    async def serve() -> None:
        room = Room(store, cards)
        table_id = await room.hub.create(race_table(people(2), 0))
        async with lines(room, table_id, "p0", 10) as many, lines(room, table_id, "p1", 1) as (mine,):
            for number in range(2 * BURST):
                rename(many[number % 10], 0, f"flood-{number}")
            for _ in range(60):
                await settled()
            assert taken(many) == BURST
            await room.clock.forward(1000)
            assert taken(many) == BURST + RATE
            rename(mine, 1, "mine")
            await settled()
            assert mine.acknowledged() == ["mine"], "another session has a lane of its own"
        await room.hub.stop()

    run(serve())


def taken(many: list[Line]) -> int:
    return sum(len(line.acknowledged()) for line in many)


def test_lane_is_forgotten_when_nobody_would_notice(store: Store) -> None:
    async def serve() -> None:
        room = Room(store, cards)
        table_id = await room.hub.create(race_table(people(2), 0))
        async with room.hub.table(table_id) as live:
            async with lines(room, table_id, "p0", 2) as (first, _):
                rename(first, 0, "once")
                await settled()
            assert live.lanes.number == 1, "who comes back at once goes on where it left"
            await room.clock.forward(1000)
            async with lines(room, table_id, "p1", 1):
                pass
            assert live.lanes.number == 0
        await room.hub.stop()

    run(serve())


def cards() -> tuple[int, ...]:
    return stacked({}, 37, 2, 0)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(f"sqlite:///{tmp_path / 'test.sqlite'}")
    yield store
    store.close()
