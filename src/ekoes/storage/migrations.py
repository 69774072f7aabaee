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

VERSION = 2


def _keep_states(connection: Connection) -> None:
    """Step to 2: what was decided is kept, not only what was ordered; filled as each table is opened."""
    for statement in (
        "ALTER TABLE tables RENAME COLUMN waits_for_bot TO stirs",
        "DROP INDEX tables_waiting_for_bots",
        "CREATE INDEX tables_that_stir ON tables (stirs)",
        "ALTER TABLE tables ADD COLUMN digest VARCHAR(32)",
        "ALTER TABLE tables ADD COLUMN rules VARCHAR(20)",
        "ALTER TABLE tables ADD COLUMN events INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE tables ADD COLUMN state TEXT",
        "ALTER TABLE tables ADD COLUMN clock TEXT",
        "ALTER TABLE events ADD COLUMN rules VARCHAR(20)",
        "ALTER TABLE events ADD COLUMN digest VARCHAR(32)",
        *_TABLES_OF_2,
    ):
        connection.exec_driver_sql(statement)


_TABLES_OF_2 = (
    """CREATE TABLE entries (
        table_id VARCHAR(32) NOT NULL REFERENCES tables (id), number INTEGER NOT NULL,
        event INTEGER NOT NULL, body TEXT NOT NULL, shown TEXT NOT NULL, PRIMARY KEY (table_id, number)
    )""",
    """CREATE TABLE states (
        table_id VARCHAR(32) NOT NULL REFERENCES tables (id), number INTEGER NOT NULL,
        state TEXT NOT NULL, clock TEXT, PRIMARY KEY (table_id, number)
    )""",
)

STEPS: Mapping[int, Callable[[Connection], None]] = MappingProxyType({2: _keep_states})
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
