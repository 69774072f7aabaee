"""What must hold of a database, whatever befell its server."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import select

from ekoes.errors import EkoesError
from ekoes.games.contract import Json
from ekoes.match.kinds import kind_of
from ekoes.match.turns.state import TurnTable
from ekoes.record import read_record
from ekoes.storage.database import connect, transaction
from ekoes.storage.schema import EventRow, TableRow
from ekoes.storage.store import Store
from tools.faults.player import Acknowledged
from tools.faults.times import Span, wrong_times

__all__ = ["endless", "faults"]

_MAY_CHANGE_NOTHING = {"pass", "ready"}
"""What is acknowledged and not kept where nothing is to be passed, or the seat is ready already."""

Events = dict[str, list[tuple[int, int]]]


def faults(url: str, told: Iterable[list[Acknowledged]]) -> list[str]:
    """Return what is wrong with a database. told: what each player was acknowledged, in order."""
    events = _events(url)
    store = Store(url)
    found = [fault for player in told for fault in _of_player(events, player)]
    found += [fault for table in events for fault in _checked(store, table, events[table])]
    store.close()
    return found


def endless(url: str, played: Mapping[str, Span], there: Sequence[Span]) -> list[str]:
    """Return which games have not come to their end, and which clocks are wrong.

    played: when each table went on, as anybody has seen it; there: when each server was there.
    """
    store = Store(url)
    tables = {name: kept.table for name in played if (kept := store.load(name)) is not None}
    store.close()
    found = [f"table {name} has not come to its end" for name, table in tables.items() if not table.outcome]
    return found + list(wrong_times(tables, played, there))


def _events(url: str) -> dict[str, Events]:
    """Return the events of each table, number and version of each, by their key."""
    asked = select(EventRow.table_id, EventRow.key, EventRow.number, EventRow.version)
    engine = connect(url)
    with transaction(engine) as connection:
        found: dict[str, Events] = {table: {} for table in connection.scalars(select(TableRow.id))}
        for table, key, number, version in connection.execute(asked.order_by(EventRow.number)):
            found[table].setdefault(key, []).append((number, version))
    engine.dispose()
    return found


def _of_player(events: dict[str, Events], told: list[Acknowledged]) -> list[str]:
    """Every acknowledged order is there once, as it was acknowledged each time, and in its order."""
    found: list[str] = []
    numbers: list[tuple[int, int]] = []
    tables: dict[str, int] = {}
    for each in told:
        kept = events.get(each.table, {}).get(each.key, [])
        if kept and [version for _, version in kept] != [each.version]:
            found.append(f"{each} is kept as {kept}")
        elif kept and not each.is_again:
            numbers.append((tables.setdefault(each.table, len(tables)), kept[0][0]))
        elif not kept and not each.is_late and _changes(each.order):
            found.append(f"{each} is not kept")
    return found if numbers == sorted(numbers) else [*found, f"out of order: {numbers}"]


def _changes(order: Json) -> bool:
    """Tell whether an order changes something whenever it is taken."""
    return order.get("action", {}).get("type") not in _MAY_CHANGE_NOTHING


def _checked(store: Store, table: str, events: Events) -> list[str]:
    try:
        return _of_table(store, table, events)
    except EkoesError as error:
        return [f"table {table} can't be read: {error} ({error.__cause__})"]


def _of_table(store: Store, table: str, events: Events) -> list[str]:
    """The events have all numbers, the state is theirs; the record can be read and verified."""
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
    if kept.table.outcome is not None or isinstance(kept.table, TurnTable):
        read_record(store.record(table))
    return []
