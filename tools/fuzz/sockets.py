"""Spoiled messages by the sockets of tables and the lobby, while people play there.

Each message is answered once, and players go on and receive no hidden card. Afterwards every table
still answers, and what was acknowledged stands in the log once, in order, and judges right
(``tools.faults.audit``).

And floods of frames without content, by an anonymous client, while another plays elsewhere: the server has to
close the connection, and may not keep the player waiting.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from ekoes.games.api.chance import Chance
from ekoes.protocol import PROTOCOL
from tests.kit.client import Browser
from tools.faults.player import Figures, Player
from tools.faults.witness import Witness
from tools.fuzz.messages import LOBBY, TABLE, spoiled

_AHEAD = 12
"""Messages that a connection sends at once; now and then it is a flood."""
_FLOOD = 150
_PATIENCE = 60
_ANSWERS = {"ack", "error", "beat"}
_OF_BYTES = b'{"type":"sit","key":"\xff\xfe'
"""A text frame that is no UTF-8: the connection is closed, and no other client notices."""

Json = dict[str, Any]


@dataclass
class Attack:
    """What was done. sent: messages; closed: connections by the server; players: of the games meanwhile."""

    sent: int = 0
    closed: int = 0
    players: list[Player] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Place:
    """A socket, whose it is, and what is sent there."""

    path: str
    browser: Browser
    samples: Sequence[Json]


async def attacked(address: str, messages: int, tables: int, chance: Chance) -> Attack:
    """Send so many messages to so many tables and the lobby. address: of the server, without a slash."""
    attack = Attack()
    places = list(_places(address, tables, attack, chance))
    playing = [asyncio.create_task(player.play()) for player in attack.players]
    each = messages // len(places)
    connections = [_Sender(address, place, each, chance.split(), attack) for place in places]
    await asyncio.gather(*(connection.send_all() for connection in connections))
    for task in playing:
        task.cancel()
    ends = await asyncio.gather(*playing, return_exceptions=True)
    attack.faults += [repr(end) for end in ends if not isinstance(end, asyncio.CancelledError)]
    attack.faults += [fault for player in attack.players for fault in player.wrong]
    attack.faults += [fault for place in places[1:] for fault in _silent(place)]
    return attack


def _places(address: str, tables: int, attack: Attack, chance: Chance) -> Iterator[_Place]:
    """Yield the lobby, and each table for its creator and for a stranger; two play there."""
    foreign = Browser(address)
    yield _Place("/api/lobby/socket", foreign, LOBBY)
    witness, figures = Witness(), Figures()
    for number in range(tables):
        one, other = Browser(address), Browser(address)
        if number % 2:
            table = one.create_race("here", "open", target=500)
        else:
            table = one.create("here", "open", seed=number)
        attack.players += [
            Player(f"p{number}-{seat}", address, it.cookie, table, chance.split(), witness, figures)
            for seat, it in enumerate((one, other))
        ]
        for browser in (one, foreign):
            yield _Place(f"/api/tables/{table}/socket", browser, TABLE)


class _Sender:
    """One that sends, and counts what it is answered."""

    def __init__(self, address: str, place: _Place, messages: int, chance: Chance, attack: Attack) -> None:
        self._address = f"{address.replace('http', 'ws')}{place.path}?protocol={PROTOCOL}"
        self._place = place
        self._chance = chance
        self._attack = attack
        self._keys = itertools.count()
        self._left = messages
        self._waiting = 0

    async def send_all(self) -> None:
        """Send all messages, by as many connections as that takes."""
        try:
            async with asyncio.timeout(_PATIENCE + self._left):
                while self._left:
                    await self._connection()
        except TimeoutError:
            self._attack.faults.append(f"{self._place.path}: {self._waiting} messages were never answered")

    async def _connection(self) -> None:
        headers = {"Cookie": self._place.browser.cookie}
        try:
            async with connect(
                self._address, additional_headers=headers, proxy=None, max_size=None
            ) as connection:
                self._waiting = 0
                while self._left:
                    await self._burst(connection, _FLOOD if self._chance.below(8) == 0 else _AHEAD)
        except ConnectionClosed:
            self._attack.closed += 1

    async def _burst(self, connection: ClientConnection, messages: int) -> None:
        """Send some messages at once, and receive all their answers."""
        for _ in range(min(messages, self._left)):
            await self._send(connection)
        while self._waiting:
            self._waiting -= json.loads(await connection.recv())["type"] in _ANSWERS

    async def _send(self, connection: ClientConnection) -> None:
        self._left -= 1
        self._attack.sent += 1
        self._waiting += 1
        if self._chance.below(500) == 0:
            await connection.send(_OF_BYTES, text=True)
            return
        sample = self._chance.choice(self._place.samples)
        message = {"key": f"{id(self)}-{next(self._keys)}", **sample}
        await connection.send(spoiled(message, self._chance))


def _silent(place: _Place) -> list[str]:
    """Return what is wrong with a table by now: it shows itself, and refuses what is no decision."""
    path, http = place.path.removesuffix("/socket"), place.browser.http
    order = {"type": "act", "key": "k", "version": 0, "seat": 0, "action": {}}
    answers = (http.get(path).status_code, http.post(f"{path}/orders", json=order).status_code)
    return [] if answers == (200, 422) else [f"{path} answers with {answers}"]


# ------------------------------------------------------------ floods

_SIZE = 3_000_000
_MASK = bytes(4)
_LIMITED_OTHERWISE = "empty messages"
"""Each is answered, at the pace of all messages: the connection stays."""
FLOODS = {
    "pings": (b"", b"\x89\x80" + _MASK),
    "pongs": (b"", b"\x8a\x80" + _MASK),
    "continuations": (b"\x01\x80" + _MASK, b"\x00\x80" + _MASK),
    _LIMITED_OTHERWISE: (b"", b"\x81\x80" + _MASK),
}
"""Kinds of flood: how each begins, and the frame that is repeated."""
_SLOWEST = 1.0
"""Seconds that an order elsewhere may take on a busy machine."""


async def flooded(address: str, report: Callable[[str], object]) -> list[str]:
    """Flood a server in each way, report what was measured, and return what was wrong."""
    found = []
    for kind, (first, frame) in FLOODS.items():
        slowest, is_closed = await _flooded(address, first + frame * (_SIZE // len(frame)))
        ends = "closed" if is_closed else "left open"
        result = f"flood of {kind}: {ends}, the slowest order elsewhere took {slowest * 1000:.0f} ms"
        report(result)
        if slowest > _SLOWEST or (kind != _LIMITED_OTHERWISE and not is_closed):
            found.append(result)
    return found


async def _flooded(address: str, frames: bytes) -> tuple[float, bool]:
    """Return the seconds of the slowest order meanwhile, and whether the connection was closed."""
    player, stranger = Browser(address), Browser(address)
    own, other = [f"/api/tables/{player.create('here', 'open')}/socket" for _ in range(2)]
    url = f"{address.replace('http', 'ws')}{own}?protocol={PROTOCOL}"
    async with connect(url, additional_headers={"Cookie": player.cookie}, proxy=None) as connection:
        flood = asyncio.create_task(_flood(address, other, stranger.cookie, frames))
        slowest, number = 0.0, 0
        while not flood.done():
            began, number = perf_counter(), number + 1
            order = {"type": "rename", "key": f"k{number}", "seat": 0, "name": f"{number}"}
            await connection.send(json.dumps(order))
            while json.loads(await connection.recv())["type"] != "ack":
                pass
            slowest = max(slowest, perf_counter() - began)
    return slowest, flood.result()


async def _flood(address: str, path: str, cookie: str, frames: bytes) -> bool:
    """Send frames on a new WebSocket; return whether the server closed it."""
    place = urlsplit(address)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    head = [
        f"GET {path}?protocol={PROTOCOL} HTTP/1.1",
        *(f"Host: {place.netloc}", f"Cookie: {cookie}", "Upgrade: websocket", "Connection: Upgrade"),
        *("Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version: 13"),
    ]
    writer.write("\r\n".join([*head, "", ""]).encode())
    await reader.readuntil(b"\r\n\r\n")
    reading = asyncio.create_task(reader.read(-1))
    with suppress(ConnectionError):
        writer.write(frames)
        await writer.drain()
    await asyncio.wait([reading], timeout=_SLOWEST)
    is_closed = reading.done()
    reading.cancel()
    writer.close()
    return is_closed
