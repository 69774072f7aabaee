"""Chat, blocks, follows, challenges, reports and moderation."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Literal

import orjson
from sqlalchemy import Connection, delete, exists, func, insert, or_, select, update

from ekoes.errors import TalkError
from ekoes.games.api.contract import Json
from ekoes.storage.accounts import add_session
from ekoes.storage.engine import Repository, columns_of
from ekoes.storage.schema import (
    AccountRow,
    Base,
    ChallengeRow,
    DeedRow,
    DeviceRow,
    LineRow,
    MuteRow,
    ReportRow,
    RightsRow,
    TieRow,
    TokenRow,
)


@dataclass(frozen=True, slots=True)
class Line:
    """A chat message. number: from 1 at its table; room: its audience; name: of the author at that time."""

    number: int
    room: str
    user_id: str
    seat: int | None
    name: str
    text: str | None
    phrase: str | None
    at: datetime


_COLUMNS = columns_of(LineRow, Line)


class Talk(Repository):
    """Chat messages, and who is muted at a table."""

    def lines(self, table_id: str, most: int) -> list[Line]:
        """Return the last messages of a table, in order."""
        latest = LineRow.number.desc()
        found = select(*_COLUMNS).where(LineRow.table_id == table_id).order_by(latest).limit(most)
        return [Line(*row) for row in self._rows(found)][::-1]

    def said_by(self, user: str) -> list[tuple[str, Line]]:
        """Return the messages of a user, with the ids of their tables."""
        found = select(LineRow.table_id, *_COLUMNS).where(LineRow.user_id == user).order_by(LineRow.at)
        return [(row[0], Line(*row[1:])) for row in self._rows(found)]

    def say(self, table_id: str, key: str, line: Line) -> Line | None:
        """Store a message under the next number; None if its key is stored already."""
        is_this = (LineRow.table_id == table_id, LineRow.user_id == line.user_id, LineRow.key == key)
        with self._transaction() as connection:
            if connection.scalar(select(LineRow.number).where(*is_this)) is not None:
                return None
            add_session(connection, line.user_id, line.at)
            last = connection.scalar(select(func.max(LineRow.number)).where(LineRow.table_id == table_id))
            said = replace(line, number=(last or 0) + 1)
            connection.execute(insert(LineRow).values(asdict(said) | {"table_id": table_id, "key": key}))
            return said

    def mute(self, table_id: str, user: str, other: str, at: datetime, *, muted: bool) -> None:
        """Mute or unmute a user for another one at a table."""
        row = {"table_id": table_id, "user_id": user, "other": other}
        is_this = (MuteRow.table_id == table_id, MuteRow.user_id == user, MuteRow.other == other)
        with self._transaction() as connection:
            connection.execute(delete(MuteRow).where(*is_this))
            if muted:
                for one in (user, other):
                    add_session(connection, one, at)
                connection.execute(insert(MuteRow).values(row))

    def unmute(self, table_id: str, user: str) -> None:
        """Unmute everyone for a user at a table."""
        is_theirs = (MuteRow.table_id == table_id, MuteRow.user_id == user)
        self._execute(delete(MuteRow).where(*is_theirs))

    def hidden(self, table_id: str, user: str) -> tuple[frozenset[str], frozenset[str]]:
        """Return the users muted at a table and the users blocked everywhere by a user."""
        muted = select(MuteRow.other).where(MuteRow.table_id == table_id, MuteRow.user_id == user)
        blocked = select(TieRow.other).where(TieRow.kind == "block", TieRow.user_id == user)
        with self._transaction() as connection:
            return frozenset(connection.scalars(muted)), frozenset(connection.scalars(blocked))


Kind = Literal["block", "follow"]


@dataclass(frozen=True, slots=True)
class Relation:
    """A block or follow. name: of the account today, else as it was then."""

    number: int
    kind: str
    other: str
    name: str
    since: datetime


class Relations(Repository):
    """Blocks and follows."""

    def of(self, user: str, kind: Kind | None = None) -> list[Relation]:
        """Return the blocks or follows of a user (None: both), the latest first."""
        columns = (TieRow.number, TieRow.kind, TieRow.other, TieRow.name, TieRow.since, AccountRow.name)
        found = (
            select(*columns)
            .outerjoin(AccountRow, AccountRow.user_id == TieRow.other)
            .where(TieRow.user_id == user, *([] if kind is None else [TieRow.kind == kind]))
            .order_by(TieRow.number.desc())
        )
        rows = self._rows(found)
        return [
            Relation(number, word, other, now or then, since)
            for number, word, other, then, since, now in rows
        ]

    def add(self, kind: Kind, user: str, other: str, name: str, at: datetime) -> int:
        """Block or follow a user. Returns: its number, the same if it exists already."""
        is_this = (TieRow.kind == kind, TieRow.user_id == user, TieRow.other == other)
        row = {"kind": kind, "user_id": user, "other": other, "name": name, "since": at}
        with self._transaction() as connection:
            known: int | None = connection.scalar(select(TieRow.number).where(*is_this))
            if known is not None:
                return known
            for one in (user, other):
                add_session(connection, one, at)
            made = connection.execute(insert(TieRow).values(row).returning(TieRow.number))
            return int(made.scalar_one())

    def remove(self, kind: Kind, user: str, number: int) -> bool:
        """Delete a block or follow, and return whether there was one."""
        is_this = (TieRow.kind == kind, TieRow.user_id == user, TieRow.number == number)
        return bool(self._execute(delete(TieRow).where(*is_this)))

    def has_blocked(self, user: str, other: str) -> bool:
        """Return whether a user blocks another one."""
        is_this = (TieRow.kind == "block", TieRow.user_id == user, TieRow.other == other)
        return bool(self._scalar(select(exists().where(*is_this))))

    def apart_from(self, user: str) -> frozenset[str]:
        """Return the users that a user blocks or is blocked by."""
        is_one = or_(TieRow.user_id == user, TieRow.other == user)
        found = select(TieRow.user_id, TieRow.other).where(TieRow.kind == "block", is_one)
        return frozenset(one for row in self._rows(found) for one in row) - {user}


@dataclass(frozen=True, slots=True)
class StoredChallenge:
    """A pending challenge. plan: JSON; seed: for a plan without one; asked: users by seat.

    waits: users who have not answered yet.
    """

    id: str
    user_id: str
    plan: str
    seed: int
    asked: dict[int, str]
    waits: frozenset[str]
    ends: datetime


class PendingChallenges(Repository):
    """Challenges that wait for answers."""

    def all(self, now: datetime) -> list[StoredChallenge]:
        """Delete those that have expired, and return the others, the first to expire first."""
        with self._transaction() as connection:
            connection.execute(delete(ChallengeRow).where(ChallengeRow.ends <= now))
            rows = connection.execute(select(*_CHALLENGE).order_by(ChallengeRow.ends)).all()
        return [
            StoredChallenge(
                challenge_id,
                user_id,
                plan,
                seed,
                asked={int(seat): user for seat, user in orjson.loads(asked).items()},
                waits=frozenset(orjson.loads(waits)),
                ends=ends,
            )
            for challenge_id, user_id, plan, seed, asked, waits, ends in rows
        ]

    def add(self, challenge: StoredChallenge) -> None:
        """Store a new challenge."""
        asked = {str(seat): user for seat, user in challenge.asked.items()}
        row = asdict(challenge) | {"asked": _json(asked), "waits": _json(sorted(challenge.waits))}
        self._execute(insert(ChallengeRow).values(row))

    def set_waits(self, challenge_id: str, waits: Collection[str]) -> None:
        """Store who has not answered yet."""
        changed = update(ChallengeRow).where(ChallengeRow.id == challenge_id)
        self._execute(changed.values(waits=_json(sorted(waits))))

    def remove(self, challenge_id: str) -> None:
        """Delete a challenge."""
        self._execute(delete(ChallengeRow).where(ChallengeRow.id == challenge_id))


_CHALLENGE = columns_of(ChallengeRow, StoredChallenge)


def _json(value: object) -> str:
    return orjson.dumps(value).decode()


Did = Literal["make-moderator", "unmake-moderator", "silence", "unsilence", "close", "reopen", "resolve"]

_RIGHTS = Base.metadata.tables["rights"]


@dataclass(frozen=True, slots=True)
class Rights:
    """A user's role and restrictions."""

    is_moderator: bool = False
    silenced_until: datetime | None = None
    closed_at: datetime | None = None

    def silence(self, at: datetime) -> datetime | None:
        """Return until when the user is silenced, None if they are not at that time."""
        until = self.silenced_until
        return until if until is not None and until > at else None


@dataclass(frozen=True, slots=True)
class Whom:
    """The subject of a moderation action. name: as in the log."""

    user_id: str
    name: str


@dataclass(frozen=True, slots=True)
class Report:
    """A report about a user. number, resolved_at, verdict: set by the store.

    table_id: None for a report from a profile. name: of the reported user; line: the reported message;
    lines: the last messages, as JSON.
    """

    table_id: str | None
    user_id: str
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
        """Return the report for moderators, without its author."""
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
    """An entry of the moderation log. number: set by the store; words: reason, end or report."""

    at: datetime
    by: str
    did: Did
    whom: Whom
    words: str
    number: int = 0

    def to_json(self) -> Json:
        """Return the entry as shown in the log."""
        facts = {"id": self.number, "at": self.at.isoformat(), "by": self.by, "did": self.did}
        return facts | {"name": self.whom.name, "words": self.words}


_REPORT = columns_of(ReportRow, Report)


class ModerationLog(Repository):
    """Rights, reports and the moderation log."""

    # ------------------------------------------------------------ rights

    def rights(self, user: str) -> Rights:
        """Return the rights of a user."""
        row = self._first(select(*columns_of(RightsRow, Rights)).where(RightsRow.user_id == user))
        return Rights() if row is None else Rights(*row)

    def moderator(self, deed: Deed, *, made: bool) -> None:
        """Appoint or dismiss a moderator."""
        with self._transaction() as connection:
            _note(connection, deed)
            _set(connection, deed.whom.user_id, deed.at, is_moderator=made)

    def silence(self, deed: Deed, until: datetime | None) -> None:
        """Silence a user until a time; None ends it."""
        with self._transaction() as connection:
            _note(connection, deed)
            _set(connection, deed.whom.user_id, deed.at, silenced_until=until)

    def close(self, deed: Deed) -> None:
        """Close an account: sign out its devices, delete its tokens, refuse sign-in."""
        with self._transaction() as connection:
            _note(connection, deed)
            _set(connection, deed.whom.user_id, deed.at, closed_at=deed.at, is_moderator=False)
            for row in (DeviceRow, TokenRow):
                connection.execute(delete(row).where(row.user_id == deed.whom.user_id))

    def reopen(self, deed: Deed) -> None:
        """Let an account sign in again."""
        with self._transaction() as connection:
            _note(connection, deed)
            _set(connection, deed.whom.user_id, deed.at, closed_at=None)

    # ------------------------------------------------------------ reports

    def report(self, report: Report) -> int:
        """Store a report and return its number."""
        row = asdict(report)
        del row["number"]  # the database counts
        with self._transaction() as connection:
            for one in (report.user_id, report.about):
                add_session(connection, one, report.at)
            made = connection.execute(insert(ReportRow).values(row).returning(ReportRow.number))
            return int(made.scalar_one())

    def reports(self, *, is_open: bool, most: int) -> list[Report]:
        """Return reports, the latest first. is_open: only unresolved ones."""
        found = select(*_REPORT).order_by(ReportRow.number.desc()).limit(most)
        if is_open:
            found = found.where(ReportRow.resolved_at.is_(None))
        return [Report(*row) for row in self._rows(found)]

    def reported(self, number: int) -> Report:
        """Return a report. Raises TalkError if there is none."""
        row = self._first(select(*_REPORT).where(ReportRow.number == number))
        if row is None:
            raise TalkError(f"there is no report {number}", code="talk/no-report")
        return Report(*row)

    def resolve(self, deed: Deed, number: int, verdict: str) -> None:
        """Resolve a report. Raises TalkError if it is resolved already."""
        is_this = (ReportRow.number == number, ReportRow.resolved_at.is_(None))
        with self._transaction() as connection:
            done = update(ReportRow).where(*is_this).values(resolved_at=deed.at, verdict=verdict)
            if not connection.execute(done).rowcount:
                raise TalkError(f"report {number} is resolved already", code="talk/resolved")
            _note(connection, deed)

    # ------------------------------------------------------------ deeds

    def deeds(self, *, since: int = 0, most: int | None = None) -> list[Deed]:
        """Return log entries, in order. since: after this number; most: only the last ones."""
        columns = (DeedRow.at, DeedRow.by, DeedRow.did, DeedRow.user_id, DeedRow.name, DeedRow.words)
        latest = DeedRow.number.desc()
        found = select(DeedRow.number, *columns).where(DeedRow.number > since).order_by(latest).limit(most)
        rows = self._rows(found)[::-1]
        return [
            Deed(at, by, did, Whom(user, name), words, number)  # type: ignore[arg-type]
            for number, at, by, did, user, name, words in rows
        ]

    def last_deed(self) -> int:
        """Return the number of the latest log entry, 0 if there is none."""
        return self._scalar(select(func.max(DeedRow.number))) or 0


def _set(connection: Connection, user: str, at: datetime, **changes: object) -> None:
    add_session(connection, user, at)
    if not connection.execute(update(_RIGHTS).where(_RIGHTS.c.user_id == user).values(changes)).rowcount:
        connection.execute(insert(_RIGHTS).values({"user_id": user, "is_moderator": False} | changes))


def _note(connection: Connection, deed: Deed) -> None:
    row = {"at": deed.at, "by": deed.by, "did": deed.did, "words": deed.words}
    whom = {"user_id": deed.whom.user_id, "name": deed.whom.name}
    connection.execute(insert(DeedRow).values(row | whom))
