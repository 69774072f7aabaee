"""The interface to what differs between databases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from sqlalchemy import URL, Connection, Engine

__all__ = ["Dialect"]


class Dialect(Protocol):
    """A database dialect. migrates_itself: opening an older database migrates it."""

    migrates_itself: bool

    @property
    def insert(self) -> Callable[[Any], Any]:
        """SQLAlchemy's ``insert`` for this database, with ``on_conflict_do_nothing``."""

    def engine(self, url: URL) -> Engine:
        """Return an engine, not yet connected. Raises what SQLAlchemy raises."""

    def has_doubts(self, engine: Engine) -> bool:
        """Return whether the database was not closed properly and may be damaged."""

    def check(self, connection: Connection) -> None:
        """Check the integrity of the database. Raises StorageError."""

    def lock(self, connection: Connection) -> None:
        """Lock the schema until this transaction ends, without a timeout."""

    def hold(self, connection: Connection) -> None:
        """Make a new transaction read a consistent snapshot, without a timeout."""

    def tidy(self, connection: Connection) -> None:
        """Run maintenance that would otherwise slow down writes."""

    def count_on(self, connection: Connection) -> None:
        """Set sequences after rows were inserted with explicit numbers."""
