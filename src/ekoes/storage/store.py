"""The store: keeps tables and gives them back as they were, order by order."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import ValidationError
from sqlalchemy import Engine, create_engine, event, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.orm import Session

from ekoes.errors import EkoesError, StorageError
from ekoes.match.kinds import kind_of
from ekoes.match.new import new_table
from ekoes.match.orders import AnyOrder, read_order
from ekoes.match.seats import Seat
from ekoes.match.state import Table
from ekoes.match.submit import submit
from ekoes.storage.migrations import migrate
from ekoes.storage.schema import EventRow, SeatRow, SessionRow, TableRow

__all__ = ["Kept", "Store"]


@dataclass(frozen=True, slots=True)
class Kept:
    """A table as it is kept. events: the number of orders it has taken."""

    table: Table
    events: int


class Store:
    """Keeps tables in a database. Every method is one transaction and raises StorageError if it fails.

    The methods block; they may be called from any thread.
    """

    def __init__(self, url: str) -> None:
        """Open the database at an SQLAlchemy URL, made or brought up to date as needed."""
        self._engine = _engine(url)
        with _failures(), self._engine.begin() as connection:
            migrate(connection)

    def close(self) -> None:
        """Close every connection."""
        self._engine.dispose()

    def create(self, table_id: str, table: Table, at: datetime) -> None:
        """Keep a new table."""
        with self._transaction() as session:
            for holder in {seat.session for seat in table.seats} - {None}:
                _keep_session(session, holder, at)
            session.add(_table_row(table_id, table, at))
            session.flush()
            session.add_all(_seat_rows(table_id, table))

    def append(
        self, table_id: str, kept: Kept, order: AnyOrder, session_id: str | None, at: datetime, after: Table
    ) -> Kept:
        """Keep an order that a table takes, and return the table as it is kept now.

        Raises: StorageError ``storage/conflict`` if the table has taken other orders meanwhile.
        """
        number = kept.events + 1
        with self._transaction() as session:
            _keep_session(session, session_id, at)
            session.execute(update(TableRow).where(TableRow.id == table_id).values(_progress(after)))
            session.add(
                EventRow(
                    table_id=table_id,
                    number=number,
                    version=after.version,
                    session_id=session_id,
                    key=order.key,
                    body=order.model_dump_json(exclude_none=True),
                    at=at,
                )
            )
        return Kept(after, number)

    def load(self, table_id: str) -> Kept | None:
        """Return a table as it is kept, None if there is none. Its orders are judged anew, one by one."""
        with self._transaction() as session:
            row = session.get(TableRow, table_id)
            if row is None:
                return None
            # Read to the end before anything else happens: a cursor left open would pin an old snapshot.
            seats = session.scalars(
                select(SeatRow).where(SeatRow.table_id == table_id).order_by(SeatRow.number)
            ).all()
            events = session.scalars(
                select(EventRow).where(EventRow.table_id == table_id).order_by(EventRow.number)
            ).all()
            return Kept(_rebuilt(row, tuple(map(_seat, seats)), events), len(events))

    def answer(self, table_id: str, session_id: str, key: str) -> int | None:
        """Return the version acknowledged for an order that a table has taken, None if it has not."""
        with self._transaction() as session:
            return session.scalar(
                select(EventRow.version).where(
                    EventRow.table_id == table_id, EventRow.session_id == session_id, EventRow.key == key
                )
            )

    def stirring(self) -> list[str]:
        """Return the tables where a bot or a clock goes on by itself."""
        with self._transaction() as session:
            return list(session.scalars(select(TableRow.id).where(TableRow.stirs)))

    @contextmanager
    def _transaction(self) -> Iterator[Session]:
        with _failures(), Session(self._engine) as session, session.begin():
            yield session


def _engine(url: str) -> Engine:
    try:
        engine = create_engine(url)
    except (SQLAlchemyError, ImportError) as error:
        reason = str(error).splitlines()[0]
        raise StorageError(f"can't use such a database: {reason}", code="storage/address") from error
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare_sqlite)
    return engine


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    """Set up an SQLite connection.

    A commit is on the disk when it returns, readers do not block writers, and a writer waits for its
    turn as it begins instead of failing half-way.
    """
    connection.isolation_level = "IMMEDIATE"
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=10000"):
        connection.execute(f"PRAGMA {pragma}").close()


@contextmanager
def _failures() -> Iterator[None]:
    """Turn the database's errors into StorageError."""
    try:
        yield
    except IntegrityError as error:
        raise StorageError("the table has changed meanwhile", code="storage/conflict") from error
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise StorageError(f"the database failed: {reason}", code="storage/failed") from error


def _keep_session(session: Session, session_id: str | None, at: datetime) -> None:
    if session_id is not None and session.get(SessionRow, session_id) is None:
        session.add(SessionRow(id=session_id, created_at=at))
        session.flush()


def _progress(table: Table) -> dict[str, Any]:
    """Return what the table's row says of its latest event."""
    return {
        "stirs": kind_of(table.game).is_busy(table) or table.wants_rematch,
        "is_over": table.outcome is not None,
    }


def _table_row(table_id: str, table: Table, at: datetime) -> TableRow:
    return TableRow(
        id=table_id,
        game=table.game,
        options=json.dumps(table.options),
        seed=table.seed,
        turn_limit=table.turn_limit,
        created_at=at,
        **_progress(table),
    )


def _seat_rows(table_id: str, table: Table) -> list[SeatRow]:
    return [
        SeatRow(
            table_id=table_id,
            number=number,
            kind=seat.kind,
            name=seat.name,
            colour=seat.colour,
            bot=seat.bot,
            session_id=seat.session,
        )
        for number, seat in enumerate(table.seats)
    ]


def _seat(row: SeatRow) -> Seat:
    return Seat(kind=row.kind, name=row.name, colour=row.colour, bot=row.bot, session=row.session_id)  # type: ignore[arg-type]


def _rebuilt(row: TableRow, seats: tuple[Seat, ...], events: Iterable[EventRow]) -> Table:
    """Return the table after its events. Raises StorageError naming the event that does not fit."""
    table = new_table(row.game, json.loads(row.options), row.seed, seats, turn_limit=row.turn_limit)
    for kept in events:
        try:
            table = submit(table, read_order(kept.body), kept.session_id, kept.at)
        except (EkoesError, ValidationError) as error:
            message = f"event {kept.number} of table {row.id} does not fit: {error}"
            raise StorageError(message, code="storage/damaged") from error
    return table
