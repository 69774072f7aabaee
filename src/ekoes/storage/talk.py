"""What people say at tables, and whom they do not want to hear there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, Engine, delete, func, insert, select

from ekoes.storage.database import transaction
from ekoes.storage.people import add_session
from ekoes.storage.schema import LineRow, MuteRow, TieRow

__all__ = ["Line", "Talk"]

_COLUMNS = (
    LineRow.number,
    LineRow.room,
    LineRow.holder,
    LineRow.seat,
    LineRow.name,
    LineRow.text,
    LineRow.phrase,
    LineRow.at,
)


@dataclass(frozen=True, slots=True)
class Line:
    """A line. number: from 1 on at its table; room: who hears it; seat: as it was said from, if any.

    name: as who said it was called; text or phrase: what was said.
    """

    number: int
    room: str
    holder: str
    seat: int | None
    name: str
    text: str | None
    phrase: str | None
    at: datetime


class Talk:
    """Keeps what is said. Each method is one transaction and may raise StorageError.

    The methods block; they may be called from any thread.
    """

    def __init__(self, engine: Engine) -> None:
        """Keep it in a database."""
        self._engine = engine

    def lines(self, table_id: str, most: int) -> list[Line]:
        """Return the last lines of a table, in order."""
        latest = LineRow.number.desc()
        found = select(*_COLUMNS).where(LineRow.table_id == table_id).order_by(latest).limit(most)
        with transaction(self._engine) as connection:
            return [Line(*row) for row in connection.execute(found)][::-1]

    def said_by(self, holder: str) -> list[tuple[str, Line]]:
        """Return all that somebody has said, with the tables."""
        found = select(LineRow.table_id, *_COLUMNS).where(LineRow.holder == holder).order_by(LineRow.at)
        with transaction(self._engine) as connection:
            return [(row[0], Line(*row[1:])) for row in connection.execute(found)]

    def say(self, table_id: str, key: str, line: Line) -> Line | None:
        """Keep a line under the next number, whatever its own is; None: this key was said before."""
        is_this = (LineRow.table_id == table_id, LineRow.holder == line.holder, LineRow.key == key)
        with transaction(self._engine) as connection:
            if connection.scalar(select(LineRow.number).where(*is_this)) is not None:
                return None
            add_session(connection, line.holder, line.at)
            last = connection.scalar(select(func.max(LineRow.number)).where(LineRow.table_id == table_id))
            facts = (line.room, line.holder, line.seat, line.name, line.text, line.phrase, line.at)
            said = Line((last or 0) + 1, *facts)
            row = {column.key: value for column, value in zip(_COLUMNS, (said.number, *facts), strict=True)}
            connection.execute(insert(LineRow).values(row | {"table_id": table_id, "key": key}))
            return said

    def mute(self, table_id: str, holder: str, other: str, at: datetime, *, muted: bool) -> None:
        """Hide somebody from a holder at a table, or no more."""
        row = {"table_id": table_id, "holder": holder, "other": other}
        is_this = (MuteRow.table_id == table_id, MuteRow.holder == holder, MuteRow.other == other)
        with transaction(self._engine) as connection:
            connection.execute(delete(MuteRow).where(*is_this))
            if muted:
                for one in (holder, other):
                    add_session(connection, one, at)
                connection.execute(insert(MuteRow).values(row))

    def unmute(self, table_id: str, holder: str) -> None:
        """Hide nobody from a holder at a table."""
        with transaction(self._engine) as connection:
            is_theirs = (MuteRow.table_id == table_id, MuteRow.holder == holder)
            connection.execute(delete(MuteRow).where(*is_theirs))

    def hidden(self, table_id: str, holder: str) -> tuple[frozenset[str], frozenset[str]]:
        """Return whom somebody does not hear at a table: who is muted there, and who is blocked anywhere."""
        with transaction(self._engine) as connection:
            return _muted(connection, table_id, holder), _blocked(connection, holder)


def _muted(connection: Connection, table_id: str, holder: str) -> frozenset[str]:
    found = select(MuteRow.other).where(MuteRow.table_id == table_id, MuteRow.holder == holder)
    return frozenset(connection.scalars(found))


def _blocked(connection: Connection, holder: str) -> frozenset[str]:
    found = select(TieRow.other).where(TieRow.kind == "block", TieRow.holder == holder)
    return frozenset(connection.scalars(found))
