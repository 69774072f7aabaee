"""Who looks for a game: those who want the same are brought together, or bots sit down after a while."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from random import SystemRandom

from ekoes.bots import bots, is_bot
from ekoes.errors import EkoesError, TableError
from ekoes.games.changing import changed
from ekoes.games.contract import Json
from ekoes.games.registry import game as game_of
from ekoes.match.seats import SeatPlan, seats_from_plans
from ekoes.match.state import Table
from ekoes.server.chance import fresh_seed
from ekoes.server.clock import Clock
from ekoes.server.lobby.messages import Bots
from ekoes.server.lobby.seekers import Seeker, Wish
from ekoes.server.logs import log_of
from ekoes.server.tasks import Errands

__all__ = ["Pairing"]

_LOG = log_of("ekoes.server")
_CHANCE = SystemRandom()
_LOOK_AGAIN = 1
"""Seconds after which those who wait may have come near enough to each other."""


class Pairing:
    """Those who look for a game, by what they want, in the order in which they came.

    The nearest in rating are brought together, at once where they are near, and whoever waits long is near
    to more and more. Nobody's rating keeps them from those of whom none is known.
    """

    def __init__(
        self, clock: Clock, create: Callable[[Table], Awaitable[str]], tell: Callable[[Wish, int], None]
    ) -> None:
        """Begin with nobody. create: keeps a table; tell: hears how many want something."""
        self._clock = clock
        self._create = create
        self._tell = tell
        self._waiting: dict[str, list[Seeker]] = {}
        self._errands = Errands("pairing")
        self._looking: asyncio.Task[None] | None = None

    @property
    def number(self) -> int:
        """How many look for others."""
        return sum(map(len, list(self._waiting.values())))

    def seek(self, seeker: Seeker) -> None:
        """Let somebody wait, or begin at once with those who do. Raises TableError."""
        wanted = seeker.bots
        if wanted is not None:
            _check_bots(seeker.wish, wanted)
        self._waiting.setdefault(seeker.wish.name, []).append(seeker)
        self._count(seeker.wish)
        if self._pairs(seeker):
            return
        if wanted is not None:
            seeker.patience = self._errands.run(self._lose_patience(seeker, wanted))
        if self._looking is None and len(self._waiting[seeker.wish.name]) > 1:
            self._looking = self._errands.run(self._look_again())

    def leave(self, seeker: Seeker) -> None:
        """Let somebody wait no more; nothing if they don't."""
        waiting = self._waiting.get(seeker.wish.name, [])
        if seeker in waiting:
            self._take([seeker])

    async def stop(self) -> None:
        """Bring nobody together any more."""
        await self._errands.end()

    def _pairs(self, seeker: Seeker) -> bool:
        """Begin if there are enough who are near to a seeker and to each other; tell whether there were."""
        now = self._clock.now()
        group = self._companions(seeker, lambda one, other: one.is_near(other, now))
        if len(group) < seeker.wish.players:
            return False
        self._begin(group)
        return True

    async def _look_again(self) -> None:
        """Bring those together who have come near by waiting, until nobody waits beside somebody else."""
        while any(len(some) > 1 for some in self._waiting.values()):
            await self._clock.sleep(_LOOK_AGAIN)
            for some in list(self._waiting.values()):
                any(map(self._pairs, some))
        self._looking = None

    def _companions(self, seeker: Seeker, would: Callable[[Seeker, Seeker], bool]) -> list[Seeker]:
        """Return who would play with a seeker, itself among them: nobody twice, no more than can play.

        The nearest come first, of those as near whoever waits longest. would: tells whether two play, who
        are not kept apart.
        """
        group = {seeker.holder: seeker}
        for other in sorted(self._waiting[seeker.wish.name], key=seeker.distance):
            is_free = len(group) < seeker.wish.players and other.holder not in group
            if is_free and all(one.plays_with(other) and would(one, other) for one in group.values()):
                group[other.holder] = other
        return list(group.values())

    async def _lose_patience(self, seeker: Seeker, wanted: Bots) -> None:
        """Begin with bots, and with those who wait and would have them too, after a while."""
        await self._clock.sleep(wanted.after)
        group = self._companions(seeker, lambda _, other: other.bots is not None)
        seeker.patience = None
        self._begin(group)

    def _begin(self, group: Sequence[Seeker]) -> None:
        self._take(group)
        self._errands.run(self._open(group))

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
            _LOG.error("no table for those who look for one", error=str(error))
            told = {
                "type": "error",
                "code": error.code,
                "message": "no table could be made; please try again",
            }
        for one in group:
            one.tell(told)

    def _count(self, wish: Wish) -> None:
        self._tell(wish, len(self._waiting.get(wish.name, ())))


def _check_bots(wish: Wish, wanted: Bots) -> None:
    """Raise TableError if there are no such bots, or none may play."""
    game = wish.table.game
    if wish.table.rated:
        raise TableError("no bot plays a rated game", code="table/rated", key="bots")
    if not is_bot(game, wanted.bot):
        message = f"no bot is called {wanted.bot!r:.40}; there are: {', '.join(bots(game))}"
        raise TableError(message, code="table/bad-seats", key="bot")


def _table_of(group: Sequence[Seeker]) -> Table:
    """Return a table for a group, in an order that chance decides; bots have the seats that are left."""
    wish, bot = group[0].wish, next((one.bots.bot for one in group if one.bots), None)
    free = wish.players - len(group)
    plans = [SeatPlan(kind="open", name=one.name) for one in group]
    plans += [SeatPlan(kind="bot", bot=bot)] * free
    holders: list[str | None] = [*(one.holder for one in group), *(None,) * free]
    most = game_of(wish.table.game).players.stop - 1
    seats = [
        changed(seat, session=holder)
        for seat, holder in zip(seats_from_plans(tuple(plans), "", bot or "", most), holders, strict=True)
    ]
    _CHANCE.shuffle(seats)
    seats = [changed(seat, colour=colour) for colour, seat in enumerate(seats)]
    return changed(wish.table_of(tuple(seats), fresh_seed()), public=True)
