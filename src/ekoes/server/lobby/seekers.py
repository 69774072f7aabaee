"""Who looks for a game, what they want to play, and how near they are to each other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

import orjson

from ekoes.errors import TableError
from ekoes.games.contract import Json
from ekoes.games.registry import game as game_of
from ekoes.match.clock_plan import clock_json
from ekoes.match.new import new_table
from ekoes.match.plan import TableOptions
from ekoes.match.rated import check_rated_options, pool
from ekoes.match.rating import Rating
from ekoes.match.seats import Seat, SeatPlan, seats_from_plans
from ekoes.match.state import Table
from ekoes.server.lobby.entries import chosen
from ekoes.server.lobby.messages import Bots

__all__ = ["Seeker", "Wish", "wish_of"]

_NEAR = 200
"""Points of rating by which two may differ who are brought together at once."""
_WIDER = 10
"""Points more with each second that the one of them who came first has waited."""


@dataclass(frozen=True)
class Wish:
    """What is to be played: with equal names the same. table: as it would begin, with all seats free."""

    table: Table

    @cached_property
    def name(self) -> str:
        """A name that equal wishes share."""
        table = self.table
        parts = (table.game, self.players, table.turn_limit, self._clock, table.rated, table.options)
        return orjson.dumps(parts, option=orjson.OPT_SORT_KEYS).decode()

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.table.seats)

    @property
    def pool(self) -> str:
        """With which games it is compared."""
        return pool(self.table)

    @property
    def about(self) -> Json:
        """What everybody is told of it."""
        table = self.table
        told = {"game": table.game, "players": self.players, "options": chosen(table.game, table.options)}
        rated = {"rated": True} if table.rated else {}
        return told | rated | ({"clock": self._clock} if self._clock else {})

    def table_of(self, seats: tuple[Seat, ...], seed: int) -> Table:
        """Return a table for who was found. Raises EkoesError if there can't be one."""
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
    """Somebody who looks for a game. tell: hears how it ends. apart: with whom it is not to be.

    since: when they began to look. rating: among the games that are wished for; None: unknown. address:
    from where they come, two from one play no rated game; None: it does not matter.
    """

    holder: str
    name: str
    wish: Wish
    bots: Bots | None
    tell: Callable[[Json], None]
    since: datetime
    apart: frozenset[str] = frozenset()
    rating: Rating | None = None
    address: str | None = None
    patience: asyncio.Task[None] | None = field(default=None)

    def plays_with(self, other: Seeker) -> bool:
        """Tell whether nothing keeps two apart."""
        if self.wish.table.rated and self.address is not None and self.address == other.address:
            return False
        return other.holder not in self.apart and self.holder not in other.apart

    def distance(self, other: Seeker) -> int:
        """Return by how many points two differ; 0 where one of them is not known."""
        if self.rating is None or other.rating is None:
            return 0
        return abs(self.rating.shown - other.rating.shown)

    def is_near(self, other: Seeker, now: datetime) -> bool:
        """Tell whether two play as equals; whoever has waited long is near to more and more."""
        waited = (now - min(self.since, other.since)).total_seconds()
        return self.distance(other) <= _NEAR + _WIDER * waited


def wish_of(game: str, options: TableOptions) -> Wish:
    """Return what somebody wants to play, as the game reads it. Raises EkoesError naming the key."""
    if options.rated:
        check_rated_options(options)
    seated = game_of(game).players
    wanted = options.of_game()
    players = wanted.get("players")
    if not isinstance(players, int) or players not in seated:
        message = f"{seated.start} to {seated.stop - 1} can play"
        raise TableError(message, code="table/bad-seats", key="players")
    seats = seats_from_plans((SeatPlan(kind="open"),) * players, "", "", seated.stop - 1)
    table = new_table(
        game,
        wanted,
        0,
        seats,
        turn_limit=options.turn_limit,
        rated=options.rated,
        clock=options.clock,
    )
    return Wish(table)
