"""Tables of EKKO for four that play what fits, as soon as they see that they are asked."""

from __future__ import annotations

import asyncio
import itertools
import json
import time
from typing import Any

from benchmarks.server.guest import Guest
from benchmarks.server.line import Line, connect
from benchmarks.server.load import Load
from ekoes.match.difference import changed

__all__ = ["EkkoTable"]

PLAYERS = 4
Json = dict[str, Any]


class EkkoTable:
    """A table of four sessions; everybody gives one intent at a time."""

    def __init__(self, load: Load, guests: tuple[Guest, ...]) -> None:
        """Begin without the table."""
        self._load = load
        self._guests = guests
        self._players: list[_Player] = []

    @property
    def received(self) -> int:
        """Bytes that all players have heard."""
        return sum(player.line.received for player in self._players)

    async def open(self) -> None:
        """Make the table and take all seats; nobody is ready yet."""
        options = {"players": PLAYERS, "target": 1000, "turn_clock": None}
        seats = [{"kind": "here"}] + [{"kind": "open"}] * (PLAYERS - 1)
        path = await self._guests[0].make({"game": "ekko", "options": options, "seats": seats})
        self._players = [_Player(self, self._load, seat) for seat in range(PLAYERS)]
        for player, guest in zip(self._players, self._guests, strict=True):
            player.line = await connect(guest.socket(path), player.hear, guest.cookie)
            if player.seat:
                player.send({"type": "sit", "seat": player.seat})
            await player.sits

    def decide(self) -> None:
        """Let everybody look what they are asked."""
        for player in self._players:
            player.act()


class _Player:
    """One seat of a table: the state that its messages have told, and the intent that is under way."""

    line: Line

    def __init__(self, table: EkkoTable, load: Load, seat: int) -> None:
        self.seat = seat
        self.sits = asyncio.get_running_loop().create_future()
        self._table = table
        self._load = load
        self._shared: Json = {}
        self._state: Json = {}
        self._version = self._acknowledged = 0
        self._keys = map(str, itertools.count())
        self._sent_at = 0.0
        self._is_waiting = False
        self._said: tuple[object, ...] = ()

    def send(self, message: Json) -> None:
        """Send an order."""
        self.line.send(json.dumps(message | {"key": next(self._keys)}).encode())

    def act(self) -> None:
        """Give the intent that is asked of this seat, if one is and none is under way."""
        if self._is_waiting or self._version < self._acknowledged or not self._state:
            return
        action = self._asked()
        if action is not None:
            self._is_waiting = True
            self._sent_at = time.perf_counter()
            self.send({"type": "intent", "seat": self.seat, "action": action})

    def hear(self, message: bytes) -> None:
        """Take a message."""
        told = json.loads(message)
        if told["type"] in {"table", "update"}:
            self._see(told)
        if told["type"] == "ack":
            self._acknowledged = told["version"]
            self._answered()
        elif told["type"] == "error":
            raise AssertionError(message.decode())
        elif told["type"] == "table" and self.seat == 0:
            self._answered()
        if self.sits.done():
            self.act()

    def _see(self, told: Json) -> None:
        """Take in how the table stands: what everybody sees, and what is this seat's own."""
        shared = changed(self._shared, told["change"]) if "change" in told else told["state"]
        self._shared, self._version = shared, told["version"]
        self._state = self._shared | told.get("own", {})

    def _answered(self) -> None:
        if not self.sits.done():
            self.sits.set_result(None)
        elif self._is_waiting:
            self._is_waiting = False
            self._load.counted(self._sent_at)

    def _asked(self) -> Json | None:
        """Return what this seat does now; a ready or a pass is said once."""
        state = self._state
        turn, stage = state["position"]["turn"], state["stage"]
        if stage == "look":
            return self._once({"type": "ready", "round": turn["round"]})
        if stage == "effect" and state["claim"]["seat"] == self.seat:
            return {"type": "effect", "effect": "draw"}
        if stage == "leaving" and turn["leaving"] != self.seat:
            return self._once({"type": "pass", "on": state["position"]["zone"][-1]})
        if stage == "race" and turn["player"] == self.seat:
            return self._in_turn(state["position"]["zone"][-1], is_free=turn["last"] == self.seat)
        return None

    def _in_turn(self, top: int, *, is_free: bool) -> Json:
        """Return a card that fits, else a draw. is_free: nobody has followed the seat's own card (K2.4)."""
        own = self._state["hands"][str(self.seat)]
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
