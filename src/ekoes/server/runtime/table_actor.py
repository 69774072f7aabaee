"""`TableActor`: owns one open table, its lock, commands, scheduler and viewers.

Also tracks when each player disconnected and submits `Absent` orders.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from datetime import datetime, timedelta
from typing import Any, Protocol

from ekoes.bots import BotRequest
from ekoes.errors import AccountError, EkoesError, StorageError, TableError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Json
from ekoes.protocol import RESTARTS
from ekoes.server.ops.clock import Clock
from ekoes.server.ops.limits import Lanes
from ekoes.server.ops.logs import LOG
from ekoes.server.ops.secrets import fresh_seed, id_of
from ekoes.server.ops.tasks import end
from ekoes.server.ops.telemetry import NO_SPAN
from ekoes.server.runtime.chat import Chat
from ekoes.server.runtime.commands import CommandHandler, ServerContext, table_not_found
from ekoes.server.runtime.viewers import Audience, Viewer, looks_different
from ekoes.server.workers.bot_pool import BotPool, BotRequests, PendingRequest
from ekoes.server.workers.fair_queue import Whose
from ekoes.tables.create import rematch_table
from ekoes.tables.orders import (
    Absent,
    AnyOrder,
    Draw,
    GameOrder,
    HandOver,
    Propose,
    Rematch,
    Rematched,
    Rename,
    Sit,
    Vote,
)
from ekoes.tables.table import Move, Table

_SUSPEND_AFTER = timedelta(minutes=10)
_PARTS_WITHIN = timedelta(seconds=5)
"""How long a full table waits for the parts of its seed that browsers have announced."""
_STORE_RETRY = 5.0
"""Seconds before a table retries a failed write."""


class Presence:
    """The players of a table: those who are connected, and since when each other one is not."""

    def __init__(self, audience: Audience, clock: Clock) -> None:
        self._audience = audience
        self._clock = clock
        self._since = clock.now()
        self._left_at: dict[str, datetime] = {}

    def leave(self, session: str, table: Table) -> None:
        """Note that a connection of a player has ended."""
        if any(seat.session == session for seat in table.seats):
            self._left_at[session] = self._clock.now()

    def next_order(self, table: Table) -> tuple[datetime, Absent] | None:
        """Return the next order about an absent or returning player, and when it is due."""
        agreements, connected = table.agreements, self._audience.sessions
        if not agreements.absent:
            for seat in table.seats:
                if seat.session is not None and seat.session not in connected:
                    break
            else:
                return None
        return min(self._orders(table), key=lambda order: order[0], default=None)

    def _orders(self, table: Table) -> Iterator[tuple[datetime, Absent]]:
        """Yield orders for players who came back or will be absent, each with its time."""
        agreements, connected = table.agreements, self._audience.sessions
        goes_on = agreements.absence and table.is_started and table.outcome is None
        for number, seat in enumerate(table.seats) if goes_on or agreements.absent else ():
            is_absent, is_connected = number in agreements.absent, seat.session in connected
            if is_absent and (is_connected or not goes_on):
                yield self._since, _absent(table, number, absent=False)
            elif seat.session is None or is_absent or is_connected:
                continue
            elif any(other.session in connected for other in table.seats):
                left_at = self._left_at.get(seat.session, self._since)
                yield left_at + timedelta(minutes=agreements.absence), _absent(table, number, absent=True)


def _absent(table: Table, seat: int, *, absent: bool) -> Absent:
    return Absent(key=f"absent-{table.version}-{seat}", seat=seat, absent=absent)


class Closable(Protocol):
    """A WebSocket or a stream."""

    def end(self, code: int, reason: str) -> None:
        """Close it with a code and a reason."""


class TableActor:
    """The owner of one open table. Reading needs no lock, as a table is an immutable value.

    lanes: order the messages of each session. chat: the chat of the table.
    """

    def __init__(self, table_id: str, context: ServerContext, on_idle: Callable[[], None]) -> None:
        """Create an actor; ``load`` fetches the table. on_idle: called when the scheduler has ended."""
        self.id = table_id
        self._context = context
        self.lanes = Lanes(context.clock)
        self.now = context.clock.now
        self._users = 0
        self._used_at = context.clock.now()
        self._lock = asyncio.Lock()
        self._commands = CommandHandler(table_id, context)
        self._is_ready = False
        self._connections: set[Closable] = set()
        self.whose: Whose = (None, None, table_id)
        """The address and the user on whose behalf bots think: the latest player, else the first viewer."""
        marks, ratings = context.seat_guard.marks, context.store.results.rating
        self._audience = Audience(table_id, context.clock.now, marks, ratings)
        self._presence = Presence(self._audience, context.clock)
        self.chat = Chat(table_id, context, lambda: self.table)
        self._scheduler = TableScheduler(self, context.clock, context.bots, on_idle)

    @property
    def table(self) -> Table:
        """The stored table. Raises TableError if there is none."""
        stored = self._commands.stored
        if stored is None:
            raise table_not_found()
        return stored.table

    @property
    def is_open(self) -> bool:
        """Whether the table is loaded."""
        return self._commands.stored is not None

    def bot_requests(self) -> Sequence[BotRequest]:
        """Return the current requests to bots."""
        return self.table.bot_requests(self._commands.secret)

    @property
    def is_active(self) -> bool:
        """Whether something may happen here without an order of a player."""
        table = self.table
        is_busy = table.is_busy and not (table.paused or table.agreements.is_paused)
        return is_busy or table.wants_rematch or self._presence.next_order(table) is not None

    def next_absence(self) -> tuple[datetime, AnyOrder] | None:
        """Return the next order about an absent or returning player, and when it is due."""
        return self._presence.next_order(self.table)

    @property
    def is_scheduled(self) -> bool:
        """Whether the scheduler runs."""
        return self._scheduler.is_running

    # ------------------------------------------------------------ opening and closing

    async def load(self) -> None:
        """Load the table from the store unless it is loaded. Raises TableError if there is none.

        Waits that ran while the table was suspended restart, in memory only; the downtime of the server is
        discounted from clocks that were running.
        """
        if self._is_ready:
            return
        async with self._lock:
            if not self._is_ready:  # if resuming fails, the next request begins again
                await self._commands.open()
                await self._resume()
                self._is_ready = True

    async def _resume(self) -> None:
        for listener in self._context.listeners:
            listener(self.id, self.table)
        since = self.table.clock_since
        downtime = 0 if since is None else self._context.uptime.away_since(since)
        await self._commands.resume(downtime, self.now())
        if self.is_active:
            self._commands.restart_clocks(self.now())
            self._scheduler.update()

    async def settle(self) -> None:
        """Apply what is due now, such as the start or the end of a vacation."""
        async with self._lock:
            before = self.table
            try:
                await self._commands.settle(self.now())
            finally:
                self._publish(before)

    @property
    def wakes_at(self) -> datetime | None:
        """When a clock runs out that continues while the table is suspended; None if there is none."""
        stored = self._commands.stored
        if stored is None or stored.table.clock is None:
            return None
        return None if stored.table.clock_since is None else stored.table.deadline

    def enter(self) -> None:
        """Count one more user of the table."""
        self._users += 1
        self._context.throttle.enter(self.id)

    def exit(self) -> None:
        """Count one user less."""
        self._users -= 1
        self._context.throttle.exit()
        self._used_at = self.now()
        self._scheduler.wake()

    @property
    def is_used(self) -> bool:
        """Whether anyone plays, watches or sends a request."""
        return self._users > 0

    @property
    def suspends_at(self) -> datetime | None:
        """When the table will have been unused long enough to be suspended; None: never, as it stands.

        A game of a tournament without clocks goes on: its round would wait for players who have left.
        """
        table = self.table
        stays = self.is_used or (table.binding and table.people and table.clock is None)
        return None if stays else self._used_at + _SUSPEND_AFTER

    async def stop(self) -> None:
        """Stop the scheduler."""
        await self._scheduler.stop()

    def store_state(self) -> None:
        """Queue the state to be stored, as the table leaves memory."""
        self._commands.store_state()

    @contextmanager
    def shown_on(self, connection: Closable, address: str | None, user: str) -> Iterator[None]:
        """Register a connection for as long as it shows this table, whose requests to bots become urgent."""
        if not self._connections or self.table.seats_of(user):
            self.whose = (address, user, self.id)
        if not self.table.is_exhibition:
            self._context.bots.hurry(self.whose)
        self._connections.add(connection)
        try:
            yield
        finally:
            self._connections.discard(connection)

    def dismiss(self) -> None:
        """Close all connections: another process owns the table now, and clients reconnect there."""
        for connection in list(self._connections):
            connection.end(RESTARTS, "moved")

    # ------------------------------------------------------------ orders

    async def receive(self, order: AnyOrder, session: str, at: datetime | None = None, lag: int = 0) -> int:
        """Submit an order of a client, unless they have given too many that decide nothing."""
        if isinstance(order, Draw) or not isinstance(order, GameOrder):
            plays, proposes = bool(self.table.seats_of(session)), isinstance(order, Propose)
            await self._context.tempo.aside(self.id, session, plays=plays, proposes=proposes)
        return await self.submit(order, session, at, lag)

    async def submit(self, order: AnyOrder, session: str, at: datetime | None = None, lag: int = 0) -> int:
        """Apply and store an order, publish the change, and return the version to acknowledge.

        What is due before the order is applied first; its consequences follow and are published with it. at:
        its arrival; None: now. lag: the latency of its sender in milliseconds. Raises: EkoesError if the
        table refuses it; the same one again for the same key.
        """
        context, arrived, table = self._context, self.now() if at is None else at, self.table
        game, span = table.game, context.span
        if isinstance(order, Rematch) and order.absent:
            self._check_disconnected(map(int, order.absent))
        try:
            with span("order", arrived, table=self.id, game=game, order=order.type) if span else NO_SPAN:
                if isinstance(order, Sit):
                    order = await context.seat_guard.check_sit(self.id, table, order, session)
                elif isinstance(order, Rename):
                    await context.seat_guard.check_names(session, [order.name])
                async with self._lock:
                    before = self.table
                    try:
                        version = await self._commands.submit(order, session, arrived, lag)
                        match order:
                            case Vote(agree=False) | Draw(offer=False) if self.table is not before:
                                self._audience.show_declined(order.seat)
                        if self.table.agreements.open is not None:
                            await self._vote_for_programs(arrived)
                    finally:
                        self._publish(before)
        except EkoesError as error:
            context.metrics.refused.labels(game, error.code).inc()
            if LOG.isEnabledFor(logging.DEBUG):
                LOG.debug("order refused", table=self.id, game=game, order=order.type, code=error.code)
            raise
        context.metrics.orders.labels(game).observe((self.now() - arrived).total_seconds())
        if LOG.isEnabledFor(logging.DEBUG):
            LOG.debug("order", table=self.id, game=game, order=order.type, version=version)
        return version

    async def _vote_for_programs(self, at: datetime) -> None:
        """Agree to a proposal for the accounts of programs, as for any bot."""
        proposal = self.table.agreements.open_at(at)
        if proposal is None:
            return
        for session in sorted(self.table.awaited_voters()):
            with suppress(EkoesError):  # the order before it is stored
                if self._context.store.people.is_program(session):
                    seat = min(self.table.seats_of(session))
                    vote = Vote(key=f"agree-{proposal.number}", seat=seat, number=proposal.number, agree=True)
                    await self._commands.submit(vote, session, at)

    def _check_disconnected(self, numbers: Iterator[int]) -> None:
        """Raise TableError if the player of one of these seats is connected."""
        seats = self.table.seats
        if any(one < len(seats) and seats[one].session in self._audience.sessions for one in numbers):
            raise TableError("this player is still there", code="table/still-there", key="absent")

    @property
    def is_watched(self) -> bool:
        """Whether there are viewers."""
        return bool(self._audience.sessions)

    async def advance(
        self, before: Table, order: AnyOrder | None = None, instead: AnyOrder | None = None
    ) -> bool:
        """Apply what is due by now, and then an order of a bot; nothing if the table has changed.

        An order of a bot comes too late if a clock has run out before it. Unused tables wait for a turn.
        instead: replaces an order that the table refuses. Returns: whether the order was in time. Raises:
        EkoesError if the table refuses both.
        """
        async with nullcontext() if self.is_used else self._context.throttle.turn(self.id), self._lock:
            if self.table is not before:
                return False
            now = self.now()
            try:
                await self._commands.settle(now)
                if order is None or self.table is not before:
                    return False
                await self._submit_own(order, instead, now)
                await self._commands.settle(now)
                return True
            finally:
                self._publish(before)

    async def begin(self, before: Table) -> None:
        """Draw the first position without the parts that have not come."""
        await self.advance(before, self._commands.begin_order())

    async def _submit_own(self, order: AnyOrder, instead: AnyOrder | None, at: datetime) -> None:
        try:
            await self._commands.submit_own(order, at)
        except StorageError:
            raise
        except EkoesError as error:
            if instead is None:
                raise
            LOG.warning("bot order refused", table=self.id, code=error.code)
            await self._commands.submit_own(instead, at)

    async def open_rematch(self) -> None:
        """Create the table of a rematch that all players agreed to; repeated attempts create it once."""
        table = self.table
        new_id = id_of(self._commands.secret.seed("rematch"))
        new_id = await self._context.create(rematch_table(table, fresh_seed()), new_id)
        await asyncio.to_thread(self._context.seat_guard.keep_in_club, self.id, new_id)
        order = Rematched(key=f"rematch-{table.version}", table=new_id)
        while self.table.wants_rematch:
            await self.advance(self.table, order)

    async def hand_over(self, seat: int, giver: str, user: str, key: str | None = None) -> None:
        """Pass a seat from one user to another. key: of the order, which is given once.

        Raises: TableError if the giver does not have the seat, AccountError if the order was given before.
        """
        if not self.table.is_held_by(giver, seat):
            raise TableError("this seat no longer belongs to them", code="table/not-your-seat", key="seat")
        if key is None:
            key = f"hand-over-{self.table.version}-{seat}"
        elif await asyncio.to_thread(self._context.store.answer, self.id, None, key) is not None:
            raise AccountError("this seat pass has been used", code="account/old-pass", key="pass")
        order = HandOver(key=key, seat=seat, user=user)
        while giver != user and self.table.is_held_by(giver, seat):
            await self.advance(self.table, order)
        if not self.table.is_held_by(user, seat):
            raise AccountError("this seat pass has been used", code="account/old-pass", key="pass")

    # ------------------------------------------------------------ viewers

    async def join(self, viewer: Viewer) -> None:
        """Add a viewer and send it the table."""
        early = await self._commands.early_log()
        self._audience.join(viewer, self.table, early)
        self._scheduler.update()

    def leave(self, viewer: Viewer) -> None:
        """Remove a viewer."""
        self._presence.leave(viewer.session, self.table)
        self._audience.leave(viewer, self.table)
        self.chat.leave(viewer)
        self._scheduler.update()

    async def show_table(self, viewer: Viewer) -> None:
        """Send the whole table to one viewer."""
        early = await self._commands.early_log()
        self._audience.show_table(viewer, self.table, early)

    async def table_text(self, session: str, *, lists_actions: bool = False) -> str:
        """Return the ``table`` message for a session."""
        early = await self._commands.early_log()
        return self._audience.table_text(session, self.table, early, lists_actions=lists_actions)

    async def past_json(self, entries: int) -> Json:
        """Return the state after some entries of the log. Raises TableError."""
        then = table = self.table
        if entries <= table.log_start:
            then = await asyncio.to_thread(self._context.store.past, self.id, entries)
        return table.past_state(entries, then)

    def deal_json(self) -> Json:
        """Return the public facts of the deal. Raises TableError if players add no part to it."""
        return self._commands.deal_json()

    async def record(self) -> str:
        """Return the record of the game. Raises TableError while it is hidden."""
        return await asyncio.to_thread(self._context.store.record, self.id)

    def _publish(self, before: Table) -> None:
        """Send changes to viewers, chat, scheduler and listeners; does nothing if there are none."""
        table, context = self.table, self._context
        if table is before:
            return
        if self._audience.sessions:
            with context.span("broadcast", version=table.version) if context.span else NO_SPAN:
                self._audience.show_change(before, table)
        if self.chat.readers:
            self.chat.update_rooms()
        has_days = table.clock is not None and table.clock.days is not None
        is_turn = not has_days and table.outcome is None and not looks_different(before, table)
        for listener in context.turn_listeners if is_turn else context.listeners:
            listener(self.id, table)
        self._scheduler.update()
        if table.clock is not None and self.wakes_at is not None:
            context.uptime.watch()


class TableScheduler:
    """A task that runs while something happens at a table without its players; it submits orders."""

    def __init__(self, actor: TableActor, clock: Clock, bots: BotPool, on_idle: Callable[[], None]) -> None:
        """Create it idle. on_idle: called whenever the task ends."""
        self._actor = actor
        self._clock = clock
        self._on_idle = on_idle
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._is_stopped = False
        self._full_since: datetime | None = None
        self._requests = BotRequests(
            lambda request: bots.ask(
                request, actor.whose, is_urgent=actor.is_used and not actor.table.is_exhibition
            )
        )

    @property
    def is_running(self) -> bool:
        """Whether the task runs."""
        return self._task is not None

    def update(self) -> None:
        """React to a changed table: wake the task, or start it if there is anything to do."""
        self._changed.set()
        if self._task is None and not self._is_stopped and self._actor.is_active:
            self._task = asyncio.create_task(self._run(), name=f"scheduler of {self._actor.id}")

    def wake(self) -> None:
        """Make the task check again whether it has anything to do."""
        self._changed.set()

    async def stop(self) -> None:
        """End the task for good: connections that leave the table later don't start it again."""
        self._is_stopped = True
        await end(self._task)
        self._task = None  # a task that was cancelled before its first step does not say so itself

    async def _run(self) -> None:
        try:
            goes_on = True
            while goes_on and self._actor.is_active:
                try:
                    goes_on = await (self._draw() if self._actor.table.is_drawn_now else self._step())
                except StorageError as error:
                    LOG.error("table waits for the database", table=self._actor.id, error=str(error))
                    await self._clock.sleep(_STORE_RETRY)
        except Exception:  # noqa: BLE001 - a bug here must be in the log
            LOG.exception("table scheduler failed", table=self._actor.id)
        finally:
            self._task = None
            self._requests.cancel()
            self._on_idle()

    async def _step(self) -> bool:
        """Apply what is due, else wait until something may be; return whether to continue.

        A table that has not been used for long is suspended.
        """
        self._changed.clear()
        self._full_since = None
        actor, table, now = self._actor, self._actor.table, self._clock.now()
        suspends_at = actor.suspends_at
        if suspends_at is not None and suspends_at <= now:
            return False
        absent_at, absence = actor.next_absence() or (None, None)
        if absent_at is not None and absent_at <= now:
            await actor.advance(table, absence)
            return True
        if table.wants_rematch:
            await actor.open_rematch()
            return True
        if table.is_paused_at(now):
            wake_at = _earliest(None if table.paused else table.agreements.paused_until, absent_at)
            if wake_at is None:
                return False
            await self._wait_until(_earliest(wake_at, suspends_at), now)
            return True
        if table.automatic_order(now, Chance(0)) is not None:
            await actor.advance(table)
            return True
        self._requests.update(actor.bot_requests(), now)
        move, request = self._first_move(table)
        wake_at = _earliest(table.deadline, absent_at)
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

    async def _draw(self) -> bool:
        """Begin a game once all parts of its seed are there, or are too late."""
        self._changed.clear()
        actor, table, now = self._actor, self._actor.table, self._clock.now()
        self._full_since = self._full_since or now
        begins_at = self._full_since + _PARTS_WITHIN
        if now >= begins_at:
            await actor.begin(table)
        elif table.awaits_parts:
            await self._wait_until(begins_at, now)
        else:
            await actor.advance(table)
        return True

    def _first_move(self, table: Table) -> tuple[Move | None, PendingRequest | None]:
        """Return the earliest move among the answers so far, and its request."""
        first: tuple[Move | None, PendingRequest | None] = None, None
        earliest: datetime | None = None
        for request, answer in list(self._requests.answered()):
            try:
                move = table.bot_move(request.asked, answer, request.asked_at)
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
