"""A queue for slow work: a few calls run at once, the others take turns fairly by address and user."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import TypeVar, TypeVarTuple

from ekoes.server.ops.limits import Places
from ekoes.storage.cache import LRUCache

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

Whose = tuple[str | None, ...]
"""The address that asks (None: this machine), then, where it matters, a user, and a table or the like."""

_KNOWN = 10_000
"""Addresses, users and tables whose latest turn is known."""
_LATELY = 4
"""The latest tables of a worker; their next turns prefer it."""
_COMPARED = 100
"""Of the background turns only the first so many are compared."""


@dataclass(eq=False, slots=True)
class _Turn:
    """A turn that is waited for. worker: the number of the one that has it."""

    whose: Whose
    worker: asyncio.Future[int] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class FairQueue:
    """Numbered workers, each with a thread, and the turns that wait for one.

    The next turn goes to the address whose latest turn began earliest, within it to such a user, and so on;
    among equals the first comes first. So one user's hundred turns delay the others by a single one.
    """

    def __init__(self, at_once: int, waiting: int, things: str, wait: int, each: int | None = None) -> None:
        """Create a queue.

        at_once: workers. waiting, things, wait: as of ``Places``, of which an address gets a quarter. each:
        the workers that an address may have at the same time; None: all.
        """
        self.at_once = at_once
        self.places = Places(at_once + waiting, things, wait)
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix=things)
        self._each = each or at_once
        self._idle = [*range(at_once)]
        """The workers without a turn, the one that had one last at the end."""
        self._urgent: list[_Turn] = []
        self._background: list[_Turn] = []
        self._turns = count(1)
        self._latest: LRUCache[int] = LRUCache(_KNOWN)
        """Beginnings of ``Whose`` -> the number of their latest turn."""
        self._lately: list[deque[str | None]] = [deque(maxlen=_LATELY) for _ in range(at_once)]
        self._running = Counter[str | None]()
        self.on_end: Callable[[int], None] = lambda _worker: None
        """Called with a worker whose turn has ended."""

    @property
    def running(self) -> int:
        """The number of workers that have a turn."""
        return self.at_once - len(self._idle)

    @property
    def waiting(self) -> list[Whose]:
        """Those who wait."""
        return [turn.whose for turn in (*self._urgent, *self._background)]

    def is_idle(self, worker: int) -> bool:
        """Return whether a worker has no turn."""
        return worker in self._idle

    async def do(self, whose: Whose, work: Callable[[*Ts], T], *args: *Ts) -> T:
        """Run a function in a thread when it is its turn, and return its result.

        Raises: LimitError if the queue or the share of the address is full; whatever the function raises.
        """
        with self.places.place(whose[0]):
            return await self.run(whose, lambda _: work(*args))

    @asynccontextmanager
    async def turn(self, whose: Whose) -> AsyncIterator[None]:
        """Wait for a turn, which lasts as long as a block, without a place: the caller has one."""
        turn = await self._begun(whose)
        try:
            yield
        finally:
            self._end(turn)

    async def run(self, whose: Whose, work: Callable[[int], T], *, is_urgent: bool = True) -> T:
        """Run a function of the worker's number like ``do``, without a place: the caller has a limit.

        A function that has begun keeps its worker until it ends, even if its caller is cancelled. is_urgent:
        before all turns that are not.
        """
        turn = await self._begun(whose, is_urgent=is_urgent)
        done = self.in_thread(work, turn.worker.result())
        done.add_done_callback(lambda _: self._end(turn))
        return await asyncio.shield(done)

    def in_thread(self, work: Callable[[*Ts], T], *args: *Ts) -> asyncio.Future[T]:
        """Run a function in a thread of the workers, during a turn or after it."""
        done = asyncio.get_running_loop().run_in_executor(self._threads, work, *args)
        done.add_done_callback(lambda done: done.cancelled() or done.exception())  # no one may wait for it
        return done

    def hurry(self, whose: Whose) -> None:
        """Make the background turns of a table, the last of ``whose``, urgent ones of an address, a user."""
        for turn in [turn for turn in self._background if turn.whose[-1] == whose[-1]]:
            self._background.remove(turn)
            turn.whose = whose
            self._urgent.append(turn)

    def close(self, *, waits: bool = False) -> None:
        """Begin no more turns. waits: until the running ones have ended."""
        self._threads.shutdown(wait=waits, cancel_futures=True)

    async def _begun(self, whose: Whose, *, is_urgent: bool = True) -> _Turn:
        turn = _Turn(whose)
        (self._urgent if is_urgent else self._background).append(turn)
        self._begin_next()
        try:
            await turn.worker
        except asyncio.CancelledError:
            if turn.worker.cancelled():
                (self._urgent if turn in self._urgent else self._background).remove(turn)
            else:
                self._end(turn)
            raise
        return turn

    def _begin_next(self) -> None:
        """Give the idle workers to those whose turn it is."""
        while self._idle and (turn := self._next(self._urgent) or self._next(self._background[:_COMPARED])):
            (self._urgent if turn in self._urgent else self._background).remove(turn)
            known = [worker for worker in self._idle if turn.whose[-1] in self._lately[worker]]
            worker = (known or self._idle)[-1]
            self._idle.remove(worker)
            self._note(turn.whose, worker)
            turn.worker.set_result(worker)

    def _next(self, turns: list[_Turn]) -> _Turn | None:
        allowed = (
            turn for turn in turns if not turn.worker.done() and self._running[turn.whose[0]] < self._each
        )
        return min(allowed, key=lambda turn: self._rank(turn.whose), default=None)

    def _rank(self, whose: Whose) -> list[int]:
        return [self._latest.get(whose[:length]) or 0 for length in range(1, len(whose) + 1)]

    def _note(self, whose: Whose, worker: int) -> None:
        number, lately = next(self._turns), self._lately[worker]
        for length in range(1, len(whose) + 1):
            self._latest.put(whose[:length], number)
        if whose[-1] in lately:
            lately.remove(whose[-1])
        lately.append(whose[-1])
        self._running[whose[0]] += 1

    def _end(self, turn: _Turn) -> None:
        self._running[turn.whose[0]] -= 1
        self._running += Counter()  # drops zero counts
        self._idle.append(turn.worker.result())
        self.on_end(turn.worker.result())
        self._begin_next()
