"""The tables of the database. SQLite in a file by default; nothing here is SQLite's alone.

tables ─┬─< seats     the seats as the table was made; who sits there later is in the events
        └─< events    every order a table took, in order; never changed, never deleted
sessions ──< seats, events
"""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import (
    BigInteger,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

__all__ = ["Base", "EventRow", "SchemaRow", "SeatRow", "SessionRow", "TableRow"]


class _Moment(TypeDecorator[datetime]):
    """A moment in UTC, also where the database forgets time zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return value.replace(tzinfo=UTC) if value is not None and value.tzinfo is None else value


class Base(DeclarativeBase):
    """All tables of the database."""

    type_annotation_map = {datetime: _Moment}  # noqa: RUF012 - SQLAlchemy's way


class SchemaRow(Base):
    """The one row that says which version of this schema the database has."""

    __tablename__ = "schema"

    version: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)


class SessionRow(Base):
    """A browser that has held a seat; its cookie carries the id, signed."""

    __tablename__ = "sessions"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    created_at: Mapped[datetime]


class TableRow(Base):
    """A table as it was made. options: JSON. stirs and is_over follow the latest event.

    stirs: whether a bot or a clock goes on there by itself; its column is older than the clocks.
    """

    __tablename__ = "tables"
    __table_args__ = (Index("tables_waiting_for_bots", "waits_for_bot"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    game: Mapped[str] = mapped_column(String(20))
    options: Mapped[str] = mapped_column(Text)
    seed: Mapped[int] = mapped_column(BigInteger)
    turn_limit: Mapped[int | None]
    created_at: Mapped[datetime]
    stirs: Mapped[bool] = mapped_column("waits_for_bot")
    is_over: Mapped[bool]


class SeatRow(Base):
    """A seat as the table was made."""

    __tablename__ = "seats"

    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(String(8))
    name: Mapped[str] = mapped_column(String(40))
    colour: Mapped[int]
    bot: Mapped[str | None] = mapped_column(String(40))
    session_id: Mapped[str | None] = mapped_column(ForeignKey("sessions.id"))


class EventRow(Base):
    """One order that a table took. body: the order as JSON; version: the table's after it."""

    __tablename__ = "events"
    __table_args__ = (UniqueConstraint("table_id", "session_id", "key"),)

    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    version: Mapped[int]
    session_id: Mapped[str | None] = mapped_column(ForeignKey("sessions.id"))
    key: Mapped[str] = mapped_column(String(64))
    body: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime]
