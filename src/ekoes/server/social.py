"""Relations between users, reports and moderation."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import timedelta

import orjson

from ekoes.errors import AccountError, StorageError, TalkError
from ekoes.games.api.contract import Json
from ekoes.server.ops.clock import Clock
from ekoes.server.ops.limits import Count, Tempo
from ekoes.server.ops.logs import log_of
from ekoes.server.realtime.sockets import OpenSockets
from ekoes.server.runtime.chat import Person
from ekoes.server.runtime.hub import Hub
from ekoes.storage.accounts import People
from ekoes.storage.social import Deed, Did, Kind, ModerationLog, Report, Whom
from ekoes.storage.store import Store

_ATTACHED = 20
"""The latest chat lines that are attached to a report."""


@dataclass(frozen=True, slots=True)
class Target:
    """A user at a table: the one in a seat, or the author of a chat line."""

    table_id: str
    seat: int | None
    line: int | None


class RelationService:
    """Lets users block, follow and report others. Methods raise EkoesError."""

    def __init__(self, store: Store, hub: Hub, lines: OpenSockets, clock: Clock, count: Count) -> None:
        self._store = store
        self._hub = hub
        self._lines = lines
        self._clock = clock
        self._tempo = Tempo(count)

    async def tie(self, kind: Kind, holder: str, target: Target) -> Json:
        """Block or follow a user at a table."""
        await self._check_account(holder)
        async with self._hub.table(target.table_id) as live:
            person = await live.chat.person(holder, target.seat, target.line)
            if kind == "follow":
                await self._check_can_be_followed(person)
            number = await asyncio.to_thread(
                self._store.relations.add, kind, holder, person.holder, person.name, self._clock.now()
            )
            await live.chat.refresh(holder)
        return {"id": number, "name": person.name}

    async def ties(self, kind: Kind, holder: str) -> list[Json]:
        """Return the users that an account blocks or follows, and whether followed ones are online."""
        found = await asyncio.to_thread(self._store.relations.of, holder, kind)
        online = await asyncio.to_thread(self._online) if kind == "follow" else frozenset()
        return [
            {"id": tie.number, "name": tie.name, "since": tie.since.isoformat()}
            | ({"here": tie.other in online} if kind == "follow" else {})
            for tie in found
        ]

    async def untie(self, kind: Kind, holder: str, number: int) -> None:
        """Unblock or unfollow a user."""
        if not await asyncio.to_thread(self._store.relations.remove, kind, holder, number):
            raise TalkError("No such user", code="talk/nobody", key="id")

    async def report(self, holder: str, target: Target, reason: str, words: str) -> int:
        """Store a report with the latest chat lines that the reporter received, and return its number."""
        await self._tempo.report(holder)
        async with self._hub.table(target.table_id) as live:
            person = await live.chat.person(holder, target.seat, target.line)
            lines = await live.chat.heard(holder, _ATTACHED, person.line)
        about = (person.holder, person.name, person.line, reason, words)
        report = Report(target.table_id, holder, *about, orjson.dumps(lines).decode(), self._clock.now())
        return await asyncio.to_thread(self._store.moderation.report, report)

    async def _check_account(self, holder: str) -> None:
        if await asyncio.to_thread(self._store.people.account, holder) is None:
            raise AccountError("This browser is not signed in", code="account/none")

    async def _check_can_be_followed(self, person: Person) -> None:
        if await asyncio.to_thread(self._store.people.account, person.holder) is None:
            raise TalkError("Guests can't be followed", code="talk/guest")

    def _online(self) -> frozenset[str]:
        found = (self._store.people.holder(credential) for credential in self._lines.credentials())
        return frozenset(holder for holder in found if holder is not None)


_LOG = log_of("ekoes.server")
_EVERY = 1
"""Seconds between two polls of the moderation log, to which the command line writes."""
_REPORTS = 100


class Moderation:
    """Lets moderators resolve reports, and disconnects accounts as soon as they are closed.

    Rights are read at each use, so changes take effect at once. Sessions are cached and have open sockets,
    therefore the server watches the moderation log.
    """

    def __init__(self, log: ModerationLog, people: People, lines: OpenSockets, clock: Clock) -> None:
        self._log = log
        self._people = people
        self._lines = lines
        self._clock = clock
        self._seen = log.last_deed()

    async def watch(self) -> None:
        """Watch the moderation log until cancelled."""
        while True:
            await self._clock.sleep(_EVERY)
            try:
                await self.look()
            except StorageError as error:
                _LOG.warning("moderation log can't be read", error=str(error))

    async def look(self) -> None:
        """Apply the entries of the moderation log since the last call."""
        for deed in await asyncio.to_thread(self._log.deeds, since=self._seen):
            self._seen = deed.number
            if deed.did == "close":
                await asyncio.to_thread(self._people.forget, deed.whom.holder)
                for credential in self._lines.credentials():
                    if await asyncio.to_thread(self._people.holder, credential) is None:
                        self._lines.end(credential)

    async def is_moderator(self, holder: str) -> bool:
        """Return whether a user may see reports."""
        return (await asyncio.to_thread(self._log.rights, holder)).is_moderator

    async def reports(self, holder: str, *, is_open: bool) -> list[Report]:
        """Return reports, the latest first. Raises TalkError unless the user is a moderator."""
        await self._check(holder)
        return await asyncio.to_thread(self._log.reports, is_open=is_open, most=_REPORTS)

    async def resolve(self, holder: str, number: int, verdict: str, hours: int | None) -> None:
        """Resolve a report. hours: how long the reported user is muted. Raises TalkError."""
        by = await self._check(holder)
        report = await asyncio.to_thread(self._log.reported, number)
        if holder in {report.about, report.holder}:
            raise TalkError(
                "This report is about you or by you: another moderator has to resolve it",
                code="talk/own-report",
            )
        await asyncio.to_thread(
            self._log.resolve,
            self._deed(by, report, "resolve", f"report {number}: {verdict}"),
            number,
            verdict,
        )
        if hours is not None:
            until = self._clock.now() + timedelta(hours=hours)
            words = f"until {until:%Y-%m-%d %H:%M} UTC, report {number}"
            await asyncio.to_thread(self._log.silence, self._deed(by, report, "silence", words), until)

    def _deed(self, by: str, report: Report, did: Did, words: str) -> Deed:
        return Deed(self._clock.now(), by, did, Whom(report.about, report.name), words)

    async def _check(self, holder: str) -> str:
        """Return the name of a moderator. Raises TalkError if the user is none."""
        account = await asyncio.to_thread(self._people.account, holder)
        if account is None or not await self.is_moderator(holder):
            raise TalkError("Only moderators may do this", code="talk/not-moderator")
        return account.name
