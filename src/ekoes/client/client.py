"""A client of a server: account, tables, challenges, events."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any, Self

import httpx

from ekoes.client.connection import LOST, ConnectionFailedError, RefusedError, open_connection, refusal_from
from ekoes.client.table import Table
from ekoes.errors import EkoesError
from ekoes.games.api.contract import Json
from ekoes.protocol import PROTOCOL


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

        A lost connection is opened again, also if the server is away for a while, and it repeats what is
        current.
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
        return RefusedError(f"{answer.status_code}: {answer.text[:80]}", code=f"http/{answer.status_code}")
