"""A table that is followed: its views one after the other, and what is done there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from ekoes.client.failures import LineError
from ekoes.client.line import Line
from ekoes.client.view import View
from ekoes.games.contract import Json
from ekoes.match.updates import LostTrackError, updated

__all__ = ["Table"]


class Table:
    """A table over a line that is opened anew when it is lost. Iterating tells each view that there is.

    Who is slow to ask for the next view is told the latest and misses those before it.
    """

    def __init__(self) -> None:
        """Begin without a line; a client opens it."""
        self._line: Line | None = None
        self._view: View | None = None
        self._failure: LineError | None = None
        self._news = asyncio.Event()
        self._asking: asyncio.Task[None] | None = None
        self.said: list[Json] = []
        """What was said here since somebody began to listen, in order."""

    # ------------------------------------------------------------ looking

    @property
    def view(self) -> View:
        """The table as it was last told. Raises LineError before anything was."""
        if self._view is None:
            raise self._failure or LineError("nothing was told of the table yet")
        return self._view

    @property
    def is_told(self) -> bool:
        """Whether anything was told of the table yet."""
        return self._view is not None

    @property
    def is_there(self) -> bool:
        """Whether there is a line to the table now."""
        return self._line is not None

    async def told(self) -> View:
        """Return the table as soon as it was told. Raises LineError if it can't be had."""
        await self._news.wait()
        return self.view

    async def __aiter__(self) -> AsyncIterator[View]:
        """Tell the latest view, and from then on each change, to the end of the game. Raises LineError."""
        while True:
            await self._news.wait()
            self._news.clear()
            if self._failure is not None:
                raise self._failure
            view = self.view
            yield view
            if view.is_over:
                return

    # ------------------------------------------------------------ doing

    async def act(self, seat: int, action: Json, *, version: int | None = None) -> int:
        """Play an action where one decides after the other. Returns: the version after it.

        version: of the table that it is for; None: the latest. Raises RefusedError.
        """
        return await self.order("act", seat=seat, action=action, version=self._version(version))

    async def intend(self, seat: int, action: Json) -> int:
        """Do something where the quicker hand wins. Returns: the version after it. Raises RefusedError."""
        return await self.order("intent", seat=seat, action=action)

    async def sit(self, seat: int | None = None, name: str | None = None) -> int:
        """Take a seat, None: the first that is free. Returns: the seat. Raises RefusedError."""
        free = [number for number, one in enumerate(self.view.seats) if not one.taken]
        chosen = seat if seat is not None else free[0] if free else 0
        await self.order("sit", seat=chosen, **({} if name is None else {"name": name}))
        return chosen

    async def resign(self, seat: int) -> int:
        """Give the game up. Returns: the version after it. Raises RefusedError."""
        return await self.order("resign", seat=seat, version=self._version(None))

    async def say(self, text: str) -> None:
        """Say a line. Raises RefusedError."""
        await self._there().ask("say", text=text)

    async def listen(self) -> None:
        """Hear what is said here: it goes into ``said``. Raises RefusedError."""
        await self._there().ask("chat", on=True)

    async def order(self, kind: str, **content: Any) -> int:  # noqa: ANN401 - JSON
        """Give an order of the protocol. Returns: the version after it. Raises RefusedError, LineError."""
        return int((await self._there().ask(kind, **content))["version"])

    def _version(self, version: int | None) -> int:
        return self.view.version if version is None else version

    def _there(self) -> Line:
        if self._line is None:
            raise LineError("there is no line to the table now")
        return self._line

    # ------------------------------------------------------------ being told

    def take(self, line: Line | None, failure: LineError | None = None) -> None:
        """Take a new line; None: it is lost, with a failure for good."""
        self._line, self._failure = line, failure
        if failure is not None:
            self._news.set()

    def hear(self, message: Json) -> None:
        """Take in what the server tells."""
        match message["type"]:
            case "table":
                self._show(message)
            case "update":
                self._update(message)
            case "seats":
                self._show({**self.view.table, "seats": message["seats"]})
            case "consent":
                told = {key: value for key, value in message.items() if key != "type"}
                self._show({**self.view.table, "consent": told})
            case "chat":
                self.said = list(message["lines"])
            case "said":
                self.said.append(message["line"])

    def _update(self, message: Json) -> None:
        """Take in what has changed; ask for the whole table where that does not fit."""
        try:
            self._show(updated(self.view.table, message))
        except LostTrackError:
            self._asking = asyncio.create_task(self._there().send("table"))

    def _show(self, table: Json) -> None:
        self._view = View(table)
        self._news.set()
