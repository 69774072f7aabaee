"""Relations between users, reports and moderation."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Annotated

from pydantic import Field, model_validator

from ekoes.errors import StorageError, TalkError
from ekoes.games.api.contract import Json
from ekoes.server.ops.clock import Clock
from ekoes.server.ops.limits import Count, Tempo
from ekoes.server.ops.logs import LOG
from ekoes.server.ops.secrets import ID_PATTERN
from ekoes.server.realtime.sockets import OpenSockets
from ekoes.server.runtime.chat import Person
from ekoes.server.runtime.hub import Hub
from ekoes.storage.accounts import People
from ekoes.storage.schema import ModeratorActionRow, ReportRow
from ekoes.storage.social import Kind, ModerationLog
from ekoes.storage.store import Store
from ekoes.tables.orders import MOST, SeatNumber, Strict

_ATTACHED = 20
"""The latest chat lines that are attached to a report."""


class Target(Strict):
    """A user: an account by name, one in a seat, or the author of a chat line of a table or club."""

    account: Annotated[str, Field(max_length=160)] | None = None
    table: Annotated[str, Field(pattern=ID_PATTERN)] | None = None
    club: Annotated[str, Field(pattern=ID_PATTERN)] | None = None
    seat: SeatNumber | None = None
    line: Annotated[int, Field(ge=1, le=MOST)] | None = None

    @model_validator(mode="after")
    def _one_of_them(self) -> Target:
        named = [value is not None for value in (self.account, self.seat, self.line)]
        places = (self.table is not None) + (self.club is not None)
        if sum(named) != 1 or places == named[0] or (self.club is not None and self.line is None):
            raise ValueError(
                "must name an account, a seat or chat message of a table, or a message of a club"
            )
        return self


class RelationService:
    """Lets users block, follow and report others. Methods raise EkoesError.

    is_online: whether a user is online, as the lobby knows.
    """

    def __init__(
        self, store: Store, hub: Hub, is_online: Callable[[str], bool], clock: Clock, count: Count
    ) -> None:
        self._store = store
        self._hub = hub
        self._is_online = is_online
        self._clock = clock
        self._tempo = Tempo(count)
        self.on_block: Callable[[str], None] = lambda _user: None
        """Called with a user who has blocked or unblocked others."""

    async def add(self, kind: Kind, user: str, target: Target) -> Json:
        """Block or follow a user."""
        person, _ = await self._find(user, target)
        number = await asyncio.to_thread(self._add, kind, user, person)
        await self._refresh(kind, user)
        return {"id": number, "name": person.name}

    async def _find(self, user: str, target: Target) -> tuple[Person, list[Json]]:
        """Return whom a user names, and the latest chat lines that the user has received there."""
        if target.club is not None:
            return await asyncio.to_thread(self._in_club, user, target.club, target.line)
        if target.table is None:
            return await asyncio.to_thread(self._account, user, target), []
        async with self._hub.table(target.table) as live:
            person = await live.chat.person(user, target.seat, target.line)
            return person, await live.chat.heard(user, _ATTACHED, person.line)

    def _account(self, user: str, target: Target) -> Person:
        """Return the account that a user names. Raises AccountError or TalkError."""
        account = self._store.people.find(target.account or "", "account")
        if account.user_id == user:
            raise TalkError("there is no other user", code="talk/nobody", key="account")
        return Person(account.user_id, account.name)

    def _in_club(self, user: str, club: str, number: int | None) -> tuple[Person, list[Json]]:
        """Return the author of a message that a member may read, and the messages up to it.

        Raises: ClubError or TalkError.
        """
        self._store.clubs.check_member(club, user)
        lines = [line for line in self._store.clubs.lines(club) if line.number <= (number or 0)]
        if not lines or lines[-1].number != number or lines[-1].user == user:
            raise TalkError("there is no other user", code="talk/nobody", key="line")
        heard = [
            {
                "n": line.number,
                "room": "all",
                "seat": None,
                "name": line.name,
                "yours": line.user == user,
                "text": line.text,
                "at": line.at.isoformat(),
            }
            for line in lines[-_ATTACHED:]
        ]
        return Person(lines[-1].user, lines[-1].name, number), heard

    def _add(self, kind: Kind, user: str, person: Person) -> int:
        if kind == "follow" and self._store.people.account(person.user) is None:
            raise TalkError("guests can't be followed", code="talk/guest")
        return self._store.relations.add(kind, user, person.user, person.name, self._clock.now())

    def listed(self, kind: Kind, user: str) -> list[Json]:
        """Return the users that an account blocks or follows, and whether followed ones are online."""
        return [
            {"id": one.number, "name": one.name, "since": one.since.isoformat()}
            | ({"here": self._is_online(one.other)} if kind == "follow" else {})
            for one in self._store.relations.of(user, kind)
        ]

    async def remove(self, kind: Kind, user: str, number: int) -> None:
        """Unblock or unfollow a user."""
        if not await asyncio.to_thread(self._store.relations.remove, kind, user, number):
            raise TalkError("no such user", code="talk/nobody", key="id")
        await self._refresh(kind, user)

    async def _refresh(self, kind: Kind, user: str) -> None:
        """Show the chats that a user has open again if they have blocked or unblocked others."""
        if kind == "block":
            self.on_block(user)
            await self._hub.refresh_chats(user)

    async def report(self, user: str, target: Target, reason: str, words: str) -> int:
        """Store a report and return its number.

        A report from a table or club includes the latest chat lines that the reporter received.
        """
        await self._tempo.report(user)
        person, lines = await self._find(user, target)
        about = (person.user, person.name, person.line, reason, words)
        report = ReportRow(target.table, user, *about, lines, self._clock.now())
        return await asyncio.to_thread(self._store.moderation.report, report)


_EVERY = 1
"""Seconds between two polls of the moderation log, to which the command line writes."""
_REPORTS = 100


class Moderation:
    """Lets moderators resolve reports, and disconnects accounts as soon as they are closed.

    Rights are read at each use, so changes take effect at once. Sessions may have open sockets, therefore the
    server watches the moderation log.
    """

    def __init__(self, log: ModerationLog, people: People, lines: OpenSockets, clock: Clock) -> None:
        self._log = log
        self._people = people
        self._lines = lines
        self._clock = clock
        self._seen = log.last_action()

    async def watch(self) -> None:
        """Watch the moderation log until cancelled."""
        while True:
            await self._clock.sleep(_EVERY)
            try:
                await self.look()
            except StorageError as error:
                LOG.warning("moderation log can't be read", error=str(error))

    async def look(self) -> None:
        """Apply the entries of the moderation log since the last call."""
        for action in await asyncio.to_thread(self._log.actions, since=self._seen):
            self._seen = action.number
            if action.did == "close":
                for credential in await asyncio.to_thread(self._ended, self._lines.credentials()):
                    self._lines.end(credential)

    def _ended(self, credentials: Iterable[str]) -> list[str]:
        return [credential for credential in credentials if self._people.user(credential) is None]

    def is_moderator(self, user: str) -> bool:
        """Return whether a user may see reports."""
        return self._log.rights(user).is_moderator

    def reports(self, user: str, *, is_open: bool) -> list[ReportRow]:
        """Return reports, the latest first. Raises TalkError unless the user is a moderator."""
        self._check(user)
        return self._log.reports(is_open=is_open, most=_REPORTS)

    def resolve(self, user: str, number: int, verdict: str, hours: int | None) -> None:
        """Resolve a report. hours: how long the reported user is silenced. Raises TalkError."""
        by, now = self._check(user), self._clock.now()
        report = self._log.reported(number)
        if user in {report.about, report.user_id}:
            raise TalkError(
                "this report is about you or by you: another moderator has to resolve it",
                code="talk/own-report",
            )
        whom = (report.about, report.name)
        resolved = ModeratorActionRow(now, by, "resolve", *whom, f"report {number}: {verdict}")
        self._log.resolve(resolved, number, verdict)
        if hours is not None:
            until = now + timedelta(hours=hours)
            words = f"until {until:%Y-%m-%d %H:%M} UTC, report {number}"
            self._log.silence(ModeratorActionRow(now, by, "silence", *whom, words), until)

    def _check(self, user: str) -> str:
        """Return the name of a moderator. Raises TalkError if the user is none."""
        account = self._people.account(user)
        if account is None or not self.is_moderator(user):
            raise TalkError("only moderators may do this", code="talk/not-moderator")
        return account.name
