"""How visitors are told: all there is when they come, and from then on, now and then, what has changed."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Protocol

from ekoes.games.contract import Json
from ekoes.server.clock import Clock
from ekoes.server.lobby.shelf import Shelf
from ekoes.server.messages import encode
from ekoes.server.tasks import end
from ekoes.server.wire import Broadcast

__all__ = ["Telling", "Visitor"]

_PAUSE = timedelta(milliseconds=400)
"""Between two tellings: what happens meanwhile is told together."""
_AT_ONCE = 64
"""Messages that are sent before others at this server have their turn."""
_SHELVES = ("tables", "people", "seeking", "counts", "tournaments")


class Visitor(Protocol):
    """A line to the lobby."""

    session: str

    def send_shared(self, message: Broadcast) -> None:
        """Send a message that others are sent too, without waiting."""


class Telling:
    """What everybody is told alike, and each their own."""

    def __init__(self, clock: Clock, word: str = "lobby", shelves: Sequence[str] = _SHELVES) -> None:
        """Begin with nobody and nothing. word: the type of the message that tells all there is."""
        self._clock = clock
        self._word = word
        self._shelves = {name: Shelf() for name in shelves}
        self._visitors: dict[Visitor, Shelf] = {}
        self._fresh: dict[Visitor, Shelf] = {}
        self._changed: dict[Shelf, None] = {}
        self._has_news = False
        self._told_at: datetime | None = None
        self._work: asyncio.Task[None] | None = None

    async def stop(self) -> None:
        """Tell nobody anything any more."""
        await end(self._work)

    def join(self, visitor: Visitor, own: Shelf) -> None:
        """Tell one more visitor. own: what they alone are told."""
        self._visitors[visitor] = self._fresh[visitor] = own
        self._nudge()

    def part(self, visitor: Visitor) -> None:
        """Tell one visitor less."""
        del self._visitors[visitor]
        self._fresh.pop(visitor, None)

    def put(self, shelf: str, name: str, value: Any) -> None:  # noqa: ANN401 - JSON is anything
        """Put something on a shelf for everybody, None: take it away."""
        if self._shelves[shelf].put(name, value):
            self._nudge()

    def put_all(self, shelf: str, values: Mapping[str, Any]) -> None:
        """Let there be these things on a shelf, and nothing else."""
        for name in [*self._shelves[shelf].now.keys() - values.keys(), *values]:
            self.put(shelf, name, values.get(name))

    def put_own(self, own: Shelf, name: str, value: Any) -> None:  # noqa: ANN401
        """Put something on a shelf of somebody's own, None: take it away."""
        if own.put(name, value):
            self._changed[own] = None
            self._nudge()

    def _nudge(self) -> None:
        """See to it that what has changed is told: soon, and no more often than now and then."""
        self._has_news = True
        if self._work is None:
            self._work = asyncio.create_task(self._tell_soon(), name="lobby")

    async def _tell_soon(self) -> None:
        while self._has_news:
            if self._told_at is not None:
                wait = self._told_at + _PAUSE - self._clock.now()
                await self._clock.sleep(max(0.0, wait.total_seconds()))
            self._told_at, self._has_news = self._clock.now(), False
            for number, (visitor, message) in enumerate([*self._news(), *self._welcomes()], 1):
                visitor.send_shared(message)
                if number % _AT_ONCE == 0:
                    await asyncio.sleep(0)
        self._work = None

    def _news(self) -> list[tuple[Visitor, Broadcast]]:
        """Return what has changed, for everybody who knows what there was."""
        change = {name: taken for name, shelf in self._shelves.items() if (taken := shelf.take())}
        shared = _news(change) if change else None
        changed, self._changed = self._changed, {}
        own = {shelf: _news(change | {"own": taken}) for shelf in changed if (taken := shelf.take())}
        told = [(visitor, own.get(shelf, shared)) for visitor, shelf in self._visitors.items()]
        return [(one, message) for one, message in told if message is not None and one not in self._fresh]

    def _welcomes(self) -> list[tuple[Visitor, Broadcast]]:
        """Return what there is, for who has just come."""
        fresh, self._fresh = self._fresh, {}
        if not fresh:
            return []
        shared = encode({"type": self._word} | {name: shelf.now for name, shelf in self._shelves.items()})
        nothing = _welcome(shared, {})
        return [(one, _welcome(shared, own.now) if own.now else nothing) for one, own in fresh.items()]


def _news(change: dict[str, Any]) -> Broadcast:
    return Broadcast(encode({"type": "news", "change": change}))


def _welcome(shared: str, own: Json) -> Broadcast:
    """Return all there is; shared: what is for everybody, as JSON."""
    return Broadcast(f'{shared[:-1]},"own":{encode(own)}}}')
