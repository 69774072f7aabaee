"""Broadcasts a map of JSON values to subscribers: everything at first, then diffs at intervals."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime, timedelta
from itertools import chain
from typing import Any, Protocol

from ekoes.games.api.contract import Json
from ekoes.games.api.values import difference
from ekoes.protocol import encode
from ekoes.server.ops.clock import Clock
from ekoes.server.ops.tasks import end
from ekoes.server.realtime.connection import Broadcast


class DiffMap:
    """A map of JSON values that remembers its changes. now: the current values."""

    def __init__(self) -> None:
        self.now: Json = {}
        self._before: Json = {}

    def put(self, name: str, value: object) -> bool:
        """Set a value, None: delete it; return whether it has changed."""
        former = self.now.get(name)
        if former == value:
            return False
        self._before.setdefault(name, former)
        if value is None:
            del self.now[name]
        else:
            self.now[name] = value
        return True

    def take_changes(self) -> Json:
        """Return the differences (``ekoes.games.api.values``) by name since the last call."""
        before, self._before = self._before, {}
        return {
            name: _change(former, self.now.get(name))
            for name, former in before.items()
            if former != self.now.get(name)
        }


def _change(before: object, after: object) -> object:
    if after is None:
        return None
    return [after] if before is None else difference(before, after)


_PAUSE = timedelta(milliseconds=400)
"""Interval between two messages, which collect all changes since the last one."""
_AT_ONCE = 64
"""Messages sent before the event loop may do other work."""
_LOBBY_MAPS = ("tables", "people", "seeking", "counts", "tournaments")


class Visitor(Protocol):
    """A connection to the lobby."""

    session: str

    def send_shared(self, message: Broadcast) -> None:
        """Send a message that others receive too, without waiting."""


Receive = Callable[[Json], None]
Subscribe = Callable[[str, Receive], AbstractContextManager[None]]
"""Sends a user's messages to a function for as long as the context is open."""


class Inboxes:
    """Sends messages to all open pages of a user."""

    def __init__(self) -> None:
        self._open: defaultdict[str, list[Receive]] = defaultdict(list)

    def __contains__(self, user: str) -> bool:
        return user in self._open

    @contextmanager
    def opened(self, user: str, receive: Receive, first: Iterable[Json]) -> Iterator[None]:
        """Send a page its first messages, and from then on all others of its user."""
        for message in first:
            receive(message)
        self._open[user].append(receive)
        try:
            yield
        finally:
            self._open[user].remove(receive)
            if not self._open[user]:
                del self._open[user]

    def send(self, user: str, message: Json) -> None:
        """Send a message to all pages of a user."""
        for receive in self._open.get(user, ()):
            receive(message)


class Publisher:
    """Publishes shared maps, and a map of its own for each subscriber."""

    def __init__(self, clock: Clock, word: str = "lobby", maps: Sequence[str] = _LOBBY_MAPS) -> None:
        """Create empty maps. word: the type of the first message, with all values."""
        self._clock = clock
        self._word = word
        self._maps = {name: DiffMap() for name in maps}
        self._visitors: dict[Visitor, DiffMap] = {}
        self._fresh: dict[Visitor, DiffMap] = {}
        self._changed: dict[DiffMap, None] = {}
        self._has_changes = False
        self._sent_at: datetime | None = None
        self._work: asyncio.Task[None] | None = None

    async def stop(self) -> None:
        """Stop sending."""
        await end(self._work)

    def join(self, visitor: Visitor, own: DiffMap) -> None:
        """Add a subscriber. own: its own map."""
        self._visitors[visitor] = self._fresh[visitor] = own
        self._schedule()

    def part(self, visitor: Visitor) -> None:
        """Remove a subscriber."""
        del self._visitors[visitor]
        self._fresh.pop(visitor, None)

    def put(self, map_name: str, name: str, value: object) -> None:
        """Set a value of a shared map, None: delete it."""
        if self._maps[map_name].put(name, value):
            self._schedule()

    def put_all(self, map_name: str, values: Mapping[str, Any]) -> None:
        """Replace all values of a shared map."""
        for name in [*self._maps[map_name].now.keys() - values.keys(), *values]:
            self.put(map_name, name, values.get(name))

    def put_own(self, own: DiffMap, name: str, value: object) -> None:
        """Set a value of a subscriber's own map, None: delete it."""
        if own.put(name, value):
            self._changed[own] = None
            self._schedule()

    def _schedule(self) -> None:
        self._has_changes = True
        if self._work is None:
            self._work = asyncio.create_task(self._send_changes(), name="lobby")

    async def _send_changes(self) -> None:
        while self._has_changes:
            if self._sent_at is not None:
                wait = self._sent_at + _PAUSE - self._clock.now()
                await self._clock.sleep(max(0.0, wait.total_seconds()))
            self._sent_at, self._has_changes = self._clock.now(), False
            before = None
            for number, (visitor, message) in enumerate(chain(self._news(), self._welcomes()), 1):
                visitor.send_shared(message)
                if number % _AT_ONCE == 0 or message is not before:  # each new one was compressed
                    await asyncio.sleep(0)
                before = message
        self._work = None

    def _news(self) -> list[tuple[Visitor, Broadcast]]:
        """Return the changes for the subscribers that have the earlier values."""
        change = {name: taken for name, one in self._maps.items() if (taken := one.take_changes())}
        shared = _news(change) if change else None
        changed, self._changed = self._changed, {}
        own = {one: _news(change | {"own": taken}) for one in changed if (taken := one.take_changes())}
        messages = [(visitor, own.get(one, shared)) for visitor, one in self._visitors.items()]
        return [(one, message) for one, message in messages if message is not None and one not in self._fresh]

    def _welcomes(self) -> Iterable[tuple[Visitor, Broadcast]]:
        """Return all values, for new subscribers; each message is made when its turn comes."""
        fresh = [(one, dict(own.now)) for one, own in self._fresh.items()]
        self._fresh = {}
        if not fresh:
            return ()
        shared = encode({"type": self._word} | {name: one.now for name, one in self._maps.items()})
        nothing = _welcome(shared, {})
        return ((one, _welcome(shared, own) if own else nothing) for one, own in fresh)


def _news(change: Json) -> Broadcast:
    return Broadcast(encode({"type": "news", "change": change}))


def _welcome(shared: str, own: Json) -> Broadcast:
    """Return the first message. shared: its shared part as JSON."""
    return Broadcast(f'{shared[:-1]},"own":{encode(own)}}}')
