"""When accounts are on vacation."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Engine, insert, select, update

from ekoes.storage.database import transaction
from ekoes.storage.schema import VacationRow

__all__ = ["Vacation", "Vacations"]


@dataclass(frozen=True, slots=True)
class Vacation:
    """A vacation of a holder. until: when it ends at the latest, or has ended."""

    holder: str
    began: datetime
    until: datetime


class Vacations:
    """Keeps vacations. Each method is one transaction and may raise StorageError.

    The methods block; they may be called from any thread.
    """

    def __init__(self, engine: Engine) -> None:
        """Keep them in a database."""
        self._engine = engine

    def of(self, holder: str) -> list[Vacation]:
        """Return all vacations of somebody, the first one first."""
        return self._found(VacationRow.holder == holder)

    def lately(self, since: datetime) -> list[Vacation]:
        """Return all that last, or have ended since a moment."""
        return self._found(VacationRow.until >= since)

    def begin(self, vacation: Vacation) -> None:
        """Keep one that begins."""
        row = {"holder": vacation.holder, "began": vacation.began, "until": vacation.until}
        with transaction(self._engine) as connection:
            connection.execute(insert(VacationRow).values(row))

    def end(self, holder: str, at: datetime) -> None:
        """End what lasts of somebody's."""
        lasting = (VacationRow.holder == holder, VacationRow.until > at)
        with transaction(self._engine) as connection:
            connection.execute(update(VacationRow).where(*lasting).values(until=at))

    def _found(self, condition: ColumnElement[bool]) -> list[Vacation]:
        columns = (VacationRow.holder, VacationRow.began, VacationRow.until)
        found = select(*columns).where(condition).order_by(VacationRow.began, VacationRow.holder)
        with transaction(self._engine) as connection:
            return [Vacation(*row) for row in connection.execute(found)]
