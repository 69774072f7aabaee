"""A table in play: it owns its orders, its keeper, its viewers and the one lock that all its orders pass.

Whoever holds a ``LiveTable`` gives it orders and looks on; nothing about it is changed from outside.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from datetime import datetime, timedelta
from typing import Protocol

from ekoes.bots.analysis import Info
from ekoes.errors import EkoesError, StorageError, TableError
from ekoes.games.changing import changed
from ekoes.games.contract import Json
from ekoes.match.again import following
from ekoes.match.analysis import check_analysis, search_of
from ekoes.match.consent import awaited
from ekoes.match.kinds import TableKind, kind_of
from ekoes.match.orders import AnyOrder, HandOver, Rematch, Rematched, Vote
from ekoes.match.question import Question
from ekoes.match.seats import session_seats
from ekoes.match.state import Table
from ekoes.server.analyses import MEMORY, Wanted
from ekoes.server.audience import Audience, Viewer
from ekoes.server.chance import fresh_seed
from ekoes.server.chat import Chat
from ekoes.server.gallery import Gallery
from ekoes.server.house import House
from ekoes.server.ids import id_of
from ekoes.server.keeper import Keeper
from ekoes.server.ledger import Ledger
from ekoes.server.limits import Lanes
from ekoes.server.logs import log_of
from ekoes.server.messages import Analyse
from ekoes.server.presence import Presence
from ekoes.server.wire import RESTARTS

__all__ = ["LiveTable"]

_LOG = log_of("ekoes.server")
_ABANDONED = timedelta(minutes=10)


class Ending(Protocol):
    """A line, or an answer that goes on."""

    def end(self, code: int, reason: str) -> None:
        """Say why, and close it."""


class LiveTable:
    """A table in play. Reading needs no lock: the table is a value, and a new one takes its place.

    lanes: by which each session's messages come. chat: what is said here.
    """

    def __init__(self, table_id: str, house: House, rests: Callable[[], None]) -> None:
        """Begin without the table; ``load`` fetches it.

        rests: is called when nothing goes on by itself any more.
        """
        self.id = table_id
        self._house = house
        self.lanes = Lanes(house.clock)
        self._users = 0
        self._used_at = house.clock.now()
        self._lock = asyncio.Lock()
        self._ledger = Ledger(table_id, house)
        self._is_ready = False
        self._rests = rests
        self._lines: set[Ending] = set()
        self._audience = Audience(table_id, house.clock, house.store.programs.has)
        self._presence = Presence(self._audience, house.clock)
        self._gallery = Gallery(table_id, house.clock, self._told_later, house.store.programs.has)
        self.chat = Chat(table_id, house, self._talking)
        self._keeper = Keeper(self, house.clock, house.thinkers, rests)

    @property
    def table(self) -> Table:
        """The table as it is kept. Raises TableError if there is none."""
        return self._ledger.table

    @property
    def is_open(self) -> bool:
        """Whether the table is here already."""
        return self._ledger.is_open

    @property
    def kind(self) -> TableKind:
        """What this kind of table does."""
        return kind_of(self.table.game)

    def questions(self) -> Sequence[Question]:
        """Return what the bots here have to be asked now."""
        return self.kind.questions(self.table, self._ledger.secret)

    @property
    def stirs(self) -> bool:
        """Whether there may be something to do here though nobody asks for it.

        Another game would tell those who watch that this one is over: it waits until they are told.
        """
        table = self.table
        is_busy = kind_of(table.game).is_busy(table) and not (table.paused or table.consent.is_at_rest)
        wants_rematch = table.wants_rematch and not self._gallery.is_behind
        return is_busy or wants_rematch or self.notes_at is not None

    @property
    def notes_at(self) -> datetime | None:
        """When it has to be noted who is absent, or back; None: not as things stand."""
        return self._presence.strikes_at(self.table)

    def note(self, at: datetime) -> AnyOrder | None:
        """Return what has to be noted at a moment of who is here."""
        return self._presence.note(self.table, at)

    @property
    def is_kept_going(self) -> bool:
        """Whether something goes on here by itself, or may soon."""
        return self._keeper.is_at_work or self._gallery.is_behind

    def now(self) -> datetime:
        """Return the time, as this table's clock has it."""
        return self._house.clock.now()

    # ------------------------------------------------------------ opening and closing

    async def load(self) -> None:
        """Fetch the table from the store if it isn't here yet. Raises TableError if there is none.

        Where something goes on by itself it has slept: clocks begin anew, here in memory; nothing is written.
        Clocks that count on while a table sleeps are told how long the server was away. Once it is here,
        whoever reads waits for nobody's order.
        """
        if self._is_ready:
            return
        async with self._lock:
            if not self._ledger.is_open:
                await self._ledger.open()
                await self._begin()
            self._is_ready = True

    async def _begin(self) -> None:
        """Let a table that was fetched go on from where it is."""
        if delay := self.table.delay:
            since = await self._ledger.since(self.now() - timedelta(seconds=delay))
            self._gallery.begin(self.table, since)
        self._notice()
        await self._count_on()
        await self._ledger.note_vacations(self.now())
        if self.stirs:
            self._ledger.rest(self.now())
            self._keeper.notice()

    async def _count_on(self) -> None:
        """Let clocks stand for as long as the server was away since they began to run."""
        since = self.kind.counts_since(self.table)
        away = 0 if since is None else self._house.uptime.away_since(since)
        if away:
            await self._ledger.stand_still(away, self.now())

    async def look_again(self) -> None:
        """Take what the program itself has to order now: somebody has gone on vacation, or come back."""
        async with self._lock:
            before = self.table
            try:
                await self._ledger.settle(self.now())
            finally:
                self._tell(before)

    @property
    def strikes_at(self) -> datetime | None:
        """When a clock strikes that counts on while the table sleeps, None if none does."""
        if not self._ledger.is_open:
            return None
        table = self.table
        kind = kind_of(table.game)
        return None if kind.counts_since(table) is None else kind.strikes_at(table)

    def enter(self) -> None:
        """Count one more who uses the table."""
        self._users += 1
        self._house.aside.enter(self.id)

    def exit(self) -> None:
        """Count one less."""
        self._users -= 1
        self._house.aside.exit()
        self._used_at = self.now()
        self._keeper.look_up()

    @property
    def is_used(self) -> bool:
        """Whether somebody plays, looks on or asks."""
        return self._users > 0

    @property
    def sleeps_at(self) -> datetime | None:
        """When nobody will have used the table for so long that it may sleep; None: somebody does."""
        return None if self.is_used else self._used_at + _ABANDONED

    async def stop(self) -> None:
        """Let nothing go on by itself any more."""
        await self._gallery.stop()
        await self._keeper.stop()

    @contextmanager
    def shown_on(self, line: Ending) -> Iterator[None]:
        """Know a line for as long as it shows this table."""
        self._lines.add(line)
        try:
            yield
        finally:
            self._lines.discard(line)

    def dismiss(self) -> None:
        """End all lines: the table goes on at another process, where they find it by themselves."""
        for line in list(self._lines):
            line.end(RESTARTS, "moved")

    # ------------------------------------------------------------ orders

    async def take(self, order: AnyOrder, session: str, at: datetime | None = None, lag: int = 0) -> int:
        """Keep an order, show what it changed, and return the version to acknowledge.

        It is taken after all that is due before it; what it makes due follows, and is shown with it.
        at: when it arrived; None: now. lag: how far away its sender is, in milliseconds. Raises: EkoesError
        if the table can't take it; the same one again for the same key.
        """
        arrived = self.now() if at is None else at
        if isinstance(order, Rematch) and order.absent:
            self._check_gone(map(int, order.absent))
        metrics, game = self._house.metrics, self.table.game
        try:
            with self._house.span("order", arrived, table=self.id, game=game, order=order.type):
                version = await self._take(order, session, arrived, lag)
        except EkoesError as error:
            metrics.refusal(game, error.code)
            self._write_down("order refused", order, code=error.code)
            raise
        metrics.order(game, (self.now() - arrived).total_seconds())
        self._write_down("order", order, version=version)
        await self._usher()
        return version

    def _write_down(self, what: str, order: AnyOrder, **came_to: str | int) -> None:
        """Tell of an order in the log, if somebody wants to read so much: not what it decides."""
        if _LOG.isEnabledFor(logging.DEBUG):
            _LOG.debug(what, table=self.id, game=self.table.game, order=order.type, **came_to)

    async def _agree_as_programs(self, at: datetime) -> None:
        """Agree for accounts that are programs, as for any bot: nobody is there who could be asked."""
        proposal = self.table.consent.asks(at)
        for session in sorted(awaited(self.table)) if proposal is not None else ():
            seat = min(session_seats(self.table.seats, session))
            if proposal is not None and self._house.store.programs.has(session):
                key = f"agree-{proposal.number}"
                vote = Vote(key=key, seat=seat, number=proposal.number, agree=True)
                with suppress(TableError):
                    await self._ledger.take(vote, session, at)

    async def _take(self, order: AnyOrder, session: str, arrived: datetime, lag: int) -> int:
        order = await self._house.door.let_in(self.table, order, session)
        async with self._lock:
            before = self.table
            try:
                version = await self._ledger.take(order, session, arrived, lag)
                await self._agree_as_programs(arrived)
                return version
            finally:
                self._tell(before)

    def _check_gone(self, seats: Iterable[int]) -> None:
        """Raise TableError if whoever sits at one of these seats is there."""
        sit = [self.table.seats[seat] for seat in seats if seat < len(self.table.seats)]
        if any(seat.session is not None and self._audience.has(seat.session) for seat in sit):
            raise TableError("this player is still there", code="table/still-there", key="absent")

    @property
    def is_watched(self) -> bool:
        """Whether anybody looks on."""
        return not (self._audience.is_empty and self._gallery.audience.is_empty)

    async def go_on(
        self, before: Table, order: AnyOrder | None = None, instead: AnyOrder | None = None
    ) -> bool:
        """Take what is due by now, and then an order of a bot; nothing if the table is not as it was.

        Where the server comes so late that the clock has struck meanwhile, the bot has missed its moment.
        Where nobody looks on, others go first. instead: an order for one that the table refuses.
        Returns: whether the order had its moment. Raises: EkoesError if the table takes none.
        """
        async with nullcontext() if self.is_used else self._house.aside.turn(self.id), self._lock:
            if self.table is not before:
                return False
            now = self.now()
            try:
                await self._ledger.settle(now)
                if order is None or self.table is not before:
                    return False
                await self._give(order, instead, now)
                await self._ledger.settle(now)
                return True
            finally:
                self._tell(before)

    async def _give(self, order: AnyOrder, instead: AnyOrder | None, at: datetime) -> None:
        try:
            await self._ledger.give(order, at)
        except StorageError:
            raise
        except EkoesError as error:
            if instead is None:
                raise
            _LOG.warning("a bot's order is refused", table=self.id, code=error.code)
            await self._ledger.give(instead, at)

    async def open_rematch(self) -> None:
        """Make the table of a rematch that everybody agreed to, one alone however often this is tried."""
        table = self.table
        heir = id_of(self._ledger.secret.seed("rematch"))
        table_id = await self._house.create(following(table, fresh_seed()), heir)
        order = Rematched(key=f"rematch-{table.version}", table=table_id)
        while self.table.wants_rematch:
            await self.go_on(self.table, order)

    async def hand_over(self, seat: int, giver: str, holder: str) -> None:
        """Pass a seat from one holder to another. Raises TableError if it can't be had."""
        if not self.table.is_held_by(giver, seat):
            raise TableError("this seat is not theirs any more", code="table/not-your-seat", key="seat")
        order = HandOver(key=f"hand-over-{self.table.version}-{seat}", seat=seat, holder=holder)
        while giver != holder and self.table.is_held_by(giver, seat):
            await self.go_on(self.table, order)
        await self._usher()

    # ------------------------------------------------------------ showing

    def seen_by(self, session: str | None) -> Table:
        """Return the table as somebody may see it now: without a seat as it was before its delay."""
        table = self.table
        return self._gallery.of(table) if _is_late(session, table) else table

    def _talking(self) -> Table:
        """Return who sits here now, at the table as those see it who have no seat.

        So players talk among themselves until all that they talk about has been shown.
        """
        shown = self.seen_by(None)
        return shown if shown.seats is self.table.seats else changed(shown, seats=self.table.seats)

    def _audience_of(self, session: str) -> Audience:
        return self._gallery.audience if _is_late(session, self.table) else self._audience

    async def join(self, viewer: Viewer) -> None:
        """Show the table to one more, and tell the others if that brings a seat online."""
        early = await self._early(viewer.session)
        self._audience_of(viewer.session).join(viewer, self.seen_by(viewer.session), early)
        self._keeper.notice()

    def leave(self, viewer: Viewer) -> None:
        """Show the table to one less."""
        self._audience.leave(viewer, self.table)
        self._gallery.audience.leave(viewer, self.seen_by(None))
        self._presence.left(viewer.session)
        self.chat.leave(viewer)
        self._keeper.notice()

    async def _usher(self) -> None:
        """Bring those who have a seat now, or none any more, to where the table is shown to such as them."""
        if not self.table.delay:
            return
        for audience in (self._audience, self._gallery.audience):
            for viewer in audience.strangers(self._audience_of):
                early = await self._early(viewer.session)
                if viewer in audience.strangers(self._audience_of):
                    audience.leave(viewer, self.table)
                    home = self._audience_of(viewer.session)
                    home.join(viewer, self.seen_by(viewer.session), early)
                    self.chat.follow()

    async def _early(self, session: str) -> Sequence[str]:
        """Return the log before that of the table as somebody sees it."""
        while True:
            then = self.seen_by(session)
            early = await self._ledger.early_of(then)
            if self.seen_by(session).log_start <= len(early):
                return early[: self.seen_by(session).log_start]

    async def show_table(self, viewer: Viewer) -> None:
        """Send the whole table to one viewer."""
        early = await self._early(viewer.session)
        self._audience_of(viewer.session).show_table(viewer, self.seen_by(viewer.session), early)

    async def table_text(self, session: str) -> str:
        """Return the ``table`` message for a session."""
        early = await self._early(session)
        return self._audience_of(session).table_text(session, self.seen_by(session), early)

    async def past_json(self, entries: int, session: str | None = None) -> Json:
        """Return the state after some entries of the log; nobody changes it. Raises TableError."""
        table, moments = self.seen_by(session), self._house.moments
        if entries > table.length:
            raise TableError(f"there have been {table.length} decisions", code="table/not-found")
        key = self.id, table.version, entries
        if (known := moments.get(key)) is not None:
            return known
        then = table if entries > table.log_start else await self._ledger.past(entries)
        return moments.put(key, self.kind.past_state(table, entries, then))

    async def analyse(self, wish: Analyse, session: str, line: object, tell: Callable[[Json], None]) -> None:
        """Have a position searched for a session. line: whose end ends it. Raises TableError."""
        table = self.seen_by(session)
        check_analysis(table, session)
        after = table.length if wish.after is None else wish.after
        then = table if after == table.length else await self._ledger.past(after)
        about = {"key": wish.key, "after": after}
        position = self.kind.position_of(then)

        def told(word: str, info: Info) -> None:
            seconds = round(info.seconds, 3)
            tell({"type": "analysis", **about, "seconds": seconds, word: info.to_json(position)})

        search = search_of(then, MEMORY)
        await self._house.analyses.begin(Wanted(session, line, search, wish.seconds, wish.lines, told))

    async def stop_analysis(self, session: str) -> None:
        """End the search of a session, if there is one."""
        await self._house.analyses.stop(session)

    def drop_analysis(self, session: str, line: object) -> None:
        """End the search that a line began: nobody hears of it any more."""
        self._house.analyses.drop(session, line)

    async def record(self, session: str | None = None) -> str:
        """Write the game as a record, where somebody may see it by now. Raises TableError."""
        if _is_late(session, self.table) and self.seen_by(session).outcome is None:
            message = "those who watch may have the record when they have seen all of it"
            raise TableError(message, code="table/delayed")
        return await self._ledger.record()

    def _tell(self, before: Table) -> None:
        """Tell viewers and keeper what has changed; nobody if nothing has."""
        table = self.table
        if table is not before:
            if self._audience.is_there:
                with self._house.span("tell", version=table.version):
                    self._audience.show_change(before, table)
            self._gallery.follow(table, self.now())
            self.chat.follow()
            self._notice()
            self._keeper.notice()
            if self.strikes_at is not None:
                self._house.uptime.watch()

    def _notice(self) -> None:
        """Tell those beyond this table how it stands."""
        self._house.notice(self.id, self.table, self.seen_by(None))

    def _told_later(self, before: Table, table: Table) -> None:
        """Let follow what comes of what has just been shown to those without a seat."""
        self.chat.follow()
        self._notice()
        if before.outcome is None and table.outcome is not None:
            self._house.told(self.id)
        if not self._gallery.is_behind:
            self._keeper.notice()
            self._rests()


def _is_late(session: str | None, table: Table) -> bool:
    """Tell whether somebody sees a table later than its players do."""
    return bool(table.delay) and (session is None or not session_seats(table.seats, session))
