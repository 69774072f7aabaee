"""Whom somebody knows here: blocked, followed, reported."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import orjson

from ekoes.errors import AccountError, TalkError
from ekoes.games.contract import Json
from ekoes.server.chat import Person
from ekoes.server.clock import Clock
from ekoes.server.hub import Hub
from ekoes.server.people.lines import Lines
from ekoes.server.tempo import Count, Tempo
from ekoes.storage.store import Store
from ekoes.storage.ties import Kind
from ekoes.storage.wardens import Report

__all__ = ["Circle", "Meant"]

_ATTACHED = 20
"""The last lines that go with a report."""


@dataclass(frozen=True, slots=True)
class Meant:
    """Somebody at a table: who has a seat, or who said a line."""

    table_id: str
    seat: int | None
    line: int | None


class Circle:
    """Lets people keep others near or away. What is asked for raises EkoesError where it can't be."""

    def __init__(self, store: Store, hub: Hub, lines: Lines, clock: Clock, count: Count) -> None:
        """Keep it where tables are kept. lines: of everybody who is here."""
        self._store = store
        self._hub = hub
        self._lines = lines
        self._clock = clock
        self._tempo = Tempo(count)

    async def tie(self, kind: Kind, holder: str, meant: Meant) -> Json:
        """Let an account block or follow somebody at a table."""
        await self._check_account(holder)
        async with self._hub.table(meant.table_id) as live:
            person = await live.chat.person(holder, meant.seat, meant.line)
            if kind == "follow":
                await self._check_can_be_followed(person)
            number = await asyncio.to_thread(
                self._store.ties.tie, kind, holder, person.holder, person.name, self._clock.now()
            )
            await live.chat.refresh(holder)
        return {"id": number, "name": person.name}

    async def ties(self, kind: Kind, holder: str) -> list[Json]:
        """Tell whom an account blocks or follows; of the latter, whether they are here."""
        found = await asyncio.to_thread(self._store.ties.of, holder, kind)
        here = await asyncio.to_thread(self._here) if kind == "follow" else frozenset()
        return [
            {"id": tie.number, "name": tie.name, "since": tie.since.isoformat()}
            | ({"here": tie.other in here} if kind == "follow" else {})
            for tie in found
        ]

    async def untie(self, kind: Kind, holder: str, number: int) -> None:
        """End what an account began."""
        if not await asyncio.to_thread(self._store.ties.untie, kind, holder, number):
            raise TalkError("there is nobody like that", code="talk/nobody", key="id")

    async def report(self, holder: str, meant: Meant, reason: str, words: str) -> int:
        """Keep what somebody says of somebody else, with the last lines that they heard."""
        await self._tempo.report(holder)
        async with self._hub.table(meant.table_id) as live:
            person = await live.chat.person(holder, meant.seat, meant.line)
            lines = await live.chat.heard(holder, _ATTACHED, person.line)
        about = (person.holder, person.name, person.line, reason, words)
        report = Report(meant.table_id, holder, *about, orjson.dumps(lines).decode(), self._clock.now())
        return await asyncio.to_thread(self._store.wardens.report, report)

    async def _check_account(self, holder: str) -> None:
        if await asyncio.to_thread(self._store.people.account, holder) is None:
            raise AccountError("this browser is not signed in", code="account/none")

    async def _check_can_be_followed(self, person: Person) -> None:
        if await asyncio.to_thread(self._store.people.account, person.holder) is None:
            raise TalkError("a guest can't be found again", code="talk/guest")

    def _here(self) -> frozenset[str]:
        """Return everybody who has a line to this server."""
        found = (self._store.people.holder(credential) for credential in self._lines.credentials())
        return frozenset(holder for holder in found if holder is not None)
