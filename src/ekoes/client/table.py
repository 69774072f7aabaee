"""A table that a client follows: its views one after the other, and the player's orders."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from ekoes.client.connection import Connection, ConnectionFailedError
from ekoes.games.api.contract import Json, Position
from ekoes.games.api.registry import game
from ekoes.games.api.values import checksum, patched


class LostTrackError(ValueError):
    """An update does not match the client's state; request the whole table again."""


def updated(table: Json, update: Json) -> Json:
    """Return a ``table`` message after an ``update``. Raises LostTrackError."""
    if update["base"] != table["version"]:
        raise LostTrackError
    state = patched(table["state"], update["change"])
    if checksum(state) != update["check"]:
        raise LostTrackError
    common = {key: value for key, value in table.items() if key != "own"}
    news: Json = {key: update[key] for key in ("version", "seats", "own") if key in update}
    log = [*table["log"][: update["keep"]], *update["entries"]]
    return {**common, **news, "state": state, "log": log}


def seen(table: Json) -> Json:
    """Return the state as the viewer sees it: the common state overlaid with their own keys."""
    state: Json = {**table["state"], **table.get("own", {})}
    return state


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat. bot: the server's bot that plays there; program: whether a program of an account plays."""

    name: str
    bot: str | None
    taken: bool
    yours: bool
    online: bool
    program: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """A table at a version. table: the message of the whole table, with all updates since applied."""

    table: Json

    @property
    def id(self) -> str:
        """The table's id."""
        return str(self.table["id"])

    @property
    def game(self) -> str:
        """The name of its game."""
        return str(self.table["game"])

    @property
    def version(self) -> int:
        """The number of orders that have changed the game; orders refer to it."""
        return int(self.table["version"])

    @property
    def state(self) -> Json:
        """The state, including what only the reader's own seats see."""
        return seen(self.table)

    @property
    def log(self) -> list[Json]:
        """The events so far, in order."""
        log: list[Json] = self.table["log"]
        return log

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats, in order."""
        keys = Seat.__dataclass_fields__
        return tuple(Seat(**{key: seat[key] for key in keys if key in seat}) for seat in self.table["seats"])

    @property
    def own(self) -> tuple[int, ...]:
        """The reader's seats."""
        return tuple(number for number, seat in enumerate(self.seats) if seat.yours)

    @property
    def is_started(self) -> bool:
        """Whether every seat is taken."""
        return all(seat.taken for seat in self.seats)

    @property
    def is_over(self) -> bool:
        """Whether the game is over, or goes on at another table."""
        rematch = self.table["state"].get("rematch") or {}
        return self.table["state"].get("outcome") is not None or bool(rematch.get("table"))

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won; empty while the game goes on."""
        return tuple((self.table["state"].get("outcome") or {}).get("winners", ()))

    @property
    def asked(self) -> tuple[int, ...]:
        """The reader's seats that may decide now, in a game played in turns."""
        return tuple(seat for seat in self.table["state"].get("asked", ()) if seat in self.own)

    @property
    def position(self) -> Position:
        """The position of a game without hidden information. Raises PositionError for others."""
        return game(self.game).from_json(self.state["position"])

    def legal(self, seat: int) -> list[Json]:
        """Return the legal actions of a seat, without hidden information. Raises PositionError."""
        position: Any = self.position
        return [position.game.action_to_json(action) for action in position.legal(seat)]


class Table:
    """A table over a connection that is opened again when it is lost. Iterating yields its views.

    A slow reader gets the latest view and misses the ones before it.
    """

    def __init__(self) -> None:
        """Create a table without a connection; the client opens it."""
        self._connection: Connection | None = None
        self._view: View | None = None
        self._failure: ConnectionFailedError | None = None
        self._changed = asyncio.Event()
        self._refetch: asyncio.Task[None] | None = None
        self.said: list[Json] = []
        """The chat since ``listen`` was called, in order."""

    # ------------------------------------------------------------ views

    @property
    def view(self) -> View:
        """The latest view. Raises ConnectionFailedError before the first one has arrived."""
        if self._view is None:
            raise self._failure or ConnectionFailedError("no view of the table has arrived yet")
        return self._view

    @property
    def has_view(self) -> bool:
        """Whether a view has arrived yet."""
        return self._view is not None

    @property
    def is_connected(self) -> bool:
        """Whether there is a connection to the table now."""
        return self._connection is not None

    async def first_view(self) -> View:
        """Wait for the first view and return it. Raises ConnectionFailedError."""
        await self._changed.wait()
        return self.view

    async def __aiter__(self) -> AsyncIterator[View]:
        """Yield the latest view, then each change until the game ends. Raises ConnectionFailedError."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            if self._failure is not None:
                raise self._failure
            view = self.view
            yield view
            if view.is_over:
                return

    # ------------------------------------------------------------ orders

    async def act(self, seat: int, action: Json, *, version: int | None = None) -> int:
        """Play an action in a game of turns. Returns: the version after it.

        version: of the table that it is for; None: the latest. Raises RefusedError.
        """
        return await self.order("act", seat=seat, action=action, version=self._version(version))

    async def intend(self, seat: int, action: Json) -> int:
        """Play an action in a race. Returns: the version after it. Raises RefusedError."""
        return await self.order("intent", seat=seat, action=action)

    async def sit(self, seat: int | None = None, name: str | None = None) -> int:
        """Take a seat, None: the first that is free. Returns: the seat. Raises RefusedError."""
        free = [number for number, one in enumerate(self.view.seats) if not one.taken]
        chosen = seat if seat is not None else free[0] if free else 0
        await self.order("sit", seat=chosen, **({} if name is None else {"name": name}))
        return chosen

    async def resign(self, seat: int) -> int:
        """Resign. Returns: the version after it. Raises RefusedError."""
        return await self.order("resign", seat=seat, version=self._version(None))

    async def abort(self, seat: int) -> int:
        """End a rated game that does not count yet. Returns: the version after it. Raises RefusedError."""
        return await self.order("abort", seat=seat)

    async def say(self, text: str) -> None:
        """Send a chat message. Raises RefusedError."""
        await self._require_connection().ask("say", text=text)

    async def listen(self) -> None:
        """Subscribe to the chat, which is collected in ``said``. Raises RefusedError."""
        await self._require_connection().ask("chat", on=True)

    async def order(self, kind: str, **content: Any) -> int:  # noqa: ANN401 - JSON
        """Send an order of the protocol. Returns: the version after it. Raises EkoesError."""
        return int((await self._require_connection().ask(kind, **content))["version"])

    def _version(self, version: int | None) -> int:
        return self.view.version if version is None else version

    def _require_connection(self) -> Connection:
        if self._connection is None:
            raise ConnectionFailedError("not connected to the table")
        return self._connection

    # ------------------------------------------------------------ used by the client

    def connected(self, connection: Connection) -> None:
        """Use a new connection."""
        self._connection, self._failure = connection, None

    def disconnected(self, failure: ConnectionFailedError | None = None) -> None:
        """Note that the connection is lost. failure: why it is lost for good."""
        self._connection, self._failure = None, failure
        if failure is not None:
            self._changed.set()

    def handle(self, message: Json) -> None:
        """Handle a message of the server."""
        match message["type"]:
            case "table":
                self._show(message)
            case "update":
                self._update(message)
            case "seats":
                self._show({**self.view.table, "seats": message["seats"]})
            case "consent":
                consent = {key: value for key, value in message.items() if key != "type"}
                self._show({**self.view.table, "consent": consent})
            case "chat":
                self.said = list(message["lines"])
            case "said":
                self.said.append(message["line"])

    def _update(self, message: Json) -> None:
        """Apply a diff; ask for the whole table if it does not fit."""
        try:
            self._show(updated(self.view.table, message))
        except LostTrackError:
            self._refetch = asyncio.create_task(self._require_connection().send("table"))

    def _show(self, table: Json) -> None:
        self._view = View(table)
        self._changed.set()
