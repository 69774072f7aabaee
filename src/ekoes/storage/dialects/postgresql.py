"""PostgreSQL: a database server for many processes that write at the same time."""

from __future__ import annotations

from importlib import import_module
from types import MappingProxyType

from sqlalchemy import URL, Connection, Engine, create_engine, event, func, select
from sqlalchemy.dialects.postgresql import insert

from ekoes.errors import StorageError

__all__ = ["DIALECT"]

_LOCK = 0x656B6F6573
"""The key of the advisory lock for schema changes."""
_CONNECT = MappingProxyType(
    {
        "application_name": "ekoes",
        "connect_timeout": "5",
        "tcp_user_timeout": "10000",
        "options": "-c lock_timeout=10s -c idle_in_transaction_session_timeout=10s -c timezone=UTC",
    }
)
"""Timeouts for connecting, for locks, and for idle transactions; parameters of the URL override them."""
_NUMBERED = ("ties", "reports", "deeds", "tokens")


class _Postgresql:
    migrates_itself = False
    insert = staticmethod(insert)

    def engine(self, url: URL) -> Engine:
        """Return an engine that tests a pooled connection before each transaction."""
        if url.drivername == "postgresql":
            url = url.set(drivername="postgresql+psycopg")
        settings = {key: value for key, value in _CONNECT.items() if key not in url.query}
        try:
            engine = create_engine(
                url, connect_args=settings, paramstyle="format", pool_pre_ping=True, hide_parameters=True
            )
            event.listen(engine, "connect", import_module("ekoes.storage.dialects.psycopg_text").prepare)
        except ImportError as error:
            message = "PostgreSQL needs a library that is not installed: pip install 'ekoes[postgres]'"
            raise StorageError(message, code="storage/address") from error
        return engine

    def has_doubts(self, engine: Engine) -> bool:  # noqa: ARG002
        """Return False: the server recovers by itself."""
        return False

    def check(self, connection: Connection) -> None:
        """Do nothing: the server checks its files."""

    def lock(self, connection: Connection) -> None:
        _take_time(connection)
        connection.execute(select(func.pg_advisory_xact_lock(_LOCK)))

    def hold(self, connection: Connection) -> None:
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        _take_time(connection)

    def tidy(self, connection: Connection) -> None:
        """Do nothing: the server runs its own maintenance."""

    def count_on(self, connection: Connection) -> None:
        for table in _NUMBERED:
            connection.exec_driver_sql(
                f"SELECT setval(pg_get_serial_sequence('{table}', 'number'), max(number)) FROM {table}"  # noqa: S608
            )


DIALECT = _Postgresql()


def _take_time(connection: Connection) -> None:
    """Disable the timeouts of this transaction."""
    for setting in ("lock_timeout", "idle_in_transaction_session_timeout"):
        connection.execute(select(func.set_config(setting, "0", True)))  # noqa: FBT003
