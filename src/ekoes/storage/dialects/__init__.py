"""The database dialects: everything that differs between SQLite and PostgreSQL."""

from __future__ import annotations

from importlib import import_module

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from ekoes.errors import StorageError
from ekoes.storage.dialects.dialect import Dialect

__all__ = ["Dialect", "dialect_of", "read_address"]

_MODULES = {name: f"ekoes.storage.dialects.{name}" for name in ("sqlite", "postgresql")}
"""SQLAlchemy's name of a database -> the module with its ``DIALECT``."""


def dialect_of(name: str) -> Dialect:
    """Return the dialect of a database. Raises StorageError if it is not supported."""
    if name not in _MODULES:
        message = f"can't use such a database: {name or 'nothing'}; Ekoes knows {' and '.join(_MODULES)}"
        raise StorageError(message, code="storage/address")
    found: Dialect = import_module(_MODULES[name]).DIALECT
    return found


def read_address(text: str) -> URL:
    """Read the URL of a database. Raises StorageError."""
    try:
        url = make_url(text)
    except ArgumentError as error:  # its text may contain a password
        message = "can't use such a database: no URL such as sqlite:///FILE or postgresql://USER@HOST/NAME"
        raise StorageError(message, code="storage/address") from error
    return url.set(drivername="postgresql") if url.drivername == "postgres" else url
