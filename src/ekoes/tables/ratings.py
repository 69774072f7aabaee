"""Rating arithmetic, and which games are rated."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ekoes.errors import TableError
from ekoes.games.api.contract import Json
from ekoes.games.api.values import changed
from ekoes.tables.settings import TableOptions, TablePlan
from ekoes.tables.table import Table

if TYPE_CHECKING:
    from openskill.models import BradleyTerryFull

_BASE = 1500
_SCALE = 30
"""Rating points per unit of the model: 400 points are odds of about ten to one."""


class Rating(NamedTuple):
    """A player's rating. mean and deviation: of the model's normal distribution."""

    mean: float
    deviation: float

    @property
    def shown(self) -> int:
        """The rating in points."""
        return round(_BASE + _SCALE * (self.mean - NEW.mean))

    @property
    def is_provisional(self) -> bool:
        """Whether there were too few games for a reliable rating."""
        return self.deviation > UNCERTAIN

    def to_json(self) -> Json:
        """Return the rating as JSON."""
        return {
            "rating": self.shown,
            "deviation": round(_SCALE * self.deviation),
            "provisional": self.is_provisional,
        }


NEW = Rating(25.0, 25.0 / 3)
"""The rating of a new player."""
UNCERTAIN = 5.5
"""Deviation above which a rating is provisional: that of some sixteen games for two."""


def after_game(players: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """Return the ratings of players after a game. ranks: how many players finished before each of them."""
    model = _model()
    teams = [[model.rating(mu=player.mean, sigma=player.deviation)] for player in players]
    rated = model.rate(teams, ranks=[float(rank) for rank in ranks])
    return [Rating(player.mu, player.sigma) for (player,) in rated]


@cache
def _model() -> BradleyTerryFull:
    # the rest of this package needs no extra
    from openskill.models import BradleyTerryFull  # noqa: PLC0415

    return BradleyTerryFull()


T = TypeVar("T", bound=Table)


def check_rated(plan: TablePlan) -> None:
    """Raise TableError if a rated table has bots, several seats at one browser, or a chosen seed."""
    here = sum(seat.kind == "here" for seat in plan.seats)
    if any(seat.kind == "bot" for seat in plan.seats) or here > 1:
        message = "at a rated table each seat is one person's at a browser of their own"
        raise TableError(message, code="table/rated", key="seats")
    check_rated_options(plan.options)


def check_rated_options(options: TableOptions) -> None:
    """Raise TableError, naming the key, if a rated table has a chosen seed or a limit of turns."""
    for key in ("seed", "turn_limit"):
        if getattr(options, key) is not None:
            raise TableError("a rated table takes none", code="table/rated", key=key)


def with_left(before: T, after: T) -> T:
    """Return a table; if it is rated, the players whose seats now have bots are noted as left."""
    if not after.rated:
        return after
    is_bot = [seat.kind == "bot" for seat in after.seats]
    stays = tuple(gone for gone in before.left if is_bot[gone[0]])
    fresh = tuple(
        (number, seat.session)
        for number, seat in enumerate(before.seats)
        if seat.session is not None and is_bot[number]
    )
    return changed(after, left=stays + fresh)


def with_absent_left(table: T, seats: Collection[int]) -> T:
    """Return a rated table that ended without some of its players, who are noted as left."""
    if not table.rated:
        return table
    gone = tuple((seat, user) for seat in sorted(seats) if (user := table.seats[seat].session) is not None)
    return changed(table, left=table.left + gone)


def users(table: Table) -> tuple[str | None, ...]:
    """Return the session for which each seat's result counts: a player who left has lost."""
    left = dict(table.left)
    return tuple(left.get(number, seat.session) for number, seat in enumerate(table.seats))


def pool(table: Table) -> str:
    """Return the rating pool of a table: game, number of players and kind of clock."""
    return f"{table.game}/{len(table.seats)}/{table.tempo}"


def ranks(table: Table) -> tuple[int, ...]:
    """Return for each seat of a finished game how many finished before it; equal numbers share a rank.

    Winners come first, then the others by their scores, then those who left, the first to leave last. Without
    a winner all who stayed are equal.
    """
    winners, merits = _winners(table), table.merits()
    left = {seat: number for number, (seat, _) in enumerate(table.left)}

    def merit(seat: int) -> tuple[bool, bool, int]:
        if seat in left:
            return False, False, left[seat]
        has_won = seat in winners
        return True, has_won, 0 if has_won or not winners else merits[seat]

    places = [merit(seat) for seat in range(len(table.seats))]
    return tuple(sum(other > own for other in places) for own in places)


def has_won(table: Table, seat: int) -> bool:
    """Return whether the player who started at a seat has won."""
    return seat in _winners(table) and seat not in dict(table.left)


def _winners(table: Table) -> Collection[int]:
    return table.outcome.winners if table.outcome else ()
