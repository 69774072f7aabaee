"""Openings of public games: they are counted when they are first asked for after a game has ended."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Sequence

from sqlalchemy import Connection, delete, distinct, func, select

from ekoes.errors import EkoesError
from ekoes.games.api.parts import Played, Score
from ekoes.storage.engine import BulkInsert, Repository
from ekoes.storage.schema import Base, OpeningQueueRow, OpeningRow, ResultRow
from ekoes.storage.tables import course_of, find_row
from ekoes.tables.analysis_board import opening_of

_LOG = logging.getLogger("ekoes.storage")
_ADD = BulkInsert(
    Base.metadata.tables["openings"], ("moment", "gist", "table_id", "winners"), ignore_existing=True
)


class StoredOpenings(Repository):
    """What was played in the openings of public games."""

    def count_new(self, most: int) -> int:
        """Count games that wait for it, at most so many. Returns how many there were.

        Two processes may count the same game at once; it counts once.
        """
        waiting = self._scalars(
            select(OpeningQueueRow.table_id).order_by(OpeningQueueRow.table_id).limit(most)
        )
        for table_id in waiting:
            with self._transaction() as connection:
                _count(connection, table_id)
        return len(waiting)

    def played(self, moments: Sequence[str], players: int) -> dict[str, Played]:
        """Return what was played at some moments of games of so many players, by moment."""
        is_one = OpeningRow.moment.in_(moments)
        number = func.count(distinct(OpeningRow.table_id))
        games = select(OpeningRow.moment, number).where(is_one).group_by(OpeningRow.moment)
        alike = (OpeningRow.moment, OpeningRow.gist, OpeningRow.winners)
        results = select(*alike, func.count()).where(is_one).group_by(*alike)
        with self._transaction() as connection:
            came = connection.execute(games).all()
            rows = connection.execute(results).all()
        scores: dict[str, dict[str, Score]] = defaultdict(lambda: defaultdict(Score))
        for moment, gist, winners, count in rows:
            scores[moment][gist].add([int(place) for place in winners], players, count)
        return {moment: Played(count, scores[moment]) for moment, count in came}


def _count(connection: Connection, table_id: str) -> None:
    """Store what was played in the opening of a game; nothing if it can't be read."""
    row = find_row(connection, table_id)
    won = select(ResultRow.seat).where(ResultRow.table_id == table_id, ResultRow.won)
    try:
        if row is not None:
            made, log, _ = course_of(connection, row)
            entries, places = opening_of(made, log, list(connection.scalars(won)))
            winners = "".join(map(str, places))
            _ADD.execute(connection, [(moment, gist, table_id, winners) for moment, gist in entries])
    except EkoesError as error:
        _LOG.warning("the opening of table %s is not counted: %s", table_id, error)
    connection.execute(delete(OpeningQueueRow).where(OpeningQueueRow.table_id == table_id))
