"""Pairs users who seek the same game, and fills up with bots after a while."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from random import SystemRandom
from typing import Annotated

import orjson
from pydantic import Field, TypeAdapter

from ekoes.bots import bots, is_bot
from ekoes.errors import EkoesError, TableError
from ekoes.games.api.contract import Json
from ekoes.games.api.registry import game as game_of
from ekoes.games.api.values import changed
from ekoes.protocol import Bots, LobbyMessage
from ekoes.server.ops.clock import Clock
from ekoes.server.ops.logs import LOG
from ekoes.server.ops.secrets import fresh_seed
from ekoes.server.ops.tasks import Errands
from ekoes.server.runtime.viewers import chosen
from ekoes.tables.create import new_table, with_parts_of
from ekoes.tables.ratings import Rating, check_rated_options, pool
from ekoes.tables.settings import Seat, TableOptions, clock_json
from ekoes.tables.table import Table

MESSAGES: TypeAdapter[LobbyMessage] = TypeAdapter(Annotated[LobbyMessage, Field(discriminator="type")])

_NEAR = 200
"""Largest rating difference at which two seekers are paired at once."""
_WIDER = 10
"""Points by which the range widens per second that the first of them has waited."""


@dataclass(frozen=True)
class Sought:
    """The game that a user seeks. table: its first state with all seats open."""

    table: Table

    @cached_property
    def name(self) -> str:
        """The key of a sought game: equal for equal ones."""
        table = self.table
        parts = (table.game, self.players, table.turn_limit, self._clock, table.rated, table.options)
        return orjson.dumps(parts, option=orjson.OPT_SORT_KEYS).decode()

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.table.seats)

    @property
    def pool(self) -> str:
        """The rating pool."""
        return pool(self.table)

    @property
    def about(self) -> Json:
        """The public entry in the lobby."""
        table = self.table
        entry = {"game": table.game, "players": self.players, "options": chosen(table.game, table.options)}
        rated = {"rated": True} if table.rated else {}
        return entry | rated | ({"clock": self._clock} if self._clock else {})

    def table_of(self, seats: tuple[Seat, ...], seed: int) -> Table:
        """Return a table with players in its seats. Raises EkoesError."""
        like = self.table
        return new_table(
            like.game,
            like.options,
            seed,
            seats,
            turn_limit=like.turn_limit,
            rated=like.rated,
            clock=like.clock,
        )

    @property
    def _clock(self) -> Json | None:
        return clock_json(self.table.clock) if self.table.clock else None


@dataclass(eq=False, slots=True)
class Seeker:
    """A user who seeks a game.

    receive: is called with the result. since: when they began. apart: users they must not be paired with.
    rating: in the pool; None: unknown. address: two users with the same one are not paired for a rated game;
    both get a message about that, is_warned: once. gives_part: their browser adds a part to the seed of the
    deal.
    """

    user: str
    name: str
    sought: Sought
    bots: Bots | None
    receive: Callable[[Json], None]
    since: datetime
    apart: frozenset[str] = frozenset()
    rating: Rating | None = None
    address: str | None = None
    patience: asyncio.Task[None] | None = None
    is_warned: bool = False
    gives_part: bool = False

    def plays_with(self, other: Seeker) -> bool:
        """Return whether two seekers may be paired."""
        if self.is_too_near(other):
            return False
        return other.user not in self.apart and self.user not in other.apart

    def is_too_near(self, other: Seeker) -> bool:
        """Return whether two seekers have one address, between which no game is rated."""
        return self.sought.table.rated and self.address == other.address

    def warn(self) -> None:
        """Send once that a seeker with the same address waits."""
        if not self.is_warned:
            self.is_warned = True
            self.receive({"type": "same-network"})

    def distance(self, other: Seeker) -> int:
        """Return the difference of two ratings; 0 if one is unknown."""
        if self.rating is None or other.rating is None:
            return 0
        return abs(self.rating.shown - other.rating.shown)

    def is_near(self, other: Seeker, now: datetime) -> bool:
        """Return whether two ratings are close enough; the range widens with the waiting time."""
        waited = (now - min(self.since, other.since)).total_seconds()
        return self.distance(other) <= _NEAR + _WIDER * waited


def sought_of(game: str, options: TableOptions) -> Sought:
    """Return the game that a user seeks. Raises EkoesError naming the key."""
    if options.rated:
        check_rated_options(options)
    seated = game_of(game).players
    wanted = options.of_game()
    players = wanted.get("players")
    if not isinstance(players, int) or players not in seated:
        message = f"{seated.start} to {seated.stop - 1} players can play"
        raise TableError(message, code="table/bad-seats", key="players")
    seats = tuple(Seat("open", "", colour) for colour in range(players))
    table = new_table(
        game,
        wanted,
        0,
        seats,
        turn_limit=options.turn_limit,
        rated=options.rated,
        clock=options.clock,
    )
    return Sought(table)


_CHANCE = SystemRandom()
_LOOK_AGAIN = 1
"""Seconds between two attempts to pair waiting seekers."""


class Pairing:
    """The seekers by sought game, in the order of arrival.

    Pairs those with the closest ratings: at once if they are close, else after a wait. An unknown rating is
    close to all. create: stores a table and returns its id. publish: receives the number of seekers of a
    game.
    """

    def __init__(
        self,
        clock: Clock,
        create: Callable[[Table], Awaitable[str]],
        publish: Callable[[Sought, int], None],
    ) -> None:
        self._clock = clock
        self._create = create
        self._publish = publish
        self._waiting: dict[str, list[Seeker]] = {}
        self._errands = Errands("pairing")
        self._looking: asyncio.Task[None] | None = None

    @property
    def number(self) -> int:
        """The number of seekers."""
        return sum(map(len, list(self._waiting.values())))

    def seek(self, seeker: Seeker) -> None:
        """Add a seeker, or pair them at once. Raises TableError."""
        wanted = seeker.bots
        if wanted is not None:
            _check_bots(seeker.sought, wanted)
        self._waiting.setdefault(seeker.sought.name, []).append(seeker)
        self._count(seeker.sought)
        if self._pairs(seeker):
            return
        for other in self._waiting[seeker.sought.name]:
            if other.user != seeker.user and seeker.is_too_near(other):
                other.warn()
                seeker.warn()
        if wanted is not None:
            seeker.patience = self._errands.run(self._lose_patience(seeker, wanted))
        if self._looking is None and len(self._waiting[seeker.sought.name]) > 1:
            self._looking = self._errands.run(self._look_again())

    def leave(self, seeker: Seeker) -> None:
        """Remove a seeker, if they still wait."""
        waiting = self._waiting.get(seeker.sought.name, [])
        if seeker in waiting:
            self._take([seeker])

    async def stop(self) -> None:
        """Stop pairing."""
        await self._errands.end()

    def _pairs(self, seeker: Seeker) -> bool:
        """Pair a seeker if enough others are close to them and to each other; return whether it did."""
        now = self._clock.now()
        group = self._companions(seeker, lambda one, other: one.is_near(other, now))
        if len(group) < seeker.sought.players:
            return False
        self._begin(group)
        return True

    async def _look_again(self) -> None:
        """Pair seekers whose range has widened, until no sought game has two of them."""
        while any(len(some) > 1 for some in self._waiting.values()):
            await self._clock.sleep(_LOOK_AGAIN)
            for seeker in [one for some in self._waiting.values() for one in some]:
                if seeker in self._waiting.get(seeker.sought.name, ()):
                    self._pairs(seeker)
                await asyncio.sleep(0)  # others' turn: a thousand may wait, none of whom plays with another
        self._looking = None

    def _companions(self, seeker: Seeker, would: Callable[[Seeker, Seeker], bool]) -> list[Seeker]:
        """Return a seeker and companions, each user once: closest rating first, then longest waiting.

        would: an additional condition for each pair.
        """
        group = {seeker.user: seeker}
        others = filter(seeker.plays_with, self._waiting[seeker.sought.name])
        for other in sorted(others, key=seeker.distance):
            is_free = len(group) < seeker.sought.players and other.user not in group
            if is_free and all(one.plays_with(other) and would(one, other) for one in group.values()):
                group[other.user] = other
        return list(group.values())

    async def _lose_patience(self, seeker: Seeker, wanted: Bots) -> None:
        """After the seeker's delay, start with bots and with other seekers who accept bots."""
        await self._clock.sleep(wanted.after)
        group = self._companions(seeker, lambda _, other: other.bots is not None)
        seeker.patience = None
        self._begin(group)

    def _begin(self, group: Sequence[Seeker]) -> None:
        self._take(group)
        self._errands.run(self._open(group))

    def _take(self, group: Sequence[Seeker]) -> None:
        sought = group[0].sought
        left = [one for one in self._waiting.pop(sought.name) if one not in group]
        if left:
            self._waiting[sought.name] = left
        for one in group:
            if one.patience is not None:
                one.patience.cancel()
        self._count(sought)

    async def _open(self, group: Sequence[Seeker]) -> None:
        try:
            table = await asyncio.to_thread(_table_of, group)
            result: Json = {"type": "paired", "table": await self._create(table), "game": table.game}
        except EkoesError as error:
            LOG.error("table for paired seekers could not be created", error=str(error))
            result = {
                "type": "error",
                "code": error.code,
                "message": "The table could not be created; please try again",
            }
        for one in group:
            one.receive(result)

    def _count(self, sought: Sought) -> None:
        self._publish(sought, len(self._waiting.get(sought.name, ())))


def _check_bots(sought: Sought, wanted: Bots) -> None:
    """Raise TableError if the bot does not exist or may not play."""
    game = sought.table.game
    if sought.table.rated:
        raise TableError("bots can't play rated games", code="table/rated", key="bots")
    if not is_bot(game, wanted.bot):
        message = f"no bot is called {wanted.bot!r:.40}; there are: {', '.join(bots(game))}"
        raise TableError(message, code="table/bad-seats", key="bot")


def _table_of(group: Sequence[Seeker]) -> Table:
    sought, bot = group[0].sought, next((one.bots.bot for one in group if one.bots), None)
    seats = [Seat("open", one.name, 0, session=one.user) for one in group]
    seats += [Seat("bot", "", 0, bot=bot)] * (sought.players - len(group))
    _CHANCE.shuffle(seats)
    seats = [changed(seat, colour=colour) for colour, seat in enumerate(seats)]
    table = changed(sought.table_of(tuple(seats), fresh_seed()), public=True)
    return with_parts_of(table, {one.user for one in group if one.gives_part})
