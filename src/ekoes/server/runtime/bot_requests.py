"""The open bot requests of a table."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from ekoes.bots import BotRequest, makeshift
from ekoes.errors import EkoesError
from ekoes.games.api.contract import Answer
from ekoes.server.ops.logs import log_of

_LOG = log_of("ekoes.server")


@dataclass(slots=True, eq=False)
class PendingRequest:
    """A request to a bot. reply: None once no answer is expected.

    is_spent: whether the answer was used; if the request stays open, the bot wants nothing more.
    """

    question: BotRequest
    asked_at: datetime
    reply: asyncio.Task[Answer] | None
    was_refused: bool = False
    is_spent: bool = False

    @property
    def answer(self) -> Answer | None:
        """The answer; None if there is none yet or none is expected."""
        if self.reply is None or not self.reply.done():
            return None
        answer = self.reply.result()
        return replace(answer, action=None) if self.is_spent else answer

    def cancel(self) -> None:
        """Stop waiting for the answer."""
        if self.reply is not None:
            self.reply.cancel()


class BotRequests:
    """The open bot requests of one table; a request that stays the same is sent once."""

    def __init__(self, ask: Callable[[BotRequest], Awaitable[Answer]]) -> None:
        """Create it without requests. ask: must not fail."""
        self._ask = ask
        self._open: dict[str, PendingRequest] = {}

    def update(self, questions: Sequence[BotRequest], now: datetime) -> None:
        """Send the new requests, and cancel those that are no longer current."""
        current = {question.key: question for question in questions}
        for key in [key for key in self._open if key not in current]:
            self._open.pop(key).cancel()
        for key, question in current.items():
            if key not in self._open:
                self._open[key] = PendingRequest(question, now, self._sent(question))

    def answered(self) -> Iterator[tuple[PendingRequest, Answer]]:
        """Yield the requests that have an answer."""
        for request in self._open.values():
            answer = request.answer
            if answer is not None:
                yield request, answer

    @property
    def are_open(self) -> bool:
        """Whether there are any."""
        return bool(self._open)

    def waiting(self) -> set[asyncio.Task[Answer]]:
        """Return the tasks of the pending answers."""
        return {
            each.reply for each in self._open.values() if each.reply is not None and not each.reply.done()
        }

    def refuse(self, request: PendingRequest, why: Exception) -> None:
        """Replace an answer that the table refused by a fallback; after a second refusal by nothing."""
        asked = request.question
        # The text of an error may reveal hidden information, so only its code is logged.
        reason = why.code if isinstance(why, EkoesError) else type(why).__name__
        _LOG.warning("bot answer refused", game=asked.game, bot=asked.bot, seat=asked.seat, why=reason)
        if request.was_refused:
            request.reply = None
        else:
            request.was_refused = True
            request.reply = asyncio.create_task(asyncio.to_thread(makeshift, asked))

    def cancel(self) -> None:
        """Cancel all requests."""
        for request in self._open.values():
            request.cancel()
        self._open.clear()

    def _sent(self, question: BotRequest) -> asyncio.Task[Answer]:
        async def reply() -> Answer:
            return await self._ask(question)

        return asyncio.create_task(reply(), name=f"bot request {question.key}")
