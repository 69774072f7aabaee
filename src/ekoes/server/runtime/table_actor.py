"""`TableActor`: owns one open table, its lock, commands, scheduler and viewers.

Also tracks when each player disconnected and submits `Away` orders.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from datetime import datetime, timedelta
from typing import Protocol

from ekoes.bots.analysis import Info
from ekoes.errors import EkoesError, StorageError, TableError
from ekoes.games.api.contract import Json
from ekoes.protocol.incoming import RESTARTS, Analyse
from ekoes.server.ops.clock import Clock
from ekoes.server.ops.limits import Lanes
from ekoes.server.ops.logs import log_of
from ekoes.server.ops.secrets import fresh_seed, id_of
from ekoes.server.ops.tracing import NO_SPAN
from ekoes.server.runtime.analyses import MEMORY, AnalysisRequest
from ekoes.server.runtime.chat import Chat
from ekoes.server.runtime.commands import CommandHandler, table_not_found
from ekoes.server.runtime.context import ServerContext
from ekoes.server.runtime.scheduler import TableScheduler
from ekoes.server.runtime.viewers import Audience, Viewer
from ekoes.tables.analysis import check_analysis, search_of
from ekoes.tables.bot_request import BotRequest
from ekoes.tables.create import rematch_table
from ekoes.tables.orders import AnyOrder, Away, HandOver, Rematch, Rematched, Sit, Vote
from ekoes.tables.table import Table

_LOG = log_of("ekoes.server")
_SUSPEND_AFTER = timedelta(minutes=10)


class Presence:
    """Which players of a table are connected, and since when the others are not."""

    def __init__(self, audience: Audience, clock: Clock) -> None:
        self._audience = audience
        self._clock = clock
        self._since = clock.now()
        self._left_at: dict[str, datetime] = {}

    def leave(self, session: str) -> None:
        """Note that a connection of a session has ended."""
        self._left_at[session] = self._clock.now()

    def next_order(self, table: Table) -> tuple[datetime, Away] | None:
        """Return the next order about an absent or returning player, and when it is due."""
        agreements, connected = table.agreements, self._audience.sessions
        if not agreements.away:
            for chair in table.seats:
                if chair.session is not None and chair.session not in connected:
                    break
            else:
                return None
        return min(self._orders(table), key=lambda order: order[0], default=None)

    def _orders(self, table: Table) -> Iterator[tuple[datetime, Away]]:
        """Yield orders for players who came back or will be absent, each with its time."""
        agreements, connected = table.agreements, self._audience.sessions
        goes_on = agreements.absence and table.is_started and table.outcome is None
        for seat, chair in enumerate(table.seats) if goes_on or agreements.away else ():
            is_away, is_connected = seat in agreements.away, chair.session in connected
            if is_away and (is_connected or not goes_on):
                yield self._since, _away(table, seat, away=False)
            elif chair.session is None or is_away or is_connected:
                continue
            elif any(other.session in connected for other in table.seats):
                left_at = self._left_at.get(chair.session, self._since)
                yield left_at + timedelta(minutes=agreements.absence), _away(table, seat, away=True)


def _away(table: Table, seat: int, *, away: bool) -> Away:
    return Away(key=f"away-{table.version}-{seat}", seat=seat, away=away)


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
        self._audience = Audience(table_id, context.clock, context.store.programs.has)
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

    def questions(self) -> Sequence[BotRequest]:
        """Return the current requests to bots."""
        return self.table.bot_requests(self._commands.secret)

    @property
    def is_active(self) -> bool:
        """Whether something may happen here without an order of a player."""
        table = self.table
        is_busy = table.is_busy and not (table.paused or table.agreements.is_paused)
        return is_busy or table.wants_rematch or self._presence.next_order(table) is not None

    def next_away(self) -> tuple[datetime, AnyOrder] | None:
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
            if not self.is_open:
                await self._commands.open()
                await self._resume()
            self._is_ready = True

    async def _resume(self) -> None:
        self._context.notify(self.id, self.table)
        since = self.table.clock_since
        downtime = 0 if since is None else self._context.uptime.away_since(since)
        if downtime:
            await self._commands.stop_clocks(downtime, self.now())
        await self._commands.note_vacations(self.now())
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
    def strikes_at(self) -> datetime | None:
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
        """When the table will have been unused long enough to be suspended; None: it is in use."""
        return None if self.is_used else self._used_at + _SUSPEND_AFTER

    async def stop(self) -> None:
        """Stop the scheduler."""
        await self._scheduler.stop()

    @contextmanager
    def shown_on(self, connection: Closable) -> Iterator[None]:
        """Register a connection for as long as it shows this table."""
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
                    order = await context.seat_guard.check_sit(table, order, session)
                async with self._lock:
                    before = self.table
                    try:
                        version = await self._commands.submit(order, session, arrived, lag)
                        if self.table.agreements.open is not None:
                            await self._vote_for_programs(arrived)
                    finally:
                        self._publish(before)
        except EkoesError as error:
            context.metrics.refusal(game, error.code)
            if _LOG.isEnabledFor(logging.DEBUG):
                _LOG.debug("order refused", table=self.id, game=game, order=order.type, code=error.code)
            raise
        context.metrics.order(game, (self.now() - arrived).total_seconds())
        if _LOG.isEnabledFor(logging.DEBUG):
            _LOG.debug("order", table=self.id, game=game, order=order.type, version=version)
        return version

    async def _vote_for_programs(self, at: datetime) -> None:
        """Agree to a proposal for the accounts of programs, as for any bot."""
        proposal = self.table.agreements.open_at(at)
        if proposal is None:
            return
        for session in sorted(self.table.awaited_voters()):
            if self._context.store.programs.has(session):
                seat = min(self.table.seats_of(session))
                vote = Vote(key=f"agree-{proposal.number}", seat=seat, number=proposal.number, agree=True)
                with suppress(TableError):
                    await self._commands.submit(vote, session, at)

    def _check_disconnected(self, seats: Iterator[int]) -> None:
        """Raise TableError if the player of one of these seats is connected."""
        chairs = self.table.seats
        if any(seat < len(chairs) and chairs[seat].session in self._audience.sessions for seat in seats):
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

    async def _submit_own(self, order: AnyOrder, instead: AnyOrder | None, at: datetime) -> None:
        try:
            await self._commands.submit_own(order, at)
        except StorageError:
            raise
        except EkoesError as error:
            if instead is None:
                raise
            _LOG.warning("bot order refused", table=self.id, code=error.code)
            await self._commands.submit_own(instead, at)

    async def open_rematch(self) -> None:
        """Create the table of a rematch that all players agreed to; repeated attempts create it once."""
        table = self.table
        new_id = id_of(self._commands.secret.seed("rematch"))
        new_id = await self._context.create(rematch_table(table, fresh_seed()), new_id)
        order = Rematched(key=f"rematch-{table.version}", table=new_id)
        while self.table.wants_rematch:
            await self.advance(self.table, order)

    async def hand_over(self, seat: int, giver: str, holder: str) -> None:
        """Pass a seat from one user to another. Raises TableError if the giver does not have it."""
        if not self.table.is_held_by(giver, seat):
            raise TableError("this seat is not theirs any more", code="table/not-your-seat", key="seat")
        order = HandOver(key=f"hand-over-{self.table.version}-{seat}", seat=seat, holder=holder)
        while giver != holder and self.table.is_held_by(giver, seat):
            await self.advance(self.table, order)

    # ------------------------------------------------------------ viewers

    async def join(self, viewer: Viewer) -> None:
        """Add a viewer and send it the table."""
        early = await self._early_log()
        self._audience.join(viewer, self.table, early)
        self._scheduler.update()

    def leave(self, viewer: Viewer) -> None:
        """Remove a viewer."""
        self._audience.leave(viewer, self.table)
        self._presence.leave(viewer.session)
        self.chat.leave(viewer)
        self._scheduler.update()

    async def _early_log(self) -> Sequence[str]:
        """Return the log entries before those in memory."""
        while True:
            early = await self._commands.early_log()
            if self.table.log_start <= len(early):
                return early

    async def show_table(self, viewer: Viewer) -> None:
        """Send the whole table to one viewer."""
        early = await self._early_log()
        self._audience.show_table(viewer, self.table, early)

    async def table_text(self, session: str) -> str:
        """Return the ``table`` message for a session."""
        early = await self._early_log()
        return self._audience.table_text(session, self.table, early)

    async def past_json(self, entries: int) -> Json:
        """Return the cached state after some entries of the log. Raises TableError."""
        table, positions = self.table, self._context.positions
        if entries > table.length:
            raise TableError(f"there have been {table.length} decisions", code="table/not-found")
        key = self.id, table.version, entries
        if (known := positions.get(key)) is not None:
            return known
        then = table if entries > table.log_start else await self._commands.past(entries)
        return positions.put(key, table.past_state(entries, then))

    async def analyse(
        self, request: Analyse, session: str, connection: object, send: Callable[[Json], None]
    ) -> None:
        """Start the analysis of a position for a session; it ends with the connection. Raises TableError."""
        table = self.table
        check_analysis(table, session)
        after = table.length if request.after is None else request.after
        then = table if after == table.length else await self._commands.past(after)
        position = then.position

        def publish(field: str, info: Info) -> None:
            about = {"key": request.key, "after": after, "seconds": round(info.seconds, 3)}
            send({"type": "analysis", **about, field: info.to_json(position)})

        search = search_of(then, MEMORY)
        await self._context.analyses.begin(
            AnalysisRequest(session, connection, search, request.seconds, request.lines, publish)
        )

    async def stop_analysis(self, session: str) -> None:
        """End the analysis of a session, if there is one."""
        await self._context.analyses.stop(session)

    def drop_analysis(self, session: str, connection: object) -> None:
        """End the analysis that a connection began, without a result."""
        self._context.analyses.drop(session, connection)

    async def record(self) -> str:
        """Return the record of the game. Raises TableError while it is hidden."""
        return await self._commands.record()

    def _publish(self, before: Table) -> None:
        """Send changes to viewers, chat, scheduler and listeners; does nothing if there are none."""
        table, context = self.table, self._context
        if table is before:
            return
        if self._audience.sessions:
            with context.span("tell", version=table.version) if context.span else NO_SPAN:
                self._audience.show_change(before, table)
        if self.chat.readers:
            self.chat.update_rooms()
        context.notify(self.id, table)
        self._scheduler.update()
        if table.clock is not None and self.strikes_at is not None:
            context.uptime.watch()
