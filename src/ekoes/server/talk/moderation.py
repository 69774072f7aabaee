"""What moderators do on the page, and what is done at the command line beside a running server."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from ekoes.errors import StorageError, TalkError
from ekoes.server.clock import Clock
from ekoes.server.logs import log_of
from ekoes.server.people.lines import Lines
from ekoes.storage.people import People
from ekoes.storage.wardens import Deed, Did, Report, Wardens, Whom

__all__ = ["Moderation"]

_LOG = log_of("ekoes.server")
_EVERY = 1
"""Seconds after which the server looks what was done beside it."""
_REPORTS = 100


class Moderation:
    """Lets moderators see and resolve reports, and sees to it that a closed account is out at once.

    Rights are read when they are asked for, so they hold from the next line on, whoever changed them. Only
    who is let in is remembered here, and has lines open: the log of deeds tells when that has to end.
    """

    def __init__(self, wardens: Wardens, people: People, lines: Lines, clock: Clock) -> None:
        """Begin to look from the latest deed on."""
        self._wardens = wardens
        self._people = people
        self._lines = lines
        self._clock = clock
        self._seen = wardens.last_deed()

    # ------------------------------------------------------------ beside the server

    async def watch(self) -> None:
        """Look for ever what was done beside the server."""
        while True:
            await self._clock.sleep(_EVERY)
            try:
                await self.look()
            except StorageError as error:
                _LOG.warning("what was done beside the server can't be read", error=str(error))

    async def look(self) -> None:
        """Let what was done since the last look be so here."""
        for deed in await asyncio.to_thread(self._wardens.deeds, since=self._seen):
            self._seen = deed.number
            if deed.did == "close":
                await asyncio.to_thread(self._people.forget, deed.whom.holder)
                await self._show_out()

    async def _show_out(self) -> None:
        """End the lines of all browsers that stand for nobody any more."""
        for credential in self._lines.credentials():
            if await asyncio.to_thread(self._people.holder, credential) is None:
                self._lines.end(credential)

    # ------------------------------------------------------------ moderators

    async def is_moderator(self, holder: str) -> bool:
        """Tell whether somebody may see reports."""
        return (await asyncio.to_thread(self._wardens.rights, holder)).is_moderator

    async def reports(self, holder: str, *, is_open: bool) -> list[Report]:
        """Return reports, the latest first. Raises TalkError unless a moderator asks."""
        await self._check(holder)
        return await asyncio.to_thread(self._wardens.reports, is_open=is_open, most=_REPORTS)

    async def resolve(self, holder: str, number: int, verdict: str, hours: int | None) -> None:
        """Note what came of a report. hours: how long who was reported may say nothing. Raises TalkError."""
        by = await self._check(holder)
        report = await asyncio.to_thread(self._wardens.reported, number)
        if holder in {report.about, report.holder}:
            raise TalkError("somebody else has to resolve this one", code="talk/own-report")
        await asyncio.to_thread(
            self._wardens.resolve,
            self._deed(by, report, "resolve", f"report {number}: {verdict}"),
            number,
            verdict,
        )
        if hours is not None:
            until = self._clock.now() + timedelta(hours=hours)
            words = f"until {until:%Y-%m-%d %H:%M} UTC, report {number}"
            await asyncio.to_thread(self._wardens.silence, self._deed(by, report, "silence", words), until)

    def _deed(self, by: str, report: Report, did: Did, words: str) -> Deed:
        return Deed(self._clock.now(), by, did, Whom(report.about, report.name), words)

    async def _check(self, holder: str) -> str:
        """Return the name of a moderator. Raises TalkError if it is none."""
        account = await asyncio.to_thread(self._people.account, holder)
        if account is None or not await self.is_moderator(holder):
            raise TalkError("this is for moderators", code="talk/not-moderator")
        return account.name
