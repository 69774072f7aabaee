"""A server as one of several: what makes it so, besides the door before its application."""

from __future__ import annotations

from hashlib import sha256

from fastapi import FastAPI
from starlette.datastructures import State

from ekoes.server.cluster.member import Member
from ekoes.server.cluster.news import News
from ekoes.server.cluster.relay import Relay
from ekoes.server.tasks import Errands
from ekoes.server.wire import RESTARTS

__all__ = ["Alone", "Joined"]

_ENDED, _VACATION = "ended", "vacation"


class Alone:
    """A server that is the only one: there is nothing to be done."""

    def stand_before(self, app: FastAPI) -> None:
        """Let everything come in as it comes."""

    async def start(self) -> None:
        """Be there."""

    async def stop(self) -> None:
        """Be there no more."""


class Joined(Alone):
    """Takes over and lets go, and tells the others what they have to know at once."""

    def __init__(self, member: Member, state: State) -> None:
        """Begin outside. state: the application's parts."""
        self._member = member
        self._state = state
        self._errands = Errands("news")
        listeners = tuple(state.hub.listeners)
        self._news = News(member, state.store, state.clock, listeners, state.meeting.here_alone)
        self._news.listen("came", lambda told: state.tournaments.rounds.note(told[0], told[1]))
        state.hub.listeners.append(self._news.notice)
        state.meeting.elsewhere = self._news.here
        state.news = self._news
        state.register.lines.told = lambda credential: self._tell(_ENDED, _name_of(credential))
        state.hub.vacations.told = lambda holder: self._tell(_VACATION, holder)
        member.listen(_ENDED, self._end)
        member.listen(_VACATION, self._look)

    def stand_before(self, app: FastAPI) -> None:
        """Have answered elsewhere what is another one's."""
        app.add_middleware(Relay, member=self._member)

    async def start(self) -> None:
        """Be there from now on. Raises StorageError."""
        beat = self._state.store.people.forget_all
        await self._member.join(self._let_go, self._take_over, self._state.hub.give_up, beat)
        self._news.start()

    async def stop(self) -> None:
        """Be there no more: all that this process owned is free at once."""
        await self._errands.end()
        await self._news.stop()
        await self._member.leave()

    async def _take_over(self, left: list[str]) -> None:
        """Take over what those have left who are gone."""
        await self._state.duties.take()
        await self._state.hub.take_over(left)

    async def _let_go(self) -> None:
        """Let go of all that is another process's now; pages come back by themselves."""
        self._state.events.end()
        self._state.register.lines.end_all(RESTARTS, "moved")
        await self._state.duties.drop()
        await self._state.hub.drop()

    def _end(self, name: str) -> None:
        """Close the lines of who was signed out at another process."""
        self._state.store.people.forget_all()
        lines = self._state.register.lines
        for credential in lines.credentials():
            if _name_of(credential) == name:
                lines.close(credential)

    def _look(self, holder: str) -> None:
        """Look at the clocks of somebody whose vacation began or ended at another process."""
        self._errands.run(self._state.hub.vacations.look(holder))

    def _tell(self, topic: str, text: str) -> None:
        self._errands.run(self._member.tell_all(topic, text))


def _name_of(credential: str) -> str:
    """Return by what others know a cookie or a token, which is no business of anybody between."""
    return sha256(credential.encode()).hexdigest()
