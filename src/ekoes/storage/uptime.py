"""Time in the store: which clocks go on while nobody is there, and when a server was there."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Connection, func, insert, select, true, update

from ekoes.storage.schema import EventRow, TableRow, UptimeRow

__all__ = ["HAS_A_CLOCK", "alarms", "begin_uptime", "latest", "note_uptime"]

HAS_A_CLOCK = TableRow.strikes_at > datetime.min.replace(tzinfo=UTC)
"""Said so, and not as ``IS NOT NULL``, SQLite looks into the index alone."""


def alarms(connection: Connection) -> list[tuple[str, datetime]]:
    """Return the tables with a clock that goes on while nobody is there, and when it strikes."""
    found = select(TableRow.id, TableRow.strikes_at).where(HAS_A_CLOCK)
    return [(table_id, at) for table_id, at in connection.execute(found) if at is not None]


def begin_uptime(connection: Connection, at: datetime) -> list[tuple[datetime, datetime]]:
    """Note that a server is there from a moment on; return all times in which one was, in order."""
    known = connection.scalar(select(UptimeRow.began).where(UptimeRow.began == at))
    if known is None:
        connection.execute(insert(UptimeRow).values(began=at, until=at))
    found = connection.execute(select(UptimeRow.began, UptimeRow.until).order_by(UptimeRow.began))
    return [(began, until) for began, until in found]


def latest(connection: Connection) -> datetime | None:
    """Return the latest moment that is known: of a server, or of an order where something goes on by itself.

    Read are the tables that go on, by their indexes, however many others there are.
    """
    is_last = (EventRow.table_id == TableRow.id) & (EventRow.number == TableRow.events)
    at = select(func.max(select(EventRow.at).where(is_last).scalar_subquery()))
    asked = (
        select(func.max(UptimeRow.until)),
        at.where(TableRow.stirs == true()),
        at.where(HAS_A_CLOCK),
    )
    moments = [connection.scalar(each) for each in asked]
    return max((moment for moment in moments if moment is not None), default=None)


def note_uptime(connection: Connection, began: datetime, until: datetime) -> None:
    """Note that the server that has begun at a moment was still there at another one."""
    connection.execute(update(UptimeRow).where(UptimeRow.began == began).values(until=until))
