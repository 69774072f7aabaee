"""Chat, blocks, follows, challenges, reports and moderation."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import delete, exists, func, insert, or_, select, update

from ekoes.errors import TalkError
from ekoes.storage.accounts import add_session
from ekoes.storage.engine import Repository
from ekoes.storage.schema import (
    AccountRow,
    ChallengeRow,
    DeviceRow,
    LineRow,
    ModeratorActionRow,
    MuteRow,
    RelationRow,
    ReportRow,
    RightsRow,
    StudyRow,
    TokenRow,
)


class Talk(Repository):
    """Chat messages, and who is muted at a table."""

    def lines(self, table_id: str, most: int) -> list[LineRow]:
        """Return the last messages of a table, in order."""
        latest = select(LineRow).where(LineRow.table_id == table_id).order_by(LineRow.number.desc())
        return self._scalars(latest.limit(most))[::-1]

    def said_by(self, user: str) -> list[LineRow]:
        """Return the messages of a user."""
        return self._scalars(select(LineRow).where(LineRow.user_id == user).order_by(LineRow.at))

    def say(self, line: LineRow) -> bool:
        """Store a message under the next number, and return whether its key was new."""
        of_table = LineRow.table_id == line.table_id
        is_this = (of_table, LineRow.user_id == line.user_id, LineRow.key == line.key)
        with self._session() as session:
            if session.scalar(select(exists().where(*is_this))):
                return False
            add_session(session.connection(), line.user_id, line.at)
            line.number = (session.scalar(select(func.max(LineRow.number)).where(of_table)) or 0) + 1
            session.add(line)
            return True

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
        blocked = select(RelationRow.other).where(RelationRow.kind == "block", RelationRow.user_id == user)
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
        name = func.coalesce(AccountRow.name, RelationRow.name)
        found = (
            select(RelationRow.number, RelationRow.kind, RelationRow.other, name, RelationRow.since)
            .outerjoin(AccountRow, AccountRow.user_id == RelationRow.other)
            .where(RelationRow.user_id == user, *([] if kind is None else [RelationRow.kind == kind]))
            .order_by(RelationRow.number.desc())
        )
        return [Relation(*row) for row in self._rows(found)]

    def add(self, kind: Kind, user: str, other: str, name: str, at: datetime) -> int:
        """Block or follow a user. Returns: its number, the same if it exists already."""
        is_this = (RelationRow.kind == kind, RelationRow.user_id == user, RelationRow.other == other)
        with self._session() as session:
            relation = session.scalar(select(RelationRow).where(*is_this))
            if relation is None:
                for one in (user, other):
                    add_session(session.connection(), one, at)
                relation = RelationRow(kind, user, other, name, at)
                session.add(relation)
        return relation.number

    def remove(self, kind: Kind, user: str, number: int) -> bool:
        """Delete a block or follow, and return whether there was one."""
        is_this = (RelationRow.kind == kind, RelationRow.user_id == user, RelationRow.number == number)
        return bool(self._execute(delete(RelationRow).where(*is_this)))

    def has_blocked(self, user: str, other: str) -> bool:
        """Return whether a user blocks another one."""
        is_this = (RelationRow.kind == "block", RelationRow.user_id == user, RelationRow.other == other)
        return bool(self._scalar(select(exists().where(*is_this))))

    def apart_from(self, user: str) -> frozenset[str]:
        """Return the users that a user blocks or is blocked by."""
        is_one = or_(RelationRow.user_id == user, RelationRow.other == user)
        found = select(RelationRow.user_id, RelationRow.other).where(RelationRow.kind == "block", is_one)
        return frozenset(one for row in self._rows(found) for one in row) - {user}


class PendingChallenges(Repository):
    """Challenges that wait for answers."""

    def all(self, now: datetime) -> list[ChallengeRow]:
        """Delete those that have expired, and return the others, the first to expire first."""
        self._execute(delete(ChallengeRow).where(ChallengeRow.ends <= now))
        return self._scalars(select(ChallengeRow).order_by(ChallengeRow.ends))

    def set_waits(self, challenge_id: str, waits: Collection[str]) -> None:
        """Store who has not answered yet."""
        changed = update(ChallengeRow).where(ChallengeRow.id == challenge_id)
        self._execute(changed.values(waits=sorted(waits)))

    def remove(self, challenge_id: str) -> None:
        """Delete a challenge."""
        self._execute(delete(ChallengeRow).where(ChallengeRow.id == challenge_id))


class ModerationLog(Repository):
    """Rights, reports and the moderation log."""

    # ------------------------------------------------------------ rights

    def rights(self, user: str) -> RightsRow:
        """Return the rights of a user."""
        return self._get(RightsRow, user) or RightsRow(user)

    def moderator(self, action: ModeratorActionRow, *, made: bool) -> None:
        """Appoint or dismiss a moderator."""
        self._change_rights(action, is_moderator=made)

    def silence(self, action: ModeratorActionRow, until: datetime | None) -> None:
        """Silence a user until a time; None ends it."""
        self._change_rights(action, silenced_until=until)

    def close(self, action: ModeratorActionRow) -> None:
        """Close an account: sign out its devices, delete its tokens, refuse sign-in."""
        self._change_rights(action, (DeviceRow, TokenRow), closed_at=action.at, is_moderator=False)

    def reopen(self, action: ModeratorActionRow) -> None:
        """Let an account sign in again."""
        self._change_rights(action, closed_at=None)

    def _change_rights(
        self, action: ModeratorActionRow, ends: Iterable[type[DeviceRow | TokenRow]] = (), **changes: object
    ) -> None:
        """Store an action and the rights that it changes. ends: rows of the user that it deletes."""
        user = action.user_id
        with self._session() as session:
            add_session(session.connection(), user, action.at)
            rights = session.get(RightsRow, user) or RightsRow(user)
            for name, value in changes.items():
                setattr(rights, name, value)
            session.add_all([rights, action])
            for kind in ends:
                session.execute(delete(kind).where(kind.user_id == user))

    # ------------------------------------------------------------ reports

    def report(self, report: ReportRow) -> int:
        """Store a report unless one of the same user at the same table is open, and return its number."""
        is_same = (ReportRow.about == report.about, ReportRow.table_id == report.table_id)
        is_open = select(ReportRow.number).where(*is_same, ReportRow.resolved_at.is_(None))
        with self._session() as session:
            if (number := session.scalar(is_open.limit(1))) is not None:
                return number
            for one in (report.user_id, report.about):
                add_session(session.connection(), one, report.at)
            session.add(report)
        return report.number

    def reports(self, *, is_open: bool, most: int) -> list[ReportRow]:
        """Return reports, the latest first. is_open: only unresolved ones."""
        found = select(ReportRow).order_by(ReportRow.number.desc()).limit(most)
        return self._scalars(found.where(ReportRow.resolved_at.is_(None)) if is_open else found)

    def reported(self, number: int) -> ReportRow:
        """Return a report. Raises TalkError if there is none."""
        report = self._get(ReportRow, number)
        if report is None:
            raise TalkError(f"there is no report {number}", code="talk/no-report")
        return report

    def resolve(self, action: ModeratorActionRow, number: int, verdict: str) -> None:
        """Resolve a report. Raises TalkError if it is resolved already."""
        is_this = (ReportRow.number == number, ReportRow.resolved_at.is_(None))
        done = update(ReportRow).where(*is_this).values(resolved_at=action.at, verdict=verdict)
        with self._session() as session:
            if not session.connection().execute(done).rowcount:
                raise TalkError(f"report {number} is resolved already", code="talk/resolved")
            session.add(action)

    # ------------------------------------------------------------ studies

    def remove_study(self, action: ModeratorActionRow, study_id: str) -> None:
        """Delete a study of any user."""
        with self._session() as session:
            session.execute(delete(StudyRow).where(StudyRow.id == study_id))
            session.add(action)

    # ------------------------------------------------------------ actions

    def actions(self, *, since: int = 0, most: int | None = None) -> list[ModeratorActionRow]:
        """Return log entries, in order. since: after this number; most: only the last ones."""
        number = ModeratorActionRow.number
        latest = select(ModeratorActionRow).where(number > since).order_by(number.desc()).limit(most)
        return self._scalars(latest)[::-1]

    def last_action(self) -> int:
        """Return the number of the latest log entry, 0 if there is none."""
        return self._scalar(select(func.max(ModeratorActionRow.number))) or 0
