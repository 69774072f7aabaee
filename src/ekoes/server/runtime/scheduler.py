"""Runs what happens without a player: clocks, bot requests and rematches."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Protocol

from ekoes.errors import EkoesError, StorageError, TableError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Answer
from ekoes.server.ops.clock import Clock
from ekoes.server.ops.logs import log_of
from ekoes.server.ops.tasks import end
from ekoes.server.workers.bot_pool import BotRunner
from ekoes.tables.bot_request import BotRequest, makeshift
from ekoes.tables.orders import AnyOrder
from ekoes.tables.table import Move, Table

_LOG = log_of("ekoes.server")
_STORE_RETRY = 5.0
"""Seconds before a table retries a failed write."""


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


class ScheduledTable(Protocol):
    """What a scheduler needs from its table."""

    id: str

    @property
    def table(self) -> Table:
        """The stored table."""

    @property
    def is_active(self) -> bool:
        """Whether something may happen here without an order of a player."""

    @property
    def is_used(self) -> bool:
        """Whether the table has users."""

    @property
    def suspends_at(self) -> datetime | None:
        """When the table is suspended, as it is not used; None: it is in use."""

    def next_away(self) -> tuple[datetime, AnyOrder] | None:
        """Return the next order about an absent or returning player, and when it is due."""

    def questions(self) -> Sequence[BotRequest]:
        """Return the current requests to bots."""

    @property
    def is_watched(self) -> bool:
        """Whether there are viewers."""

    async def advance(
        self, before: Table, order: AnyOrder | None = None, instead: AnyOrder | None = None
    ) -> bool:
        """Apply what is due, then an order or its replacement, unless the table has changed.

        Returns: whether the order was in time.
        """

    async def open_rematch(self) -> None:
        """Create the table of a rematch."""


class TableScheduler:
    """A task that runs while something happens at a table without its players; it submits orders."""

    def __init__(
        self, actor: ScheduledTable, clock: Clock, bots: BotRunner, on_idle: Callable[[], None]
    ) -> None:
        """Create it idle. on_idle: called whenever the task ends."""
        self._actor = actor
        self._clock = clock
        self._on_idle = on_idle
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._requests = BotRequests(lambda question: bots.ask(question, actor.id, is_urgent=actor.is_used))

    @property
    def is_running(self) -> bool:
        """Whether the task runs."""
        return self._task is not None

    def update(self) -> None:
        """React to a changed table: wake the task, or start it if there is anything to do."""
        self._changed.set()
        if self._task is None and self._actor.is_active:
            self._task = asyncio.create_task(self._run(), name=f"scheduler of {self._actor.id}")

    def wake(self) -> None:
        """Make the task check again whether it has anything to do."""
        self._changed.set()

    async def stop(self) -> None:
        """End the task."""
        await end(self._task)

    async def _run(self) -> None:
        try:
            goes_on = True
            while goes_on and self._actor.is_active:
                try:
                    goes_on = await self._step()
                except StorageError as error:
                    _LOG.error("table waits for the store", table=self._actor.id, error=str(error))
                    await self._clock.sleep(_STORE_RETRY)
        except Exception:  # noqa: BLE001 - a bug here must be in the log
            _LOG.exception("table scheduler failed", table=self._actor.id)
        finally:
            self._task = None
            self._requests.cancel()
            self._on_idle()

    async def _step(self) -> bool:
        """Apply what is due, else wait until something may be; return whether to continue.

        A table that has not been used for long is suspended.
        """
        self._changed.clear()
        actor, table, now = self._actor, self._actor.table, self._clock.now()
        suspends_at = actor.suspends_at
        if suspends_at is not None and suspends_at <= now:
            return False
        away_at, away = actor.next_away() or (None, None)
        if away_at is not None and away_at <= now:
            await actor.advance(table, away)
            return True
        if table.wants_rematch:
            await actor.open_rematch()
            return True
        if table.is_paused_at(now):
            wake_at = _earliest(None if table.paused else table.agreements.paused_until, away_at)
            if wake_at is None:
                return False
            await self._wait_until(_earliest(wake_at, suspends_at), now)
            return True
        if table.automatic_order(now, Chance(0)) is not None:
            await actor.advance(table)
            return True
        self._requests.update(actor.questions(), now)
        move, request = self._first_move(table)
        wake_at = _earliest(table.deadline, away_at)
        if move is not None and request is not None and (wake_at is None or move.at < wake_at):
            if move.at <= now:
                await self._play(move, request, table)
                return True
            wake_at = move.at
        # With viewers it waits for open requests too: stopping would reveal that no bot wants to act.
        is_waiting = self._requests.waiting() or (actor.is_watched and self._requests.are_open)
        if wake_at is None and not is_waiting:
            return False
        await self._wait_until(None if wake_at is None else _earliest(wake_at, suspends_at), now)
        return True

    def _first_move(self, table: Table) -> tuple[Move | None, PendingRequest | None]:
        """Return the earliest move among the answers so far, and its request."""
        first: tuple[Move | None, PendingRequest | None] = None, None
        earliest: datetime | None = None
        for request, answer in list(self._requests.answered()):
            try:
                move = table.bot_move(request.question, answer, request.asked_at)
            except (EkoesError, TypeError, ValueError) as error:
                self._requests.refuse(request, error)
                continue
            if move is not None and (earliest is None or move.at < earliest):
                first, earliest = (move, request), move.at
        return first

    async def _play(self, move: Move, request: PendingRequest, table: Table) -> None:
        """Submit a bot's order; each answer is used once."""
        try:
            was_in_time = await self._actor.advance(table, move.order, move.instead)
        except StorageError:
            raise
        except EkoesError as error:
            self._requests.refuse(request, error)
        else:
            if self._actor.table is table:
                self._requests.refuse(request, TableError("it changes nothing"))
            elif was_in_time:
                request.is_spent = True

    async def _wait_until(self, at: datetime | None, now: datetime) -> None:
        """Wait until the table changes, an answer arrives, or a time (None: never).

        The work is the same whether a move is planned or not, so that timing reveals nothing of a bot's plan.
        """
        over = (
            asyncio.Event().wait() if at is None else self._clock.sleep(max(0.0, (at - now).total_seconds()))
        )
        own: list[asyncio.Task[Any]] = [asyncio.create_task(self._changed.wait()), asyncio.create_task(over)]
        try:
            await asyncio.wait((*own, *self._requests.waiting()), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in own:
                task.cancel()


def _earliest(*moments: datetime | None) -> datetime | None:
    return min((moment for moment in moments if moment is not None), default=None)
