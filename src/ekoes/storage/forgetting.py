"""What is forgotten of somebody's talk with their account."""

from __future__ import annotations

from sqlalchemy import Connection, delete, or_, update

from ekoes.storage.schema import LineRow, MuteRow, RightsRow, TieRow

__all__ = ["forget_talk"]


def forget_talk(connection: Connection, holder: str) -> None:
    """Forget whom somebody blocks, follows or hides and who does so with them; their lines lose the name."""
    connection.execute(update(LineRow).where(LineRow.holder == holder).values(name=""))
    for row in (TieRow, MuteRow):
        connection.execute(delete(row).where(or_(row.holder == holder, row.other == holder)))
    connection.execute(delete(RightsRow).where(RightsRow.holder == holder))
