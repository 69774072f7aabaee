"""Challenges: somebody asks others by name for a game, whose table is made when all of them accept."""

from __future__ import annotations

import asyncio
import secrets
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Literal

from limits import parse
from pydantic import Field, model_validator

from ekoes.errors import AccountError, EkoesError
from ekoes.games.contract import Json
from ekoes.match.clock_plan import clock_json
from ekoes.match.new import table_from_plan
from ekoes.match.orders import MAX_PLAYERS, Strict
from ekoes.match.plan import TableOptions, TablePlan
from ekoes.match.seats import SeatPlan
from ekoes.match.state import Table, with_seat
from ekoes.server.chance import fresh_seed
from ekoes.server.clock import Clock
from ekoes.server.door import Door
from ekoes.server.hub import Hub
from ekoes.server.programs.events import Events
from ekoes.server.tasks import end
from ekoes.server.tempo import HERE, Count
from ekoes.server.tokens import check_by_hand
from ekoes.storage.people import Account
from ekoes.storage.programs import Token
from ekoes.storage.store import Store

__all__ = ["LASTS", "ChallengePlan", "Challenges", "Gone"]

LASTS = timedelta(minutes=10)
_RATE = parse("60 per hour")
"""Challenges by one account."""
_MOST = 20
"""That wait for one account at the same time."""

Tell = Callable[[Json], None]
Notify = Callable[[str, str, Json], None]
Gone = Literal["accepted", "declined", "cancelled", "expired", "failed"]


class ChallengeSeat(Strict):
    """A seat: the challenger's own (``here``), that of somebody by name (``account``), or a bot's."""

    kind: Literal["here", "account", "bot"]
    account: Annotated[str, Field(max_length=40)] | None = None
    bot: Annotated[str, Field(max_length=40)] | None = None

    @model_validator(mode="after")
    def _named(self) -> ChallengeSeat:
        if (self.account is None) == (self.kind == "account"):
            raise ValueError("must name an account where it is of kind 'account', and only there")
        return self

    @property
    def plan(self) -> SeatPlan:
        """As the plan of a table has it."""
        return SeatPlan(kind="open" if self.kind == "account" else self.kind, bot=self.bot)


class ChallengePlan(Strict):
    """A game that somebody asks others for. chat, public: as at any table."""

    game: Annotated[str, Field(max_length=20)]
    options: TableOptions
    seats: Annotated[list[ChallengeSeat], Field(min_length=2, max_length=MAX_PLAYERS)]
    chat: bool = True
    public: bool = False

    @property
    def plan(self) -> TablePlan:
        """As the plan of a table has it; whoever is asked has a free seat there."""
        seats = [seat.plan for seat in self.seats]
        return TablePlan(
            game=self.game, options=self.options, seats=seats, chat=self.chat, public=self.public
        )


@dataclass(eq=False, slots=True)
class _Challenge:
    """A challenge that waits. table: as it would begin. asked: who has which seat; waits: for whom."""

    id: str
    by: Account
    table: Table
    asked: dict[int, Account]
    ends: datetime
    waits: set[str]
    patience: asyncio.Task[None] | None = None

    @property
    def people(self) -> set[str]:
        return {self.by.holder, *(one.holder for one in self.asked.values())}

    def to_json(self, reader: str) -> Json:
        """Return it as one of its people sees it."""
        table = self.table
        return {
            "id": self.id,
            "by": self.by.name,
            "yours": self.by.holder == reader,
            "game": table.game,
            "options": table.options,
            "clock": None if table.clock is None else clock_json(table.clock),
            "rated": table.rated,
            "seats": [self._seat(number, reader) for number in range(len(table.seats))],
            "ends": self.ends.isoformat(),
        }

    def _seat(self, number: int, reader: str) -> Json:
        seat, asked = self.table.seats[number], self.asked.get(number)
        who = asked if asked is not None else self.by if seat.kind == "here" else None
        return {
            "name": seat.name if who is None else who.name,
            "bot": seat.bot,
            "yours": who is not None and who.holder == reader,
            "accepted": who is None or who.holder not in self.waits,
        }


class Challenges:
    """Keeps challenges for a while, in memory, and makes the tables of those that are accepted."""

    def __init__(
        self,
        store: Store,
        hub: Hub,
        door: Door,
        events: Events,
        clock: Clock,
        notify: Notify,
        count: Count = HERE,
    ) -> None:
        """Begin with none. events: tell programs; notify: takes a notice to browsers, by a name for it."""
        self._store = store
        self._hub = hub
        self._door = door
        self._events = events
        self._clock = clock
        self._notify = notify
        self._lines: defaultdict[str, list[Tell]] = defaultdict(list)
        self._counter = count("challenges")
        self._waiting: dict[str, _Challenge] = {}

    async def stop(self) -> None:
        """Wait for nobody any more."""
        await end(*(one.patience for one in self._waiting.values()))

    async def make(self, holder: str, plan: ChallengePlan, token: Token | None = None) -> Json:
        """Ask others for a game. token: of a program that does. Returns: the challenge. Raises EkoesError."""
        by = await self._account(holder)
        await self._count(holder)
        asked = await asyncio.to_thread(self._asked, by, plan.seats)
        if plan.options.rated:
            check_by_hand(token)
            for player in (by, *asked.values()):
                self._door.check_person(player.holder)
        table = await asyncio.to_thread(table_from_plan, plan.plan, holder, fresh_seed=fresh_seed())
        self._check_room({holder, *(one.holder for one in asked.values())})
        ends = self._clock.now() + LASTS
        waits = {one.holder for one in asked.values()}
        made = _Challenge(secrets.token_hex(8), by, table, asked, ends, waits)
        self._waiting[made.id] = made
        made.patience = asyncio.create_task(self._expire(made), name="challenge")
        for one in made.people:
            self._tell(one, _waits(made, one))
        for one in made.waits:
            self._notify(one, f"challenge-{made.id}", {"kind": "challenge", "game": plan.game})
        return made.to_json(holder)

    @contextmanager
    def heard(self, holder: str, tell: Tell) -> Iterator[None]:
        """Tell a line of somebody what waits, and from then on what comes, in the words of the streams."""
        for one in self._waiting.values():
            if holder in one.people:
                tell(_waits(one, holder))
        self._lines[holder].append(tell)
        try:
            yield
        finally:
            self._lines[holder].remove(tell)
            if not self._lines[holder]:
                del self._lines[holder]

    def of(self, holder: str) -> list[Json]:
        """Return the challenges that concern somebody."""
        return [one.to_json(holder) for one in self._waiting.values() if holder in one.people]

    async def accept(self, holder: str, challenge_id: str, token: Token | None = None) -> str | None:
        """Accept a challenge. token: of a program that does.

        Returns: the table, None where others are still asked. Raises EkoesError.
        """
        found = self._found(holder, challenge_id, lambda one: one.waits)
        if found.table.rated:
            check_by_hand(token)
            self._door.check_address(holder, found.people - found.waits)
        found.waits.discard(holder)
        if found.waits:
            self._tell_answered(found)
            return None
        self._take(found)
        try:
            table_id = await self._hub.create(_seated(found))
        except EkoesError:
            self._tell_gone(found, "failed")
            raise
        self._tell_gone(found, "accepted", table_id)
        return table_id

    def decline(self, holder: str, challenge_id: str) -> None:
        """Decline a challenge, for all, also one that was accepted before. Raises AccountError."""
        self._drop(self._found(holder, challenge_id, lambda one: one.people - {one.by.holder}), "declined")

    def cancel(self, holder: str, challenge_id: str) -> None:
        """Take a challenge back. Raises AccountError."""
        self._drop(self._found(holder, challenge_id, lambda one: {one.by.holder}), "cancelled")

    def _found(
        self, holder: str, challenge_id: str, whose: Callable[[_Challenge], Collection[str]]
    ) -> _Challenge:
        """Return a challenge, if it is somebody's. whose: tells whose it has to be. Raises AccountError."""
        found = self._waiting.get(challenge_id)
        if found is None or holder not in whose(found):
            raise AccountError("there is no such challenge", code="account/no-challenge")
        return found

    def _asked(self, by: Account, seats: Sequence[ChallengeSeat]) -> dict[int, Account]:
        """Return who is asked, by seat. Raises AccountError."""
        asked = {number: self._named(by, seat.account) for number, seat in enumerate(seats) if seat.account}
        holders = [one.holder for one in asked.values()]
        if not holders or by.holder in holders or len(set(holders)) != len(holders):
            message = "others are asked, each once"
            raise AccountError(message, code="account/challenge", key="seats")
        return asked

    def _named(self, by: Account, name: str) -> Account:
        found = self._store.people.named(name)
        if found is None:
            raise AccountError("nobody has this name", code="account/unknown", key="account")
        if self._store.ties.apart_from(by.holder) & {found.holder}:
            raise AccountError(f"{found.name} does not play with you", code="account/apart", key="account")
        return found

    async def _account(self, holder: str) -> Account:
        account = await asyncio.to_thread(self._store.people.account, holder)
        if account is None:
            raise AccountError("this browser is not signed in", code="account/none")
        return account

    async def _count(self, holder: str) -> None:
        if wait := await self._counter.wait([_RATE], holder):
            message = f"too many challenges; try again in {wait} seconds"
            raise AccountError(message, code="account/too-many", wait=wait)

    def _check_room(self, people: Iterable[str]) -> None:
        """Raise AccountError where somebody has enough challenges that wait."""
        for holder in people:
            if sum(holder in one.people for one in self._waiting.values()) >= _MOST:
                message = "too many challenges wait already"
                raise AccountError(message, code="account/too-many", wait=int(LASTS.total_seconds()))

    async def _expire(self, challenge: _Challenge) -> None:
        await self._clock.sleep(LASTS.total_seconds())
        challenge.patience = None
        self._drop(challenge, "expired")

    def _drop(self, challenge: _Challenge, why: Gone) -> None:
        self._take(challenge)
        self._tell_gone(challenge, why)

    def _take(self, challenge: _Challenge) -> None:
        del self._waiting[challenge.id]
        if challenge.patience is not None:
            challenge.patience.cancel()

    def _tell_answered(self, challenge: _Challenge) -> None:
        """Tell the pages of all that one has accepted; programs ask for it where they want to know."""
        for one in challenge.people:
            self._tell_pages(one, _waits(challenge, one))

    def _tell_gone(self, challenge: _Challenge, why: Gone, table_id: str | None = None) -> None:
        event = {"type": "challenge-gone", "id": challenge.id, "reason": why, "table": table_id}
        for one in challenge.people:
            self._tell(one, event)

    def _tell(self, holder: str, event: Json) -> None:
        self._events.tell(holder, event)
        self._tell_pages(holder, event)

    def _tell_pages(self, holder: str, event: Json) -> None:
        for tell in self._lines.get(holder, ()):
            tell(event)


def _waits(challenge: _Challenge, reader: str) -> Json:
    """Return the event of a challenge that waits."""
    return {"type": "challenge", "challenge": challenge.to_json(reader)}


def _seated(challenge: _Challenge) -> Table:
    """Return the table of a challenge with everybody in their seats, by their names."""
    table = challenge.table
    for number, seat in enumerate(table.seats):
        if seat.kind == "here":
            table = with_seat(table, number, name=challenge.by.name)
    for number, account in challenge.asked.items():
        table = with_seat(table, number, session=account.holder, name=account.name)
    return table
