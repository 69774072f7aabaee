"""Starting a server, killing it, and starting it again, while players go on playing at it."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from ekoes.games.chance import Chance
from tools.kills.audit import faults
from tools.kills.player import Player

__all__ = ["Result", "killed"]

_FEWEST, _MOST = 20, 200
"""Acknowledgements and updates between two kills."""
_STATEMENTS = 400
"""Half of the kills come after so many statements at most, in the midst of what is written."""
_ATTEMPTS = 3000

Json = dict[str, Any]


@dataclass(frozen=True)
class Result:
    """How it ended. acknowledged: the number of orders."""

    acknowledged: int
    faults: list[str]


class Server:
    """A server on a port of its own, in a process that can be killed. heard: a message came."""

    def __init__(self, folder: Path) -> None:
        """Begin without a process."""
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self._enough = asyncio.Event()
        self._left = 0
        self.address = f"http://127.0.0.1:{self._port}"
        self.is_up = asyncio.Event()

    async def start(self, statements: int = 0) -> None:
        """Start it; statements: after which it kills itself, 0: never."""
        arguments = [str(self._folder), str(self._port), str(statements)]
        command = [sys.executable, "-m", "tools.kills.server", *arguments]
        self._process = subprocess.Popen(command)  # noqa: S603, ASYNC220 - our own, and quickly begun
        async with httpx.AsyncClient() as client:
            for _ in range(_ATTEMPTS):
                try:
                    await client.get(f"{self.address}/api/meta", timeout=60)
                except httpx.TransportError:
                    await asyncio.sleep(0.02)
                else:
                    self.is_up.set()
                    return
        raise RuntimeError("the server does not answer")

    def heard(self) -> None:
        """Count a message."""
        self._left -= 1
        if self._left <= 0:
            self._enough.set()

    async def until(self, messages: int) -> None:
        """Wait until so many messages more have been heard, or the server is gone."""
        self._enough.clear()
        self._left = messages
        gone = asyncio.create_task(asyncio.to_thread(self._wait))
        enough = asyncio.create_task(self._enough.wait())
        await asyncio.wait({gone, enough}, return_when=asyncio.FIRST_COMPLETED)
        self.kill()
        enough.cancel()
        await gone

    def kill(self) -> None:
        """End it as a power cut would."""
        self.is_up.clear()
        if self._process is not None:
            self._process.kill()

    def _wait(self) -> None:
        if self._process is not None:
            self._process.wait()


async def killed(
    folder: Path, players: int, kills: int, chance: Chance, tell: Callable[[str], object]
) -> Result:
    """Let people play at a server that is killed so often, and look at what it has kept."""
    server = Server(folder)
    try:
        await server.start()
        crew = await _seated(server, players)
        tasks = [asyncio.create_task(player.play(server.is_up)) for player in crew]
        for number in range(kills):
            await server.until(_FEWEST + chance.below(_MOST - _FEWEST))
            acknowledged = sum(len(player.told) for player in crew)
            tell(f"kill {number + 1} of {kills}: {acknowledged} orders acknowledged")
            await server.start(1 + chance.below(_STATEMENTS) if number % 2 else 0)
        await server.until(_MOST)
        for task in tasks:
            task.cancel()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
    finally:
        server.kill()
    failed = [repr(end) for end in ends if not isinstance(end, asyncio.CancelledError)]
    told = [player.told for player in crew]
    return Result(sum(map(len, told)), failed + faults(folder, told))


async def _seated(server: Server, players: int) -> list[Player]:
    """Return players at tables for two, of both games by turns."""
    crew: list[Player] = []
    for number in range(players // 2):
        async with httpx.AsyncClient(base_url=server.address, timeout=60) as one:
            crew += await _table(server, one, number, "ekko" if number % 2 else "eko")
    return crew


async def _table(server: Server, client: httpx.AsyncClient, number: int, game: str) -> list[Player]:
    """Make a table whose two seats one browser holds, each with a line of its own."""
    await client.get("/api/meta")
    options: Json = {"players": 2} | ({"calm": True, "target": 500} if game == "ekko" else {"seed": number})
    plan = {"game": game, "options": options, "seats": [{"kind": "here"}, {"kind": "here"}]}
    answer = await client.post("/api/tables", json=plan)
    table, cookie = answer.raise_for_status().json()["id"], f"ekoes={client.cookies['ekoes']}"
    return [
        Player(f"p{number}{seat}", server.address, cookie, table, seat, server.heard) for seat in range(2)
    ]
