"""Accounts and tables in a store, written at once by the thread of a test."""

from __future__ import annotations

from datetime import datetime

from ekoes.storage.accounts import Account
from ekoes.storage.store import Store
from ekoes.storage.tables import Change, StoredTable, Taken, new_table, take
from ekoes.tables.orders import AnyOrder
from ekoes.tables.table import Table
from tests.kit.tables import NOW


def account(store: Store, user: str, name: str = "") -> str:
    """Give a user an account, by default of the same name; return the user."""
    store.people.open(Account(user, name or user.title(), "a hash", NOW), ["a code"])
    return user


def write_one(store: Store, change: Change) -> None:
    """Write one change. Raises StorageError."""
    (failure,) = store.write([change])
    if failure is not None:
        raise failure


def create(store: Store, table_id: str, table: Table, at: datetime) -> StoredTable:
    """Store a new table with a fresh secret, and return it as stored."""
    kept, change = new_table(table_id, table, at)
    write_one(store, change)
    return kept


def append(
    store: Store,
    table_id: str,
    kept: StoredTable,
    order: AnyOrder,
    session: str | None,
    at: datetime,
    after: Table,
) -> StoredTable:
    """Store an order, and return the table as stored. Raises StorageError."""
    orders = (Taken(order, session, at, after),)
    change = Change(table_id)
    stored = take(change, kept, orders)
    write_one(store, change)
    return stored


def stored_table(store: Store, table_id: str) -> StoredTable:
    """Return a table that is in a store."""
    found = store.load(table_id)
    assert found is not None
    return found
