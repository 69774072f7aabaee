"""What Alembic runs: the steps that a database lacks, on the connection and in the transaction it is given.

A revision is called by the number of the schema that it leads to. Where a database stands says its table
``schema``, as it did before there was Alembic.
"""

from __future__ import annotations

from typing import Any

from alembic import context
from alembic.ddl.postgresql import PostgresqlImpl
from alembic.ddl.sqlite import SQLiteImpl
from sqlalchemy import Column, Dialect, Integer, MetaData, Table, TypeDecorator


class _Number(TypeDecorator[str]):
    """A revision, which is text for Alembic and a number in the database."""

    impl = Integer
    cache_ok = True

    def process_result_value(self, value: Any, dialect: Dialect) -> str:  # noqa: ANN401, ARG002
        return str(value)


class _OwnTable:
    """Knows the table and the column in which a database says its version."""

    def version_table_impl(self, *, version_table: str, **_: Any) -> Table:  # noqa: ANN401
        return Table(version_table, MetaData(), Column("version", _Number, key="version_num"))


class _Sqlite(_OwnTable, SQLiteImpl):
    __dialect__ = "sqlite"


class _Postgresql(_OwnTable, PostgresqlImpl):
    __dialect__ = "postgresql"


context.configure(connection=context.config.attributes["connection"], version_table="schema")
with context.begin_transaction():
    context.run_migrations()
