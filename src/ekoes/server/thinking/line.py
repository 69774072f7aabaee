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
    """One table after the other, however much each of them asks; its own questions as they were asked.

    What nobody waits for comes after all that somebody does.
    """

    def __init__(self) -> None:
        """Begin empty."""
        self._urgent: OrderedDict[str, deque[Waiting]] = OrderedDict()
        self._patient: OrderedDict[str, deque[Waiting]] = OrderedDict()
        self._is_waiting = asyncio.Event()

    def __len__(self) -> int:
        """Return the number of tables that wait."""
        return len(self._urgent) + len(self._patient)

    def put(self, table_id: str, waiting: Waiting, *, is_urgent: bool = True) -> None:
        """Let a question of a table wait."""
        tables = self._urgent if is_urgent else self._patient
        tables.setdefault(table_id, deque()).append(waiting)
        self._is_waiting.set()

    async def next(self) -> Waiting:
        """Wait for the next question that somebody still wants to be answered, and take it."""
        while True:
            await self._is_waiting.wait()
            waiting = _taken(self._urgent or self._patient)
            if not self._urgent and not self._patient:
                self._is_waiting.clear()
            if waiting is not None:
                return waiting


def _taken(tables: OrderedDict[str, deque[Waiting]]) -> Waiting | None:
    """Take the first question of the first table, which is the last one then; None if nobody wants it."""
    table_id, questions = tables.popitem(last=False)
    wanted = deque(waiting for waiting in questions if not waiting.answer.done())
    waiting = wanted.popleft() if wanted else None
    if wanted:
        tables[table_id] = wanted
    return waiting
