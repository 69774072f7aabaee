"""What is forgotten of somebody's talk with their account."""

from __future__ import annotations

from sqlalchemy import Connection, delete, or_, update

from ekoes.storage.schema import LineRow, MuteRow, ReportRow, RightsRow, TieRow

__all__ = ["forget_talk"]


def forget_talk(connection: Connection, holder: str) -> None:
    """Forget whom somebody blocks, follows or hides and who does so with them.

    Their lines lose the name, and so does what was reported of them. What was done stays as it was noted.
    """
    connection.execute(update(LineRow).where(LineRow.holder == holder).values(name=""))
    connection.execute(update(ReportRow).where(ReportRow.about == holder).values(name=""))
    for row in (TieRow, MuteRow):
        connection.execute(delete(row).where(or_(row.holder == holder, row.other == holder)))
    connection.execute(delete(RightsRow).where(RightsRow.holder == holder))
