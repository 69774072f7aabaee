"""A player that does whatever is asked, over connections that are lost, and repeats unanswered orders."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, NamedTuple

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus, WebSocketException

from ekoes.bots import bot
from ekoes.client.bridge import Afar, afar_of
from ekoes.client.client import LostTrackError, seen, updated
from ekoes.games.api.chance import Chance
from ekoes.protocol import PROTOCOL
from tests.kit.choices import offered
from tools.faults.witness import Witness

_PATIENCE = 1.0
"""Seconds after which a player checks again whether it is its turn."""
_AGAIN = 3.0
"""Seconds after which an unanswered order is sent again."""
_BEAT = 4.0
"""Seconds of silence on a connection after which it is given up."""
_PAUSE = 0.05
_REMEMBERED = 50

Json = dict[str, Any]
Span = tuple[float, float]
"""A time from when to when."""


@dataclass(frozen=True)
class Acknowledged:
    """An acknowledged order. is_again: it was acknowledged before.

    is_late: the order of before, made anew, which may come to nothing, as a second tap on a card does.
    """

    table: str
    key: str
    version: int
    order: Json
    is_again: bool = False
    is_late: bool = False


class Played(NamedTuple):
    """When players saw a table: last without a decision, first with one, and last with one."""

    new: float
    begun: float = 0.0
    ended: float = 0.0


@dataclass
class Figures:
    """What all players have met with. waits: of acknowledgements, in seconds, since the last look.

    played: by table. ended: the tables whose end they saw.
    """

    connections: int = 0
    twice: int = 0
    stale: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    waits: list[float] = field(default_factory=list)
    played: dict[str, Played] = field(default_factory=dict)
    ended: set[str] = field(default_factory=set)
    on_message: Callable[[], None] = lambda: None

    def sees(self, table: Json) -> None:
        """Note when a table goes on, up to when its end is seen first."""
        name, now = table["id"], monotonic()
        known = self.played.get(name, Played(now))
        if table["log"] and name not in self.ended:
            self.played[name] = Played(known.new, known.begun or now, now)
            if seen(table)["outcome"] is not None:
                self.ended.add(name)
        elif not known.begun:
            self.played[name] = Played(now)


class Player:
    """Holds one seat of a table, over two connections, the second of which is out of step.

    acknowledgements: in order. wrong: what the server must not have sent.
    """

    def __init__(
        self,
        name: str,
        address: str,
        cookie: str,
        table: str,
        chance: Chance,
        witness: Witness,
        figures: Figures,
    ) -> None:
        """Begin with nothing seen and nothing sent. address: of the server, or its proxy."""
        self.name, self.table = name, table
        self.acknowledgements: list[Acknowledged] = []
        self.wrong: list[str] = []
        self.plays_on = True
        self._address, self._cookie, self._chance = address.replace("http", "ws"), cookie, chance
        self._witness, self._figures = witness, figures
        self._keys = (f"{name}-{number}" for number in itertools.count())
        self._sent: Json | None = None
        self._sent_at = 0.0
        self._first_sent_at = 0.0
        self._rests_until = 0.0
        self._known: dict[str, tuple[Json, str]] = {}
        self._late: set[str] = set()
        self._answered: set[str] = set()
        self._latest = ""
        self._promised: set[str] = set()
        self._highest: dict[str, int] = {}
        self.state: Json = {}

    async def play(self) -> None:
        """Play until the task is cancelled."""
        async with asyncio.TaskGroup() as connections:
            for number in range(2):
                connections.create_task(_Channel(self, is_second=number > 0).keep())

    @property
    def is_over(self) -> bool:
        """Whether the game is over, as far as this player knows, no other follows, and nothing is asked."""
        state = self.state
        is_over = bool(state) and state["outcome"] is not None and state["rematch"]["table"] is None
        return is_over and self._sent is None

    @property
    def agreed(self) -> int:
        """How many want a rematch."""
        return len(self.state["rematch"]["agreed"])

    # ------------------------------------------------------------ what its connections do

    def address(self) -> str:
        """Return where the table is."""
        return f"{self._address}/api/tables/{self.table}/socket?protocol={PROTOCOL}"

    @property
    def headers(self) -> dict[str, str]:
        """Headers of a new connection."""
        self._figures.connections += 1
        return {"Cookie": self._cookie}

    def highest(self, table: str) -> int:
        """Return the highest version of a table that was shown or acknowledged."""
        return self._highest.get(table, 0)

    def shows(self, table: Json, least: int) -> None:
        """Take in how the table stands. least: the version that it has to have."""
        if table["version"] < least:
            self.wrong.append(f"{self.name} is shown {table['id']} at {table['version']} after {least}")
        self._highest[table["id"]] = max(self.highest(table["id"]), table["version"])
        self._figures.sees(table)
        self._figures.on_message()

    def checks(self, message: Json, table: Json) -> None:
        """Check whether a message reveals a hidden card."""
        if table["game"] == "ekko":
            self.wrong += self._witness.check(self.name, message, table)

    def follows(self, table: Json) -> bool:
        """Take what the first connection shows; return whether there is another table to go on at."""
        self.state = seen(table)
        after = self.state["rematch"]["table"]
        if after is not None and self._sent is None:
            self.table, self.state = after, {}
        return bool(self.table != table["id"])

    def orders(self, table: Json) -> list[Json]:
        """Return what the first connection sends now: an order, an unanswered one again, and noise."""
        if self._sent is not None:
            is_late = monotonic() - self._sent_at > _AGAIN
            return self._sends(self._sent) if is_late else []
        rests = monotonic() < self._rests_until
        is_shown = table["version"] >= self.highest(table["id"])  # else it would ask once more for a rematch
        order = None if rests or not is_shown else self._decides(table)
        if order is None:
            return []
        self._sent = order | {"key": next(self._keys)}
        self._first_sent_at = monotonic()
        self._known[self._sent["key"]] = (self._sent, self.table)
        return [*self._sends(self._sent), *self._noise()]

    def echo(self) -> list[Json]:
        """Return what the second connection sends: now and then what the first one has just sent."""
        return [self._sent] if self._sent is not None and self._chance.below(4) == 0 else []

    def again(self) -> list[Json]:
        """Return what a connection sends as it is opened: what was not answered."""
        return self._sends(self._sent) if self._sent is not None else []

    def _sends(self, order: Json) -> list[Json]:
        self._sent_at = monotonic()
        if self._chance.below(6):
            return [order]
        self._figures.twice += 1
        return [order, order]

    def _noise(self) -> list[Json]:
        """Return an order of before, as it was or made anew, now and then."""
        old = [order for order, table in list(self._known.values())[-_REMEMBERED:-1] if table == self.table]
        if not old or self._chance.below(8):
            return []
        self._figures.stale += 1
        order = self._chance.choice(old)
        if self._chance.below(2):
            return [order]
        anew = order | {"key": next(self._keys)}
        self._late.add(anew["key"])
        self._known[anew["key"]] = (anew, self.table)
        return [anew]

    # ------------------------------------------------------------ what it is answered

    def acknowledged(self, message: Json, table: str) -> None:
        """Take an acknowledgement."""
        key, version = message["key"], message["version"]
        if key not in self._known:
            return
        order, meant = self._known[key]
        is_again = key in self._promised
        self._promised.add(key)
        if meant == table:
            self.acknowledgements.append(
                Acknowledged(table, key, version, order, is_again, key in self._late)
            )
            self._highest[table] = max(self.highest(table), version)
        if self._sent is not None and key == self._sent["key"]:
            self._figures.waits.append(monotonic() - self._first_sent_at)
            self._sent = None
        self._figures.on_message()

    def refused(self, message: Json) -> None:
        """Take a refusal; what the store did not take is sent again."""
        code = message["code"]
        self._figures.refused[code] += 1
        if self._sent is not None and message.get("key") == self._sent["key"]:
            if code.startswith("storage/"):
                self._sent_at = monotonic() - _AGAIN + _PATIENCE
            else:
                self._sent = None
                self._answered.discard(self._latest)  # it answers once more what it answered last
                self._rests_until = monotonic() + (_PATIENCE if code.startswith("action/") else 0)

    def turned_away(self, status: int) -> None:
        """Count a refused handshake."""
        self._figures.refused[f"http/{status}"] += 1

    def lost_track(self) -> Json:
        """Return how the whole table is asked for."""
        return {"type": "table", "key": next(self._keys)}

    # ------------------------------------------------------------ what it decides

    def _decides(self, table: Json) -> Json | None:
        """Return what is asked of the seat, None if nothing is."""
        seat = _own_seat(table)
        if seat is None:
            free = [one["seat"] for one in table["seats"] if not one["taken"]]
            return {"type": "sit", "seat": free[0]} if free else None
        state = seen(table)
        if state["outcome"] is not None:
            rematch = state["rematch"]
            is_asked = self.plays_on and seat not in rematch["agreed"] and not rematch["table"]
            return {"type": "rematch", "seat": seat} if is_asked else None
        if not all(one["taken"] for one in table["seats"]):
            return None
        afar = afar_of(table["game"])
        return self._act(table, state, seat) if afar is None else self._intent(table, state, seat, afar)

    def _act(self, table: Json, state: Json, seat: int) -> Json | None:
        """Return what a seat does where one decides after the other."""
        if seat not in state["asked"]:
            return None
        action = self._chance.choice(offered(state["position"], seat))["action"]
        return {"type": "act", "seat": seat, "version": table["version"], "action": action, "hold": False}

    def _intent(self, table: Json, state: Json, seat: int, afar: Afar[Any]) -> Json | None:
        """Return what a seat does where the quicker hand wins; each thing that is asked it answers once."""
        greeting = afar.greeting(state, seat)
        if greeting is not None:
            return {"type": "intent", "seat": seat, "action": greeting}
        for asks, key in afar.asked(state, table["options"], seat):
            named = f"{table['id']} {key}"
            if named not in self._answered:
                self._answered.add(named)
                self._latest = named
                player = bot(table["game"], "random")
                action = afar.answer(player, afar.sight(state, seat), seat, asks, self._chance)
                if action is not None:
                    return {"type": "intent", "seat": seat, "action": action}
        return None


class _Channel:
    """One of a player's connections, which reconnects whenever it is lost."""

    def __init__(self, player: Player, *, is_second: bool) -> None:
        self._player = player
        self._is_second = is_second
        self._seen: Json = {}
        self._least = 0

    async def keep(self) -> None:
        """Keep a connection open until the task is cancelled."""
        while True:
            player = self._player
            self._least = player.highest(player.table)
            try:
                async with connect(
                    player.address(),
                    additional_headers=player.headers,
                    proxy=None,
                    max_size=None,
                    open_timeout=_BEAT,
                    ping_interval=_BEAT / 2,
                    ping_timeout=_BEAT / 2,
                    close_timeout=_PAUSE,
                ) as connection:
                    await self._converse(connection)
            except (OSError, WebSocketException, EOFError) as error:
                if isinstance(error, InvalidStatus):
                    player.turned_away(error.response.status_code)
                await asyncio.sleep(_PAUSE)

    async def _converse(self, connection: ClientConnection) -> None:
        """Receive and answer until the game goes on at another table."""
        self._seen = {}
        await self._send(connection, self._player.again())
        while True:
            try:
                async with asyncio.timeout(
                    _PATIENCE
                ):  # in 3.11 wait_for swallows a cancellation now and then
                    text = await connection.recv()
            except TimeoutError:
                pass
            else:
                await self._send(connection, self._take(json.loads(text)))
            if self._seen and (self._seen["id"] != self._player.table or self._goes_on()):
                return
            await self._send(connection, self._messages())

    def _goes_on(self) -> bool:
        return not self._is_second and self._player.follows(self._seen)

    def _messages(self) -> list[Json]:
        if not self._seen:
            return []
        return self._player.echo() if self._is_second else self._player.orders(self._seen)

    async def _send(self, connection: ClientConnection, messages: list[Json]) -> None:
        for message in messages:
            await connection.send(json.dumps(message))

    def _take(self, message: Json) -> list[Json]:
        """Take a message in; return what has to be sent because of it."""
        match message["type"]:
            case "table":
                self._shown(message, message)
            case "update" if self._seen:
                try:
                    self._shown(updated(self._seen, message), message)
                except LostTrackError:
                    return [self._player.lost_track()]
            case "seats" if self._seen:
                self._seen = {**self._seen, "seats": message["seats"]}
            case "ack":
                self._player.acknowledged(message, self._seen["id"])
            case "error":
                self._player.refused(message)
        return []

    def _shown(self, table: Json, message: Json) -> None:
        self._player.shows(table, self._least)
        self._seen, self._least = table, table["version"]
        self._player.checks(message, table)


def _own_seat(table: Json) -> int | None:
    return next((seat["seat"] for seat in table["seats"] if seat["yours"]), None)
