"""Where tables go on that nobody uses: one after the other, and slowly while people use others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import perf_counter

__all__ = ["Aside"]

_RESTS = 3
"""How long the others rest after each turn while people are there, measured by the turn."""
_LONGEST_REST = 0.1
"""Seconds; a turn that takes so long waits for the store, and others do no harm meanwhile."""


class Aside:
    """One turn at a time; while people are there, a rest follows that is thrice as long.

    Whoever gives an order waits for what is judged and committed at that moment: hardly ever is it something
    that nobody looks at, however many such tables there are. Who comes to one of them does not wait for the
    others.
    """

    def __init__(self) -> None:
        """Begin with nobody."""
        self._users = 0
        self._is_taken = False
        self._waiting: dict[asyncio.Future[bool], str] = {}

    def enter(self, table_id: str) -> None:
        """Count one more who uses a table: it waits for no turn."""
        self._users += 1
        for turn in [turn for turn, waiting in self._waiting.items() if waiting == table_id]:
            del self._waiting[turn]
            _tell(turn, has_turn=False)

    def exit(self) -> None:
        """Count one less who uses a table."""
        self._users -= 1

    @asynccontextmanager
    async def turn(self, table_id: str) -> AsyncIterator[None]:
        """Wait for a turn, or until somebody comes to the table."""
        if not await self._has_turn(table_id):
            yield
            return
        begun = perf_counter()
        try:
            yield
        finally:
            rest = min(_LONGEST_REST, _RESTS * (perf_counter() - begun)) if self._users else 0.0
            asyncio.get_running_loop().call_later(rest, self._next)

    @asynccontextmanager
    async def held_up(self) -> AsyncIterator[None]:
        """Let nobody have a turn meanwhile."""
        await self._has_turn("")
        try:
            yield
        finally:
            self._next()

    async def _has_turn(self, table_id: str) -> bool:
        """Wait; tell whether it is for a turn, which has to be passed on."""
        if not self._is_taken:
            self._is_taken = True
            return True
        turn: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting[turn] = table_id
        try:
            return await turn
        except asyncio.CancelledError:
            self._waiting.pop(turn, None)
            if not turn.cancelled() and turn.result():
                self._next()
            raise

    def _next(self) -> None:
        """Pass the turn on."""
        while self._waiting:
            turn = next(iter(self._waiting))
            del self._waiting[turn]
            if _tell(turn, has_turn=True):
                return
        self._is_taken = False


def _tell(turn: asyncio.Future[bool], *, has_turn: bool) -> bool:
    """End the wait for a turn; tell whether anybody waits for it still."""
    if turn.done():
        return False
    turn.set_result(has_turn)
    return True
