"""What must hold of a database, however often its server was killed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from ekoes.match.kinds import kind_of
from ekoes.record import read_record
from ekoes.storage.store import Store
from tools.kills.player import Acknowledged

__all__ = ["faults"]

Events = dict[str, list[tuple[int, int]]]


def faults(folder: Path, told: Iterable[list[Acknowledged]]) -> list[str]:
    """Return what is wrong with a database. told: what each player was acknowledged, in order."""
    path = folder / "ekoes.sqlite"
    with closing(sqlite3.connect(path)) as database:
        tables = [table for (table,) in database.execute("SELECT id FROM tables")]
        events = {table: _events(database, table) for table in tables}
    store = Store(f"sqlite:///{path}")
    found = [fault for player in told for fault in _of_player(events, player)]
    found += [fault for table in tables for fault in _of_table(store, table, events[table])]
    store.close()
    return found


def _events(database: sqlite3.Connection, table: str) -> Events:
    """Return the events of a table, number and version of each, by their key."""
    found: Events = {}
    asked = "SELECT key, number, version FROM events WHERE table_id = ? ORDER BY number"
    for key, number, version in database.execute(asked, (table,)):
        found.setdefault(key, []).append((number, version))
    return found


def _of_player(events: dict[str, Events], told: list[Acknowledged]) -> list[str]:
    """Every acknowledged order is there once, as it was acknowledged, and in its order."""
    found: list[str] = []
    numbers: list[tuple[int, int]] = []
    tables: dict[str, int] = {}
    for each in told:
        kept = events[each.table].get(each.key, [])
        if [version for _, version in kept] == [each.version]:
            numbers.append((tables.setdefault(each.table, len(tables)), kept[0][0]))
        elif kept or each.order.get("action", {}).get("type") != "pass":  # which may come to nothing
            found.append(f"{each} is kept as {kept}")
    return found if numbers == sorted(numbers) else [*found, f"out of order: {numbers}"]


def _of_table(store: Store, table: str, events: Events) -> list[str]:
    """The events have all numbers; the state is theirs; the record can be read and verified."""
    numbers = sorted(number for kept in events.values() for number, _ in kept)
    kept = store.load(table)
    if kept is None or numbers != list(range(1, kept.events + 1)):
        return [f"table {table} has the events {numbers}"]
    if len(store.log(table)) != kept.table.length:
        return [f"the log of table {table} has another length than its state says"]
    moment = store.past(table, kept.table.length)
    state = kind_of(kept.table.game).to_state
    if state(moment)["version"] > state(kept.table)["version"]:
        return [f"table {table} was further once"]
    if kept.table.game == "eko":
        read_record(store.record(table))
    return []
