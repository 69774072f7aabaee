"""A table whose whole log is at hand, seen as the store would show it."""

from __future__ import annotations

from typing import Any

from ekoes.games.api.contract import Json
from ekoes.games.api.registry import game
from ekoes.tables.create import new_table
from ekoes.tables.table import Table

__all__ = ["made", "past", "record"]


def made(table: Table) -> Any:
    """Return the table as it was made."""
    return new_table(table.game, table.options, table.seed, table.seats, turn_limit=table.turn_limit)


def past(table: Table, entries: int) -> Json:
    """Return the state after some entries."""
    return table.past_state(entries, table if entries else made(table))


def record(table: Table) -> str:
    """Write the game as a record that today's rules have judged."""
    rules = [game(table.game).rules_version] * len(table.log)
    return table.record_text(made(table), table.log, rules)
