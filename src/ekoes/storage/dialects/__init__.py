"""What each database does in its own way; everything else of the store is the same for all of them."""

from __future__ import annotations

from importlib import import_module

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from ekoes.errors import StorageError
from ekoes.storage.dialects.dialect import Dialect

__all__ = ["Dialect", "dialect_of", "read_address"]

_MODULES = {name: f"ekoes.storage.dialects.{name}" for name in ("sqlite", "postgresql")}
"""Name of a database, as SQLAlchemy calls it -> the module with its ``DIALECT``."""


def dialect_of(name: str) -> Dialect:
    """Return the ways of a database. Raises StorageError if Ekoes does not know it."""
    if name not in _MODULES:
        message = f"can't use such a database: {name or 'nothing'}; Ekoes knows {' and '.join(_MODULES)}"
        raise StorageError(message, code="storage/address")
    found: Dialect = import_module(_MODULES[name]).DIALECT
    return found


def read_address(text: str) -> URL:
    """Read the URL of a database. Raises StorageError."""
    try:
        url = make_url(text)
    except ArgumentError as error:  # what it says may hold a password
        message = "can't use such a database: no URL such as sqlite:///FILE or postgresql://USER@HOST/NAME"
        raise StorageError(message, code="storage/address") from error
    return url.set(drivername="postgresql") if url.drivername == "postgres" else url
