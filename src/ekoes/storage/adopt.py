"""Tables of schema 1, which kept orders alone: judged anew once, and kept from then on as they came out."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, func, select, update

from ekoes.errors import EkoesError
from ekoes.games.registry import game
from ekoes.match.state import Table
from ekoes.storage.judge import as_made, damaged, events_of, judged
from ekoes.storage.schema import EventRow, TableRow
from ekoes.storage.state import State
from ekoes.storage.write import Change, follow, seated, standing, write

__all__ = ["adopt"]


def adopt(connection: Connection, row: Row[Any]) -> None:
    """Judge the orders of a table by today's rules and keep what they come to.

    Raises: StorageError naming the event that does not fit.
    """
    try:
        table = as_made(connection, row)
    except EkoesError as error:
        raise damaged(f"table {row.id} can't be made: {error}") from error
    change = _claimed(connection, row.id, table)
    if change is None:
        return
    last = connection.scalar(select(func.count()).where(EventRow.table_id == row.id)) or 0
    for number, after in judged(table, events_of(connection, row.id, 0, last), row.id):
        state = State.of(after)
        is_this = (EventRow.table_id == row.id, EventRow.number == number)
        judged_by = {"rules": game(after.game).rules_version, "digest": state.digest}
        connection.execute(update(EventRow).where(*is_this).values(judged_by))
        follow(change, number, table, after, state)
        table = after
    seated(change, table, row.created_at)
    change.kept = None  # nothing of the log has been written yet
    write(connection, [change], set())


def _claimed(connection: Connection, table_id: str, table: Table) -> Change | None:
    """Keep a table as it was made, unless somebody else has adopted it meanwhile."""
    state = State.of(table)
    is_new = (TableRow.id == table_id, TableRow.state.is_(None))
    values = {"digest": state.digest, "state": state.game, "clock": state.clock}
    if not connection.execute(update(TableRow).where(*is_new).values(values)).rowcount:
        return None
    change = Change(table_id, standing=[(table_id, *standing(table, state, 0))])
    change.states.append((table_id, 0, state.game, state.clock))
    return change
