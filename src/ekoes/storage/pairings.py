"""The games of tournaments, as the end of a game or of an account changes them in its own transaction."""

from __future__ import annotations

import json
from collections.abc import Sequence

from sqlalchemy import Connection, delete, select, update

from ekoes.storage.schema import EntrantRow, PairingRow, TournamentRow

__all__ = ["forget_entrant", "note_places", "withdraw"]


def note_places(connection: Connection, table_id: str, places: Sequence[int]) -> None:
    """Note how a game ended, if it is one of a tournament that is not decided yet."""
    is_this = (PairingRow.table_id == table_id, PairingRow.places.is_(None))
    connection.execute(update(PairingRow).where(*is_this).values(places=json.dumps(places)))


def withdraw(connection: Connection, holder: str) -> None:
    """Let somebody play in no tournament any more; of those that have not begun nothing is left of them."""
    theirs = EntrantRow.holder == holder
    begun = select(TournamentRow.id).where(TournamentRow.started_at.is_not(None))
    connection.execute(delete(EntrantRow).where(theirs, EntrantRow.tournament_id.not_in(begun)))
    rounds = (
        select(TournamentRow.rounds).where(TournamentRow.id == EntrantRow.tournament_id).scalar_subquery()
    )
    connection.execute(
        update(EntrantRow).where(theirs, EntrantRow.left_after.is_(None)).values(left_after=rounds)
    )


def forget_entrant(connection: Connection, holder: str) -> None:
    """Take the name of an account from its tournaments, in which it plays no more."""
    withdraw(connection, holder)
    theirs = update(EntrantRow).where(EntrantRow.holder == holder)
    connection.execute(theirs.values(holder=None, name=""))
