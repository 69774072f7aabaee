"""Challenges between users by name, and the event streams of bot accounts."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Literal

from limits import parse
from pydantic import Field, ValidationError, model_validator

from ekoes.errors import AccountError, EkoesError
from ekoes.games.api.contract import Json
from ekoes.protocol import Gone
from ekoes.server.ops.clock import Alarms, Clock
from ekoes.server.ops.limits import Count, Lanes
from ekoes.server.ops.logs import LOG
from ekoes.server.ops.secrets import fresh_seed
from ekoes.server.realtime.broadcast import Inboxes, Receive, Subscribe
from ekoes.server.realtime.connection import ClientSocket, Connection, keep_alive
from ekoes.server.realtime.streams import Stream
from ekoes.server.runtime.hub import Hub
from ekoes.server.runtime.permissions import SeatGuard, check_by_hand
from ekoes.storage.accounts import Account, Token
from ekoes.storage.schema import ChallengeRow
from ekoes.storage.store import Store
from ekoes.tables.create import table_from_plan, with_parts_of
from ekoes.tables.orders import MAX_PLAYERS, Strict
from ekoes.tables.settings import SeatPlan, TableOptions, TablePlan, clock_json
from ekoes.tables.table import Table

MOST_STREAMS = 64
"""Streams of one user."""
_MOST_TABLES = 50
"""The newest running tables that a new stream receives."""


class Events:
    """Sends each user's streams an event when a game with their seat begins or ends."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._open: Counter[str] = Counter()
        self._running: defaultdict[str, dict[Stream, set[str]]] = defaultdict(dict)
        """User -> the streams of their events, with the running games that each knows."""
        hub.listeners.append(self._notice)

    @contextmanager
    def counted(self, stream: Stream) -> Iterator[None]:
        """Count a stream for as long as it is open. Raises AccountError if its user has too many."""
        if self._open[stream.session] >= MOST_STREAMS:
            raise AccountError(f"at most {MOST_STREAMS} streams at a time", code="account/too-many", wait=1)
        self._open[stream.session] += 1
        try:
            yield
        finally:
            self._open[stream.session] -= 1
            self._open += Counter()  # drops zero counts

    @contextmanager
    def subscribed(self, stream: Stream) -> Iterator[None]:
        """Send events to a stream for as long as it is open."""
        self._running[stream.session][stream] = set()
        try:
            yield
        finally:
            del self._running[stream.session][stream]
            if not self._running[stream.session]:
                del self._running[stream.session]

    async def send_running(self, stream: Stream) -> None:
        """Send a new stream the running games of its user."""
        for table_id, _, table in await self._hub.running_of(stream.session, _MOST_TABLES):
            self._send(stream, table_id, table)

    def publish(self, user: str, event: Json) -> None:
        """Send an event to all streams of a user."""
        for stream in self._running.get(user, ()):
            stream.send_json(event)

    def _notice(self, table_id: str, table: Table) -> None:
        if not self._running:
            return
        for user in {seat.session for seat in table.seats}:
            for stream in self._running.get(user or "", ()):
                self._send(stream, table_id, table)

    def _send(self, stream: Stream, table_id: str, table: Table) -> None:
        """Send that a game has begun or ended, once."""
        known = self._running[stream.session][stream]
        if table.is_in_play == (table_id in known):
            return
        (known.add if table.is_in_play else known.discard)(table_id)
        seats = sorted(table.seats_of(stream.session))
        kind = "started" if table.is_in_play else "over"
        stream.send_json({"type": kind, "table": table_id, "game": table.game, "seats": seats})


LASTS, LASTS_BY_DAYS = timedelta(minutes=10), timedelta(days=7)
"""How long a challenge waits for its answers: to a live game, and to one by correspondence."""
_RATE = parse("60 per hour")
"""Challenges of one account."""
_MOST, _MOST_OF_TWO = 20, 3
"""Pending challenges of one account at a time, and from one account to another."""

Notify = Callable[[str, str, Json], None]


class ChallengeSeat(Strict):
    """A seat: the challenger's own (``here``), a named account's (``account``), or a bot's (``bot``)."""

    kind: Literal["here", "account", "bot"]
    account: Annotated[str, Field(max_length=40)] | None = None
    bot: Annotated[str, Field(max_length=40)] | None = None

    @model_validator(mode="after")
    def _named(self) -> ChallengeSeat:
        if (self.account is None) == (self.kind == "account"):
            raise ValueError("must have 'account' if the kind is 'account', and only then")
        return self

    @property
    def plan(self) -> SeatPlan:
        """The seat in the plan of a table."""
        return SeatPlan(kind="open" if self.kind == "account" else self.kind, bot=self.bot)


class ChallengePlan(Strict):
    """The game of a challenge. chat, public: as for any table.

    seats: in order of play, counted from 0; each gets the lowest free colour. Without a seat ``here`` the
    challenger only watches. gives_part: their browser adds a part to the seed of the deal, and others may.
    """

    game: Annotated[str, Field(max_length=20)]
    options: TableOptions
    seats: Annotated[list[ChallengeSeat], Field(min_length=2, max_length=MAX_PLAYERS)]
    chat: bool = True
    public: bool = False
    gives_part: bool = False

    @property
    def plan(self) -> TablePlan:
        """The plan of the table; seats of challenged accounts are open."""
        seats = [seat.plan for seat in self.seats]
        return TablePlan(
            game=self.game,
            options=self.options,
            seats=seats,
            chat=self.chat,
            public=self.public,
            gives_part=self.gives_part,
        )


@dataclass(eq=False, slots=True)
class _Challenge:
    """A pending challenge. asked: accounts by seat. waits: users who have not answered yet."""

    id: str
    by: Account
    table: Table
    asked: dict[int, Account]
    ends: datetime
    waits: frozenset[str]

    @property
    def people(self) -> set[str]:
        return {self.by.user_id, *(one.user_id for one in self.asked.values())}

    def to_json(self, reader: str) -> Json:
        """Return it as one of its users sees it."""
        table = self.table
        return {
            "id": self.id,
            "by": self.by.name,
            "yours": self.by.user_id == reader,
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
            "yours": who is not None and who.user_id == reader,
            "accepted": who is None or who.user_id not in self.waits,
        }


class Challenges:
    """The pending challenges; creates the tables of those that everyone accepts.

    They are in memory, and in the database, which outlives this process. events: streams of bots. notify:
    sends a push notification: user, topic, content.
    """

    def __init__(
        self,
        store: Store,
        hub: Hub,
        guard: SeatGuard,
        events: Events,
        clock: Clock,
        notify: Notify,
        count: Count,
    ) -> None:
        self._store = store
        self._hub = hub
        self._guard = guard
        self._events = events
        self._clock = clock
        self._notify = notify
        self._pages = Inboxes()
        self._lanes = Lanes(clock)
        self._counter = count("challenges")
        self._waiting: dict[str, _Challenge] = {}
        self._alarms = Alarms(clock, self._expire)
        self._changing = asyncio.Lock()

    async def start(self) -> None:
        """Load the challenges that are pending."""
        for one in await asyncio.to_thread(self._load):
            self._add(one)

    async def stop(self) -> None:
        """Cancel all timers, and drop the challenges, which another process may answer from now on."""
        await self._alarms.stop()
        self._waiting.clear()

    async def make(self, by: Account, plan: ChallengePlan, token: Token | None) -> Json:
        """Create a challenge and return it. token: of a bot that challenges. Raises EkoesError."""
        user = by.user_id
        await self._counter.check([_RATE], user, "challenges")
        asked = await asyncio.to_thread(self._asked, by, plan.seats)
        if plan.options.rated:
            check_by_hand(token)
            for player in (by, *asked.values()):
                await self._guard.check_person(player.user_id)
        await self._guard.check_names(user, (seat.name for seat in plan.plan.seats))
        seed = fresh_seed()
        table = await asyncio.to_thread(table_from_plan, plan.plan, user, fresh_seed=seed)
        is_by_days = table.clock is not None and table.clock.days is not None
        ends = self._clock.now() + (LASTS_BY_DAYS if is_by_days else LASTS)
        waits = frozenset(one.user_id for one in asked.values())
        made = _Challenge(secrets.token_hex(8), by, table, asked, ends, waits)
        users = {str(number): one.user_id for number, one in asked.items()}
        stored = ChallengeRow(made.id, user, plan.model_dump_json(), seed, users, sorted(waits), ends)
        async with self._changing:
            self._check_room(made)
            await asyncio.to_thread(self._store.challenges.add_row, stored)
            self._add(made)
        for one in waits:
            self._notify(one, f"challenge-{made.id}", {"kind": "challenge", "game": plan.game})
        return made.to_json(user)

    def _load(self) -> list[_Challenge]:
        """Return the stored challenges, without those of accounts that are gone.

        Those to a game that only another release has are left out: they stay for it until they expire.
        """
        found = []
        for one in self._store.challenges.all(self._clock.now()):
            by = self._store.people.account(one.user_id)
            asked = {int(seat): self._store.people.account(user) for seat, user in one.asked.items()}
            there = {seat: account for seat, account in asked.items() if account is not None}
            if by is None or len(there) < len(asked):
                continue
            try:
                plan = ChallengePlan.model_validate_json(one.plan).plan
                table = table_from_plan(plan, one.user_id, fresh_seed=one.seed)
            except (EkoesError, ValidationError) as error:
                LOG.warning("challenge left out", challenge=one.id, reason=str(error))
            else:
                found.append(_Challenge(one.id, by, table, there, one.ends, frozenset(one.waits)))
        return found

    def _add(self, challenge: _Challenge) -> None:
        self._waiting[challenge.id] = challenge
        self._alarms.set(challenge.id, challenge.ends)
        for one in challenge.people:
            self._send(one, _challenge_event(challenge, one))

    def subscribed(self, user: str, receive: Receive) -> AbstractContextManager[None]:
        """Send a user's pending challenges to a function, and from then on all events of challenges."""
        pending = [_challenge_event(one, user) for one in self._waiting.values() if user in one.people]
        return self._pages.opened(user, receive, pending)

    async def serve(self, socket: ClientSocket, user: str, subscribe: Subscribe) -> None:
        """Send a socket all events of its user's challenges, and other events for pages, until it closes."""
        async with self._lanes.of(user) as lane:
            connection = Connection(socket, user, self._clock.now)
            with self.subscribed(user, connection.send_json), subscribe(user, connection.send_json):
                await keep_alive(connection, lane)

    def is_read_by(self, user: str) -> bool:
        """Return whether a user has a page open that shows their challenges."""
        return user in self._pages

    def of(self, user: str) -> list[Json]:
        """Return the pending challenges from and to a user."""
        return [one.to_json(user) for one in self._waiting.values() if user in one.people]

    async def accept(self, user: str, challenge_id: str, token: Token | None) -> str | None:
        """Accept a challenge. token: of a bot that accepts.

        Returns: the table's id, None while others have not answered. Raises EkoesError.
        """
        async with self._changing:
            found = self._found(user, challenge_id, lambda one: one.waits)
            if found.table.rated:
                check_by_hand(token)
                self._guard.check_address(user, found.people - found.waits)
            if (await asyncio.to_thread(self._store.relations.apart_from, user)) & {found.by.user_id}:
                raise AccountError(f"{found.by.name} does not play with you", code="account/apart")
            waits = found.waits - {user}
            if waits:
                await asyncio.to_thread(self._store.challenges.set_waits, challenge_id, waits)
                found.waits = waits
                for one in found.people:
                    self._pages.send(one, _challenge_event(found, one))
                return None
            await self._take(found)
        try:
            table_id = await self._hub.create(await self._seated(found))
        except EkoesError:
            self._send_end(found, "failed")
            raise
        self._send_end(found, "accepted", table_id)
        return table_id

    async def decline(self, user: str, challenge_id: str) -> None:
        """Decline a challenge for everyone, even if accepted before. Raises EkoesError."""
        await self._drop(user, challenge_id, lambda one: one.people - {one.by.user_id}, "declined")

    async def cancel(self, user: str, challenge_id: str) -> None:
        """Cancel a challenge. Raises EkoesError."""
        await self._drop(user, challenge_id, lambda one: {one.by.user_id}, "cancelled")

    async def _drop(
        self, user: str, challenge_id: str, whose: Callable[[_Challenge], Collection[str]], why: Gone
    ) -> None:
        async with self._changing:
            found = self._found(user, challenge_id, whose)
            await self._take(found)
        self._send_end(found, why)

    async def _take(self, challenge: _Challenge) -> None:
        """Delete a challenge."""
        await asyncio.to_thread(self._store.challenges.remove, challenge.id)
        self._alarms.set(challenge.id, None)
        self._waiting.pop(challenge.id, None)

    def _found(
        self, user: str, challenge_id: str, whose: Callable[[_Challenge], Collection[str]]
    ) -> _Challenge:
        """Return a challenge if the user is among those that ``whose`` returns. Raises AccountError."""
        found = self._waiting.get(challenge_id)
        if found is None or user not in whose(found):
            raise AccountError("no such challenge", code="account/no-challenge")
        return found

    def _asked(self, by: Account, seats: Sequence[ChallengeSeat]) -> dict[int, Account]:
        """Return the challenged accounts by seat. Raises AccountError."""
        asked = {number: self._named(by, seat.account) for number, seat in enumerate(seats) if seat.account}
        users = [one.user_id for one in asked.values()]
        if not users or by.user_id in users or len(set(users)) != len(users):
            message = "challenge at least one other account, each only once"
            raise AccountError(message, code="account/challenge", key="seats")
        return asked

    def _named(self, by: Account, name: str) -> Account:
        found = self._store.people.find(name, "account")
        if self._store.relations.apart_from(by.user_id) & {found.user_id}:
            raise AccountError(f"{found.name} does not play with you", code="account/apart", key="account")
        return found

    def _check_room(self, made: _Challenge) -> None:
        """Raise AccountError if a user has too many pending challenges, or too many from this challenger."""
        for user in made.people:
            pending = [one for one in self._waiting.values() if user in one.people]
            theirs = [one for one in pending if one.by.user_id == made.by.user_id]
            if len(pending) >= _MOST or (user in made.waits and len(theirs) >= _MOST_OF_TWO):
                message = "too many pending challenges"
                raise AccountError(message, code="account/too-many", wait=int(LASTS.total_seconds()))

    async def _seated(self, challenge: _Challenge) -> Table:
        """Return the table with all players, whose parts are awaited unless they are programs."""
        table = challenge.table
        for number, seat in enumerate(table.seats):
            if seat.kind == "here":
                table = table.with_seat(number, name=challenge.by.name)
        for number, account in challenge.asked.items():
            table = table.with_seat(number, session=account.user_id, name=account.name)
        if table.joint is None:
            return table
        is_program = self._store.people.is_program
        programs = await asyncio.to_thread(lambda: {user for user in challenge.people if is_program(user)})
        return with_parts_of(table, challenge.people - programs)

    async def _expire(self, challenge_id: str) -> None:
        """End a challenge; its row goes when challenges are loaded the next time."""
        expired = self._waiting.pop(challenge_id, None)
        if expired is not None:
            self._send_end(expired, "expired")

    def _send_end(self, challenge: _Challenge, why: Gone, table_id: str | None = None) -> None:
        event = {"type": "challenge-gone", "id": challenge.id, "reason": why, "table": table_id}
        for one in challenge.people:
            self._send(one, event)

    def _send(self, user: str, event: Json) -> None:
        self._events.publish(user, event)
        self._pages.send(user, event)


def _challenge_event(challenge: _Challenge, reader: str) -> Json:
    return {"type": "challenge", "challenge": challenge.to_json(reader)}
