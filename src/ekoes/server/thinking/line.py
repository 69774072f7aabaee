"""Questions that wait for somebody to answer them, in a fair order."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from dataclasses import dataclass

from ekoes.games.contract import Answer
from ekoes.match.question import Question

__all__ = ["Line", "Waiting"]


@dataclass(frozen=True, slots=True, eq=False)
class Waiting:
    """A question that waits. answer: is done already where nobody wants it any more."""

    question: Question
    answer: asyncio.Future[Answer]


class Line:
    """One table after the other, however much each of them asks; its own questions as they were asked."""

    def __init__(self) -> None:
        """Begin empty."""
        self._tables: OrderedDict[str, deque[Waiting]] = OrderedDict()
        self._is_waiting = asyncio.Event()

    def put(self, table_id: str, waiting: Waiting) -> None:
        """Let a question of a table wait."""
        self._tables.setdefault(table_id, deque()).append(waiting)
        self._is_waiting.set()

    async def next(self) -> Waiting:
        """Wait for the next question that somebody still wants to be answered, and take it."""
        while True:
            await self._is_waiting.wait()
            table_id, questions = self._tables.popitem(last=False)
            wanted = deque(waiting for waiting in questions if not waiting.answer.done())
            waiting = wanted.popleft() if wanted else None
            if wanted:
                self._tables[table_id] = wanted
            if not self._tables:
                self._is_waiting.clear()
            if waiting is not None:
                return waiting
