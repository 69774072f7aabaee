"""What those who played have come to: games that are over, ratings, and who stands where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, exists, func, select
from sqlalchemy.orm import aliased

from ekoes.match.rating import UNCERTAIN, Rating
from ekoes.storage.database import transaction
from ekoes.storage.schema import AccountRow, GameRow, RatingRow, ResultRow

__all__ = ["Between", "Played", "Result", "Results", "Standing", "played_where"]


@dataclass(frozen=True, slots=True)
class Standing:
    """How good an account is among the games of a pool, and how many it has played and won."""

    name: str
    pool: str
    rating: Rating
    games: int
    won: int


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended for a seat. account: the name of who sat there, None for guests and bots.

    rating: before and after the game, None where it was not rated.
    """

    seat: int
    holder: str | None
    name: str
    account: str | None
    bot: str | None
    rank: int
    won: bool
    rating: tuple[Rating, Rating] | None


@dataclass(frozen=True, slots=True)
class Played:
    """A game that is over."""

    table_id: str
    pool: str
    rated: bool
    reason: str
    length: int
    ended_at: datetime
    results: tuple[Result, ...]


@dataclass(frozen=True, slots=True)
class Between:
    """How often one of two came before the other in the games that both played."""

    won: int
    lost: int
    even: int


class Results:
    """Tells how games ended. Each method is one transaction and may raise StorageError.

    The methods block; they may be called from any thread.
    """

    def __init__(self, engine: Engine) -> None:
        """Read a database."""
        self._engine = engine

    def standings(self, holder: str) -> list[Standing]:
        """Return the ratings of an account, those of the most games first."""
        whose = _STANDINGS.where(RatingRow.holder == holder)
        return self._standings(whose.order_by(RatingRow.games.desc(), RatingRow.pool))

    def rating(self, holder: str, pool: str) -> Rating | None:
        """Return how good an account is among the games of a pool; None: nobody knows."""
        found = select(RatingRow.mean, RatingRow.deviation).where(
            RatingRow.holder == holder, RatingRow.pool == pool
        )
        with transaction(self._engine) as connection:
            row = connection.execute(found).first()
        return None if row is None else Rating(row.mean, row.deviation)

    def leaders(self, pool: str, most: int) -> list[Standing]:
        """Return the best accounts of a pool whose rating is certain."""
        certain = _STANDINGS.where(RatingRow.pool == pool, RatingRow.deviation <= UNCERTAIN)
        return self._standings(certain.order_by(RatingRow.mean.desc(), RatingRow.at).limit(most))

    def pools(self) -> list[tuple[str, int]]:
        """Return each pool with the number of accounts that have a rating there, the largest first."""
        number = func.count()
        found = (
            select(RatingRow.pool, number).group_by(RatingRow.pool).order_by(number.desc(), RatingRow.pool)
        )
        with transaction(self._engine) as connection:
            return [(pool, people) for pool, people in connection.execute(found)]

    def curve(self, holder: str, pool: str) -> list[tuple[datetime, Rating]]:
        """Return the ratings of an account after each of its games of a pool, the first one first."""
        found = (
            select(GameRow.ended_at, ResultRow.mean, ResultRow.deviation)
            .join(GameRow, GameRow.table_id == ResultRow.table_id)
            .where(ResultRow.holder == holder, GameRow.pool == pool, GameRow.rated)
            .order_by(GameRow.ended_at, GameRow.table_id)
        )
        with transaction(self._engine) as connection:
            rows: Sequence[Any] = connection.execute(found).all()
        return [(row.ended_at, Rating(row.mean, row.deviation)) for row in rows]

    def games(self, holder: str, eye: str | None, before: datetime | None, most: int) -> list[Played]:
        """Return the latest games of somebody that an eye may know of: rated ones, and those of its own.

        before: only those that ended earlier.
        """
        theirs = [_sat(holder)]
        if eye != holder:
            theirs.append(GameRow.rated | (_sat(eye) if eye else False))
        if before is not None:
            theirs.append(GameRow.ended_at < before)
        with transaction(self._engine) as connection:
            return played_where(connection, theirs, most)

    def of_table(self, table_id: str) -> Played | None:
        """Return how the game of a table ended, None while it goes on."""
        with transaction(self._engine) as connection:
            return next(iter(played_where(connection, [GameRow.table_id == table_id], 1)), None)

    def between(self, one: str, other: str) -> Between:
        """Tell how often one of two came before the other."""
        mine, theirs = aliased(ResultRow), aliased(ResultRow)
        found = (
            select(mine.rank, theirs.rank)
            .join(theirs, theirs.table_id == mine.table_id)
            .where(mine.holder == one, theirs.holder == other)
        )
        with transaction(self._engine) as connection:
            counts = Counter((a > b) - (a < b) for a, b in connection.execute(found))
        return Between(counts[-1], counts[1], counts[0])

    def _standings(self, statement: Any) -> list[Standing]:  # noqa: ANN401 - of SQLAlchemy
        with transaction(self._engine) as connection:
            rows = connection.execute(statement).all()
        return [
            Standing(name, pool, Rating(mean, off), games, won) for name, pool, mean, off, games, won in rows
        ]


_STANDINGS = select(
    AccountRow.name, RatingRow.pool, RatingRow.mean, RatingRow.deviation, RatingRow.games, RatingRow.won
).join(AccountRow, AccountRow.holder == RatingRow.holder)


def _sat(holder: str) -> ColumnElement[bool]:
    return exists().where(ResultRow.table_id == GameRow.table_id, ResultRow.holder == holder)


def played_where(
    connection: Connection, conditions: Sequence[ColumnElement[bool]], most: int
) -> list[Played]:
    """Return the latest games for which some conditions hold, with the results of all seats."""
    columns = (
        GameRow.table_id,
        GameRow.pool,
        GameRow.rated,
        GameRow.reason,
        GameRow.length,
        GameRow.ended_at,
    )
    latest = select(*columns).where(*conditions).order_by(GameRow.ended_at.desc(), GameRow.table_id.desc())
    games = connection.execute(latest.limit(most)).all()
    seats = (
        select(ResultRow, AccountRow.name.label("account"))
        .outerjoin(AccountRow, AccountRow.holder == ResultRow.holder)
        .where(ResultRow.table_id.in_([game.table_id for game in games]))
        .order_by(ResultRow.table_id, ResultRow.seat)
    )
    rows = connection.execute(seats).all()
    results = {
        table_id: tuple(map(_result, some)) for table_id, some in groupby(rows, lambda row: row.table_id)
    }
    return [Played(*game, results[game.table_id]) for game in games]


def _result(row: Any) -> Result:  # noqa: ANN401 - of SQLAlchemy
    rating = None
    if row.mean is not None:
        rating = (Rating(row.mean_before, row.deviation_before), Rating(row.mean, row.deviation))
    return Result(row.seat, row.holder, row.name, row.account, row.bot, row.rank, row.won, rating)
