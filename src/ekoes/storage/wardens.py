"""What those who run the server do: rights given and taken, reports resolved, and a log of all of it.

A deed and what it changes are one transaction: nothing is done that does not stand in the log.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import orjson
from sqlalchemy import Connection, Engine, delete, func, insert, select, update

from ekoes.errors import TalkError
from ekoes.games.contract import Json
from ekoes.storage.database import transaction
from ekoes.storage.people import add_session
from ekoes.storage.schema import Base, DeedRow, DeviceRow, ReportRow, RightsRow, TokenRow

__all__ = ["NO_RIGHTS", "Deed", "Did", "Report", "Rights", "Wardens", "Whom"]

Did = Literal["make-moderator", "unmake-moderator", "silence", "unsilence", "close", "reopen", "resolve"]

_RIGHTS = Base.metadata.tables["rights"]


@dataclass(frozen=True, slots=True)
class Rights:
    """What somebody may do more than others, or less."""

    is_moderator: bool = False
    silenced_until: datetime | None = None
    closed_at: datetime | None = None

    def silence(self, at: datetime) -> datetime | None:
        """Return until when somebody may say nothing, None if they may at a moment."""
        until = self.silenced_until
        return until if until is not None and until > at else None


NO_RIGHTS = Rights()


@dataclass(frozen=True, slots=True)
class Whom:
    """To whom something is done. name: as the log calls them."""

    holder: str
    name: str


@dataclass(frozen=True, slots=True)
class Report:
    """What somebody says of somebody else. number, resolved_at, verdict: of the store.

    name: of whom it is about; line: the one that it is about; lines: the last ones, as JSON.
    """

    table_id: str
    holder: str
    about: str
    name: str
    line: int | None
    reason: str
    words: str
    lines: str
    at: datetime
    number: int = 0
    resolved_at: datetime | None = None
    verdict: str | None = None

    def to_json(self) -> Json:
        """Return it as those see it who run the server: without who reports."""
        return {
            "id": self.number,
            "table": self.table_id,
            "name": self.name,
            "line": self.line,
            "reason": self.reason,
            "words": self.words,
            "lines": orjson.loads(self.lines),
            "at": self.at.isoformat(),
            "resolved_at": None if self.resolved_at is None else self.resolved_at.isoformat(),
            "verdict": self.verdict,
        }


@dataclass(frozen=True, slots=True)
class Deed:
    """What was done, by whom, to whom. number: of the store; words: why, until when, or which report."""

    at: datetime
    by: str
    did: Did
    whom: Whom
    words: str
    number: int = 0

    def to_json(self) -> Json:
        """Return it as the log shows it."""
        facts = {"id": self.number, "at": self.at.isoformat(), "by": self.by, "did": self.did}
        return facts | {"name": self.whom.name, "words": self.words}


_REPORT = tuple(ReportRow.__table__.c[name] for name in Report.__dataclass_fields__)


class Wardens:
    """Keeps rights, reports and deeds. Each method is one transaction and may raise StorageError.

    The methods block; they may be called from any thread.
    """

    def __init__(self, engine: Engine) -> None:
        """Keep them in a database."""
        self._engine = engine

    # ------------------------------------------------------------ rights

    def rights(self, holder: str) -> Rights:
        """Return what somebody may do."""
        with transaction(self._engine) as connection:
            return _rights(connection, holder)

    def moderator(self, deed: Deed, *, made: bool) -> None:
        """Make somebody a moderator, or no more."""
        with transaction(self._engine) as connection:
            _note(connection, deed)
            _set(connection, deed.whom.holder, deed.at, is_moderator=made)

    def silence(self, deed: Deed, until: datetime | None) -> None:
        """Let nobody hear what somebody says until a moment; None: they are heard again."""
        with transaction(self._engine) as connection:
            _note(connection, deed)
            _set(connection, deed.whom.holder, deed.at, silenced_until=until)

    def close(self, deed: Deed) -> None:
        """Close an account: it is signed out everywhere, its programs too, and can't sign in."""
        with transaction(self._engine) as connection:
            _note(connection, deed)
            _set(connection, deed.whom.holder, deed.at, closed_at=deed.at, is_moderator=False)
            for row in (DeviceRow, TokenRow):
                connection.execute(delete(row).where(row.holder == deed.whom.holder))

    def reopen(self, deed: Deed) -> None:
        """Let an account sign in again."""
        with transaction(self._engine) as connection:
            _note(connection, deed)
            _set(connection, deed.whom.holder, deed.at, closed_at=None)

    # ------------------------------------------------------------ reports

    def report(self, report: Report) -> int:
        """Keep a report and return its number."""
        row = {name: getattr(report, name) for name in Report.__dataclass_fields__ if name != "number"}
        with transaction(self._engine) as connection:
            for one in (report.holder, report.about):
                add_session(connection, one, report.at)
            made = connection.execute(insert(ReportRow).values(row).returning(ReportRow.number))
            return int(made.scalar_one())

    def reports(self, *, is_open: bool, most: int) -> list[Report]:
        """Return reports, the latest first. is_open: those alone that nobody has resolved."""
        found = select(*_REPORT).order_by(ReportRow.number.desc()).limit(most)
        if is_open:
            found = found.where(ReportRow.resolved_at.is_(None))
        with transaction(self._engine) as connection:
            return [Report(*row) for row in connection.execute(found)]

    def reported(self, number: int) -> Report:
        """Return a report. Raises TalkError if there is none."""
        with transaction(self._engine) as connection:
            row = connection.execute(select(*_REPORT).where(ReportRow.number == number)).first()
        if row is None:
            raise TalkError(f"there is no report {number}", code="talk/no-report")
        return Report(*row)

    def resolve(self, deed: Deed, number: int, verdict: str) -> None:
        """Note what came of a report. Raises TalkError if it was resolved before."""
        is_this = (ReportRow.number == number, ReportRow.resolved_at.is_(None))
        with transaction(self._engine) as connection:
            done = update(ReportRow).where(*is_this).values(resolved_at=deed.at, verdict=verdict)
            if not connection.execute(done).rowcount:
                raise TalkError(f"report {number} is resolved already", code="talk/resolved")
            _note(connection, deed)

    # ------------------------------------------------------------ deeds

    def deeds(self, *, since: int = 0, most: int | None = None) -> list[Deed]:
        """Return what was done, in order. since: after the deed of a number; most: the last ones."""
        columns = (DeedRow.at, DeedRow.by, DeedRow.did, DeedRow.holder, DeedRow.name, DeedRow.words)
        latest = DeedRow.number.desc()
        found = select(DeedRow.number, *columns).where(DeedRow.number > since).order_by(latest).limit(most)
        with transaction(self._engine) as connection:
            rows = connection.execute(found).all()[::-1]
        return [
            Deed(at, by, did, Whom(holder, name), words, number)  # type: ignore[arg-type]
            for number, at, by, did, holder, name, words in rows
        ]

    def last_deed(self) -> int:
        """Return the number of the latest deed, 0 if nothing was done yet."""
        with transaction(self._engine) as connection:
            return connection.scalar(select(func.max(DeedRow.number))) or 0


def _rights(connection: Connection, holder: str) -> Rights:
    columns = (RightsRow.is_moderator, RightsRow.silenced_until, RightsRow.closed_at)
    row = connection.execute(select(*columns).where(RightsRow.holder == holder)).first()
    return NO_RIGHTS if row is None else Rights(*row)


def _set(connection: Connection, holder: str, at: datetime, **changes: object) -> None:
    """Change somebody's rights; who has none yet gets those of everybody first."""
    add_session(connection, holder, at)
    if not connection.execute(update(_RIGHTS).where(_RIGHTS.c.holder == holder).values(changes)).rowcount:
        connection.execute(insert(_RIGHTS).values({"holder": holder, "is_moderator": False} | changes))


def _note(connection: Connection, deed: Deed) -> None:
    """Write a deed into the log."""
    row = {"at": deed.at, "by": deed.by, "did": deed.did, "words": deed.words}
    whom = {"holder": deed.whom.holder, "name": deed.whom.name}
    connection.execute(insert(DeedRow).values(row | whom))
