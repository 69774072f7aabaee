"""Time in the store: which clocks go on while nobody is there, and when a server was there."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, insert, select, update

from ekoes.storage.schema import TableRow, UptimeRow

__all__ = ["alarms", "begin_uptime", "note_uptime"]


def alarms(connection: Connection) -> list[tuple[str, datetime]]:
    """Return the tables with a clock that goes on while nobody is there, and when it strikes."""
    found = select(TableRow.id, TableRow.strikes_at).where(TableRow.strikes_at.is_not(None))
    return [(table_id, at) for table_id, at in connection.execute(found) if at is not None]


def begin_uptime(connection: Connection, at: datetime) -> list[tuple[datetime, datetime]]:
    """Note that a server is there from a moment on; return all times in which one was, in order."""
    known = connection.scalar(select(UptimeRow.began).where(UptimeRow.began == at))
    if known is None:
        connection.execute(insert(UptimeRow).values(began=at, until=at))
    found = connection.execute(select(UptimeRow.began, UptimeRow.until).order_by(UptimeRow.began))
    return [(began, until) for began, until in found]


def note_uptime(connection: Connection, began: datetime, until: datetime) -> None:
    """Note that the server that has begun at a moment was still there at another one."""
    connection.execute(update(UptimeRow).where(UptimeRow.began == began).values(until=until))
