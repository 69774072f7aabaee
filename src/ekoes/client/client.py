"""A client of a server: account, tables, challenges, events.

A server refuses (``RefusedError``), or the connection fails (``ConnectionFailedError``).
"""

from __future__ import annotations

import asyncio
import itertools
import json
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Self

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from ekoes.errors import EkoesError
from ekoes.games.api.contract import Json, Position
from ekoes.games.api.registry import game
from ekoes.games.api.values import checksum, patched
from ekoes.protocol import PROTOCOL

LOST = "connection/lost"


class RefusedError(EkoesError):
    """The server refused a request; ``code`` says why.

    retry_after: seconds until the request may be repeated. scope: what the token would have to allow.
    """

    def __init__(self, message: str, *, code: str) -> None:
        super().__init__(message, code=code)
        self.retry_after: int | None = None
        self.scope: str | None = None


class ConnectionFailedError(EkoesError):
    """The server can't be reached (``LOST``), or has closed the connection for good (any other code)."""

    def __init__(self, message: str, *, code: str = LOST) -> None:
        super().__init__(message, code=code)


def refusal_from(answer: Json) -> RefusedError:
    """Return the error for a refusal sent by a server."""
    error = RefusedError(str(answer.get("message", "")), code=str(answer.get("code", "error")))
    error.rule, error.key = answer.get("rule"), answer.get("field")  # the message names them already
    error.retry_after, error.scope = answer.get("retry_after"), answer.get("scope")
    return error


class Connection:
    """One socket. Its keys are unique across all clients; ``handle`` gets what answers no request."""

    def __init__(self, socket: ClientConnection, handle: Callable[[Json], None]) -> None:
        self._socket = socket
        self._handle = handle
        self._name = secrets.token_hex(8)
        self._numbers = itertools.count(1)
        self._pending: dict[str, asyncio.Future[Json]] = {}

    async def ask(self, kind: str, **content: object) -> Json:
        """Send a message and return its answer. Raises RefusedError or ConnectionFailedError."""
        key = f"{self._name}-{next(self._numbers)}"
        answer = self._pending[key] = asyncio.get_running_loop().create_future()
        try:
            await self._socket.send(json.dumps({"type": kind, "key": key, **content}))
            reply: Json = await answer
        except ConnectionClosed as error:
            raise ConnectionFailedError(f"the connection is lost: {error}") from error
        finally:
            self._pending.pop(key, None)
        if reply["type"] == "error":
            raise refusal_from(reply)
        return reply

    async def send(self, kind: str) -> None:
        """Send a message without waiting for an answer; do nothing if the connection is lost."""
        message = {"type": kind, "key": f"{self._name}-{next(self._numbers)}"}
        try:
            await self._socket.send(json.dumps(message))
        except ConnectionClosed:
            return

    async def listen(self) -> None:
        """Receive messages until the connection ends. Raises ConnectionFailedError if it ended for good."""
        try:
            async for text in self._socket:
                self._dispatch(json.loads(text))
        except ConnectionClosed:
            pass
        finally:
            self._fail_pending()
        code = self._socket.close_code or 0
        if code in _FINAL:
            raise ConnectionFailedError(self._socket.close_reason or str(code), code=_FINAL[code])

    def _dispatch(self, message: Json) -> None:
        answer = self._pending.get(message.get("key", ""))
        if answer is None or answer.done():
            self._handle(message)
        else:
            answer.set_result(message)

    def _fail_pending(self) -> None:
        for answer in self._pending.values():
            if not answer.done():
                answer.set_exception(ConnectionFailedError("the connection is lost"))


_FINAL = {
    4401: "account/no-token",
    4403: "account/scope",
    4404: "table/not-found",
    4426: "message/protocol",
}
"""Close codes after which reconnecting is pointless -> error code."""


@asynccontextmanager
async def open_connection(
    address: str, headers: Mapping[str, str], handle: Callable[[Json], None]
) -> AsyncIterator[Connection]:
    """Open a connection. Raises ConnectionFailedError."""
    try:
        socket = await connect(address, additional_headers=dict(headers), max_size=None, proxy=None)
    except (OSError, InvalidHandshake, TimeoutError) as error:
        raise ConnectionFailedError(f"{address} can't be reached: {error}") from error
    try:
        yield Connection(socket, handle)
    finally:
        await socket.close()


class LostTrackError(ValueError):
    """An update does not match the client's state; request the whole table again."""


def updated(table: Json, update: Json) -> Json:
    """Return a ``table`` message after an ``update``. Raises LostTrackError."""
    if update.get("base", update["version"] - 1) != table["version"]:
        raise LostTrackError
    state = patched(table["state"], update["change"])
    if checksum(state) != update["check"]:
        raise LostTrackError
    common = {key: value for key, value in table.items() if key != "own"}
    news: Json = {key: update[key] for key in ("version", "seats", "own") if key in update}
    log = [*table["log"][: update.get("keep")], *update["entries"]]
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

    async def order(self, kind: str, **content: object) -> int:
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
            case "agreements":
                agreements = {key: value for key, value in message.items() if key != "type"}
                self._show({**self.view.table, "agreements": agreements})
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


def own_seat(name: str | None = None) -> Json:
    """Return a seat for the user of this client."""
    return {"kind": "here"} | ({} if name is None else {"name": name})


def open_seat() -> Json:
    """Return a seat for the first user who takes it."""
    return {"kind": "open"}


def bot_seat(level: str | None = None) -> Json:
    """Return a seat of one of the server's bots; None: the game's default."""
    return {"kind": "bot"} | ({} if level is None else {"bot": level})


def account_seat(name: str) -> Json:
    """Return a seat for an account invited by name; only in a challenge."""
    return {"kind": "account", "account": name}


_PATIENCE = 30.0
"""Seconds to wait for an answer or a keep-alive."""
_PAUSE, _LONGEST_PAUSE = 0.25, 15.0
"""Seconds between two attempts to reconnect: at first, and at most."""


class Client:
    """A client of one server: an account with a token, or else a guest. A context manager.

    Raises RefusedError for what the server refuses, ConnectionFailedError if it can't be reached.
    """

    def __init__(self, server: str, token: str | None = None) -> None:
        """Create a client that is not connected yet. server: its address, such as ``http://127.0.0.1:8765``."""
        self._headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self._http = httpx.AsyncClient(base_url=server, headers=self._headers, timeout=_PATIENCE)

    async def __aenter__(self) -> Self:
        """Make the first request; a guest receives a cookie."""
        await self.ask("GET", "/api/meta")
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def ask(self, method: str, path: str, body: Json | None = None) -> Any:  # noqa: ANN401 - JSON
        """Send a request to a route and return its answer."""
        try:
            answer = await self._http.request(method, path, json=body)
        except httpx.TransportError as error:
            raise ConnectionFailedError(f"{self._http.base_url} can't be reached: {error}") from error
        if answer.is_error:
            raise _refusal(answer)
        if answer.status_code == HTTPStatus.NO_CONTENT:
            return None
        is_json = answer.headers.get("content-type", "").startswith("application/json")
        return answer.json() if is_json else answer.text

    # ------------------------------------------------------------ account and tables

    async def account(self) -> str | None:
        """Return the name of the account, None for a guest."""
        name: str | None = (await self.ask("GET", "/api/account"))["name"]
        return name

    async def make_table(
        self, game: str, options: Mapping[str, Any], seats: Sequence[Json], *, public: bool = False
    ) -> str:
        """Create a table and return its id. seats: ``own_seat()`` and the like."""
        plan = {"game": game, "options": dict(options), "seats": list(seats), "public": public}
        return str((await self.ask("POST", "/api/tables", plan))["id"])

    async def record(self, table_id: str) -> str:
        """Return the record of a game."""
        return str(await self.ask("GET", f"/api/tables/{table_id}/record"))

    async def past(self, table_id: str, entries: int) -> Json:
        """Return the state of a table after some entries of its log."""
        answer = await self.ask("GET", f"/api/tables/{table_id}/positions/{entries}")
        state: Json = answer["state"]
        return state

    # ------------------------------------------------------------ challenges

    async def challenge(self, game: str, options: Mapping[str, Any], seats: Sequence[Json]) -> str:
        """Challenge others to a game; return the challenge's id. seats: ``account_seat(name)`` among them."""
        plan = {"game": game, "options": dict(options), "seats": list(seats)}
        return str((await self.ask("POST", "/api/challenges", plan))["id"])

    async def challenges(self) -> list[Json]:
        """Return the open challenges, own and received."""
        found: list[Json] = (await self.ask("GET", "/api/challenges"))["challenges"]
        return found

    async def accept(self, challenge: str) -> str | None:
        """Accept a challenge. Returns: the table, None while others have not accepted."""
        table: str | None = (await self.ask("POST", f"/api/challenges/{challenge}/accept", {}))["table"]
        return table

    async def decline(self, challenge: str) -> None:
        """Decline a challenge."""
        await self.ask("POST", f"/api/challenges/{challenge}/decline", {})

    async def cancel(self, challenge: str) -> None:
        """Cancel an own challenge."""
        await self.ask("DELETE", f"/api/challenges/{challenge}")

    async def events(self) -> AsyncGenerator[Json, None]:
        """Yield the events of this user, challenges and games that begin and end, without end.

        A lost connection is opened again for as long as it takes, and begins with the open challenges and the
        running games.
        """
        pause = _PAUSE
        while True:
            try:
                async with self._http.stream("GET", "/api/bot/stream") as answer:
                    if answer.is_server_error or answer.status_code == HTTPStatus.TOO_MANY_REQUESTS:
                        # the server may be restarting behind a proxy: as if the connection were lost
                        raise httpx.NetworkError(f"answered {answer.status_code}")
                    if answer.is_error:
                        await answer.aread()
                        raise _refusal(answer)
                    pause = _PAUSE
                    async for line in answer.aiter_lines():
                        if (event := json.loads(line))["type"] != "beat":
                            yield event
            except httpx.TransportError:
                pause = min(2 * pause, _LONGEST_PAUSE)
            await asyncio.sleep(pause)

    # ------------------------------------------------------------ tables

    @asynccontextmanager
    async def table(self, table_id: str) -> AsyncIterator[Table]:
        """Follow a table; its first view is there when the block begins."""
        table = Table()
        connecting = asyncio.create_task(self._stay_connected(table, table_id), name=f"table {table_id}")
        try:
            await table.first_view()
            yield table
        finally:
            connecting.cancel()
            await asyncio.gather(connecting, return_exceptions=True)

    async def _stay_connected(self, table: Table, table_id: str) -> None:
        """Reconnect to a table whenever the connection is lost, until the server closes it for good."""
        base = str(self._http.base_url).rstrip("/").replace("http", "ws", 1)
        address = f"{base}/api/tables/{table_id}/socket?protocol={PROTOCOL}"
        pause = _PAUSE
        while True:
            try:
                async with open_connection(address, self._identity(), table.handle) as connection:
                    table.connected(connection)
                    await connection.listen()
                pause = _PAUSE
            except ConnectionFailedError as error:
                is_final = error.code != LOST or not table.has_view
                if is_final:
                    table.disconnected(error)
                    return
                pause = min(2 * pause, _LONGEST_PAUSE)
            table.disconnected()
            await asyncio.sleep(pause)

    def _identity(self) -> dict[str, str]:
        """Return the headers that identify the user."""
        if self._headers:
            return self._headers
        return {"Cookie": "; ".join(f"{name}={value}" for name, value in self._http.cookies.items())}


def _refusal(answer: httpx.Response) -> EkoesError:
    try:
        return refusal_from(answer.json())
    except ValueError:
        if answer.is_server_error:  # of a proxy whose server is away
            return ConnectionFailedError(f"answered {answer.status_code}")
        return RefusedError(f"{answer.status_code}: {answer.text[:80]}", code=f"http/{answer.status_code}")
