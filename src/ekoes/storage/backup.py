"""Backs up a server's database and keys while it runs, restores them, and copies databases.

A backup is a ZIP file of the SQLite database and the key files. Only its owner may read it: it contains
hidden information and the keys that sign the cookies. A copy goes from one database to another, SQLite or
PostgreSQL.
"""

from __future__ import annotations

import os
import re
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import IO
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

from sqlalchemy import Connection, Table, func, insert, inspect, select

from ekoes.errors import StorageError
from ekoes.storage.dialects import DAMAGED, Address, dialect_of, read_address
from ekoes.storage.engine import opened
from ekoes.storage.migrations import VERSION, SchemaVersion, check_version, migrate, read_version
from ekoes.storage.schema import Base, SchemaRow

DATABASE = "ekoes.sqlite"
_KEY = re.compile(r"[a-z-]+\.key")
_PAGES = 2048
"""Pages of 4 KiB copied between two progress reports."""

Progress = Callable[[int, int], None]
"""Progress callback: the number of pages copied, and of all pages."""


def back_up(folder: Path, address: Address, file: Path, report: Progress) -> None:
    """Copy a server's database and keys into a file, as a consistent snapshot; the server may keep running.

    folder: of the keys. address: the URL of the database.

    Raises: StorageError if there is nothing to copy, the database is no SQLite file or the copy is damaged;
    then no file is written.
    """
    url = read_address(address)
    if url.get_backend_name() != "sqlite":
        message = f"the games are in PostgreSQL: back them up by pg_dump, and the keys in {folder} with them"
        raise StorageError(message, code="storage/address")
    database = Path(url.database or "")
    if not database.is_file():
        raise StorageError(f"there is no database {database}; --database or --data name another one")
    with _space(file.parent) as space:
        snapshot = space / DATABASE
        _snapshot(database, snapshot, report)
        _check(snapshot)
        whole = space / "whole"
        with ZipFile(whole, "x", ZIP_DEFLATED) as archive:
            archive.write(snapshot, DATABASE)
            for key in sorted(path for path in folder.iterdir() if _KEY.fullmatch(path.name)):
                archive.write(key, key.name)
        _put(whole, file)


def restore(file: Path, folder: Path, *, replace: bool, now: datetime) -> Path | None:
    """Create a server's folder from a backup. replace: rename an existing database.

    Returns: the new path of the existing database, None if there was none. Raises: StorageError if the backup
    is damaged or has a schema that this program can't use, if there is a database already, or a server has it
    open; then nothing has changed.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    there = folder / DATABASE
    with _space(folder) as space:
        names = _unpack(file, space)
        _check(space / DATABASE)
        aside = _put_aside(there, now, replace=replace) if there.exists() else None
        # The database last, so that an interrupted restore leaves no database with missing keys.
        for name in sorted(names, key=DATABASE.__eq__):
            _put(space / name, folder / name)
    return aside


def _snapshot(database: Path, snapshot: Path, report: Progress) -> None:
    """Copy a database in one read transaction, which does not block writers."""
    address = f"{database.resolve().as_uri()}?mode=ro"
    try:
        with (
            closing(sqlite3.connect(address, uri=True)) as source,
            closing(sqlite3.connect(snapshot)) as target,
        ):
            source.execute("BEGIN")
            source.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            source.backup(target, pages=_PAGES, progress=lambda _, left, all_: report(all_ - left, all_))
            target.execute("VACUUM")  # the free space of pages may hold what was deleted
    except sqlite3.Error as error:
        raise StorageError(f"the database can't be copied: {error}") from error


def _check(database: Path) -> None:
    try:
        with closing(sqlite3.connect(database)) as connection:
            (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            (version,) = connection.execute('SELECT version FROM "schema"').fetchone() or (0,)
    except sqlite3.Error as error:
        raise StorageError(f"this is not a complete database of Ekoes: {error}") from error
    if found != "ok":
        raise StorageError(f"the database is damaged: {found}")
    check_version(SchemaVersion(version, version))


def _unpack(file: Path, space: Path) -> list[str]:
    """Unpack a backup and return the file names. Raises StorageError if it contains any other file."""
    try:
        with ZipFile(file) as archive:
            names = archive.namelist()
            if DATABASE not in names or not all(name == DATABASE or _KEY.fullmatch(name) for name in names):
                raise StorageError(f"{file} is no backup of Ekoes")
            for name in names:
                with archive.open(name) as packed, _private(space / name) as plain:
                    copyfileobj(packed, plain)
            return names
    except (BadZipFile, EOFError, zlib.error) as error:
        raise StorageError(f"{file} is not a complete backup: {error}") from error


def _put_aside(database: Path, now: datetime, *, replace: bool) -> Path:
    """Rename a database, also a damaged one. Raises StorageError if it may not be replaced or is in use."""
    if not replace:
        raise StorageError(f"there are games in {database.parent} already; --replace puts them aside")
    try:
        with closing(sqlite3.connect(database, timeout=0)) as connection:
            # Fails if others use the database; also moves the write-ahead log into the file.
            connection.execute("PRAGMA journal_mode=DELETE").fetchone()
    except sqlite3.Error as error:
        if error.sqlite_errorcode not in DAMAGED:
            raise StorageError(f"{database} is in use; end the server first ({error})") from error
    aside = database.with_name(f"{database.name}.{now:%Y%m%d-%H%M%S}")
    for end in ("-wal", "-shm", ""):
        part = Path(f"{database}{end}")
        if part.exists():  # the first two are left of a damaged database alone
            part.replace(f"{aside}{end}")
    return aside


@contextmanager
def _space(beside: Path) -> Iterator[Path]:
    """Create a temporary folder on the same disk."""
    with TemporaryDirectory(prefix=".ekoes-", dir=beside) as name:
        yield Path(name)


def _private(path: Path) -> IO[bytes]:
    """Create a file that only its owner may read."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def _put(path: Path, target: Path) -> None:
    """Flush a file to disk, then move it to its place."""
    path.chmod(0o600)
    with path.open("rb+") as written:
        os.fsync(written.fileno())
    path.replace(target)


_PORTION = 1000
_TABLES = [table for table in Base.metadata.sorted_tables if table.name != SchemaRow.__tablename__]

TableProgress = Callable[[str, int, int], None]
"""Progress callback of a copy: table, number of copied rows, number of all rows."""


def copy(source: Address, target: Address, report: TableProgress) -> dict[str, int]:
    """Copy everything from one database into another one, which must be empty.

    Returns: the number of rows by table. Raises: StorageError; then the target is still empty.
    """
    with opened(source) as there, opened(target) as here:
        dialect_of(there.dialect.name).hold(there)
        _check_source(there)
        if inspect(here).get_table_names():
            message = "the database to copy into is not empty; nothing was copied"
            raise StorageError(message, code="storage/address")
        migrate(here)
        rows = {table.name: _copied(table, there, here, report) for table in _TABLES}
        dialect_of(here.dialect.name).count_on(here)
    return rows


def _check_source(connection: Connection) -> None:
    found = read_version(connection)
    check_version(found)
    version = found.version
    if version == 0:
        raise StorageError("there is nothing to copy: no games are stored there", code="storage/address")
    if version != VERSION:
        message = f"the source has schema {version}, and this program needs {VERSION}; see `ekoes migrate`"
        raise StorageError(message, code="storage/older" if version < VERSION else "storage/newer")


def _copied(table: Table, source: Connection, target: Connection, report: TableProgress) -> int:
    """Copy the rows of a table, and return their number."""
    total, done = source.scalar(select(func.count()).select_from(table)) or 0, 0
    rows = source.execute(select(table), execution_options={"yield_per": _PORTION})
    for portion in rows.mappings().partitions():
        target.execute(insert(table), [dict(row) for row in portion])
        done += len(portion)
        report(table.name, done, total)
    return done
