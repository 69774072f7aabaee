"""Read-only questions about a table: status, hints, analysis; and playing decisions one after the other."""

from __future__ import annotations

from typing import TypeVar

from ekoes.errors import TableError
from ekoes.games.api.contract import Position
from ekoes.games.api.registry import check_part
from ekoes.tables.table import Table

T = TypeVar("T", bound=Table)
D = TypeVar("D")


def check_review(table: Table) -> None:
    """Raise TableError unless a table has a finished game, with a result, of which reviews are made."""
    check_part(table.game, "review")
    if table.outcome is None or table.is_aborted:
        raise TableError("the game is not over", code="table/not-over")


def check_open(position: Position) -> None:
    """Raise TableError if there is nothing to search in a position."""
    if not position.actors():
        message = "no player has to decide in this position: there is nothing to search"
        raise TableError(message, code="table/not-now")
