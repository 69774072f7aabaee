"""The store: writes tables and loads them from their stored state, even if the rules have changed since."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, exists, func, insert, select, true, update

from ekoes.errors import StorageError, TableError
from ekoes.storage.accounts import People, Programs, Pushes, Vacations
from ekoes.storage.cache import LRUCache
from ekoes.storage.clubs import Clubs
from ekoes.storage.dialects import Address, dialect_of
from ekoes.storage.engine import Repository, open_database
from ekoes.storage.league import League
from ekoes.storage.leases import HAS_A_CLOCK, Leases
from ekoes.storage.puzzles import PuzzleAnswers
from ekoes.storage.results import Archive, Results, StoredReviews
from ekoes.storage.schema import (
    ClubRow,
    EventRow,
    SchemaRow,
    SeatRow,
    StudyRow,
    TableRow,
    TournamentRow,
    UptimeRow,
)
from ekoes.storage.social import ModerationLog, PendingChallenges, Relations, Talk
from ekoes.storage.studies import StoredOpenings, Studies
from ekoes.storage.tables import (
    LATEST_EVENT,
    AbandonedTables,
    Change,
    History,
    StoredTable,
    find_row,
    history_of,
    load_table,
    log_of,
    past_table,
    record_of,
    write,
)
from ekoes.storage.tournaments import Tournaments
from ekoes.tables.table import Table

_SESSIONS_KNOWN = 50_000
_RECORDS_KNOWN = 64
_MOMENTS_KNOWN = 256


class Store(Repository):
    """Stores tables and everything around them in a database, one repository for each aggregate."""

    def __init__(self, url: Address, *, careful: bool = False) -> None:
        """Open the database at an SQLAlchemy URL, created or migrated as needed.

        careful: check its integrity if the last server did not close it.
        """
        super().__init__(open_database(url, careful=careful))
        self.people = People(self._engine)
        self.programs = Programs(self._engine)
        self.results = Results(self._engine)
        self.puzzles = PuzzleAnswers(self._engine)
        self.studies = Studies(self._engine)
        self.archive = Archive(self._engine)
        self.reviews = StoredReviews(self._engine)
        self.openings = StoredOpenings(self._engine)
        self.talk = Talk(self._engine)
        self.relations = Relations(self._engine)
        self.challenges = PendingChallenges(self._engine)
        self.tournaments = Tournaments(self._engine)
        self.league = League(self._engine)
        self.clubs = Clubs(self._engine)
        self.moderation = ModerationLog(self._engine)
        self.pushes = Pushes(self._engine)
        self.vacations = Vacations(self._engine)
        self.abandoned = AbandonedTables(self._engine)
        self.leases = Leases(self._engine)
        self._sessions: set[str] = set()
        self._records: LRUCache[str] = LRUCache(_RECORDS_KNOWN)
        self._moments: LRUCache[Table] = LRUCache(_MOMENTS_KNOWN)

    def close(self) -> None:
        """Close every connection."""
        self._engine.dispose()

    def try_out(self) -> None:
        """Raise StorageError if the database can't be written to."""
        self._execute(update(SchemaRow).values(version=SchemaRow.version))

    def write(self, changes: Sequence[Change]) -> list[StorageError | None]:
        """Write changes of different tables durably: in one transaction, or each in its own if that fails.

        Returns: the error of each change, None where it was written. Does not raise StorageError.
        """
        try:
            with self._transaction() as connection:
                write(connection, changes, self._sessions)
        except StorageError as error:
            if len(changes) == 1:
                return [error]
            return [failure for change in changes for failure in self.write([change])]
        if len(self._sessions) > _SESSIONS_KNOWN:
            self._sessions.clear()
        self._sessions.update(*(change.sessions for change in changes))
        return [None] * len(changes)

    def tidy(self) -> None:
        """Run the maintenance that the database would otherwise do during a write."""
        with self._transaction() as connection:
            dialect_of(connection.dialect.name).tidy(connection)

    def load(self, table_id: str) -> StoredTable | None:
        """Return a table from its stored state, without its log; None if there is none.

        The names of its users are read with it, so that showing the table does not wait for the database.
        """
        with self._transaction() as connection:
            row = find_row(connection, table_id)
            if row is None:
                return None
            stored = load_table(connection, row)
        self.people.learn(seat.session for seat in stored.table.seats if seat.session is not None)
        return stored

    def log(self, table_id: str, entries: int | None = None) -> list[str]:
        """Return the public log, each entry as JSON; entries: only the first ones."""
        with self._transaction() as connection:
            return log_of(connection, table_id)[:entries]

    def past(self, table_id: str, entries: int) -> Table:
        """Return a table after a number of log entries; its log holds the last of them.

        Raises: TableError if there is no such entry, or today's rules judge earlier events otherwise.
        """
        with self._transaction() as connection:
            return past_table(connection, _found(connection, table_id), entries, self._moments)

    def knows(self, kind: type[ClubRow | StudyRow | TournamentRow], key: str) -> bool:
        """Return whether there is a row of an id."""
        return bool(self._scalar(select(exists().where(kind.id == key))))

    def touched_at(self, table_id: str) -> datetime:
        """Return when something last happened at a table, or when it was created."""
        of_it = select(EventRow.at).where(EventRow.table_id == table_id)
        latest = of_it.order_by(EventRow.number.desc()).limit(1).scalar_subquery()
        found = select(func.coalesce(latest, TableRow.created_at)).where(TableRow.id == table_id)
        with self._transaction() as connection:
            return connection.scalars(found).one()

    def history(self, table_id: str) -> History:
        """Return all that has happened at a table."""
        with self._transaction() as connection:
            return history_of(connection, _found(connection, table_id))

    def record(self, table_id: str) -> str:
        """Return the record of a table. Raises TableError while it is not public."""
        with self._transaction() as connection:
            row = _found(connection, table_id)
            key = table_id, row.events
            return self._records.get(key) or self._records.put(key, record_of(connection, row))

    def answer(self, table_id: str, session_id: str | None, key: str) -> int | None:
        """Return the version acknowledged for an idempotency key, None if it is not stored."""
        is_this = (EventRow.table_id == table_id, EventRow.session_id == session_id, EventRow.key == key)
        return self._scalar(select(EventRow.version).where(*is_this))

    def keys(self, table_id: str) -> list[tuple[str | None, str]]:
        """Return the session and the idempotency key of each order that a table has taken."""
        of_table = select(EventRow.session_id, EventRow.key).where(EventRow.table_id == table_id)
        return [(session, key) for session, key in self._rows(of_table)]

    def active_tables(self, since: datetime | None = None) -> list[str]:
        """Return the tables where a bot or a clock acts without players, those with people first.

        since: only tables with an event since then.
        """
        people = exists().where(SeatRow.table_id == TableRow.id, SeatRow.kind != "bot")
        found = select(TableRow.id).where(TableRow.is_active).order_by(people.desc(), TableRow.id)
        if since is not None:
            happened = func.coalesce(EventRow.at, TableRow.created_at)
            found = found.outerjoin_from(TableRow, EventRow, LATEST_EVENT).where(happened >= since)
        return self._scalars(found)

    def clocks_without_players(self) -> list[tuple[str, datetime]]:
        """Return the tables whose clock runs without players, and when it expires."""
        found = self._rows(select(TableRow.id, TableRow.wakes_at).where(HAS_A_CLOCK))
        return [(table_id, at) for table_id, at in found if at is not None]

    def begin_uptime(self, at: datetime) -> list[tuple[datetime, datetime]]:
        """Store when a server started, and return all periods in which one was up, in order."""
        with self._transaction() as connection:
            if connection.scalar(select(UptimeRow.began).where(UptimeRow.began == at)) is None:
                connection.execute(insert(UptimeRow).values(began=at, until=at))
            found = connection.execute(select(UptimeRow.began, UptimeRow.until).order_by(UptimeRow.began))
            return [(began, until) for began, until in found]

    def note_uptime(self, began: datetime, until: datetime) -> None:
        """Store how long the server that started at a time has been up."""
        self._execute(update(UptimeRow).where(UptimeRow.began == began).values(until=until))

    def latest(self) -> datetime | None:
        """Return the latest stored time: of a server, or of an event at an active table.

        Reads the indexes of active tables only.
        """
        at = select(func.max(select(EventRow.at).where(LATEST_EVENT).scalar_subquery()))
        statements = (
            select(func.max(UptimeRow.until)),
            at.where(TableRow.is_active == true()),
            at.where(HAS_A_CLOCK),
        )
        with self._transaction() as connection:
            times = [connection.scalar(statement) for statement in statements]
        return max((time for time in times if time is not None), default=None)


def _found(connection: Connection, table_id: str) -> Row[Any]:
    row = find_row(connection, table_id)
    if row is None:
        raise TableError("there is no such table", code="table/not-found")
    return row
