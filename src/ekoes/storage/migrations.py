"""The versions of the database's schema, and the steps from each to the next.

A database says its version in its table ``schema``. Opening an older one takes every step it lacks,
in one transaction; a newer one is refused. To change the schema: change ``schema.py``, add 1 to
``VERSION`` and write the step (plain SQL) that brings an existing database from the version before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from sqlalchemy import Connection, delete, insert, inspect, select

from ekoes.errors import StorageError
from ekoes.storage.schema import Base, SchemaRow

__all__ = ["VERSION", "migrate"]

VERSION = 1

STEPS: Mapping[int, Callable[[Connection], None]] = MappingProxyType({})
"""Version -> the step that leads from the version before it to this one."""


def migrate(connection: Connection) -> None:
    """Bring a database to this program's schema. Raises StorageError if it is from a newer program."""
    if connection.dialect.name == "sqlite":
        # SQLite's driver would commit each change of the schema by itself.
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    version = _version(connection)
    if version == VERSION:
        return
    if version > VERSION:
        message = f"the database has schema {version} of a newer program; this one knows {VERSION}"
        raise StorageError(message, code="storage/newer")
    if version == 0:
        Base.metadata.create_all(connection)
    else:
        for step in range(version + 1, VERSION + 1):
            STEPS[step](connection)
    connection.execute(delete(SchemaRow))
    connection.execute(insert(SchemaRow).values(version=VERSION))


def _version(connection: Connection) -> int:
    """Return the version of a database, 0 for an empty one."""
    if not inspect(connection).has_table(SchemaRow.__tablename__):
        return 0
    return connection.scalar(select(SchemaRow.version)) or 0
