"""Runs a server as one of several processes: Redis, the cluster node, the news for the lobby leader."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from hashlib import sha256
from time import monotonic
from typing import Literal

from fastapi import FastAPI
from starlette.types import Scope

from ekoes.errors import EkoesError
from ekoes.protocol import RESTARTS
from ekoes.server.cluster.cluster_node import ClusterNode
from ekoes.server.cluster.redis import MessageCipher, RedisBus, RedisLink, shared_counters
from ekoes.server.cluster.routing import LOBBY, OriginSigner, Routing
from ekoes.server.http.requests import Services
from ekoes.server.ops.clock import Clock
from ekoes.server.ops.limits import HERE
from ekoes.server.ops.logs import LOG
from ekoes.server.ops.tasks import Errands
from ekoes.server.runtime.commands import ALONE, ElsewhereError, Listener, Owner
from ekoes.server.settings import Settings
from ekoes.storage.cache import LRUCache
from ekoes.storage.store import Store
from ekoes.tables.settings import Seat
from ekoes.tables.table import Table

_SIGNED_OUT, _ACCOUNT, _BLOCK, _VACATION = "signed-out", "account", "block", "vacation"
_TABLES, _PRESENCE, _ARRIVAL = "tables", "presence", "arrival"
_COLLECT = 0.2
"""Seconds in which changes are collected into one message."""
_COLLECT_TURNS = 2.0
"""The same if only the turn has changed."""
_REPEAT = 5.0
"""Seconds after which everything is sent again: there may be another leader."""
_RETRY = 1.0
_TABLES_CACHED = 4096


class LobbyDiff:
    """Compares tables with what the lobby leader knows: most decisions change nothing that the lobby shows.

    The leader reads each changed table from the store, which costs more than the decision.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        """Start empty. now: returns monotonic seconds."""
        self._now = now
        self._sent: LRUCache[tuple[Hashable, Hashable, float]] = LRUCache(_TABLES_CACHED)

    def change(
        self, table_id: str, table: Table, is_connected: Callable[[Seat], bool]
    ) -> Literal["public", "turn"] | None:
        """Return what has changed since the last call: something that all users see, or only the turn."""
        public = (
            *(table.seats, table.is_started, table.outcome is None),
            *(table.rematch, table.agreed, table.public, table.rated),
            tuple(map(is_connected, table.seats)),
        )
        turn = table.deciding() if table.is_in_play else ()
        last_public, last_turn, at = self._sent.get(table_id) or (None, None, 0.0)
        if public == last_public and turn == last_turn and self._now() < at + _REPEAT:
            return None
        self._sent.put(table_id, (public, turn, self._now()))
        return "turn" if public == last_public else "public"


class LobbyNews:
    """Sends news to the lobby leader, and applies the news of others while this process leads.

    What the leader does not acknowledge is sent again.
    """

    def __init__(
        self,
        node: ClusterNode,
        store: Store,
        listeners: Iterable[Listener],
        present: Callable[[str], AbstractContextManager[object]],
        arrive: Callable[[str, str], None],
    ) -> None:
        """Create it without sending. listeners, present, arrive: apply changed tables, users and arrivals."""
        self._node = node
        self._store = store
        self._listeners = tuple(listeners)
        self._present = present
        self._arrive = arrive
        self._diff = LobbyDiff(monotonic)
        self._changed: set[str] = set()
        self._turned: set[str] = set()
        self._arrivals: list[tuple[str, str]] = []
        self._users: Counter[str] = Counter()
        self._remote: dict[str, dict[str, ExitStack]] = {}
        """Node -> its connected users, each counted as present until its stack is closed."""
        self._wake = asyncio.Event()
        self._tasks = Errands("lobby news")
        node.handle(_TABLES, lambda text: self._tasks.run(self._apply_tables(json.loads(text))))
        node.handle(_PRESENCE, self._apply_presence)
        node.handle(_ARRIVAL, lambda text: self._arrive(*json.loads(text)))

    def start(self) -> None:
        """Begin to send."""
        self._tasks.run(self._keep_sending())
        self._tasks.run(self._keep_sending_turns())

    async def stop(self) -> None:
        """Stop sending and applying news."""
        await self._tasks.end()
        for users in self._remote.values():
            _disconnect(users, list(users))

    def note_table(self, table_id: str, table: Table) -> None:
        """Send that a table has changed, if the lobby shows it."""
        change = self._diff.change(table_id, table, lambda seat: seat.session in self._users)
        if change == "public":
            self._changed.add(table_id)
            self._wake.set()
        elif change == "turn":
            self._turned.add(table_id)

    def note_arrival(self, table_id: str, user: str) -> None:
        """Send that a user has opened a table."""
        self._arrivals.append((table_id, user))
        self._wake.set()

    @contextmanager
    def connected(self, user: str) -> Iterator[None]:
        """Count a user as connected to this process."""
        self._users[user] += 1
        self._wake.set()
        try:
            yield
        finally:
            self._users[user] -= 1
            self._users += Counter()  # drops zero counts
            self._wake.set()

    # ------------------------------------------------------------ sending

    async def _keep_sending(self) -> None:
        sent: frozenset[str] | None = frozenset()
        while True:
            try:
                async with asyncio.timeout(_REPEAT):
                    await self._wake.wait()
            except TimeoutError:
                sent = frozenset()
            await asyncio.sleep(_COLLECT)
            self._wake.clear()
            users = frozenset(self._users)
            if (
                users == sent or await self._send(_PRESENCE, (self._node.id, sorted(users)))
            ) and await self._send_changes():
                sent = users
            else:
                sent = None
                self._wake.set()
                await asyncio.sleep(_RETRY)

    async def _send_changes(self) -> bool:
        while self._arrivals:
            if not await self._send(_ARRIVAL, self._arrivals[0]):
                return False
            self._arrivals.pop(0)
        changed, self._changed = self._changed, set()
        if changed and not await self._send(_TABLES, sorted(changed)):
            self._changed |= changed
            return False
        return True

    async def _keep_sending_turns(self) -> None:
        while True:
            await asyncio.sleep(_COLLECT_TURNS)
            turned, self._turned = self._turned, set()
            if turned and not await self._send(_TABLES, sorted(turned)):
                self._turned |= turned

    async def _send(self, topic: str, content: object) -> bool:
        try:
            return await self._node.publish_to_owner(LOBBY, topic, json.dumps(content))
        except EkoesError as error:
            LOG.warning("lobby leader unreachable", error=str(error))
            return False

    # ------------------------------------------------------------ applying

    async def _apply_tables(self, tables: list[str]) -> None:
        for table_id in tables:
            try:
                found = await asyncio.to_thread(self._store.load, table_id)
            except EkoesError as error:
                LOG.warning("can't load a changed table", table=table_id, error=str(error))
                continue
            if found is not None:
                for listener in self._listeners:
                    listener(table_id, found.table)

    def _apply_presence(self, text: str) -> None:
        node, connected = json.loads(text)
        if node not in self._remote:
            self._remote[node] = {}
            self._tasks.run(self._until_gone(node))
        users = self._remote[node]
        for user in set(connected) - users.keys():
            users[user] = ExitStack()
            users[user].enter_context(self._present(user))
        _disconnect(users, users.keys() - set(connected))

    async def _until_gone(self, node: str) -> None:
        await self._node.gone(node).wait()
        users = self._remote.pop(node)
        _disconnect(users, list(users))


def _disconnect(users: dict[str, ExitStack], gone: Iterable[str]) -> None:
    for user in gone:
        users.pop(user).close()


class Cluster:
    """The processes of one database; without ``--cluster`` this one is alone and owns everything.

    redis: None without ``--redis``. count: makes rate limit counters, in Redis if there is one. owner: claims
    tables. news: None without ``--cluster``.
    """

    def __init__(self, settings: Settings, keys: Sequence[bytes], store: Store, clock: Clock) -> None:
        """Create it unconnected. keys: the secret keys that all processes share. Raises EkoesError."""
        if settings.cluster and not settings.redis:
            message = "--cluster needs --redis, the address of a Redis server that all the processes share"
            raise EkoesError(message, code="redis/address")
        self.redis = RedisLink(settings.redis) if settings.redis else None
        self.count = HERE if self.redis is None else shared_counters(self.redis, keys[-1])
        self.news: LobbyNews | None = None
        self._node: ClusterNode | None = None
        if self.redis is not None and settings.cluster:
            bus = RedisBus(self.redis, settings.cluster, MessageCipher(keys))
            self._node = ClusterNode(store.leases, settings.cluster, bus, clock)
        self.owner: Owner = self._node or ALONE
        self._signer = OriginSigner(keys)
        self._tasks = Errands("cluster messages")
        self._is_leader = False

    @property
    def is_redis_away(self) -> bool:
        """Whether Redis is configured but does not answer."""
        return self.redis is not None and not self.redis.is_connected

    def attach(self, services: Services) -> None:
        """Connect the services of this process with those of the other processes."""
        self._store = store = services.store
        self._hub = hub = services.hub
        register = services.register
        self._sockets = register.connections
        self._tournaments = tournaments = services.tournaments
        self._challenges = services.challenges
        self._league = services.league
        if self._node is None:
            return
        node = self._node
        node.on_lost = self._drop_all
        node.on_left = self._take_over
        node.on_called = hub.give_up
        listeners = tuple(hub.listeners)
        self.news = LobbyNews(node, store, listeners, services.lobby.here, tournaments.note)
        hub.listeners.append(self.news.note_table)
        hub.turn_listeners.append(self.news.note_table)
        services.arrivals.append(self.news.note_arrival)
        services.lobby_service.elsewhere = self.news.connected
        self._sockets.on_sign_out = lambda credential: self._publish(_SIGNED_OUT, _digest(credential))
        register.on_change = lambda user: self._publish(_ACCOUNT, user)
        services.relations.on_block = lambda user: self._publish(_BLOCK, user)
        hub.vacations.on_change = lambda user: self._publish(_VACATION, user)
        node.handle(_SIGNED_OUT, self._close_sockets)
        node.handle(_ACCOUNT, lambda user: self._tasks.run(register.look(user)))
        node.handle(_BLOCK, lambda user: self._tasks.run(hub.refresh_chats(user)))
        node.handle(_VACATION, lambda user: self._tasks.run(hub.vacations.look(user)))

    def add_routing(self, app: FastAPI, owner_of: Callable[[Scope], str | None]) -> None:
        """Proxy requests to the processes that own their tables or the lobby."""
        if self._node is not None:
            app.add_middleware(Routing, node=self._node, signer=self._signer, owner_of=owner_of)

    async def start(self) -> None:
        """Connect to Redis and join the other processes. Raises StorageError."""
        if self.redis is not None:
            await self.redis.start()
        if self._node is not None:
            await self._node.start()
        if self.news is not None:
            self.news.start()

    async def stop(self) -> None:
        """Leave the cluster, so that others can take over at once what this process owns."""
        await self._tasks.end()
        if self.news is not None:
            await self.news.stop()
        if self._node is not None:
            await self._node.stop()
        if self.redis is not None:
            await self.redis.stop()

    async def lead(self) -> None:
        """Lead the lobby, challenges, tournaments and the league, unless another process does.

        Raises: StorageError.
        """
        try:
            await self.owner.claim(LOBBY)
        except ElsewhereError:
            return
        if not self._is_leader:
            self._is_leader = True
            await self._challenges.start()
            await self._tournaments.start()
            await self._league.start()

    async def stop_leading(self) -> None:
        """Stop the tasks of the lobby leader."""
        if self._is_leader:
            self._is_leader = False
            await self._league.stop()
            await self._tournaments.stop()
            await self._challenges.stop()

    async def _take_over(self, tables: list[str]) -> None:
        await self.lead()
        await self._hub.take_over(tables)

    async def _drop_all(self) -> None:
        """Drop all that other processes own or have changed; clients connect again by themselves."""
        self._store.people.forget_all()
        self._sockets.end_all(RESTARTS, "moved")
        await self.stop_leading()
        await self._hub.drop()

    def _close_sockets(self, digest: str) -> None:
        """Close the sockets of a session that ended at another process."""
        for credential in self._sockets.credentials():
            if _digest(credential) == digest:
                self._sockets.close(credential)

    def _publish(self, topic: str, text: str) -> None:
        if self._node is not None:
            self._tasks.run(self._node.publish_to_all(topic, text))


def _digest(credential: str) -> str:
    """Return a digest that identifies a cookie or token in messages without revealing it."""
    return sha256(credential.encode()).hexdigest()
