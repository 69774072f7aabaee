"""Tables that those who watch see later: how they stood a while ago, and ends that are still to be told."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, func, select

from ekoes.errors import StorageError
from ekoes.match.state import Table
from ekoes.storage.finished import Finished, write_finished
from ekoes.storage.judge import events_of, judged
from ekoes.storage.read import find_row, made_again, standing_table
from ekoes.storage.schema import EventRow, UntoldRow

__all__ = ["tables_since", "tell_end", "untold"]


def tell_end(connection: Connection, table_id: str) -> None:
    """Let everybody know that a game is over, and count it; nothing if they know."""
    ended_at = connection.scalar(select(UntoldRow.ended_at).where(UntoldRow.table_id == table_id))
    row = None if ended_at is None else find_row(connection, table_id)
    if row is not None and ended_at is not None:
        write_finished(connection, Finished(table_id, standing_table(connection, row), ended_at))
        connection.execute(delete(UntoldRow).where(UntoldRow.table_id == table_id))


def untold(connection: Connection) -> list[tuple[str, datetime]]:
    """Return the tables whose end is still to be told, and when."""
    return [(row.table_id, row.tells_at) for row in connection.execute(select(UntoldRow))]


def tables_since(connection: Connection, row: Row[Any], since: datetime) -> Sequence[tuple[datetime, Table]]:
    """Return how a table stood at a moment, and each time it has changed since, with when; (): it has not.

    Where that can't be judged again it stands as it was made: less is shown, and nothing too early.
    """
    this = EventRow.table_id == row.id
    first = connection.scalar(select(func.min(EventRow.number)).where(this, EventRow.at > since))
    if first is None:
        return ()
    try:
        then = made_again(connection, row, first - 1)
        events = events_of(connection, row.id, first - 1, row.events)
        steps = judged(then, events, row.id)
        return [(since, then), *((event.at, after) for event, (_, after) in zip(events, steps, strict=True))]
    except StorageError:
        return [(since, made_again(connection, row, 0))]
