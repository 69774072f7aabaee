"""What must hold of a database and of the clocks of its tables, whatever happened to the servers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import select

from ekoes.errors import EkoesError
from ekoes.games.api.contract import Json
from ekoes.records import read_record
from ekoes.storage.dialects import Address
from ekoes.storage.engine import connect, transaction
from ekoes.storage.schema import EventRow, TableRow
from ekoes.storage.store import Store
from ekoes.tables.table import Table
from ekoes.tables.turns import TurnTable
from tools.faults.player import Acknowledged, Played, Span

_MAY_CHANGE_NOTHING = {"pass", "ready"}
"""Acknowledged, and not stored where there is nothing to pass or the seat is ready already."""

Events = dict[str, list[tuple[int, int]]]


def faults(url: Address, acknowledged: Iterable[list[Acknowledged]]) -> list[str]:
    """Return what is wrong with a database. acknowledged: the orders of each player, in order."""
    events = _events(url)
    store = Store(url)
    found = [fault for player in acknowledged for fault in _of_player(events, player)]
    found += [fault for table in events for fault in _checked(store, table, events[table])]
    store.close()
    return found


def endless(url: str, played: Mapping[str, Played], there: Sequence[Span]) -> list[str]:
    """Return which games have not come to their end, and which clocks are wrong.

    there: when each server was there.
    """
    store = Store(url)
    begun = [name for name, seen in played.items() if seen.begun]
    tables = {name: stored.table for name in begun if (stored := store.load(name)) is not None}
    store.close()
    found = [f"table {name} has not come to its end" for name, table in tables.items() if not table.outcome]
    return found + list(wrong_times(tables, played, there))


def _events(url: Address) -> dict[str, Events]:
    """Return the events of each table, number and version of each, by their key."""
    asked = select(EventRow.table_id, EventRow.key, EventRow.number, EventRow.version)
    engine = connect(url)
    with transaction(engine) as connection:
        found: dict[str, Events] = {table: {} for table in connection.scalars(select(TableRow.id))}
        for table, key, number, version in connection.execute(asked.order_by(EventRow.number)):
            found[table].setdefault(key, []).append((number, version))
    engine.dispose()
    return found


def _of_player(events: dict[str, Events], orders: list[Acknowledged]) -> list[str]:
    """Every acknowledged order is there once, as it was acknowledged each time, and in its order."""
    found: list[str] = []
    numbers: list[tuple[int, int]] = []
    tables: dict[str, int] = {}
    for each in orders:
        stored = events.get(each.table, {}).get(each.key, [])
        if stored and [version for _, version in stored] != [each.version]:
            found.append(f"{each} is stored as {stored}")
        elif stored and not each.is_again:
            numbers.append((tables.setdefault(each.table, len(tables)), stored[0][0]))
        elif not stored and not each.is_late and _changes(each.order):
            found.append(f"{each} is not stored")
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
    numbers = sorted(number for stored in events.values() for number, _ in stored)
    stored = store.load(table)
    if stored is None or numbers != list(range(1, stored.events + 1)):
        return [f"table {table} has the events {numbers}"]
    if len(store.log(table)) != stored.table.length:
        return [f"the log of table {table} has another length than its state says"]
    moment = store.past(table, stored.table.length)
    if moment.version > stored.table.version:
        return [f"table {table} was further once"]
    if stored.table.outcome is not None or isinstance(stored.table, TurnTable):
        read_record(store.record(table))
    return []


_SLACK = 10.0
"""Seconds by which a first decision or an end may reach players late."""
_START = 3.0
"""Seconds for which a server may be there before it answers."""
_UNKNOWN = 6.0
"""Seconds before a kill that no clock counts (``server/ops/clock.py``)."""
_LINE = 1.0
"""Seconds by which a clock may wait for its player's connection, in each turn."""


def wrong_times(
    tables: Mapping[str, Table], played: Mapping[str, Played], there: Sequence[Span]
) -> Iterable[str]:
    """Yield what is wrong with the clocks of tables. there: when each server was there."""
    for name, table in tables.items():
        if (
            not isinstance(table, TurnTable)
            or table.clocks is None
            or table.clock is None
            or name not in played
        ):
            continue
        used = sum((table.clock.base or 0) - left / 1000 for left in table.clocks.left)
        new, begun, ended = played[name]
        counted, starts = _time_there((begun, ended), there)
        least = counted - starts * _UNKNOWN - table.clocks.turn.number * _LINE - _SLACK
        counted, starts = _time_there((new, ended), there)  # players may see a decision late
        most = counted + starts * _START + _SLACK
        if not least <= used <= most:
            yield f"the clocks of {name} have counted {used:.1f} s of {least:.1f} to {most:.1f}"


def _time_there(played: Span, there: Sequence[Span]) -> tuple[float, int]:
    """Return for how many seconds of a game a server was there, and how many servers were."""
    parts = [(max(played[0], begun), min(played[1], ended)) for begun, ended in there]
    own = sorted(part for part in parts if part[0] < part[1])
    counted, latest = 0.0, played[0]
    for begun, ended in own:  # several may be there at the same time
        counted += max(0.0, ended - max(begun, latest))
        latest = max(latest, ended)
    return counted, len(own)
