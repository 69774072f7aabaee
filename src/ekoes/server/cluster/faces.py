"""How tables looked from the meeting when it was told of them, and what of that has changed."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Literal

from ekoes.match.seats import Seat
from ekoes.match.standing import asked
from ekoes.match.state import Table
from ekoes.storage.remembered import Remembered

__all__ = ["Faces"]

_TABLES = 4096
_ANEW = 5.0
"""Seconds after which a table that goes on is told of in any case: somebody else may have the meeting."""


class Faces:
    """Tells which changes of tables the meeting has to hear of.

    It reads each table from the store, which costs more than a decision does; most decisions change nothing
    that anybody sees from there.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        """Begin with nothing told. now: seconds, evenly."""
        self._now = now
        self._told: Remembered[tuple[Hashable, Hashable, float]] = Remembered(_TABLES)

    def change(
        self, table_id: str, table: Table, shown: Table, is_here: Callable[[Seat], bool]
    ) -> Literal["face", "turn"] | None:
        """Tell what has changed of a table, and take it as told.

        shown: as those see it who have no seat there. is_here: tells who of its people is here. Returns:
        ``face``, what everybody may notice; ``turn``, who is to decide, which some see; None: nothing.
        """
        face = (_face(table), _face(shown), tuple(map(is_here, table.seats)))
        turn = asked(table) if _goes_on(table) else ()
        last_face, last_turn, at = self._told.get(table_id) or (None, None, 0.0)
        if face == last_face and turn == last_turn and self._now() < at + _ANEW:
            return None
        self._told.put(table_id, (face, turn, self._now()))
        return "turn" if face == last_face else "face"


def _face(table: Table) -> Hashable:
    return (
        table.seats,
        table.is_started,
        table.outcome is None,
        table.rematch,
        table.agreed,
        table.public,
        table.rated,
    )


def _goes_on(table: Table) -> bool:
    return table.is_started and table.outcome is None and table.rematch is None
