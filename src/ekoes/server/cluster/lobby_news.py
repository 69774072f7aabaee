"""Sends the lobby leader the news of this process: changed tables, connected users, arrivals at tables.

Messages hold ids only; the leader reads the tables themselves from the store.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from time import monotonic
from typing import Literal

from ekoes.errors import EkoesError
from ekoes.server.cluster.cluster_node import ClusterNode
from ekoes.server.cluster.routing import LOBBY
from ekoes.server.ops.logs import log_of
from ekoes.server.ops.tasks import Errands
from ekoes.storage.cache import LRUCache
from ekoes.storage.store import Store
from ekoes.tables.settings import Seat
from ekoes.tables.table import Table

_LOG = log_of("ekoes.server")
_TABLES, _PRESENCE, _ARRIVAL = "tables", "presence", "arrival"
_COLLECT = 0.2
"""Seconds in which changes are collected into one message."""
_COLLECT_TURNS = 2.0
"""The same if only the turn has changed."""
_REPEAT = 5.0
"""Seconds after which everything is sent again: there may be another leader."""
_RETRY = 1.0
_TABLES_CACHED = 4096

Listener = Callable[[str, Table], None]


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
        is_active = table.is_started and table.outcome is None and table.rematch is None
        turn = table.deciding() if is_active else ()
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
        """Does not send yet. listeners, present, arrive: apply changed tables, users and arrivals."""
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
            _LOG.warning("lobby leader unreachable", error=str(error))
            return False

    # ------------------------------------------------------------ applying

    async def _apply_tables(self, tables: list[str]) -> None:
        for table_id in tables:
            try:
                found = await asyncio.to_thread(self._store.load, table_id)
            except EkoesError as error:
                _LOG.warning("can't load a changed table", table=table_id, error=str(error))
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
