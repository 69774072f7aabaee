"""Whom somebody blocks, and whom they follow."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import Engine, delete, exists, insert, or_, select

from ekoes.storage.database import transaction
from ekoes.storage.people import add_session
from ekoes.storage.schema import AccountRow, TieRow

__all__ = ["Kind", "Tie", "Ties"]

Kind = Literal["block", "follow"]


@dataclass(frozen=True, slots=True)
class Tie:
    """Somebody whom a holder blocks or follows. name: of the account today, else as they were called then."""

    number: int
    kind: str
    other: str
    name: str
    since: datetime


class Ties:
    """Keeps who blocks and follows whom. Each method is one transaction and may raise StorageError.

    The methods block; they may be called from any thread.
    """

    def __init__(self, engine: Engine) -> None:
        """Keep it in a database."""
        self._engine = engine

    def of(self, holder: str, kind: Kind | None = None) -> list[Tie]:
        """Return whom somebody blocks or follows (None: both), the latest first."""
        columns = (TieRow.number, TieRow.kind, TieRow.other, TieRow.name, TieRow.since, AccountRow.name)
        found = (
            select(*columns)
            .outerjoin(AccountRow, AccountRow.holder == TieRow.other)
            .where(TieRow.holder == holder, *([] if kind is None else [TieRow.kind == kind]))
            .order_by(TieRow.number.desc())
        )
        with transaction(self._engine) as connection:
            rows = connection.execute(found).all()
        return [
            Tie(number, word, other, now or then, since) for number, word, other, then, since, now in rows
        ]

    def tie(self, kind: Kind, holder: str, other: str, name: str, at: datetime) -> int:
        """Let somebody block or follow somebody else. Returns: its number, always the same."""
        is_this = (TieRow.kind == kind, TieRow.holder == holder, TieRow.other == other)
        row = {"kind": kind, "holder": holder, "other": other, "name": name, "since": at}
        with transaction(self._engine) as connection:
            known: int | None = connection.scalar(select(TieRow.number).where(*is_this))
            if known is not None:
                return known
            for one in (holder, other):
                add_session(connection, one, at)
            made = connection.execute(insert(TieRow).values(row).returning(TieRow.number))
            return int(made.scalar_one())

    def untie(self, kind: Kind, holder: str, number: int) -> bool:
        """End what somebody began; tell whether there was such a thing."""
        is_this = (TieRow.kind == kind, TieRow.holder == holder, TieRow.number == number)
        with transaction(self._engine) as connection:
            return bool(connection.execute(delete(TieRow).where(*is_this)).rowcount)

    def has_blocked(self, holder: str, other: str) -> bool:
        """Tell whether somebody has blocked somebody else."""
        is_this = (TieRow.kind == "block", TieRow.holder == holder, TieRow.other == other)
        with transaction(self._engine) as connection:
            return bool(connection.scalar(select(exists().where(*is_this))))

    def apart_from(self, holder: str) -> frozenset[str]:
        """Return whom somebody has blocked and who has blocked them: nothing brings these together."""
        is_one = or_(TieRow.holder == holder, TieRow.other == holder)
        found = select(TieRow.holder, TieRow.other).where(TieRow.kind == "block", is_one)
        with transaction(self._engine) as connection:
            return frozenset(one for row in connection.execute(found) for one in row) - {holder}
