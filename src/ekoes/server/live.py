"""A table in play: it owns its orders, its keeper, its viewers and the one lock that all its orders pass.

Whoever holds a ``LiveTable`` gives it orders and looks on; nothing about it is changed from outside.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from datetime import datetime, timedelta

from ekoes.bots.analysis import Info
from ekoes.errors import EkoesError, StorageError, TableError, TalkError
from ekoes.games.contract import Json
from ekoes.match.again import following
from ekoes.match.analysis import check_analysis, search_of
from ekoes.match.kinds import TableKind, kind_of
from ekoes.match.orders import AnyOrder, HandOver, Rematch, Rematched, Sit
from ekoes.match.question import Question
from ekoes.match.state import Table
from ekoes.server.analyses import MEMORY, Wanted
from ekoes.server.audience import Audience, Viewer
from ekoes.server.chance import fresh_seed
from ekoes.server.chat import Chat
from ekoes.server.house import House
from ekoes.server.keeper import Keeper
from ekoes.server.ledger import Ledger
from ekoes.server.limits import Lanes
from ekoes.server.messages import Analyse

__all__ = ["LiveTable"]

_LOG = logging.getLogger("ekoes.server")
_ABANDONED = timedelta(minutes=10)


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
        self._audience = Audience(table_id, house.clock)
        self.chat = Chat(table_id, house, lambda: self.table)
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
        """Whether there may be something to do here though nobody asks for it."""
        is_busy = self.kind.is_busy(self.table) and not self.table.paused
        return is_busy or self.table.wants_rematch

    @property
    def is_kept_going(self) -> bool:
        """Whether something goes on here by itself, or may soon."""
        return self._keeper.is_at_work

    def now(self) -> datetime:
        """Return the time, as this table's clock has it."""
        return self._house.clock.now()

    # ------------------------------------------------------------ opening and closing

    async def load(self) -> None:
        """Fetch the table from the store if it isn't here yet. Raises TableError if there is none.

        Where something goes on by itself it has slept: clocks begin anew, here in memory; nothing is written.
        Clocks that count on while a table sleeps are told how long the server was away.
        """
        async with self._lock:
            if self._ledger.is_open:
                return
            await self._ledger.open()
            self._house.notice(self.id, self.table)
            await self._count_on()
            if self.stirs:
                self._ledger.rest(self.now())
                self._keeper.notice()

    async def _count_on(self) -> None:
        """Let clocks stand for as long as the server was away since they began to run."""
        since = self.kind.counts_since(self.table)
        away = 0 if since is None else self._house.uptime.away_since(since)
        if away:
            await self._ledger.stand_still(away, self.now())

    @property
    def strikes_at(self) -> datetime | None:
        """When a clock strikes that counts on while the table sleeps, None if none does."""
        if not self._ledger.is_open or self.kind.counts_since(self.table) is None:
            return None
        return self.kind.strikes_at(self.table)

    def enter(self) -> None:
        """Count one more who uses the table."""
        self._users += 1

    def exit(self) -> None:
        """Count one less."""
        self._users -= 1
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
        await self._keeper.stop()

    # ------------------------------------------------------------ orders

    async def take(self, order: AnyOrder, session: str, at: datetime | None = None, lag: int = 0) -> int:
        """Keep an order, show what it changed, and return the version to acknowledge.

        It is taken after all that is due before it; what it makes due follows, and is shown with it.
        at: when it arrived; None: now. lag: how far away its sender is, in milliseconds. Raises: EkoesError
        if the table can't take it; the same one again for the same key.
        """
        arrived = self.now() if at is None else at
        if isinstance(order, Sit):
            await self._check_welcome(session)
        if isinstance(order, Rematch) and order.absent:
            self._check_gone(map(int, order.absent))
        order = await self._house.door.let_in(self.table, order, session)
        async with self._lock:
            before = self.table
            try:
                version = await self._ledger.take(order, session, arrived, lag)
            finally:
                self._tell(before)
        return version

    async def _check_welcome(self, session: str) -> None:
        """Raise TalkError if the host of the table has blocked somebody."""
        host = self.table.host
        if host is not None and await asyncio.to_thread(self._house.store.ties.has_blocked, host, session):
            raise TalkError("you can't sit down at this table", code="talk/blocked")

    def _check_gone(self, seats: Iterable[int]) -> None:
        """Raise TableError if whoever sits at one of these seats is there."""
        sit = [self.table.seats[seat] for seat in seats if seat < len(self.table.seats)]
        if any(seat.session is not None and self._audience.has(seat.session) for seat in sit):
            raise TableError("this player is still there", code="table/still-there", key="absent")

    @property
    def is_watched(self) -> bool:
        """Whether anybody looks on."""
        return not self._audience.is_empty

    async def go_on(
        self, before: Table, order: AnyOrder | None = None, instead: AnyOrder | None = None
    ) -> bool:
        """Take what is due by now, and then an order of a bot; nothing if the table is not as it was.

        Where the server comes so late that the clock has struck meanwhile, the bot has missed its moment.
        Where nobody looks on, others go first. instead: an order for one that the table refuses.
        Returns: whether the order had its moment. Raises: EkoesError if the table takes none.
        """
        async with nullcontext() if self.is_used else self._house.aside, self._lock:
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
            _LOG.warning("table %s refuses what a bot wants: %s", self.id, error)
            await self._ledger.give(instead, at)

    async def open_rematch(self) -> None:
        """Make the table of a rematch that everybody agreed to."""
        table = self.table
        table_id = await self._house.create(following(table, fresh_seed()))
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

    # ------------------------------------------------------------ showing

    async def join(self, viewer: Viewer) -> None:
        """Show the table to one more, and tell the others if that brings a seat online."""
        early = await self._ledger.early()
        self._audience.join(viewer, self.table, early)
        self._keeper.notice()

    def leave(self, viewer: Viewer) -> None:
        """Show the table to one less."""
        self._audience.leave(viewer, self.table)
        self.chat.leave(viewer)
        self._keeper.look_up()

    async def show_table(self, viewer: Viewer) -> None:
        """Send the whole table to one viewer."""
        early = await self._ledger.early()
        self._audience.show_table(viewer, self.table, early)

    async def table_text(self, session: str) -> str:
        """Return the ``table`` message for a session."""
        early = await self._ledger.early()
        return self._audience.table_text(session, self.table, early)

    async def past_json(self, entries: int) -> Json:
        """Return the state after some entries of the log; nobody changes it. Raises TableError."""
        table, moments = self.table, self._house.moments
        key = self.id, table.version, entries
        if (known := moments.get(key)) is not None:
            return known
        then = table if entries > table.log_start else await self._ledger.past(entries)
        return moments.put(key, self.kind.past_state(table, entries, then))

    async def analyse(self, wish: Analyse, session: str, line: object, tell: Callable[[Json], None]) -> None:
        """Have a position searched for a session. line: whose end ends it. Raises TableError."""
        table = self.table
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

    async def record(self) -> str:
        """Write the game as a record, where it may be seen by now. Raises TableError."""
        return await self._ledger.record()

    def _tell(self, before: Table) -> None:
        """Tell viewers and keeper what has changed; nobody if nothing has."""
        if self.table is not before:
            if self._audience.is_there:
                self._audience.show_change(before, self.table)
            self.chat.follow(before, self.table)
            self._house.notice(self.id, self.table)
            self._keeper.notice()
            if self.strikes_at is not None:
                self._house.uptime.watch()
