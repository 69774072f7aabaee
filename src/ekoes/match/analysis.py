"""Who may have a table's position searched, and the search of it."""

from __future__ import annotations

from ekoes.bots.analysis import Search, begin_search
from ekoes.errors import TableError
from ekoes.games.registry import game as game_of
from ekoes.match.kinds import kind_of
from ekoes.match.state import Table

__all__ = ["check_analysis", "search_of"]

_OPTION = "hints"


def check_analysis(table: Table, session: str) -> None:
    """Raise TableError where a session may have no position of a table searched.

    It may where nobody else plays for it: a game is over, bots play alone, or the session plays against
    bots, and the table allows hints.
    """
    if game_of(table.game).parts.analysis is None:
        raise TableError("no position of this game is searched", code="table/wrong-order")
    if table.outcome is not None:
        return
    if table.has_others(session):
        raise TableError("no position is searched while people play", code="table/people")
    if table.people and not table.options.get(_OPTION, True):
        raise TableError("this table allows no hints", code="table/people")


def search_of(table: Table, memory: int) -> Search:
    """Return a search of where a game stands, not yet begun. memory: MiB. Raises TableError."""
    position = kind_of(table.game).position_of(table)
    if not position.actors():
        raise TableError("nobody is asked here: there is nothing to search", code="table/not-now")
    return begin_search(game_of(table.game), position, kind_of(table.game).begun(table), memory)
