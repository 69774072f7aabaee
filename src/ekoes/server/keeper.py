"""What goes on by itself at a table: clocks that strike, bots that answer, rematches that are opened."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, Protocol

from ekoes.errors import EkoesError, StorageError, TableError
from ekoes.games.chance import Chance
from ekoes.match.kinds import TableKind
from ekoes.match.orders import AnyOrder
from ekoes.match.question import Question
from ekoes.match.state import Move, Table
from ekoes.server.clock import Clock
from ekoes.server.inquiries import Inquiries, Inquiry
from ekoes.server.logs import log_of
from ekoes.server.tasks import end
from ekoes.server.thinking.thinkers import Thinkers

__all__ = ["Keeper"]

_LOG = log_of("ekoes.server")
_STORE_PAUSE = 5.0
"""Seconds before a table tries again what the store did not take: nobody else would wake it."""


class Charge(Protocol):
    """The table that a keeper looks after."""

    id: str

    @property
    def table(self) -> Table:
        """The table as it stands."""

    @property
    def kind(self) -> TableKind:
        """What this kind of table does."""

    @property
    def stirs(self) -> bool:
        """Whether there may be something to do here though nobody asks for it."""

    @property
    def is_used(self) -> bool:
        """Whether somebody is here."""

    @property
    def sleeps_at(self) -> datetime | None:
        """When nobody will have been here for so long that the table may sleep; None: somebody is here."""

    @property
    def notes_at(self) -> datetime | None:
        """When it has to be noted who is absent, or back; None: not as things stand."""

    def note(self, at: datetime) -> AnyOrder | None:
        """Return what has to be noted at a moment of who is here."""

    def questions(self) -> Sequence[Question]:
        """Return what the bots here have to be asked now."""

    @property
    def is_watched(self) -> bool:
        """Whether anybody looks on."""

    async def go_on(
        self, before: Table, order: AnyOrder | None = None, instead: AnyOrder | None = None
    ) -> bool:
        """Take what is due, and then an order, or what stands in for it, unless the table is not as it was.

        Returns: whether the order had its moment.
        """

    async def open_rematch(self) -> None:
        """Make the table of a rematch."""


class Keeper:
    """Looks after one table as long as something happens there by itself. It gives orders like anybody."""

    def __init__(self, charge: Charge, clock: Clock, thinkers: Thinkers, rests: Callable[[], None]) -> None:
        """Begin at rest. rests: is called whenever the keeper comes to rest."""
        self._charge = charge
        self._clock = clock
        self._rests = rests
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._inquiries = Inquiries(
            lambda question: thinkers.ask(question, charge.id, is_urgent=charge.is_used)
        )

    @property
    def is_at_work(self) -> bool:
        """Whether something goes on, or is waited for."""
        return self._task is not None

    def notice(self) -> None:
        """Look again what there is to do: the table has changed."""
        self._changed.set()
        if self._task is None and self._charge.stirs:
            self._task = asyncio.create_task(self._keep(), name=f"keeper of {self._charge.id}")

    def look_up(self) -> None:
        """Look again whether there is anything to stay for."""
        self._changed.set()

    async def stop(self) -> None:
        """Do nothing any more."""
        await end(self._task)

    async def _keep(self) -> None:
        """Do what happens by itself until nothing does."""
        try:
            goes_on = True
            while goes_on and self._charge.stirs:
                try:
                    goes_on = await self._step()
                except StorageError as error:
                    _LOG.error("table waits for the store", table=self._charge.id, error=str(error))
                    await self._clock.sleep(_STORE_PAUSE)
        except Exception:  # noqa: BLE001 - whatever it was, it must be read in the log
            _LOG.exception("table can't go on", table=self._charge.id)
        finally:
            self._task = None
            self._inquiries.drop()
            self._rests()

    async def _step(self) -> bool:
        """Do what is due, or else wait until something may be; tell whether there is anything to wait for.

        A table that nobody has used for long goes to sleep.
        """
        self._changed.clear()
        charge, table, now = self._charge, self._charge.table, self._clock.now()
        sleeps = charge.sleeps_at
        if sleeps is not None and sleeps <= now:
            return False
        note = charge.note(now)
        if note is not None:
            await charge.go_on(table, note)
            return True
        if table.wants_rematch:
            await charge.open_rematch()
            return True
        if table.rests(now):
            return await self._stand(table, now, sleeps)
        if charge.kind.due(table, now, Chance(0)) is not None:
            await charge.go_on(table)
            return True
        self._inquiries.follow(charge.questions(), now)
        move, inquiry = self._first_move(table)
        strikes = _earliest(charge.kind.strikes_at(table), charge.notes_at)
        if move is not None and inquiry is not None and (strikes is None or move.at < strikes):
            if move.at <= now:
                await self._do(move, inquiry, table)
                return True
            strikes = move.at
        if strikes is None and not self._has_to_wait:
            return False
        await self._wait_for(None if strikes is None else _earliest(strikes, sleeps), now)
        return True

    async def _stand(self, table: Table, now: datetime, sleeps: datetime | None) -> bool:
        """Wait for the end of a rest, or for what has to be noted meanwhile; tell whether there is any."""
        ends = None if table.paused else table.consent.rests_until
        strikes = _earliest(ends, self._charge.notes_at)
        if strikes is not None:
            await self._wait_for(_earliest(strikes, sleeps), now)
        return strikes is not None

    async def _wait_for(self, at: datetime | None, now: datetime) -> None:
        await self._wait(None if at is None else at - now)

    @property
    def _has_to_wait(self) -> bool:
        """Whether an answer is to come, or who looks on could tell that none of them wants anything."""
        return bool(self._inquiries.waiting()) or (self._charge.is_watched and self._inquiries.are_open)

    def _first_move(self, table: Table) -> tuple[Move | None, Inquiry | None]:
        """Return the earliest move that the answers so far come to, and what it answers."""
        first: tuple[Move | None, Inquiry | None] = None, None
        earliest: datetime | None = None
        for inquiry, answer in list(self._inquiries.answered()):
            try:
                move = self._charge.kind.move(table, inquiry.question, answer, inquiry.asked_at)
            except (EkoesError, TypeError, ValueError) as error:
                self._inquiries.refuse(inquiry, error)
                continue
            if move is not None and (earliest is None or move.at < earliest):
                first, earliest = (move, inquiry), move.at
        return first

    async def _do(self, move: Move, inquiry: Inquiry, table: Table) -> None:
        """Give a bot's order, the way of anybody's; an answer is given once, whatever it comes to."""
        try:
            had_its_moment = await self._charge.go_on(table, move.order, move.instead)
        except StorageError:
            raise
        except EkoesError as error:
            self._inquiries.refuse(inquiry, error)
        else:
            if self._charge.table is table:
                self._inquiries.refuse(inquiry, TableError("it changes nothing"))
            elif had_its_moment:
                inquiry.is_spent = True

    async def _wait(self, pause: timedelta | None) -> None:
        """Wait until the table changes, an answer comes, or time is up (None: it never is).

        It is the same work whether anything is planned or not: a table tells by no pause what a bot wants.
        """
        over = asyncio.Event().wait() if pause is None else self._clock.sleep(max(0.0, pause.total_seconds()))
        own: list[asyncio.Task[Any]] = [asyncio.create_task(self._changed.wait()), asyncio.create_task(over)]
        try:
            await asyncio.wait((*own, *self._inquiries.waiting()), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in own:
                task.cancel()


def _earliest(*moments: datetime | None) -> datetime | None:
    return min((moment for moment in moments if moment is not None), default=None)
