"""Tables of Ekö for two that play games written down before."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial

from benchmarks.server.guest import Guest
from benchmarks.server.line import Line, connect
from benchmarks.server.load import Load
from ekoes.games.chance import Chance
from ekoes.games.eko.game import EKO

__all__ = ["EkoTable", "Script", "scripts"]

LONG = 250
"""A game with fewer decisions is not played."""
_VERSION = re.compile(rb'"version":(\d+)')


@dataclass(frozen=True)
class Script:
    """A game of random decisions. moves: seat and action as JSON."""

    seed: int
    moves: tuple[tuple[int, str], ...]


@cache
def scripts(count: int) -> Sequence[Script]:
    """Return so many long games."""
    found: list[Script] = []
    seed = 0
    while len(found) < count:
        script = _played(seed := seed + 1)
        if len(script.moves) >= LONG:
            found.append(script)
    return found


def _played(seed: int) -> Script:
    position, chance = EKO.new({"players": 2}, seed), Chance(seed)
    moves: list[tuple[int, str]] = []
    while position.outcome() is None:
        (seat,) = position.actors()
        action = chance.choice(position.legal(seat))
        moves.append((seat, json.dumps(EKO.action_to_json(action), separators=(",", ":"))))
        position = position.play(seat, action)
    return Script(seed, tuple(moves))


class EkoTable:
    """A table of two sessions, each on a line of its own; a game that ends is followed by another."""

    def __init__(self, load: Load, guests: tuple[Guest, Guest], script: Script) -> None:
        """Begin without the table."""
        self.received = 0
        self.path = ""
        self._load = load
        self._guests = guests
        self._script = script
        self._lines: list[Line] = []
        self._again: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Make the table and take both seats."""
        options = {"players": 2, "seed": self._script.seed}
        seats = [{"kind": "here"}, {"kind": "open"}]
        path = await self._guests[0].make({"game": "eko", "options": options, "seats": seats})
        self.path = f"/{path}"
        self._next, self._version, self._missing = 0, 0, 1
        self._sent_at = 0.0
        self._sits = asyncio.get_running_loop().create_future()
        self._lines = [
            await connect(guest.socket(path), partial(self._hear, seat), guest.cookie)
            for seat, guest in enumerate(self._guests)
        ]
        self._lines[1].send(b'{"type":"sit","key":"sit","seat":1}')
        await self._sits

    def decide(self) -> None:
        """Send the next decision of the game."""
        if self._next == len(self._script.moves):
            self._again = asyncio.create_task(self._open_again())
            return
        seat, action = self._script.moves[self._next]
        self._next += 1
        self._missing = 2
        text = (
            f'{{"type":"act","key":"{self._next}","version":{self._version},"seat":{seat},"action":{action}}}'
        )
        self._sent_at = time.perf_counter()
        self._lines[seat].send(text.encode())

    def leave(self) -> None:
        """Hang up both lines."""
        for line in self._lines:
            line.close()

    async def _open_again(self) -> None:
        self.leave()
        await self.open()
        self.decide()

    def _hear(self, seat: int, message: bytes) -> None:
        """Take a message: the sender waits for the acknowledgement, the other one for the update."""
        self.received += len(message)
        if message.startswith(b'{"type":"ack"'):
            self._acknowledged(int(_VERSION.findall(message)[-1]))
        elif message.startswith(b'{"type":"update"') and seat != self._sender:
            self._seen()
        elif message.startswith(b'{"type":"error"'):
            raise AssertionError(message.decode())

    @property
    def _sender(self) -> int:
        return self._script.moves[self._next - 1][0] if self._next else 1

    def _acknowledged(self, version: int) -> None:
        self._version = version
        if self._next:
            self._seen()
        elif not self._sits.done():
            self._sits.set_result(None)

    def _seen(self) -> None:
        self._missing -= 1
        if self._next and self._missing == 0:
            self._load.done(self, self._sent_at)
