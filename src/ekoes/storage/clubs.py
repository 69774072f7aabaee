"""Clubs: their members with their roles, their chat, and the tables of their members."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, Literal, TypeVarTuple

from sqlalchemy import Connection, Select, case, delete, exists, func, insert, select, update

from ekoes.errors import ClubError, StorageError
from ekoes.games.api.contract import Json
from ekoes.storage.engine import Repository, columns_of
from ekoes.storage.names import check_not_reserved, known_as, look_of
from ekoes.storage.schema import (
    AccountRow,
    ClubLineRow,
    ClubMemberRow,
    ClubRow,
    ClubTableRow,
    EntrantRow,
    ModeratorActionRow,
    RelationRow,
    TableRow,
    TournamentRow,
)

Ts = TypeVarTuple("Ts")

MOST_OWNED, MOST_JOINED = 5, 50
"""Clubs that one account may own, and be a member of."""
MOST_MEMBERS = 500
"""Members of a club; as many may be banned."""
PAGE = 50
"""Clubs or members on a page of a list."""
_WEEK = timedelta(weeks=1)
_LINES = 100
"""How many of the latest chat messages are stored."""
_TABLES = 50
"""The newest tables that a club shows."""

Role = Literal["owner", "organiser", "member", "banned"]
_RANKS: MappingProxyType[str | None, int] = MappingProxyType(
    {"owner": 3, "organiser": 2, "member": 1, "banned": 0, None: 0}
)
_RANK = case({"owner": 3, "organiser": 2, "member": 1}, value=ClubMemberRow.role, else_=0)
_BELONGS = ClubMemberRow.role != "banned"


@dataclass(frozen=True, slots=True)
class Club:
    """A club. members: their number. invitation: the secret of its link.

    weekly: the game, players and days per turn of the table that is made each week.
    """

    id: str
    name: str
    text: str
    is_open: bool
    invitation: str
    members: int
    since: datetime
    weekly: Json | None = None


@dataclass(frozen=True, slots=True)
class Membership:
    """A club of an account, with its role there."""

    club: Club
    role: Role
    since: datetime


@dataclass(frozen=True, slots=True)
class ClubPerson:
    """A member, or an account that is banned."""

    user: str
    name: str
    role: Role
    since: datetime


@dataclass(frozen=True, slots=True)
class ClubLine:
    """A chat message. name: empty of a deleted account."""

    number: int
    user: str
    name: str
    text: str
    at: datetime


_CLUB = columns_of(ClubRow, Club)


class Clubs(Repository):
    """Clubs. Methods may also raise ClubError."""

    # ------------------------------------------------------------ queries

    def load(self, club_id: str) -> Club:
        """Return a club. Raises ClubError if there is none."""
        row = self._first(select(*_CLUB).where(ClubRow.id == club_id))
        if row is None:
            raise _not_found()
        return Club(*row)

    def name(self, club_id: str) -> str | None:
        """Return the name of a club, None if there is none."""
        return self._scalar(select(ClubRow.name).where(ClubRow.id == club_id))

    def search(self, words: str, page: int) -> list[Club]:
        """Return a page (from 0) of the clubs whose names contain some words, those with most members first.

        One more club than a page has means that there is another page.
        """
        found = select(*_CLUB).order_by(ClubRow.members.desc(), ClubRow.id)
        if words:
            found = found.where(ClubRow.known_as.contains(known_as(words), autoescape=True))
        rows: Any = self._rows(_paged(found, page))
        return [Club(*row) for row in rows]

    def of(self, user: str) -> list[Membership]:
        """Return the clubs of an account, those that it owns first."""
        found = (
            select(*_CLUB, ClubMemberRow.role, ClubMemberRow.since)
            .join(ClubMemberRow, ClubMemberRow.club_id == ClubRow.id)
            .where(ClubMemberRow.user_id == user, _BELONGS)
            .order_by(_RANK.desc(), ClubMemberRow.since, ClubRow.id)
        )
        rows: Any = self._rows(found)
        return [Membership(Club(*row[:-2]), *row[-2:]) for row in rows]

    def people(self, club_id: str, page: int, *, banned: bool = False) -> list[ClubPerson]:
        """Return a page (from 0) of the members in order of their roles, or of those banned, and one more."""
        is_wanted = ~_BELONGS if banned else _BELONGS
        found = (
            select(ClubMemberRow.user_id, AccountRow.name, ClubMemberRow.role, ClubMemberRow.since)
            .join(AccountRow, AccountRow.user_id == ClubMemberRow.user_id)
            .where(ClubMemberRow.club_id == club_id, is_wanted)
            .order_by(_RANK.desc(), ClubMemberRow.since, ClubMemberRow.user_id)
        )
        rows: Any = self._rows(_paged(found, page))
        return [ClubPerson(*row) for row in rows]

    def role(self, club_id: str, user: str | None) -> Role | None:
        """Return the role of a user in a club."""
        return self.roles(club_id, [user]).get(user) if user else None

    def roles(self, club_id: str, users: Collection[str]) -> dict[str, Role]:
        """Return the roles of some users in a club."""
        is_this = (ClubMemberRow.club_id == club_id, ClubMemberRow.user_id.in_(users))
        rows: Any = self._rows(select(ClubMemberRow.user_id, ClubMemberRow.role).where(*is_this))
        return dict(map(tuple, rows))

    def check_member(self, club_id: str, user: str | None) -> None:
        """Raise ClubError unless a user is a member of a club."""
        _check_belongs(self.role(club_id, user))

    def check_organiser(self, club_id: str, user: str | None) -> None:
        """Raise ClubError unless a user is an organiser or the owner of a club."""
        _check_rank(self.role(club_id, user), "organiser")

    # ------------------------------------------------------------ the club

    def make(self, club: Club, user: str) -> None:
        """Store a new club of an owner. Raises ClubError if its name is taken, or they have too many."""
        check_not_reserved(club.name)
        row = {name: getattr(club, name) for name in Club.__match_args__} | _names(club.name)
        try:
            with self._transaction() as connection:
                _check_room(connection, user, owns=True)
                connection.execute(insert(ClubRow).values(row))
                _add(connection, club.id, user, "owner", club.since)
        except StorageError as error:
            raise _taken(error) from error

    def change(self, club_id: str, by: str, name: str, text: str, *, is_open: bool) -> None:
        """Change name, text and who may join, as an organiser. Raises ClubError."""
        values = {"name": name, "text": text, "is_open": is_open} | _names(name)
        try:
            with self._transaction() as connection:
                _check_rank(_locked(connection, club_id, by)[by], "organiser")
                if known_as(name) != connection.scalar(select(ClubRow.known_as).where(ClubRow.id == club_id)):
                    check_not_reserved(name)
                connection.execute(update(ClubRow).where(ClubRow.id == club_id).values(values))
        except StorageError as error:
            raise _taken(error) from error

    def renew(self, club_id: str, by: str, invitation: str) -> None:
        """Replace the secret of the link, as an organiser: the old link is void. Raises ClubError."""
        with self._transaction() as connection:
            _check_rank(_locked(connection, club_id, by)[by], "organiser")
            fresh = update(ClubRow).where(ClubRow.id == club_id).values(invitation=invitation)
            connection.execute(fresh)

    def remove(self, club_id: str, by: str, action: ModeratorActionRow | None = None) -> None:
        """Delete a club with all that belongs to it; games stay. Raises ClubError.

        action: of a moderator, for the log; None: the owner does it.
        """
        with self._session() as session:
            role = _locked(session.connection(), club_id, by)[by]
            if action is None:
                _check_rank(role, "owner")
            else:
                session.add(action)
            _erase(session.connection(), club_id)

    # ------------------------------------------------------------ members

    def join(self, club_id: str, user: str, invitation: str | None, at: datetime) -> None:
        """Add a member; one who is there already stays as they are. Raises ClubError if they may not."""
        with self._transaction() as connection:
            _check_room(connection, user, owns=False)
            role = _locked(connection, club_id, user)[user]
            if role == "banned":
                raise ClubError("you are banned from this club", code="club/banned")
            if role is not None:
                return
            club: Any = connection.execute(select(ClubRow).where(ClubRow.id == club_id)).one()
            if not club.is_open and invitation != club.invitation:
                message = "this club is joined by an invitation; ask a member for a new link"
                raise ClubError(message, code="club/invitation")
            if club.members >= MOST_MEMBERS:
                raise ClubError(f"a club has at most {MOST_MEMBERS} members", code="club/full")
            _add(connection, club_id, user, "member", at)

    def leave(self, club_id: str, user: str) -> None:
        """Remove a member at their own wish. Raises ClubError for the owner, who passes the club on first."""
        with self._transaction() as connection:
            role = _locked(connection, club_id, user)[user]
            if role == "owner":
                raise ClubError("an owner passes the club on first", code="club/owner")
            if role != "banned":
                _set(connection, club_id, user, None)

    def appoint(self, club_id: str, by: str, user: str, role: Role | None, at: datetime) -> None:
        """Give a member another role, ban them, or (None) remove them or their ban. Raises ClubError.

        Organisers do this to members, the owner to all others; a new owner makes them an organiser.
        """
        with self._transaction() as connection:
            if role == "owner":
                _check_room(connection, user, owns=True, joins=False)
            roles = _locked(connection, club_id, by, user)
            own, now = _RANKS[roles[by]], roles[user]
            _check_rank(roles[by], "organiser")
            if now is None:
                raise ClubError("there is no such member", code="club/nobody", key="account")
            passes_on = role == "owner" and roles[by] == "owner" and _RANKS[now] > 0
            if own <= _RANKS[now] or (own <= _RANKS[role] and not passes_on):
                raise _not_yours()
            if now == "banned" and role is not None:
                raise ClubError("they are banned: end the ban first", code="club/banned", key="account")
            banned = select(func.count()).where(ClubMemberRow.club_id == club_id, ~_BELONGS)
            if role == "banned" and (connection.scalar(banned) or 0) >= MOST_MEMBERS:
                raise ClubError(f"a club bans at most {MOST_MEMBERS} accounts", code="club/full")
            if passes_on:
                _set(connection, club_id, by, "organiser")
            _set(connection, club_id, user, role, at if role == "banned" else None)

    # ------------------------------------------------------------ chat

    def lines(self, club_id: str) -> list[ClubLine]:
        """Return the latest messages, in order."""
        found = (
            select(
                ClubLineRow.number,
                ClubLineRow.user_id,
                func.coalesce(AccountRow.name, ""),
                ClubLineRow.text,
                ClubLineRow.at,
            )
            .outerjoin(AccountRow, AccountRow.user_id == ClubLineRow.user_id)
            .where(ClubLineRow.club_id == club_id)
            .order_by(ClubLineRow.number.desc())
        )
        return [ClubLine(*row) for row in self._rows(found.limit(_LINES))][::-1]

    def say(self, club_id: str, user: str, text: str, at: datetime) -> None:
        """Store a message of a member, and delete the oldest. Raises ClubError for anyone else."""
        is_here = ClubLineRow.club_id == club_id
        with self._transaction() as connection:
            _check_belongs(_locked(connection, club_id, user)[user])
            number = (connection.scalar(select(func.max(ClubLineRow.number)).where(is_here)) or 0) + 1
            row = {"club_id": club_id, "number": number, "user_id": user, "text": text, "at": at}
            connection.execute(insert(ClubLineRow).values(row))
            connection.execute(delete(ClubLineRow).where(is_here, ClubLineRow.number <= number - _LINES))

    def said_by(self, user: str) -> list[tuple[str, str, datetime]]:
        """Return the clubs, texts and times of the messages of a user."""
        theirs = select(ClubLineRow.club_id, ClubLineRow.text, ClubLineRow.at)
        found = theirs.where(ClubLineRow.user_id == user).order_by(ClubLineRow.at)
        return [(club, text, at) for club, text, at in self._rows(found)]

    def blocked(self, users: Collection[str]) -> dict[str, set[str]]:
        """Return for each of some users whom they block."""
        is_one = (RelationRow.kind == "block", RelationRow.user_id.in_(users))
        found: dict[str, set[str]] = {}
        for user, other in self._rows(select(RelationRow.user_id, RelationRow.other).where(*is_one)):
            found.setdefault(user, set()).add(other)
        return found

    # ------------------------------------------------------------ tables

    def set_weekly(self, club_id: str, by: str, weekly: Json | None, at: datetime) -> None:
        """Have a table made each week from now on, as an organiser; None: no more. Raises ClubError."""
        with self._transaction() as connection:
            _check_rank(_locked(connection, club_id, by)[by], "organiser")
            values = {"weekly": weekly, "weekly_at": None if weekly is None else at}
            connection.execute(update(ClubRow).where(ClubRow.id == club_id).values(values))

    def is_week_due(self, club_id: str, at: datetime) -> bool:
        """Return whether the weekly table of a club is due."""
        return bool(self._scalar(select(exists().where(*_is_week_due(club_id, at)))))

    def take_week(self, club_id: str, at: datetime) -> Json | None:
        """Return the settings of the weekly table if it is due, to one caller alone; else None."""
        due = update(ClubRow).where(*_is_week_due(club_id, at))
        taken = due.values(weekly_at=at + _WEEK).returning(ClubRow.weekly)
        with self._transaction() as connection:
            weekly: Json | None = connection.scalar(taken)
            return weekly

    def add_table(self, club_id: str, table_id: str) -> None:
        """Store that only members of a club may sit down at a table."""
        self._execute(insert(ClubTableRow).values(club_id=club_id, table_id=table_id))

    def of_table(self, table_id: str) -> str | None:
        """Return the club of a table, None if it has none."""
        return self._scalar(select(ClubTableRow.club_id).where(ClubTableRow.table_id == table_id))

    def tables(self, club_id: str) -> list[tuple[str, datetime]]:
        """Return the newest tables of a club that are not over, and when they were created."""
        found = (
            select(TableRow.id, TableRow.created_at)
            .join(ClubTableRow, ClubTableRow.table_id == TableRow.id)
            .where(ClubTableRow.club_id == club_id, ~TableRow.is_over)
            .order_by(TableRow.created_at.desc(), TableRow.id)
        )
        return [(table_id, at) for table_id, at in self._rows(found.limit(_TABLES))]


def erase_member(connection: Connection, user: str) -> None:
    """Remove an account from its clubs: its own ones pass to the oldest organiser, else the oldest member.

    A club without another member is deleted.
    """
    theirs = select(ClubMemberRow.club_id).where(ClubMemberRow.user_id == user)
    for club_id in connection.scalars(theirs.order_by(ClubMemberRow.club_id)).all():
        if _locked(connection, club_id, user)[user] == "owner":
            others = (ClubMemberRow.club_id == club_id, ClubMemberRow.user_id != user, _BELONGS)
            heirs = select(ClubMemberRow.user_id).where(*others)
            heir = connection.scalar(heirs.order_by(_RANK.desc(), ClubMemberRow.since).limit(1))
            if heir is None:
                _erase(connection, club_id)
                continue
            _set(connection, club_id, heir, "owner")
        _set(connection, club_id, user, None)


def _paged(found: Select[*Ts], page: int) -> Select[*Ts]:
    return found.offset(page * PAGE).limit(PAGE + 1)


def _names(name: str) -> dict[str, str]:
    return {"known_as": known_as(name), "look": look_of(name)}


def _check_belongs(role: str | None) -> None:
    if not _RANKS[role]:
        raise ClubError("only members of the club may do this", code="club/members-only")


def _check_rank(role: str | None, least: Role) -> None:
    if _RANKS[role] < _RANKS[least]:
        raise _not_yours()


def _not_yours() -> ClubError:
    return ClubError("your role in the club does not allow this", code="club/not-yours")


def _not_found() -> ClubError:
    return ClubError("there is no such club", code="club/not-found")


def _taken(error: StorageError) -> Exception:
    if error.code != "storage/conflict":
        return error
    return ClubError("a club has this name, or one that looks like it", code="club/name-taken", key="name")


def _check_room(connection: Connection, user: str, *, owns: bool, joins: bool = True) -> None:
    """Raise ClubError if an account can't own or join another club.

    Only one transaction at a time counts the clubs of an account, as in ``_locked``.
    """
    connection.execute(update(AccountRow).where(AccountRow.user_id == user).values(since=AccountRow.since))
    theirs = select(func.count()).where(ClubMemberRow.user_id == user, _BELONGS)
    if owns and (connection.scalar(theirs.where(ClubMemberRow.role == "owner")) or 0) >= MOST_OWNED:
        raise ClubError(f"an account owns at most {MOST_OWNED} clubs", code="club/too-many")
    if joins and (connection.scalar(theirs) or 0) >= MOST_JOINED:
        raise ClubError(f"an account is in at most {MOST_JOINED} clubs", code="club/too-many")


def _locked(connection: Connection, club_id: str, *users: str) -> dict[str, str | None]:
    """Let only one transaction at a time change a club, and return the roles of some users.

    An update, since SQLite begins a transaction at the first write. Raises ClubError if there is no club.
    """
    is_this = update(ClubRow).where(ClubRow.id == club_id)
    if not connection.execute(is_this.values(members=ClubRow.members)).rowcount:
        raise _not_found()
    among = (ClubMemberRow.club_id == club_id, ClubMemberRow.user_id.in_(users))
    rows: Any = connection.execute(select(ClubMemberRow.user_id, ClubMemberRow.role).where(*among))
    return dict.fromkeys(users) | dict(map(tuple, rows))


def _add(connection: Connection, club_id: str, user: str, role: Role, at: datetime) -> None:
    row = {"club_id": club_id, "user_id": user, "role": role, "since": at}
    connection.execute(insert(ClubMemberRow).values(row))
    _count(connection, club_id)


def _set(
    connection: Connection, club_id: str, user: str, role: Role | None, since: datetime | None = None
) -> None:
    """Change the role of an account, or remove it; one that leaves is withdrawn from tournaments to come."""
    is_this = (ClubMemberRow.club_id == club_id, ClubMemberRow.user_id == user)
    if role is None:
        connection.execute(delete(ClubMemberRow).where(*is_this))
    else:
        values = {"role": role} | ({} if since is None else {"since": since})
        connection.execute(update(ClubMemberRow).where(*is_this).values(values))
    if not _RANKS[role]:
        coming = select(TournamentRow.id).where(*_is_coming(club_id))
        theirs = (EntrantRow.user_id == user, EntrantRow.tournament_id.in_(coming))
        connection.execute(delete(EntrantRow).where(*theirs))
    _count(connection, club_id)


def _count(connection: Connection, club_id: str) -> None:
    number = select(func.count()).where(ClubMemberRow.club_id == club_id, _BELONGS).scalar_subquery()
    connection.execute(update(ClubRow).where(ClubRow.id == club_id).values(members=number))


def _is_week_due(club_id: str, at: datetime) -> tuple[Any, ...]:
    return ClubRow.id == club_id, ClubRow.weekly_at <= at


def _is_coming(club_id: str) -> tuple[Any, ...]:
    has_not_begun = (TournamentRow.started_at.is_(None), TournamentRow.ended_at.is_(None))
    return (TournamentRow.club_id == club_id, *has_not_begun)


def _erase(connection: Connection, club_id: str) -> None:
    """Delete a club, and its tournaments that have not begun."""
    coming = select(TournamentRow.id).where(*_is_coming(club_id))
    connection.execute(delete(EntrantRow).where(EntrantRow.tournament_id.in_(coming)))
    connection.execute(delete(TournamentRow).where(TournamentRow.id.in_(coming)))
    for row in (ClubLineRow, ClubTableRow, ClubMemberRow):
        connection.execute(delete(row).where(row.club_id == club_id))
    connection.execute(delete(ClubRow).where(ClubRow.id == club_id))
