"""A client of a server: who one is there, tables, challenges, what happens."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Self

import httpx

from ekoes.client.failures import LOST, LineError, RefusedError, refused
from ekoes.client.line import PROTOCOL, open_line
from ekoes.client.table import Table
from ekoes.errors import EkoesError
from ekoes.games.contract import Json

__all__ = ["Client"]

_PATIENCE = 30.0
"""Seconds for an answer, or a sign of life."""
_PAUSE, _LONGEST_PAUSE = 0.25, 15.0
"""Seconds between two attempts to come back: at first, and at most."""


class Client:
    """Speaks to one server, as an account by a token or else as a guest. A context manager.

    What the server refuses raises RefusedError; what does not get there, LineError.
    """

    def __init__(self, server: str, token: str | None = None) -> None:
        """Begin without a line. server: its address, such as ``http://127.0.0.1:8765``."""
        self._headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self._http = httpx.AsyncClient(base_url=server, headers=self._headers, timeout=_PATIENCE)

    async def __aenter__(self) -> Self:
        """See who one is; a guest is given a cookie."""
        await self.ask("GET", "/api/meta")
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def ask(self, method: str, path: str, body: Json | None = None) -> Any:  # noqa: ANN401 - JSON
        """Ask a route of the server, and return what it answers."""
        try:
            answer = await self._http.request(method, path, json=body)
        except httpx.TransportError as error:
            raise LineError(f"{self._http.base_url} can't be reached: {error}") from error
        if answer.is_error:
            raise _refusal(answer)
        is_json = answer.headers.get("content-type", "").startswith("application/json")
        return answer.json() if is_json else answer.text

    # ------------------------------------------------------------ who and what

    async def account(self) -> str | None:
        """Return the name of one's account, None for a guest."""
        name: str | None = (await self.ask("GET", "/api/account"))["name"]
        return name

    async def make_table(
        self, game: str, options: Mapping[str, Any], seats: Sequence[Json], *, public: bool = False
    ) -> str:
        """Make a table and return its id. seats: ``own_seat()`` and the like."""
        plan = {"game": game, "options": dict(options), "seats": list(seats), "public": public}
        return str((await self.ask("POST", "/api/tables", plan))["id"])

    async def record(self, table_id: str) -> str:
        """Return the record of a game."""
        return str(await self.ask("GET", f"/api/tables/{table_id}/record"))

    async def past(self, table_id: str, entries: int) -> Json:
        """Return the state of a table after some entries of its log."""
        told = await self.ask("GET", f"/api/tables/{table_id}/positions/{entries}")
        state: Json = told["state"]
        return state

    # ------------------------------------------------------------ challenges

    async def challenge(self, game: str, options: Mapping[str, Any], seats: Sequence[Json]) -> str:
        """Ask others for a game; return the challenge's id. seats: ``account_seat(name)`` among them."""
        plan = {"game": game, "options": dict(options), "seats": list(seats)}
        return str((await self.ask("POST", "/api/challenges", plan))["id"])

    async def challenges(self) -> list[Json]:
        """Return the challenges that wait, by oneself and by others."""
        found: list[Json] = (await self.ask("GET", "/api/challenges"))["challenges"]
        return found

    async def accept(self, challenge: str) -> str | None:
        """Accept a challenge. Returns: the table, None where others are still asked."""
        table: str | None = (await self.ask("POST", f"/api/challenges/{challenge}/accept", {}))["table"]
        return table

    async def decline(self, challenge: str) -> None:
        """Decline a challenge."""
        await self.ask("POST", f"/api/challenges/{challenge}/decline", {})

    async def cancel(self, challenge: str) -> None:
        """Take back a challenge of one's own."""
        await self.ask("DELETE", f"/api/challenges/{challenge}")

    async def events(self) -> AsyncIterator[Json]:
        """Tell what concerns one: challenges, and games that begin and end; for ever.

        Where the line is lost it is opened anew, and what there is then is told again.
        """
        pause = _PAUSE
        while True:
            try:
                async with self._http.stream("GET", "/api/bot/stream") as answer:
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
        """Follow a table, which has been told when the block begins."""
        table = Table()
        keeping = asyncio.create_task(self._keep(table, table_id), name=f"table {table_id}")
        try:
            await table.told()
            yield table
        finally:
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)

    async def _keep(self, table: Table, table_id: str) -> None:
        """Keep a line to a table open, whatever happens to it, until the server says that there is none."""
        base = str(self._http.base_url).rstrip("/").replace("http", "ws", 1)
        address = f"{base}/api/tables/{table_id}/socket?protocol={PROTOCOL}"
        pause = _PAUSE
        while True:
            try:
                async with open_line(address, self._named(), table) as line:
                    table.take(line)
                    await line.listen()
                pause = _PAUSE
            except LineError as error:
                is_for_good = error.code != LOST or not table.is_told
                if is_for_good:
                    table.take(None, error)
                    return
                pause = min(2 * pause, _LONGEST_PAUSE)
            table.take(None)
            await asyncio.sleep(pause)

    def _named(self) -> dict[str, str]:
        """Return the headers that say who one is."""
        if self._headers:
            return self._headers
        return {"Cookie": "; ".join(f"{name}={value}" for name, value in self._http.cookies.items())}


def _refusal(answer: httpx.Response) -> EkoesError:
    try:
        return refused(answer.json())
    except ValueError:
        return RefusedError(f"{answer.status_code}: {answer.text[:80]}", code=f"http/{answer.status_code}")
