"""Runs the missing Alembic revisions on the given connection, within its transaction.

Revisions are named by the schema version that they lead to, which the database stores in its table
``schema``.
"""

from __future__ import annotations

from alembic import context
from alembic.ddl.postgresql import PostgresqlImpl
from alembic.ddl.sqlite import SQLiteImpl
from sqlalchemy import Column, Dialect, Integer, MetaData, Table, TypeDecorator


class _Number(TypeDecorator[str]):
    """A revision, which is text for Alembic and a number in the database."""

    impl = Integer
    cache_ok = True

    def process_result_value(self, value: object, dialect: Dialect) -> str:  # noqa: ARG002
        return str(value)


class _SchemaTable:
    """Reads and writes the revision in the column ``version`` of the table ``schema``."""

    def version_table_impl(self, *, version_table: str, **_: object) -> Table:
        return Table(version_table, MetaData(), Column("version", _Number, key="version_num"))


class _Sqlite(_SchemaTable, SQLiteImpl):
    __dialect__ = "sqlite"


class _Postgresql(_SchemaTable, PostgresqlImpl):
    __dialect__ = "postgresql"


context.configure(connection=context.config.attributes["connection"], version_table="schema")
with context.begin_transaction():
    context.run_migrations()
