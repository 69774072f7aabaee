"""The version of the database's schema, and the Alembic revisions that lead to it.

A new database is created from the metadata of ``schema.py``. A database stores its version in its table
``schema``; the revisions that it lacks run in one transaction. To change the schema: change ``schema.py``,
add 1 to ``VERSION`` and write the revision, a module in ``versions`` named after the new version. A change
that programs of the version before tolerate (a new table, a nullable column) leaves ``OLDEST`` as it is.
Any other change waits for a later release, which sets ``OLDEST`` to the first version that tolerates it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, insert, inspect, select, update

from ekoes.errors import StorageError
from ekoes.storage.dialects import dialect_of
from ekoes.storage.schema import Base, SchemaRow

if TYPE_CHECKING:
    from alembic.config import Config

VERSION = 37
OLDEST = 33
"""The first version whose programs may use a database of this one."""
BASELINE = 33
"""The first Alembic revision; databases of an older schema are refused."""

_HERE = Path(__file__).parent
_FOLDERS = [_HERE / "versions"]
"""The folders with revisions."""


@dataclass(frozen=True, slots=True)
class SchemaVersion:
    """The schema of a database. version: 0 if it is empty; oldest: the first whose programs may use it."""

    version: int
    oldest: int

    @property
    def is_usable(self) -> bool:
        """Return whether this program may use the database as it is."""
        return self.oldest <= VERSION <= self.version


def prepare(connection: Connection) -> None:
    """Create the schema of an empty database, and migrate an SQLite file.

    Raises: StorageError if the schema is too old or too new, or a shared database has to be migrated.
    """
    dialect = dialect_of(connection.dialect.name)
    dialect.lock(connection)
    found = read_version(connection)
    if found.is_usable:
        return
    check_version(found)
    if found.version and not dialect.migrates_itself:
        has = f"the database has schema {found.version}, and this program needs {VERSION}"
        raise StorageError(f"{has}; `ekoes migrate` takes it there", code="storage/older")
    _bring_up_to_date(connection, found)


def migrate(connection: Connection) -> None:
    """Bring a database to this program's schema. Raises StorageError if its schema is too old or too new."""
    dialect_of(connection.dialect.name).lock(connection)
    found = read_version(connection)
    check_version(found)
    if found.version < VERSION:
        _bring_up_to_date(connection, found)


def read_version(connection: Connection) -> SchemaVersion:
    """Return the schema of a database."""
    if not inspect(connection).has_table(SchemaRow.__tablename__):
        return SchemaVersion(0, 0)
    version = connection.scalar(select(SchemaRow.version)) or 0
    if version < BASELINE:
        return SchemaVersion(version, version)
    return SchemaVersion(version, connection.scalar(select(SchemaRow.oldest)) or version)


def check_version(found: SchemaVersion) -> None:
    """Raise StorageError if a database has a schema that this program can neither use nor migrate."""
    if 0 < found.version < BASELINE:
        message = (
            f"the database has schema {found.version} of a program from before the first release, which this"
            " one does not read; --data names another folder"
        )
        raise StorageError(message, code="storage/older")
    if found.version > VERSION and not found.is_usable:
        message = f"the database has schema {found.version} of a newer program; this one knows {VERSION}"
        raise StorageError(message, code="storage/newer")


def _bring_up_to_date(connection: Connection, found: SchemaVersion) -> None:
    if found.version == 0:
        Base.metadata.create_all(connection)
        connection.execute(insert(SchemaRow).values(version=VERSION, oldest=OLDEST))
    else:
        _run_revisions(connection)
        connection.execute(update(SchemaRow).values(oldest=OLDEST))


def _run_revisions(connection: Connection) -> None:
    from alembic import command  # noqa: PLC0415 - slow to import, seldom needed
    from alembic.util import CommandError  # noqa: PLC0415

    config = _config()
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise StorageError(f"the schema can't be migrated: {error}", code="storage/damaged") from error


def _config() -> Config:
    from alembic.config import Config  # noqa: PLC0415 - slow to import, seldom needed

    config = Config()
    config.set_main_option("script_location", str(_HERE).replace("%", "%%"))
    config.set_main_option("path_separator", "newline")
    config.set_main_option("version_locations", "\n".join(map(str, _FOLDERS)).replace("%", "%%"))
    return config
