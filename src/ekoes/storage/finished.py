"""What a game that is over leaves: how it ended for each seat, and the ratings of those who played it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from ekoes.match.rated import has_won, holders, pool, ranks
from ekoes.match.rating import NEW, Rating, after_game
from ekoes.match.state import Table
from ekoes.storage.mentions import Facts, mention, words
from ekoes.storage.pairings import note_places
from ekoes.storage.schema import AccountRow, GameRow, RatingRow, ResultRow, UntoldRow
from ekoes.tournament.tables import places_of

__all__ = ["Finished", "end_game", "write_finished"]


@dataclass(frozen=True, slots=True)
class Finished:
    """A table whose game has just ended. at: when."""

    table_id: str
    table: Table
    at: datetime


@dataclass(frozen=True, slots=True)
class _Standing:
    """What an account had come to before a game."""

    rating: Rating = NEW
    games: int = 0
    won: int = 0


def end_game(connection: Connection, finished: Finished) -> None:
    """Keep that a game is over: for everybody now, or until those who watch are shown it."""
    if not finished.table.delay:
        write_finished(connection, finished)
        return
    tells_at = finished.at + timedelta(seconds=finished.table.delay)
    row = {"table_id": finished.table_id, "ended_at": finished.at, "tells_at": tells_at}
    connection.execute(insert(UntoldRow).values(row))


def write_finished(connection: Connection, finished: Finished) -> None:
    """Keep how a game ended, and rate those who played it; in the transaction that ends it, so just once."""
    table = finished.table
    placed, before = ranks(table), _standings(connection, table)
    after = _rated(before, placed)
    game = {
        "table_id": finished.table_id,
        "game": table.game,
        "players": len(table.seats),
        "pool": pool(table),
        "rated": bool(after),
        "reason": table.outcome.reason if table.outcome else "",
        "length": table.length,
        "ended_at": finished.at,
    }
    connection.execute(insert(GameRow).values(game))
    if table.public or table.rated:
        mention(connection, finished.table_id, finished.at, words(_facts(table, rated=bool(after))))
    rows = [_result(finished, seat, placed[seat], before, after) for seat in range(len(table.seats))]
    connection.execute(insert(ResultRow), rows)
    note_places(connection, finished.table_id, places_of(table))
    for seat, rating in after.items():
        _set_rating(connection, finished, seat, before[seat], rating)


def _facts(table: Table, *, rated: bool) -> Facts:
    """Return what a game that everybody may know of is found by."""
    people = [(seat.name, has_won(table, number)) for number, seat in enumerate(table.seats)]
    tempo = pool(table).rpartition("/")[2]
    reason = table.outcome.reason if table.outcome else ""
    return Facts(table.game, len(table.seats), tempo, rated, reason, table.options, people)


def _standings(connection: Connection, table: Table) -> dict[int, _Standing]:
    """Return what is known of those who play a rated game; {}: it is none, or one of them has no account."""
    players = holders(table)
    if not table.rated or None in players or len(set(players)) < len(players):
        return {}
    # Games of theirs that end at the same time wait here for each other, so that none is rated by what was.
    theirs = select(AccountRow.holder).where(AccountRow.holder.in_(players)).order_by(AccountRow.holder)
    if set(connection.scalars(theirs.with_for_update(key_share=True))) != set(players):
        return {}
    columns = (RatingRow.holder, RatingRow.mean, RatingRow.deviation, RatingRow.games, RatingRow.won)
    rated = select(*columns).where(RatingRow.holder.in_(players), RatingRow.pool == pool(table))
    known = {row[0]: _Standing(Rating(row[1], row[2]), row[3], row[4]) for row in connection.execute(rated)}
    return {seat: known.get(str(holder), _Standing()) for seat, holder in enumerate(players)}


def _rated(before: Mapping[int, _Standing], placed: Sequence[int]) -> dict[int, Rating]:
    """Return the ratings after the game, by seat."""
    if not before:
        return {}
    fresh = after_game([before[seat].rating for seat in range(len(placed))], placed)
    return dict(enumerate(fresh))


def _result(
    finished: Finished,
    seat: int,
    rank: int,
    before: Mapping[int, _Standing],
    after: Mapping[int, Rating],
) -> dict[str, Any]:
    chair = finished.table.seats[seat]
    was, now = (before[seat].rating, after[seat]) if after else (None, None)
    return {
        "table_id": finished.table_id,
        "seat": seat,
        "holder": holders(finished.table)[seat],
        "name": chair.name,
        "bot": chair.bot,
        "rank": rank,
        "won": has_won(finished.table, seat),
        "mean_before": was and was.mean,
        "deviation_before": was and was.deviation,
        "mean": now and now.mean,
        "deviation": now and now.deviation,
    }


def _set_rating(
    connection: Connection, finished: Finished, seat: int, before: _Standing, rating: Rating
) -> None:
    row = {
        "holder": holders(finished.table)[seat],
        "pool": pool(finished.table),
        "mean": rating.mean,
        "deviation": rating.deviation,
        "games": before.games + 1,
        "won": before.won + has_won(finished.table, seat),
        "at": finished.at,
    }
    whose = (RatingRow.holder == row["holder"], RatingRow.pool == row["pool"])
    connection.execute(delete(RatingRow).where(*whose))
    connection.execute(insert(RatingRow).values(row))
