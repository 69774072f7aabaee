"""Runs a server as one of several processes: Redis, the cluster node, and what depends on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256

from fastapi import FastAPI
from starlette.types import Scope

from ekoes.errors import EkoesError
from ekoes.protocol import RESTARTS
from ekoes.server.cluster.cluster_node import ClusterNode
from ekoes.server.cluster.lobby_news import LobbyNews
from ekoes.server.cluster.redis import MessageCipher, RedisBus, RedisLink, SharedCounters
from ekoes.server.cluster.routing import LOBBY, OriginSigner, Routing
from ekoes.server.http.services import Services
from ekoes.server.ops.clock import Clock
from ekoes.server.ops.limits import HERE, Count
from ekoes.server.ops.tasks import Errands
from ekoes.server.runtime.commands import ALONE, ElsewhereError, Owner
from ekoes.server.settings import Settings
from ekoes.storage.store import Store

_SIGNED_OUT, _ACCOUNT, _BLOCK, _VACATION = "signed-out", "account", "block", "vacation"


class Cluster:
    """The processes of one database; without ``--cluster`` this one is alone and owns everything.

    redis: None without ``--redis``. count: makes rate limit counters, in Redis if there is one. owner: claims
    tables. news: None without ``--cluster``.
    """

    def __init__(self, settings: Settings, keys: Sequence[bytes], store: Store, clock: Clock) -> None:
        """Does not connect yet. keys: the secret keys that all processes share. Raises EkoesError."""
        if settings.cluster and not settings.redis:
            message = "--cluster needs --redis, the address of a Redis server that all the processes share"
            raise EkoesError(message, code="redis/address")
        self.redis = RedisLink(settings.redis) if settings.redis else None
        self.count: Count = HERE if self.redis is None else SharedCounters(self.redis, keys[-1])
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
        lobby = services.lobby
        if self._node is None:
            return
        node = self._node
        node.on_lost = self._drop_all
        node.on_left = self._take_over
        node.on_called = hub.give_up
        listeners = tuple(hub.listeners)
        self.news = LobbyNews(node, store, listeners, lobby.here_alone, tournaments.note)
        hub.listeners.append(self.news.note_table)
        hub.turn_listeners.append(self.news.note_table)
        services.arrivals.append(self.news.note_arrival)
        lobby.elsewhere = self.news.connected
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
        """Lead the lobby, challenges and tournaments, unless another process does. Raises StorageError."""
        try:
            await self.owner.claim(LOBBY)
        except ElsewhereError:
            return
        if not self._is_leader:
            self._is_leader = True
            await self._challenges.start()
            await self._tournaments.start()

    async def stop_leading(self) -> None:
        """Stop the tasks of the lobby leader."""
        if self._is_leader:
            self._is_leader = False
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
