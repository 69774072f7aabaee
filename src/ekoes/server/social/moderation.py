"""Moderation: reports on the page, and the effects of the command line on a running server."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from ekoes.errors import StorageError, TalkError
from ekoes.server.ops.clock import Clock
from ekoes.server.ops.logs import log_of
from ekoes.server.realtime.sockets import OpenSockets
from ekoes.storage.accounts import People
from ekoes.storage.social import Deed, Did, ModerationLog, Report, Whom

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
