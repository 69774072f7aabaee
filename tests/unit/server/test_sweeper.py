"""The running server puts abandoned tables away, but none that somebody has open."""

from __future__ import annotations

from datetime import timedelta

from ekoes.server.cluster.cluster_node import ClusterNode
from ekoes.server.cluster.redis import MessageCipher, RedisBus, RedisLink
from ekoes.server.ops.clock import WallClock
from ekoes.server.runtime.hub import Sweeper
from ekoes.storage.store import Store
from ekoes.tables.create import new_table
from ekoes.tables.seats import Seat
from tests.kit.stored import create
from tests.services.redis import redis_server
from tests.unit.server.hub_room import Clock, run, settled
from tests.unit.tables.racing import NOW

SEATS = (Seat("here", "Ada", 0, session="ada"), Seat("open", "", 1))


def test_left_tables_go_and_open_ones_stay(store: Store) -> None:
    async def serve(days: int) -> set[str]:
        clock = Clock()
        sweeper = Sweeper(store.abandoned, clock, days, lambda table_id: table_id == "open")
        sweeper.start()
        await clock.forward(3000)
        await settled()
        await sweeper.stop()
        return {table_id for table_id in ("left", "open", "young") if store.load(table_id) is not None}

    for table_id, age in (("left", 91), ("open", 91), ("young", 89)):
        create(store, table_id, new_table("eko", {"players": 2}, 3, SEATS), NOW - timedelta(days=age))
    assert run(serve(0)) == {"left", "open", "young"}
    assert run(serve(90)) == {"open", "young"}


def test_of_several_processes_each_puts_away_what_no_other_one_owns(store: Store) -> None:
    async def joined(link: RedisLink, port: str) -> ClusterNode:
        async def nothing(*_: object) -> None:
            return

        address = f"127.0.0.1:{port}"
        node = ClusterNode(
            store.leases, address, RedisBus(link, address, MessageCipher([b"k" * 32])), WallClock()
        )
        node.on_lost, node.on_left, node.on_called = nothing, nothing, nothing
        node.on_beat = lambda: None
        await node.start()
        return node

    def left() -> set[str]:
        return {table_id for table_id in ("adas", "free") if store.load(table_id) is not None}

    async def swept(by: ClusterNode, until_gone: str) -> set[str]:
        clock = Clock()
        sweeper = Sweeper(store.abandoned, clock, 90, lambda _: False, by)
        sweeper.start()
        await clock.forward(3000)
        while until_gone in left():
            await settled()
        await sweeper.stop()
        return left()

    async def serve(url: str) -> list[set[str]]:
        link = RedisLink(url)
        ada, bob = await joined(link, "1"), await joined(link, "2")
        await ada.claim("adas")
        first = await swept(bob, "free")
        await ada.stop()
        second = await swept(bob, "adas")
        await bob.stop()
        await link.stop()
        return [first, second]

    for table_id in ("adas", "free"):
        create(store, table_id, new_table("eko", {"players": 2}, 3, SEATS), NOW - timedelta(days=91))
    with redis_server() as redis:
        assert run(serve(redis.url)) == [{"adas"}, set()]
