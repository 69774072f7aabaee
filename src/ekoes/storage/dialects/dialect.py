"""What the store asks of a database beside SQL that all of them speak."""

from __future__ import annotations

from typing import Protocol

from sqlalchemy import URL, Connection, Engine

__all__ = ["Dialect"]


class Dialect(Protocol):
    """The ways of a database. migrates_itself: who opens an older one brings it up to date, unasked."""

    migrates_itself: bool

    def engine(self, url: URL) -> Engine:
        """Return what connects to a database; nothing is connected yet. Raises what SQLAlchemy raises."""

    def has_doubts(self, engine: Engine) -> bool:
        """Tell whether whoever had a database open last may have left it damaged."""

    def check(self, connection: Connection) -> None:
        """Look whether a database is whole. Raises StorageError."""

    def lock(self, connection: Connection) -> None:
        """Let nobody else change the schema until this transaction ends; it may take its time."""

    def hold(self, connection: Connection) -> None:
        """Let a transaction that begins see everything as it is at one moment, however long it takes."""

    def tidy(self, connection: Connection) -> None:
        """Do what is better done beside the writing than in the midst of it."""

    def count_on(self, connection: Connection) -> None:
        """Let the database give numbers behind those that rows have brought along."""
