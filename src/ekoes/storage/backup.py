"""A copy of all that a server keeps, made while it runs, and a folder made from such a copy.

A backup is a ZIP file of the SQLite database and of the keys beside it. Only its owner may read it: it holds
what players hide from each other, and what signs the cookies.
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

from ekoes.errors import StorageError
from ekoes.storage.migrations import VERSION

__all__ = ["DATABASE", "back_up", "restore"]

DATABASE = "ekoes.sqlite"
_KEY = re.compile(r"[a-z-]+\.key")
_PAGES = 2048
"""Of 4 KiB each; so many are copied between two words on how far it is."""

Told = Callable[[int, int], None]
"""Hears how many pages are copied, and how many there are."""


def back_up(folder: Path, file: Path, told: Told) -> None:
    """Copy what a server keeps in a folder into a file, as it is at one moment. The server may go on.

    Raises: StorageError if there is nothing to copy, or the copy is not whole; then there is no file.
    """
    database = folder / DATABASE
    if not database.is_file():
        raise StorageError(f"no server keeps its games in {folder}; --data names another folder")
    with _space(file.parent) as space:
        copy = space / DATABASE
        _copy(database, copy, told)
        _check(copy)
        whole = space / "whole"
        with ZipFile(whole, "x", ZIP_DEFLATED) as archive:
            archive.write(copy, DATABASE)
            for key in sorted(path for path in folder.iterdir() if _KEY.fullmatch(path.name)):
                archive.write(key, key.name)
        _put(whole, file)


def restore(file: Path, folder: Path, *, replace: bool, now: datetime) -> Path | None:
    """Make a folder for a server from a backup. replace: games that are there are put aside.

    Returns: where they are now, None if there were none. Raises: StorageError if the backup is not whole or
    of a newer program, if there are games already, or a server has them open; then nothing has changed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    there = folder / DATABASE
    with _space(folder) as space:
        names = _unpack(file, space)
        _check(space / DATABASE)
        aside = _put_aside(there, now, replace=replace) if there.exists() else None
        # The database last: without it the folder is none of a server's.
        for name in sorted(names, key=DATABASE.__eq__):
            _put(space / name, folder / name)
    return aside


def _copy(database: Path, copy: Path, told: Told) -> None:
    """Copy a database as it is now. One transaction reads all of it, and keeps nobody from writing."""
    address = f"{database.resolve().as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True)) as source, closing(sqlite3.connect(copy)) as target:
            source.execute("BEGIN")
            source.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            source.backup(target, pages=_PAGES, progress=lambda _, left, all_: told(all_ - left, all_))
    except sqlite3.Error as error:
        raise StorageError(f"the database can't be copied: {error}") from error


def _check(database: Path) -> None:
    """Raise StorageError unless a database is whole and of a schema that this program knows."""
    try:
        with closing(sqlite3.connect(database)) as connection:
            (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            (version,) = connection.execute('SELECT version FROM "schema"').fetchone() or (0,)
    except sqlite3.Error as error:
        raise StorageError(f"this is no whole database of Ekoes: {error}") from error
    if found != "ok":
        raise StorageError(f"the database is damaged: {found}")
    if version > VERSION:
        message = f"the backup has schema {version} of a newer program; this one knows {VERSION}"
        raise StorageError(message, code="storage/newer")


def _unpack(file: Path, space: Path) -> list[str]:
    """Write the files of a backup, and no others; return their names. Raises StorageError."""
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
        raise StorageError(f"{file} is no whole backup: {error}") from error


def _put_aside(database: Path, now: datetime, *, replace: bool) -> Path:
    """Give a database another name. Raises StorageError if it is to stay, or a server has it open."""
    if not replace:
        raise StorageError(f"there are games in {database.parent} already; --replace puts them aside")
    try:
        with closing(sqlite3.connect(database, timeout=0)) as connection:
            # Only who is alone with a database may change its journal; this also writes it out as one file.
            connection.execute("PRAGMA journal_mode=DELETE").fetchone()
    except sqlite3.Error as error:
        raise StorageError(f"{database} is in use; end the server first ({error})") from error
    aside = database.with_name(f"{database.name}.{now:%Y%m%d-%H%M%S}")
    database.replace(aside)
    return aside


@contextmanager
def _space(beside: Path) -> Iterator[Path]:
    """Give a folder for unfinished files on the disk where they will stay."""
    with TemporaryDirectory(prefix=".ekoes-", dir=beside) as name:
        yield Path(name)


def _private(path: Path) -> IO[bytes]:
    """Open a new file that its owner alone may read."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def _put(path: Path, target: Path) -> None:
    """Put a finished file in its place, safe on the disk before anybody sees it there."""
    path.chmod(0o600)
    with path.open("rb+") as written:
        os.fsync(written.fileno())
    path.replace(target)
