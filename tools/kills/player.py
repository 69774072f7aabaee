"""Somebody who plays whatever is asked, and comes back whenever the server does."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from ekoes.games.chance import Chance
from ekoes.games.eko.offered import offered
from ekoes.match.updates import seen, updated
from ekoes.server.messages import PROTOCOL

__all__ = ["Acknowledged", "Player"]

Json = dict[str, Any]


@dataclass(frozen=True)
class Acknowledged:
    """What the server has promised to keep."""

    table: str
    key: str
    version: int
    order: Json


@dataclass(eq=False)
class Player:
    """One seat of a table. told: all that was acknowledged. hears: is called whenever something is done."""

    name: str
    address: str
    cookie: str
    table: str
    seat: int
    hears: Callable[[], None]
    told: list[Acknowledged] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Begin with nothing seen and nothing sent."""
        self._keys = (f"{self.name}-{number}" for number in itertools.count())
        self._chance = Chance(hash(self.name) & 0xFFFF)
        self._sent: Json | None = None
        self._seen: Json = {}

    async def play(self, is_up: asyncio.Event) -> None:
        """Play until the task is cancelled. is_up: set while a server runs."""
        base = f"{self.address.replace('http', 'ws')}/api/tables"
        while True:
            await is_up.wait()
            address = f"{base}/{self.table}/socket?protocol={PROTOCOL}"
            try:
                async with connect(address, additional_headers={"Cookie": self.cookie}, proxy=None) as line:
                    await self._converse(line)
            except (OSError, WebSocketException, EOFError):
                await asyncio.sleep(0)

    async def _converse(self, line: ClientConnection) -> None:
        """Ask again what was not answered, then do what is asked."""
        if self._sent is not None:
            await line.send(json.dumps(self._sent))
        async for text in line:
            self._take(json.loads(text))
            if self._sent is None and self._has_moved():
                return
            order = self._order() if self._sent is None and self._seen else None
            if order is not None:
                self._sent = order | {"key": next(self._keys), "seat": self.seat}
                await line.send(json.dumps(self._sent))

    def _take(self, message: Json) -> None:
        """Take a message in: how the table stands, or the answer to what was sent."""
        if message["type"] in {"ack", "update"}:
            self.hears()
        match message["type"]:
            case "table":
                self._seen = message
            case "update":
                self._seen = updated(self._seen, message)
            case "ack" if self._sent is not None and message["key"] == self._sent["key"]:
                self.told.append(Acknowledged(self.table, message["key"], message["version"], self._sent))
                self._sent = None
            case "error":
                self._sent = None

    def _has_moved(self) -> bool:
        """Go on at the table of the rematch, if there is one."""
        table = seen(self._seen)["rematch"]["table"] if self._seen else None
        if table is not None:
            self.table, self._seen = table, {}
        return table is not None

    def _order(self) -> Json | None:
        """Return what is asked of the seat, None if nothing is."""
        state = seen(self._seen)
        if state["outcome"] is not None:
            return None if self.seat in state["rematch"]["agreed"] else {"type": "rematch"}
        if self._seen["game"] == "ekko":
            return self._intent(state)
        rows = state["choices"].get(str(self.seat))
        if not rows:
            return None
        spaces = [space["space"] for space in self._seen["board"]["spaces"]]
        choice = self._chance.choice(list(offered(rows, spaces)))
        return {"type": "act", "version": self._seen["version"], "action": choice["action"], "hold": False}

    def _intent(self, state: Json) -> Json | None:
        """Return what a player of EKKO does: see the hand, let mirrors go by, draw in turn."""
        turn, stage = state["position"]["turn"], state["stage"]
        top = state["position"]["zone"][-1] if state["position"]["zone"] else None
        if stage == "look" and self.seat not in state["ready"]:
            return {"type": "intent", "action": {"type": "ready", "round": turn["round"]}}
        if stage in {"window", "leaving"} and self.seat not in state["decided"]:
            is_asked = turn.get("leaving") != self.seat
            return {"type": "intent", "action": {"type": "pass", "on": top}} if is_asked else None
        if stage == "race" and turn["player"] == self.seat:
            return {"type": "intent", "action": {"type": "draw", "on": top}}
        return None
