"""Sessions, connections and tables of the load: what players do, as fast as the server answers."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import httpx
from websockets.asyncio.client import ClientConnection, connect

from ekoes.games.api.chance import Chance
from ekoes.games.api.values import patched
from ekoes.games.eko.game import EKO

Json = dict[str, Any]

EKKO_PLAYERS = 4
LONG = 250
"""Decisions that a scripted game has at least."""
_PATIENCE = 60
_VERSION = re.compile(rb'"version":(\d+)')


class Session:
    """A browser's session: its cookie, and the tables that it makes."""

    def __init__(self, address: str, compression: str | None = None) -> None:
        """Get a cookie. address: of the server, ends with a slash. compression: of WebSockets."""
        self._address, self._compression = address, compression
        self._http = httpx.AsyncClient(base_url=address, timeout=_PATIENCE)
        self._http.cookies = httpx.get(f"{address}api/meta", timeout=_PATIENCE).cookies

    async def create_table(self, plan: Json) -> str:
        """Make a table; return its path."""
        answer = await self._http.post("api/tables", json=plan)
        return f"api/tables/{answer.raise_for_status().json()['id']}"

    async def connect(self, path: str) -> Connection:
        """Open the WebSocket of a table."""
        url = f"{self._address}{path}/socket?protocol=3".replace("http://", "ws://")
        return Connection(
            await connect(
                url,
                additional_headers={"Cookie": f"ekoes={self._http.cookies['ekoes']}"},
                compression=self._compression,
                max_queue=None,
                max_size=None,
                open_timeout=_PATIENCE,
                ping_interval=None,
                proxy=None,
            )
        )

    async def close(self) -> None:
        """Close the HTTP connections."""
        await self._http.aclose()


@asynccontextmanager
async def sessions(addresses: Sequence[str], count: int) -> AsyncIterator[list[Session]]:
    """Yield sessions at some server processes: at each in turn, then in the opposite order, and so on.

    So the first player of a table, whose process owns it, is not always at the same one.
    """
    there_and_back = itertools.cycle([*addresses, *reversed(addresses)])
    opened = [Session(address) for address, _ in zip(there_and_back, range(count), strict=False)]
    try:
        yield opened
    finally:
        for session in opened:
            await session.close()


class Connection:
    """A WebSocket. received: bytes so far."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self.received = 0

    async def send(self, message: str) -> None:
        """Send a text message."""
        await self._socket.send(message)

    async def receive(self) -> bytes:
        """Return the next message. Raises: RuntimeError if the server refuses an order."""
        message = await self._socket.recv(decode=False)
        self.received += len(message)
        if message.startswith(b'{"type":"error"'):
            raise RuntimeError(message.decode())
        return message

    async def wait_for(self, kind: bytes, version: int = 0) -> int:
        """Receive until a message of a type has at least a version; return that of the message."""
        start = b'{"type":"%s"' % kind
        while True:
            message = await self.receive()
            if message.startswith(start):
                found = _VERSION.findall(message)
                reached = int(found[-1] if kind == b"ack" else found[0])
                if reached >= version:
                    return reached

    async def close(self) -> None:
        """Close the WebSocket."""
        await self._socket.close()


class Pace(Protocol):
    """Notes decisions and says when the next one of a table may follow."""

    def record(self, sent_at: float) -> None:
        """Note that a decision is through. sent_at: by ``perf_counter``."""

    async def wait(self, sent_at: float) -> None:
        """Return when a table's next decision is due, after one sent at that time."""


class Table(Protocol):
    """A table of the load."""

    @property
    def received(self) -> int:
        """Bytes that its players have received."""

    async def open(self) -> None:
        """Make the table and take all seats."""

    async def play(self, pace: Pace) -> None:
        """Play until the task is cancelled."""


# ---------------------------------------------------------------- Ekö


@dataclass(frozen=True)
class Script:
    """A game of random decisions. moves: seat and action as JSON."""

    seed: int
    moves: tuple[tuple[int, str], ...]


@cache
def scripts(count: int) -> Sequence[Script]:
    """Return long games."""
    games = (random_game(seed) for seed in itertools.count(1))
    return list(itertools.islice((game for game in games if len(game.moves) >= LONG), count))


def random_game(seed: int) -> Script:
    """Return a game of random decisions."""
    position, chance = EKO.new({"players": 2}, seed), Chance(seed)
    moves: list[tuple[int, str]] = []
    while position.outcome() is None:
        (seat,) = position.actors()
        action = chance.choice(position.legal(seat))
        moves.append((seat, json.dumps(EKO.action_to_json(action), separators=(",", ":"))))
        position = position.play(seat, action)
    return Script(seed, tuple(moves))


class EkoTable:
    """A table of two sessions with a connection each; a game that ends is followed by another."""

    def __init__(self, pair: tuple[Session, Session], script: Script) -> None:
        self._pair = pair
        self._script = script
        self._connections: list[Connection] = []
        self._version = 0
        self._received_before = 0

    @property
    def received(self) -> int:
        """Bytes that both players have received."""
        return self._received_before + sum(one.received for one in self._connections)

    async def open(self) -> None:
        """Make the table and take both seats."""
        options = {"players": 2, "seed": self._script.seed}
        seats = [{"kind": "here"}, {"kind": "open"}]
        path = await self._pair[0].create_table({"game": "eko", "options": options, "seats": seats})
        self._connections = [await session.connect(path) for session in self._pair]
        await self._connections[1].send('{"type":"sit","key":"sit","seat":1}')
        self._version = await self._connections[1].wait_for(b"ack")

    async def play(self, pace: Pace) -> None:
        """Send one decision after the other; each is through when the other player has its update."""
        sent_at = time.perf_counter()
        while True:
            for number, (seat, action) in enumerate(self._script.moves):
                await pace.wait(sent_at)
                sent_at = time.perf_counter()
                await self._connections[seat].send(
                    f'{{"type":"act","key":"{number}","version":{self._version},"seat":{seat},"action":{action}}}'
                )
                self._version = await self._connections[seat].wait_for(b"ack")
                await self._connections[1 - seat].wait_for(b"update", self._version)
                pace.record(sent_at)
            self._received_before = self.received
            for connection in self._connections:
                await connection.close()
            self._connections = []
            await self.open()


# ---------------------------------------------------------------- EKKO


class EkkoTable:
    """A table of four sessions; each player sends one intent at a time."""

    def __init__(self, four: tuple[Session, ...]) -> None:
        self._sessions = four
        self._players: list[_Player] = []

    @property
    def received(self) -> int:
        """Bytes that all players have received."""
        return sum(player.connection.received for player in self._players)

    async def open(self) -> None:
        """Make the table and take all seats."""
        options = {"players": EKKO_PLAYERS, "target": 1000, "turn_clock": None}
        seats = [{"kind": "here"}] + [{"kind": "open"}] * (EKKO_PLAYERS - 1)
        path = await self._sessions[0].create_table({"game": "ekko", "options": options, "seats": seats})
        for seat, session in enumerate(self._sessions):
            player = _Player(seat, await session.connect(path))
            self._players.append(player)
            if seat:
                await player.connection.send(json.dumps({"type": "sit", "key": "sit", "seat": seat}))
                while player.latest != "ack":
                    await player.receive()

    async def play(self, pace: Pace) -> None:
        """Let all players send what they are asked for as soon as they see it."""
        async with asyncio.TaskGroup() as players:
            for player in self._players:
                players.create_task(player.play(pace))


class _Player:
    """One seat of an EKKO table: the state as its messages show it."""

    def __init__(self, seat: int, connection: Connection) -> None:
        self.connection = connection
        self.latest = ""
        self._seat = seat
        self._shared: Json = {}
        self._state: Json = {}
        self._version = self._acknowledged = 0
        self._said: tuple[object, ...] = ()

    async def play(self, pace: Pace) -> None:
        for key in itertools.count():
            while (action := self._action()) is None:
                await self.receive()
            sent_at = time.perf_counter()
            intent = {"type": "intent", "key": f"{key}", "seat": self._seat, "action": action}
            await self.connection.send(json.dumps(intent))
            while await self.receive() != "ack":
                pass
            pace.record(sent_at)
            while self._version < self._acknowledged:
                await self.receive()

    async def receive(self) -> str:
        """Take the next message; return its type."""
        message = json.loads(await self.connection.receive())
        self.latest = str(message["type"])
        if self.latest in {"table", "update"}:
            has_change = "change" in message
            self._shared = patched(self._shared, message["change"]) if has_change else message["state"]
            self._version = message["version"]
            self._state = self._shared | message.get("own", {})
        elif self.latest == "ack":
            self._acknowledged = message["version"]
        return self.latest

    def _action(self) -> Json | None:
        """Return what this seat does now; a ready or a pass is sent once."""
        if not self._state:
            return None
        state = self._state
        turn, stage = state["position"]["turn"], state["stage"]
        if stage == "look":
            return self._once({"type": "ready", "round": turn["round"]})
        if stage == "effect" and state["claim"]["seat"] == self._seat:
            return {"type": "effect", "effect": "draw"}
        if stage == "leaving" and turn["leaving"] != self._seat:
            return self._once({"type": "pass", "on": state["position"]["zone"][-1]})
        if stage == "race" and turn["player"] == self._seat:
            return self._in_turn(state["position"]["zone"][-1], is_free=turn["last"] == self._seat)
        return None

    def _in_turn(self, top: int, *, is_free: bool) -> Json:
        """Return a card that fits, else a draw. is_free: no other has followed the seat's own card (K2.4)."""
        own = self._state["hands"][str(self._seat)]
        again = self._state["position"]["turn"].get("again", False)
        for card in own["hand"]:
            follows = card > top if top % 2 else card < top
            if card not in own["blocked"] and (follows or (is_free and not again)):
                return {"type": "play", "card": card, "on": top}
        return {"type": "draw", "on": top}

    def _once(self, action: Json) -> Json | None:
        said = (*action.values(), len(self._state["position"]["zone"]))
        if said == self._said:
            return None
        self._said = said
        return action
