"""Somebody who plays whatever is asked, over lines that are lost, and asks again what was not answered."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus, WebSocketException

from ekoes.games.chance import Chance
from ekoes.match.updates import LostTrackError, seen, updated
from ekoes.server.messages import PROTOCOL
from tools.faults.eyes import Witness
from tools.faults.mind import Mind
from tools.faults.times import Span

__all__ = ["Acknowledged", "Figures", "Player"]

_PATIENCE = 1.0
"""Seconds after which a player looks again what there is to do."""
_AGAIN = 3.0
"""Seconds after which an order that nobody has answered is sent again."""
_BEAT = 4.0
"""Seconds of silence on a line after which it is given up."""
_PAUSE = 0.05
_REMEMBERED = 50

Json = dict[str, Any]


@dataclass(frozen=True)
class Acknowledged:
    """What the server has promised to keep. is_again: it was acknowledged before.

    is_late: the order of before, made anew, which may come to nothing, as a second tap on a card does.
    """

    table: str
    key: str
    version: int
    order: Json
    is_again: bool = False
    is_late: bool = False


@dataclass
class Figures:
    """What all players have met with. waits: of acknowledgements, in seconds, since the last look.

    played: from when to when anybody has seen each table go on, after its first decision.
    """

    lines: int = 0
    lost_track: int = 0
    twice: int = 0
    stale: int = 0
    refused: dict[str, int] = field(default_factory=dict)
    waits: list[float] = field(default_factory=list)
    played: dict[str, Span] = field(default_factory=dict)
    hears: Callable[[], None] = lambda: None

    def sees(self, table: Json) -> None:
        """Note when a table goes on."""
        begun, ended = self.played.get(table["id"], (monotonic(), 0.0))
        if table["log"] and (not ended or seen(table)["outcome"] is None):
            self.played[table["id"]] = begun, monotonic()


class Player:
    """Whoever holds one seat of a table, by two lines, the second of which is out of step.

    told: all that was acknowledged, in order. wrong: what the server must not have told.
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
        self.told: list[Acknowledged] = []
        self.wrong: list[str] = []
        self.plays_on = True
        self._address, self._cookie, self._chance = address.replace("http", "ws"), cookie, chance
        self._witness, self._figures = witness, figures
        self._mind = Mind(chance.split())
        self._keys = (f"{name}-{number}" for number in itertools.count())
        self._sent: Json | None = None
        self._sent_at = 0.0
        self._first_sent_at = 0.0
        self._rests_until = 0.0
        self._known: dict[str, tuple[Json, str]] = {}
        self._late: set[str] = set()
        self._promised: set[str] = set()
        self._highest: dict[str, int] = {}
        self.state: Json = {}

    async def play(self) -> None:
        """Play until the task is cancelled."""
        async with asyncio.TaskGroup() as lines:
            for number in range(2):
                lines.create_task(_Way(self, is_second=number > 0).keep())

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

    # ------------------------------------------------------------ what its lines do

    def address(self) -> str:
        """Return where the table is."""
        return f"{self._address}/api/tables/{self.table}/socket?protocol={PROTOCOL}"

    @property
    def headers(self) -> dict[str, str]:
        """Of each line: who it is."""
        self._figures.lines += 1
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
        self._figures.hears()

    def checks(self, message: Json, table: Json) -> None:
        """See whether a message tells what it must not."""
        if table["game"] == "ekko":
            self.wrong += self._witness.hears(self.name, message, table)

    def follows(self, table: Json) -> bool:
        """Take what the first line shows; tell whether there is another table to go on at."""
        self.state = seen(table)
        after = self.state["rematch"]["table"]
        if after is not None and self._sent is None:
            self.table, self.state = after, {}
        return bool(self.table != table["id"])

    def wish(self, table: Json) -> list[Json]:
        """Return what the first line sends now: what is asked, again what was not answered, and noise."""
        if self._sent is not None:
            is_late = monotonic() - self._sent_at > _AGAIN
            return self._sends(self._sent) if is_late else []
        rests = monotonic() < self._rests_until
        is_shown = table["version"] >= self.highest(table["id"])  # else it would ask once more for a rematch
        order = None if rests or not is_shown else self._mind.order(table, plays_on=self.plays_on)
        if order is None:
            return []
        self._sent = order | {"key": next(self._keys)}
        self._first_sent_at = monotonic()
        self._known[self._sent["key"]] = (self._sent, self.table)
        return [*self._sends(self._sent), *self._noise()]

    def echo(self) -> list[Json]:
        """Return what the second line sends: now and then what the first one has just sent."""
        return [self._sent] if self._sent is not None and self._chance.below(4) == 0 else []

    def again(self) -> list[Json]:
        """Return what a line sends as it is opened: what was not answered."""
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
            self.told.append(Acknowledged(table, key, version, order, is_again, key in self._late))
            self._highest[table] = max(self.highest(table), version)
        if self._sent is not None and key == self._sent["key"]:
            self._figures.waits.append(monotonic() - self._first_sent_at)
            self._sent = None
        self._figures.hears()

    def refused(self, message: Json) -> None:
        """Take a refusal; what the store did not take is sent again."""
        code = message["code"]
        self._figures.refused[code] = self._figures.refused.get(code, 0) + 1
        if self._sent is not None and message.get("key") == self._sent["key"]:
            if code.startswith("storage/"):
                self._sent_at = monotonic() - _AGAIN + _PATIENCE
            else:
                self._sent = None
                self._mind.forget()
                self._rests_until = monotonic() + (_PATIENCE if code.startswith("action/") else 0)

    def turned_away(self, status: int) -> None:
        """Take it that a line was not let in."""
        code = f"http/{status}"
        self._figures.refused[code] = self._figures.refused.get(code, 0) + 1

    def lost_track(self) -> Json:
        """Return how the whole table is asked for."""
        self._figures.lost_track += 1
        return {"type": "table", "key": next(self._keys)}


class _Way:
    """One of a player's lines, opened anew whenever it is lost."""

    def __init__(self, player: Player, *, is_second: bool) -> None:
        self._player = player
        self._is_second = is_second
        self._seen: Json = {}
        self._least = 0

    async def keep(self) -> None:
        """Keep a line open until the task is cancelled."""
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
                ) as line:
                    await self._converse(line)
            except (OSError, WebSocketException, EOFError) as error:
                if isinstance(error, InvalidStatus):
                    player.turned_away(error.response.status_code)
                await asyncio.sleep(_PAUSE)

    async def _converse(self, line: ClientConnection) -> None:
        """Hear and answer until there is another table to go on at."""
        self._seen = {}
        await self._send(line, self._player.again())
        while True:
            try:
                async with asyncio.timeout(
                    _PATIENCE
                ):  # in 3.11 wait_for swallows a cancellation now and then
                    text = await line.recv()
            except TimeoutError:
                pass
            else:
                await self._send(line, self._take(json.loads(text)))
            if self._seen and (self._seen["id"] != self._player.table or self._goes_on()):
                return
            await self._send(line, self._wishes())

    def _goes_on(self) -> bool:
        return not self._is_second and self._player.follows(self._seen)

    def _wishes(self) -> list[Json]:
        if not self._seen:
            return []
        return self._player.echo() if self._is_second else self._player.wish(self._seen)

    async def _send(self, line: ClientConnection, messages: list[Json]) -> None:
        for message in messages:
            await line.send(json.dumps(message))

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
