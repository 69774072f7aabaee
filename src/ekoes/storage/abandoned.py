"""Tables that guests have left: after a time they are put away, with all that was decided and said there.

Never a game that is over, nor a table that an account has ever had a part in, nor one that a tournament, a
report, or a running clock needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, Engine, Table, and_, delete, exists, func, or_, select

from ekoes.storage.database import transaction
from ekoes.storage.leases import Lease, check_leases
from ekoes.storage.schema import (
    AccountRow,
    Base,
    EntryRow,
    EventRow,
    GameRow,
    LeaseRow,
    LineRow,
    MuteRow,
    PairingRow,
    PlaceRow,
    ReportRow,
    SeatRow,
    StateRow,
    TableRow,
    UntoldRow,
)

__all__ = ["Abandoned"]

_PARTS = (SeatRow, PlaceRow, EntryRow, StateRow, EventRow, LineRow, MuteRow)
"""What a table consists of."""
_NEEDED_BY = (GameRow, UntoldRow, PairingRow, ReportRow)
"""Where one of these names a table it stays."""


class Abandoned:
    """The abandoned tables of a database."""

    def __init__(self, engine: Engine) -> None:
        """Look at a database."""
        self._engine = engine

    def find(self, since: datetime, after: str, most: int) -> tuple[Sequence[str], str | None]:
        """Look through some tables: which are abandoned, as nothing has happened there since a moment.

        after: the id behind which to look. Returns: their ids, in order, and the last id looked at; None: it
        was the last of all.
        """
        with transaction(self._engine) as connection:
            some = select(TableRow.id).where(TableRow.id > after).order_by(TableRow.id).limit(most)
            ids = connection.scalars(some).all()
            left = TableRow.id.in_(ids), _is_abandoned(since)
            found = select(TableRow.id).where(*left).order_by(TableRow.id)
            return connection.scalars(found).all(), ids[-1] if len(ids) == most else None

    def put_away(self, table_id: str, since: datetime, lease: Lease | None = None) -> bool:
        """Put a table away. lease: by which it is owned, where several processes share the database.

        Returns: whether it was still abandoned. Raises: StorageError ``storage/fenced`` if another process
        owns it by now.
        """
        with transaction(self._engine) as connection:
            if not connection.scalar(select(exists().where(TableRow.id == table_id, _is_abandoned(since)))):
                return False
            _delete(connection, table_id)
            check_leases(connection, [] if lease is None else [lease])
            connection.execute(delete(LeaseRow).where(LeaseRow.name == table_id))
            return True


def _is_abandoned(since: datetime) -> ColumnElement[bool]:
    """Tell whether a row of ``tables`` is of a table that guests have left."""
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
