"""Blocks, follows and reports of accounts."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import orjson

from ekoes.errors import AccountError, TalkError
from ekoes.games.api.contract import Json
from ekoes.server.ops.clock import Clock
from ekoes.server.ops.limits import Count, Tempo
from ekoes.server.realtime.sockets import OpenSockets
from ekoes.server.runtime.chat import Person
from ekoes.server.runtime.hub import Hub
from ekoes.storage.social import Kind, Report
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
