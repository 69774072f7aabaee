"""What the bots of a table have been asked: each question once, as long as it is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from ekoes.errors import EkoesError
from ekoes.games.contract import Answer
from ekoes.match.question import Question, makeshift
from ekoes.server.logs import log_of

__all__ = ["Inquiries", "Inquiry"]

_LOG = log_of("ekoes.server")


@dataclass(slots=True, eq=False)
class Inquiry:
    """A question that was asked. reply: None once nothing more is expected of it.

    is_spent: whether the reply was given; where the same is still asked, the bot wants nothing more.
    """

    question: Question
    asked_at: datetime
    reply: asyncio.Task[Answer] | None
    was_refused: bool = False
    is_spent: bool = False

    @property
    def answer(self) -> Answer | None:
        """What the bot wants now; None as long as nobody knows, and where nothing is expected."""
        if self.reply is None or not self.reply.done():
            return None
        answer = self.reply.result()
        return replace(answer, action=None) if self.is_spent else answer


class Inquiries:
    """The questions of one table. A table that still asks the same does not ask again."""

    def __init__(self, ask: Callable[[Question], Awaitable[Answer]]) -> None:
        """Begin with none. ask: never fails."""
        self._ask = ask
        self._open: dict[str, Inquiry] = {}

    def follow(self, questions: Sequence[Question], now: datetime) -> None:
        """Ask what was not asked yet, and forget what is no longer asked: its answer comes too late."""
        wanted = {question.key: question for question in questions}
        for key in [key for key in self._open if key not in wanted]:
            _forget(self._open.pop(key))
        for key, question in wanted.items():
            if key not in self._open:
                self._open[key] = Inquiry(question, now, self._asked(question))

    def answered(self) -> Iterator[tuple[Inquiry, Answer]]:
        """Yield what has been answered."""
        for inquiry in self._open.values():
            answer = inquiry.answer
            if answer is not None:
                yield inquiry, answer

    @property
    def are_open(self) -> bool:
        """Whether anything is asked."""
        return bool(self._open)

    def waiting(self) -> set[asyncio.Task[Answer]]:
        """Return the replies that are still to come."""
        return {
            each.reply for each in self._open.values() if each.reply is not None and not each.reply.done()
        }

    def refuse(self, inquiry: Inquiry, why: Exception) -> None:
        """Take a makeshift for an answer that the table refuses, and nothing where it refuses that too."""
        asked = inquiry.question
        about = {"game": asked.game, "bot": asked.bot, "seat": asked.seat}
        _LOG.warning("a bot's answer is refused", **about, why=_told(why))
        if inquiry.was_refused:
            inquiry.reply = None
        else:
            inquiry.was_refused = True
            inquiry.reply = asyncio.create_task(asyncio.to_thread(makeshift, inquiry.question))

    def drop(self) -> None:
        """Forget everything."""
        for inquiry in self._open.values():
            _forget(inquiry)
        self._open.clear()

    def _asked(self, question: Question) -> asyncio.Task[Answer]:
        async def reply() -> Answer:
            return await self._ask(question)

        return asyncio.create_task(reply(), name=f"question {question.key}")


def _forget(inquiry: Inquiry) -> None:
    if inquiry.reply is not None:
        inquiry.reply.cancel()


def _told(why: Exception) -> str:
    """Return as much of a reason as may be told: what it says may tell of a hand."""
    return why.code if isinstance(why, EkoesError) else type(why).__name__
