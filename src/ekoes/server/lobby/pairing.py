"""Who looks for a game: those who want the same are brought together, or bots sit down after a while."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from random import SystemRandom
from typing import Any

import orjson

from ekoes.bots import bots, is_bot
from ekoes.errors import EkoesError, TableError
from ekoes.games.changing import changed
from ekoes.games.contract import Json
from ekoes.games.registry import game as game_of
from ekoes.match.clock_plan import ClockPlan, clock_json
from ekoes.match.new import new_table
from ekoes.match.plan import TableOptions
from ekoes.match.seats import SeatPlan, seats_from_plans
from ekoes.match.state import Table
from ekoes.server.chance import fresh_seed
from ekoes.server.clock import Clock
from ekoes.server.lobby.entries import chosen
from ekoes.server.lobby.messages import Bots

__all__ = ["Pairing", "Seeker", "Wish", "wish_of"]

_LOG = logging.getLogger("ekoes.server")
_CHANCE = SystemRandom()


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be played: with equal names the same. options: all of them, as the game reads them.

    clock: how much time people have; None: no end of it.
    """

    game: str
    players: int
    options: Json
    turn_limit: int | None
    clock: ClockPlan | None

    @property
    def name(self) -> str:
        """A name that equal wishes share."""
        clock = self.clock and clock_json(self.clock)
        parts = (self.game, self.players, self.turn_limit, clock, self.options)
        return orjson.dumps(parts, option=orjson.OPT_SORT_KEYS).decode()

    @property
    def about(self) -> Json:
        """What everybody is told of it."""
        about = {"game": self.game, "players": self.players, "options": chosen(self.game, self.options)}
        return about | ({"clock": clock_json(self.clock)} if self.clock else {})


@dataclass(eq=False, slots=True)
class Seeker:
    """Somebody who looks for a game. tell: hears how it ends. apart: with whom it is not to be."""

    holder: str
    name: str
    wish: Wish
    bots: Bots | None
    tell: Callable[[Json], None]
    apart: frozenset[str] = frozenset()
    patience: asyncio.Task[None] | None = field(default=None)

    def plays_with(self, other: Seeker) -> bool:
        """Tell whether nothing keeps two apart."""
        return other.holder not in self.apart and self.holder not in other.apart


def wish_of(game: str, options: TableOptions) -> Wish:
    """Return what somebody wants to play, as the game reads it. Raises EkoesError naming the key."""
    if options.rated:
        message = "a rated game is played by invitation, or at an open table"
        raise TableError(message, code="table/rated", key="rated")
    most = game_of(game).players.stop - 1
    wanted = options.of_game()
    players = wanted.get("players")
    if not isinstance(players, int) or players not in game_of(game).players:
        least = game_of(game).players.start
        raise TableError(f"{least} to {most} can play", code="table/bad-seats", key="players")
    seats = seats_from_plans((SeatPlan(kind="open"),) * players, "", "", most)
    table = new_table(game, wanted, 0, seats, turn_limit=options.turn_limit, clock=options.clock)
    return Wish(game, players, table.options, options.turn_limit, options.clock)


class Pairing:
    """Those who look for a game, by what they want, in the order in which they came.

    Whoever waits longest is served first; where ratings are known, ``_companions`` is the place to choose
    the nearest of those who wait.
    """

    def __init__(
        self, clock: Clock, create: Callable[[Table], Awaitable[str]], tell: Callable[[Wish, int], None]
    ) -> None:
        """Begin with nobody. create: keeps a table; tell: hears how many want something."""
        self._clock = clock
        self._create = create
        self._tell = tell
        self._waiting: dict[str, list[Seeker]] = {}
        self._at_work: set[asyncio.Task[None]] = set()

    def seek(self, seeker: Seeker) -> None:
        """Let somebody wait, or begin at once with those who do. Raises TableError."""
        wanted = seeker.bots
        if wanted is not None and not is_bot(seeker.wish.game, wanted.bot):
            message = f"no bot is called {wanted.bot!r:.40}; there are: {', '.join(bots(seeker.wish.game))}"
            raise TableError(message, code="table/bad-seats", key="bot")
        self._waiting.setdefault(seeker.wish.name, []).append(seeker)
        self._count(seeker.wish)
        group = self._companions(seeker)
        if len(group) == seeker.wish.players:
            self._begin(group)
        elif wanted is not None:
            seeker.patience = self._work(self._lose_patience(seeker, wanted))

    def leave(self, seeker: Seeker) -> None:
        """Let somebody wait no more; nothing if they don't."""
        waiting = self._waiting.get(seeker.wish.name, [])
        if seeker in waiting:
            self._take([seeker])

    async def stop(self) -> None:
        """Bring nobody together any more."""
        for task in list(self._at_work):
            task.cancel()
        await asyncio.gather(*self._at_work, return_exceptions=True)

    def _companions(self, seeker: Seeker) -> list[Seeker]:
        """Return who would play with a seeker, itself among them: nobody twice, no more than can play.

        Nobody plays so with somebody who has blocked them.
        """
        group = {seeker.holder: seeker}
        for other in self._waiting[seeker.wish.name]:
            if len(group) < seeker.wish.players and all(map(other.plays_with, group.values())):
                group.setdefault(other.holder, other)
        return list(group.values())

    async def _lose_patience(self, seeker: Seeker, wanted: Bots) -> None:
        """Begin with bots, and with those who wait and would have them too, after a while."""
        await self._clock.sleep(wanted.after)
        group = [one for one in self._companions(seeker) if one.bots is not None]
        seeker.patience = None
        self._begin(group)

    def _begin(self, group: Sequence[Seeker]) -> None:
        self._take(group)
        self._work(self._open(group))

    def _take(self, group: Sequence[Seeker]) -> None:
        """Let a group wait no more."""
        wish = group[0].wish
        left = [one for one in self._waiting.pop(wish.name) if one not in group]
        if left:
            self._waiting[wish.name] = left
        for one in group:
            if one.patience is not None:
                one.patience.cancel()
        self._count(wish)

    async def _open(self, group: Sequence[Seeker]) -> None:
        """Make the table of a group, and tell each of them where it is."""
        try:
            table = await asyncio.to_thread(_table_of, group)
            told: Json = {"type": "paired", "table": await self._create(table), "game": table.game}
        except EkoesError as error:
            _LOG.error("no table for those who look for one: %s", error)
            told = {
                "type": "error",
                "code": error.code,
                "message": "no table could be made; please try again",
            }
        for one in group:
            one.tell(told)

    def _count(self, wish: Wish) -> None:
        self._tell(wish, len(self._waiting.get(wish.name, ())))

    def _work(self, what: Any) -> asyncio.Task[None]:  # noqa: ANN401 - a coroutine
        task = asyncio.create_task(what, name="pairing")
        self._at_work.add(task)
        task.add_done_callback(self._at_work.discard)
        return task


def _table_of(group: Sequence[Seeker]) -> Table:
    """Return a table for a group, in an order that chance decides; bots have the seats that are left."""
    wish, bot = group[0].wish, next((one.bots.bot for one in group if one.bots), None)
    free = wish.players - len(group)
    plans = [SeatPlan(kind="open", name=one.name) for one in group]
    plans += [SeatPlan(kind="bot", bot=bot)] * free
    holders: list[str | None] = [*(one.holder for one in group), *(None,) * free]
    most = game_of(wish.game).players.stop - 1
    seats = [
        changed(seat, session=holder)
        for seat, holder in zip(seats_from_plans(tuple(plans), "", bot or "", most), holders, strict=True)
    ]
    _CHANCE.shuffle(seats)
    seats = [changed(seat, colour=colour) for colour, seat in enumerate(seats)]
    limits: Any = {"turn_limit": wish.turn_limit, "clock": wish.clock}
    table = new_table(wish.game, wish.options, fresh_seed(), tuple(seats), **limits)
    return changed(table, public=True)
