"""Search of finished games, and archiving of tables that guests abandoned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    Table,
    and_,
    delete,
    exists,
    func,
    or_,
    select,
)
from sqlalchemy.orm import aliased

from ekoes.storage.engine import Repository
from ekoes.storage.leases import Lease, check_leases
from ekoes.storage.results import Played, played_where
from ekoes.storage.schema import (
    AccountRow,
    Base,
    EntryRow,
    EventRow,
    GameRow,
    LeaseRow,
    LineRow,
    MentionRow,
    MuteRow,
    PairingRow,
    PlaceRow,
    ReportRow,
    SeatRow,
    StateRow,
    TableRow,
)
from ekoes.storage.search_index import EVERY_GAME, named, option, people_words

_ENOUGH = 2000
"""At most so many matches are counted to compare the frequency of words."""

_Moment = tuple[datetime, str]
"""A page's cursor: end and table of its last game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """Search criteria; None or empty matches everything.

    result: ``won`` or ``drawn``. people: names that must all have played. since, until: bounds of the end.
    """

    game: str | None = None
    players: int | None = None
    tempo: str | None = None
    rated: bool | None = None
    reason: str | None = None
    result: str | None = None
    people: tuple[str, ...] = ()
    winner: str | None = None
    options: tuple[tuple[str, str], ...] = ()
    since: datetime | None = None
    until: datetime | None = None

    def words(self) -> tuple[str, ...]:
        """Return the index words that a game must all have."""
        given = {
            "game": self.game,
            "players": self.players,
            "tempo": self.tempo,
            "reason": self.reason,
            "result": self.result,
        }
        rated = () if self.rated is None else (named("rated", "yes" if self.rated else "no"),)
        winner = () if self.winner is None else tuple(people_words(self.winner, won=True))[1:]
        chosen = (
            *(named(kind, str(value)) for kind, value in given.items() if value is not None),
            *rated,
            *(next(people_words(name, won=False)) for name in self.people),
            *winner,
            *(option(key, value) for key, value in self.options),
        )
        return tuple(dict.fromkeys(chosen)) or (EVERY_GAME,)


class Archive(Repository):
    """Searches finished games."""

    def search(self, search: Search, after: _Moment | None, most: int) -> list[Played]:
        """Return the latest matching games. after: the cursor of the page before."""
        with self._transaction() as connection:
            ids = list(connection.scalars(found(connection, search, after).limit(most)))
            return played_where(connection, [GameRow.table_id.in_(ids)], most) if ids else []

    def knows(self, table_id: str) -> bool:
        """Return whether the game of a table is public."""
        ended = select(GameRow.ended_at).where(GameRow.table_id == table_id).scalar_subquery()
        is_this = (MentionRow.word == EVERY_GAME, MentionRow.ended_at == ended)
        told = select(exists().where(*is_this, MentionRow.table_id == table_id))
        return bool(self._scalar(told))


def found(connection: Connection, search: Search, after: _Moment | None) -> Select[Any]:
    """Return the statement of a search, the latest game first."""
    rarest, *others = _rarest_first(connection, search)
    where = [MentionRow.word == rarest, *_between(search)]
    if after is not None:
        ended_at, table_id = after
        # redundant, but lets the index start there
        where.append(MentionRow.ended_at <= ended_at)
        earlier = MentionRow.ended_at < ended_at
        where.append(or_(earlier, MentionRow.table_id < table_id))
    where += [_has(word) for word in others]
    latest = (MentionRow.ended_at.desc(), MentionRow.table_id.desc())
    return select(MentionRow.table_id).where(*where).order_by(*latest)


def _rarest_first(connection: Connection, search: Search) -> Sequence[str]:
    words = search.words()
    if len(words) == 1:
        return words

    def games(word: str) -> int:
        some = select(MentionRow.word).where(MentionRow.word == word, *_between(search)).limit(_ENOUGH)
        return connection.scalar(select(func.count()).select_from(some.subquery())) or 0

    return sorted(words, key=games)


def _between(search: Search) -> list[ColumnElement[bool]]:
    since, until = search.since, search.until
    return [
        *([] if since is None else [MentionRow.ended_at >= since]),
        *([] if until is None else [MentionRow.ended_at < until]),
    ]


def _has(word: str) -> ColumnElement[bool]:
    other = aliased(MentionRow)
    same = (other.ended_at == MentionRow.ended_at, other.table_id == MentionRow.table_id)
    return exists().where(other.word == word, *same)


_PARTS = (SeatRow, PlaceRow, EntryRow, StateRow, EventRow, LineRow, MuteRow)
"""Tables whose rows are deleted with a table."""
_NEEDED_BY = (GameRow, PairingRow, ReportRow)
"""A table with one of these rows is never deleted."""


class AbandonedTables(Repository):
    """Finds and deletes abandoned tables."""

    def find(self, since: datetime, after: str, most: int) -> tuple[Sequence[str], str | None]:
        """Return a page of abandoned tables, those without an event since a time, and the next cursor.

        after: the cursor. The next one is None at the end.
        """
        with self._transaction() as connection:
            some = select(TableRow.id).where(TableRow.id > after).order_by(TableRow.id).limit(most)
            ids = connection.scalars(some).all()
            left = TableRow.id.in_(ids), _is_abandoned(since)
            found = select(TableRow.id).where(*left).order_by(TableRow.id)
            return connection.scalars(found).all(), ids[-1] if len(ids) == most else None

    def remove(self, table_id: str, since: datetime, lease: Lease | None = None) -> bool:
        """Delete a table if it is still abandoned. lease: of its owner, where several processes run.

        Returns: whether it was deleted. Raises: StorageError ``storage/fenced`` if another process
        owns it by now.
        """
        with self._transaction() as connection:
            if not connection.scalar(select(exists().where(TableRow.id == table_id, _is_abandoned(since)))):
                return False
            _delete(connection, table_id)
            check_leases(connection, [] if lease is None else [lease])
            connection.execute(delete(LeaseRow).where(LeaseRow.name == table_id))
            return True


def _is_abandoned(since: datetime) -> ColumnElement[bool]:
    of_it = EventRow.table_id == TableRow.id
    latest = select(func.max(EventRow.at)).where(of_it).correlate(TableRow).scalar_subquery()
    return and_(
        TableRow.is_over.is_(False),
        TableRow.strikes_at.is_(None),
        func.coalesce(latest, TableRow.created_at) < since,
        *(~exists().where(row.table_id == TableRow.id) for row in _NEEDED_BY),
        ~or_(
            exists().where(SeatRow.table_id == TableRow.id, SeatRow.session_id == AccountRow.holder),
            exists().where(PlaceRow.table_id == TableRow.id, PlaceRow.holder == AccountRow.holder),
            exists().where(of_it, EventRow.session_id == AccountRow.holder),
        ),
    )


def _delete(connection: Connection, table_id: str) -> None:
    for row in _PARTS:
        table: Table = Base.metadata.tables[row.__tablename__]
        connection.execute(delete(table).where(table.c.table_id == table_id))
    connection.execute(delete(TableRow).where(TableRow.id == table_id))
