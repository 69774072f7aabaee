"""Matches of boardgame.io's own small game for two, over the socket of its clients (Engine.IO 4)."""

from __future__ import annotations

import asyncio
import json
import re
import time
from functools import partial

from benchmarks.server.line import Line, connect
from benchmarks.server.load import Load

__all__ = ["PeerTable"]

_STATE = re.compile(rb'"_stateID":(\d+)')
SOCKET = "socket.io/?EIO=4&transport=websocket"


class PeerTable:
    """A match of two players, each on a line of its own."""

    def __init__(self, load: Load, address: str, name: str) -> None:
        """Begin without the match."""
        self.received = 0
        self._load = load
        self._address = address
        self._name = name
        self._lines: list[Line] = []
        self._player, self._state, self._missing, self._cell = 0, 0, 0, 0
        self._sent_at = 0.0

    async def open(self) -> None:
        """Join as both players; the first one makes the match."""
        for player in range(2):
            self._joined = asyncio.get_running_loop().create_future()
            line = await connect(f"{self._address}{SOCKET}", partial(self._hear, player))
            self._lines.append(line)
            line.send(b"40/cells,")
            await self._joined

    def decide(self) -> None:
        """Send the next move."""
        payload = {"type": "click", "args": [self._cell], "playerID": str(self._player)}
        action = {"type": "MAKE_MOVE", "payload": payload}
        self._missing = 2
        self._sent_at = time.perf_counter()
        self._emit(self._player, "update", action, self._state, self._name, str(self._player))
        self._cell = (self._cell + 1) % 9
        self._player = 1 - self._player

    def _emit(self, player: int, *message: object) -> None:
        text = json.dumps(message, separators=(",", ":"))
        self._lines[player].send(f"42/cells,{text}".encode())

    def _hear(self, player: int, message: bytes) -> None:
        """Take a message; a move is through when both have its state."""
        self.received += len(message)
        if message == b"2":
            self._lines[player].send(b"3")
        elif message.startswith(b"40/cells"):
            self._emit(player, "sync", self._name, str(player), None, 2)
        elif message.startswith(b'42/cells,["sync"'):
            self._joined.set_result(None)
        elif message.startswith(b'42/cells,["update"'):
            self._missing -= 1
            if self._missing == 0:
                self._state = int(_STATE.findall(message)[0])
                self._load.done(self, self._sent_at)
