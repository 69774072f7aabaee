"""Users: guests, accounts with their sessions, vacations, tokens and push subscriptions, and erasure."""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

import orjson
from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Engine,
    Row,
    Select,
    Text,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    type_coerce,
    update,
)
from sqlalchemy.orm import InstrumentedAttribute

from ekoes.errors import AccountError, StorageError
from ekoes.games.api.contract import Json
from ekoes.storage.clubs import erase_member
from ekoes.storage.engine import Repository, columns_of, insert_new
from ekoes.storage.names import check_not_reserved, known_as, look_of
from ekoes.storage.results import erase_entrant, erase_from_index, erase_from_leagues
from ekoes.storage.schema import (
    AccountRow,
    Base,
    ChallengeRow,
    DeviceRow,
    EventRow,
    LineRow,
    MuteRow,
    PlaceRow,
    ProgramRow,
    PushRow,
    PuzzleAnswerRow,
    RatingRow,
    RecoveryRow,
    RelationRow,
    ReportRow,
    ResultRow,
    RightsRow,
    SessionRow,
    SolverRow,
    StateRow,
    StudyRow,
    TableRow,
    TokenRow,
    VacationRow,
)

_DEVICE = "d."
"""Prefix of device ids; no guest id has it."""
PROGRAM = "t."
"""Prefix of a program's credential, before the digest of its token."""
_ID_BYTES = 16
_THIS: BindParameter[str] = bindparam("this")
_USER_OF_DEVICE = select(DeviceRow.user_id).where(DeviceRow.id == _THIS)
_USER_OF_TOKEN = select(TokenRow.user_id).where(TokenRow.digest == _THIS)
_PUBLIC = select(AccountRow.name, exists().where(ProgramRow.user_id == AccountRow.user_id)).where(
    AccountRow.user_id == _THIS
)
_HAS_ACCOUNT = select(exists().where(AccountRow.user_id == _THIS))
_KNOWN = 50_000


@dataclass(frozen=True, slots=True)
class Account:
    """A registered user. password: its hash."""

    user_id: str
    name: str
    password: str
    since: datetime


@dataclass(frozen=True, slots=True)
class Place:
    """A seat of a user."""

    table_id: str
    seat: int
    game: str
    is_over: bool
    made_at: datetime


@dataclass(frozen=True, slots=True)
class OwnTable:
    """A table where the user has a seat. seats: name and colour of each."""

    id: str
    game: str
    made_at: datetime
    seats: tuple[Json, ...]


class People(Repository):
    """Accounts, guests, and the devices where accounts are signed in."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self._public: dict[str, tuple[str | None, bool]] = {}
        """User -> the name of their account, and whether it is a program's."""

    def user(self, credential: str) -> str | None:
        """Return the user of a cookie or token; None if it has ended or the guest has become an account.

        A guest's credential is its id; an account needs a device.
        """
        if credential.startswith(_DEVICE):
            return self._scalar(_USER_OF_DEVICE, this=credential)
        if credential.startswith(PROGRAM):
            return self._scalar(_USER_OF_TOKEN, this=credential.removeprefix(PROGRAM))
        return None if self._scalar(_HAS_ACCOUNT, this=credential) else credential

    # ------------------------------------------------------------ accounts

    def account(self, user: str) -> Account | None:
        """Return the account of a user, None for a guest."""
        return self._account(AccountRow.user_id == user)

    def named(self, name: str) -> Account | None:
        """Return the account of a name, ignoring case and width."""
        return self._account(AccountRow.known_as == known_as(name))

    def find(self, name: str, key: str) -> Account:
        """Return the account of a name. key: that of the name in the request. Raises AccountError."""
        account = self.named(name)
        if account is None:
            raise AccountError("no account has this name", code="account/unknown", key=key)
        return account

    def owner(self, name: str) -> str | None:
        """Return the user whose account has a name, or one that looks like it."""
        has_name = AccountRow.known_as == known_as(name)
        is_this = or_(has_name, AccountRow.look == look_of(name))
        return self._scalar(select(AccountRow.user_id).where(is_this).order_by(has_name.desc()))

    def check_name(self, user: str, name: str) -> None:
        """Raise AccountError if a name belongs to another user, looks like one that does, or is reserved."""
        owner = self.owner(name)
        if owner not in {None, user}:
            raise _name_taken()
        if owner is None:
            check_not_reserved(name)

    def name(self, user: str) -> str | None:
        """Return the name of a user's account, None for a guest; the database is asked once."""
        return self._public_of(user)[0]

    def is_program(self, user: str) -> bool:
        """Return whether a user is a program; the database is asked once."""
        return self._public_of(user)[1]

    def learn(self, users: Iterable[str]) -> None:
        """Read the names of users now, so that ``name`` and ``is_program`` need not ask the database."""
        for user in users:
            self._public_of(user)

    def reload(self, user: str) -> tuple[str | None, bool]:
        """Read the name of a user's account again, and whether it is a program's."""
        row = self._first(_PUBLIC, this=user)
        if len(self._public) >= _KNOWN:
            self._public.clear()
        known = self._public[user] = (None, False) if row is None else (row[0], row[1])
        return known

    def forget_all(self) -> None:
        """Clear the cache of names: other processes may have changed them."""
        self._public.clear()

    def _public_of(self, user: str) -> tuple[str | None, bool]:
        known = self._public.get(user)
        return self.reload(user) if known is None else known

    def open(self, account: Account, codes: Collection[str]) -> None:
        """Turn a guest into an account. codes: digests of recovery codes.

        Raises: AccountError ``account/name-reserved``, or ``account/name-taken``, also if the guest has an
        account by now.
        """
        check_not_reserved(account.name)
        row = asdict(account) | {"known_as": known_as(account.name), "look": look_of(account.name)}
        try:
            with self._transaction() as connection:
                add_session(connection, account.user_id, account.since)
                connection.execute(insert(AccountRow).values(row))
                _set_codes(connection, account.user_id, codes)
        except StorageError as error:
            if error.code != "storage/conflict":
                raise
            raise _name_taken() from error
        self.reload(account.user_id)

    def make_program(self, user: str, at: datetime) -> None:
        """Mark an account as a program's, for good. Raises AccountError if it has played before."""
        if self.is_program(user):
            return
        with self._transaction() as connection:
            for row in (PlaceRow, ResultRow):
                if connection.scalar(select(exists().where(row.user_id == user))):
                    message = "this account has had a seat already; a bot needs one of its own"
                    raise AccountError(message, code="account/played")
            connection.execute(insert(ProgramRow).values(user_id=user, since=at))
        self.reload(user)

    def set_password(self, user: str, password: str) -> None:
        """Change the password. password: its hash."""
        changed = update(AccountRow).where(AccountRow.user_id == user).values(password=password)
        self._execute(changed)

    def set_codes(self, user: str, codes: Collection[str]) -> None:
        """Replace the recovery codes. codes: digests."""
        with self._transaction() as connection:
            _set_codes(connection, user, codes)

    def use_code(self, user: str, code: str) -> bool:
        """Use up a recovery code, and return whether it was valid. code: its digest."""
        is_this = (RecoveryRow.user_id == user, RecoveryRow.code == code)
        return bool(self._execute(delete(RecoveryRow).where(*is_this)))

    def named_at(self, account: Account) -> list[str]:
        """Return the tables where an account has played and its name stands at a seat, its own or not."""
        return self._scalars(select(TableRow.id).where(*_is_named_at(account.user_id, account.name)))

    def close(self, user: str) -> None:
        """Erase an account with all that belongs to it, and its name everywhere but in the moderation log.

        Its seats stay with an id that no user has.
        """
        with self._transaction() as connection:
            _erase_from_tables(connection, user)
            _erase_from_reports(connection, user)
            connection.execute(update(LineRow).where(LineRow.user_id == user).values(name=""))
            connection.execute(update(ReportRow).where(ReportRow.about == user).values(name=""))
            for kind in (RelationRow, MuteRow):
                connection.execute(delete(kind).where(or_(kind.user_id == user, kind.other == user)))
            erase_entrant(connection, user)
            erase_from_leagues(connection, user)
            erase_member(connection, user)
            known = (RightsRow, RatingRow, RecoveryRow, DeviceRow, PushRow, VacationRow, TokenRow, ProgramRow)
            for row in (*known, ChallengeRow, PuzzleAnswerRow, SolverRow, StudyRow, AccountRow):
                connection.execute(delete(row).where(row.user_id == user))
        self.reload(user)

    # ------------------------------------------------------------ devices

    def sign_in(self, user: str, about: str, at: datetime) -> str:
        """Sign an account in at a browser, and return the value of its cookie."""
        credential = _DEVICE + secrets.token_urlsafe(_ID_BYTES)
        self.add_row(DeviceRow(credential, user, about[:200], at, at))
        return credential

    def seen(self, credential: str, at: datetime) -> None:
        """Store when a device was last used."""
        self._execute(update(DeviceRow).where(DeviceRow.id == credential).values(seen_at=at))

    def devices(self, user: str) -> list[DeviceRow]:
        """Return the devices of an account, the latest first."""
        theirs = select(DeviceRow).where(DeviceRow.user_id == user)
        return self._scalars(theirs.order_by(DeviceRow.seen_at.desc()))

    def sign_out(self, user: str, device: str) -> bool:
        """Delete a device of a user, and return whether there was one."""
        is_this = (DeviceRow.user_id == user, DeviceRow.id == device)
        return bool(self._execute(delete(DeviceRow).where(*is_this)))

    # ------------------------------------------------------------ seats

    def places(self, user: str) -> list[Place]:
        """Return the seats of a user, newest tables first."""
        columns = (PlaceRow.table_id, PlaceRow.seat, TableRow.game, TableRow.is_over, TableRow.created_at)
        found = (
            select(*columns)
            .join(TableRow, TableRow.id == PlaceRow.table_id)
            .where(PlaceRow.user_id == user)
            .order_by(TableRow.created_at.desc(), PlaceRow.table_id, PlaceRow.seat)
        )
        return [Place(*row) for row in self._rows(found)]

    def running(self, user: str, most: int) -> list[tuple[str, datetime]]:
        """Return the newest unfinished tables of a user, and when they were created."""
        seated = TableRow.id.in_(_seated(user))
        found = select(TableRow.id, TableRow.created_at).where(seated, ~TableRow.is_over)
        latest = found.order_by(TableRow.created_at.desc(), TableRow.id).limit(most)
        return [(table_id, at) for table_id, at in self._rows(latest)]

    def tables(self, user: str, most: int) -> list[OwnTable]:
        """Return the newest tables of a user."""
        states = select(StateRow.state).where(StateRow.table_id == TableRow.id)
        latest = states.order_by(StateRow.number.desc()).limit(1).scalar_subquery()
        columns = (TableRow.id, TableRow.game, TableRow.created_at, TableRow.names, latest)
        seated = TableRow.id.in_(_seated(user))
        found = select(*columns).where(seated).order_by(TableRow.created_at.desc(), TableRow.id).limit(most)
        rows = self._rows(found)
        return [OwnTable(id_, game, at, _seats(names, state)) for id_, game, at, names, state in rows]

    def _account(self, condition: ColumnElement[bool]) -> Account | None:
        row = self._first(select(*columns_of(AccountRow, Account)).where(condition))
        return None if row is None else Account(*row)


def _name_taken() -> AccountError:
    message = "this name, or one that looks like it, belongs to an account"
    return AccountError(message, code="account/name-taken", key="name")


def _seats(names: Iterable[str], state: str) -> tuple[Json, ...]:
    seats = zip(names, orjson.loads(state)["seats"], strict=True)
    return tuple({"name": name, "colour": seat["colour"]} for name, seat in seats)


def _seated(user: str) -> Select[str]:
    """Select the tables at which a user has a seat: once, not anew for each table that a query looks at."""
    return select(PlaceRow.table_id).where(PlaceRow.user_id == user)


def _has_played_at(table_id: InstrumentedAttribute[str], user: str) -> ColumnElement[bool]:
    return or_(
        table_id.in_(_seated(user)),
        exists().where(EventRow.table_id == table_id, EventRow.session_id == user),
    )


def _is_named_at(user: str, name: str) -> tuple[ColumnElement[bool], ...]:
    names = type_coerce(TableRow.names, Text)
    return names.contains(json.dumps(name), autoescape=True), _has_played_at(TableRow.id, user)


def _erase_from_tables(connection: Connection, user: str) -> None:
    """Erase a user from results, and the name of their account from all seats where it stands."""
    name = connection.scalar(select(AccountRow.name).where(AccountRow.user_id == user)) or ""
    named = select(TableRow.id, TableRow.names).where(*_is_named_at(user, name))
    for table_id, names in connection.execute(named).all():
        erased = ["" if one == name else one for one in names]
        connection.execute(update(TableRow).where(TableRow.id == table_id).values(names=erased))
    has_name = and_(ResultRow.name == name, _has_played_at(ResultRow.table_id, user))
    is_theirs = or_(ResultRow.user_id == user, has_name)
    erase_from_index(connection, is_theirs)
    connection.execute(update(ResultRow).where(is_theirs).values(name=""))
    connection.execute(update(ResultRow).where(ResultRow.user_id == user).values(user_id=None))


def _erase_from_reports(connection: Connection, user: str) -> None:
    """Erase a user's name from the messages that reports hold."""
    said = select(LineRow.table_id, LineRow.number).where(LineRow.user_id == user)
    own = {(table_id, number) for table_id, number in connection.execute(said)}
    name = connection.scalar(select(AccountRow.name).where(AccountRow.user_id == user))
    reports = select(ReportRow.number, ReportRow.table_id, ReportRow.lines)
    at_tables = ReportRow.table_id.in_(select(LineRow.table_id).where(LineRow.user_id == user))
    in_clubs = and_(ReportRow.table_id.is_(None), ReportRow.line.is_not(None))
    for number, table_id, lines in connection.execute(reports.where(or_(at_tables, in_clubs))).all():
        is_theirs = [
            line["name"] == name if table_id is None else (table_id, line["n"]) in own for line in lines
        ]
        erased = [line | {"name": ""} if it else line for line, it in zip(lines, is_theirs, strict=True)]
        connection.execute(update(ReportRow).where(ReportRow.number == number).values(lines=erased))


def add_session(connection: Connection, user: str, at: datetime) -> None:
    """Store a user who was not seen before."""
    insert_new(connection, SessionRow, id=user, created_at=at)


def lock_session(connection: Connection, user: str) -> None:
    """Let only one transaction at a time count what a user has and add to it.

    An update, since SQLite begins a transaction at the first write: what is read before may be old by then.
    """
    is_this = update(SessionRow).where(SessionRow.id == user)
    connection.execute(is_this.values(created_at=SessionRow.created_at))


def _set_codes(connection: Connection, user: str, codes: Collection[str]) -> None:
    connection.execute(delete(RecoveryRow).where(RecoveryRow.user_id == user))
    connection.execute(insert(RecoveryRow), [{"user_id": user, "code": code} for code in codes])


class Vacations(Repository):
    """Vacations of players."""

    def of(self, user: str) -> list[VacationRow]:
        """Return the vacations of a user, oldest first."""
        return self._scalars(_VACATIONS.where(VacationRow.user_id == user))

    def lately(self, since: datetime) -> list[VacationRow]:
        """Return the vacations that last or have ended since a time."""
        return self._scalars(_VACATIONS.where(VacationRow.until >= since))

    def end(self, user: str, at: datetime) -> None:
        """End the current vacation of a user."""
        lasting = (VacationRow.user_id == user, VacationRow.until > at)
        self._execute(update(VacationRow).where(*lasting).values(until=at))


_VACATIONS = select(VacationRow).order_by(VacationRow.began, VacationRow.user_id)


MOST_TOKENS = 20
"""The most tokens of one account."""
_NOTED = timedelta(days=1)
_ROW = Base.metadata.tables["tokens"]
_TOKEN_OF = select(_ROW).where(TokenRow.digest == _THIS)


@dataclass(frozen=True, slots=True)
class Token:
    """An API token. credential: its counterpart of a cookie; used_at: to within a day, None if never used."""

    number: int
    credential: str
    user_id: str
    name: str
    scopes: frozenset[str]
    since: datetime
    used_at: datetime | None = None


class Programs(Repository):
    """The tokens with which programs act for accounts."""

    def make(self, user: str, name: str, scopes: Collection[str], digest: str, at: datetime) -> Token:
        """Store a new token. digest: of its text. Raises AccountError if the account has too many."""
        row = {"digest": digest, "user_id": user, "name": name, "scopes": " ".join(sorted(scopes))}
        with self._transaction() as connection:
            lock_session(connection, user)
            own = select(func.count()).where(TokenRow.user_id == user)
            if (connection.scalar(own) or 0) >= MOST_TOKENS:
                message = f"an account has at most {MOST_TOKENS} tokens; end one of them first"
                raise AccountError(message, code="account/many-tokens")
            made = insert(TokenRow).values(row | {"since": at}).returning(TokenRow.number)
            number = int(connection.execute(made).scalar_one())
        return Token(number, PROGRAM + digest, user, name, frozenset(scopes), at)

    def token(self, digest: str) -> Token | None:
        """Return the token of a digest, None if there is none or it has ended."""
        row = self._first(_TOKEN_OF, this=digest)
        return None if row is None else _token(row)

    def of(self, user: str) -> list[Token]:
        """Return the tokens of an account, the latest first."""
        found = select(_ROW).where(TokenRow.user_id == user).order_by(TokenRow.number.desc())
        return [_token(row) for row in self._rows(found)]

    def use(self, token: Token, at: datetime) -> None:
        """Store when a token was used, at most once a day."""
        if token.used_at is not None and at - token.used_at < _NOTED:
            return
        self._execute(update(TokenRow).where(TokenRow.number == token.number).values(used_at=at))

    def end(self, user: str, number: int | None = None) -> list[str]:
        """Delete a token of an account, or all. Returns: the credentials that have ended."""
        is_this = (TokenRow.user_id == user, *([] if number is None else [TokenRow.number == number]))
        ended = delete(TokenRow).where(*is_this).returning(TokenRow.digest)
        return [PROGRAM + digest for digest in self._scalars(ended)]


def _token(row: Row[Any]) -> Token:
    credential, scopes = PROGRAM + row.digest, frozenset(row.scopes.split())
    return Token(row.number, credential, row.user_id, row.name, scopes, row.since, row.used_at)


_MOST_SUBSCRIPTIONS = 20
"""Subscriptions per user; the oldest is dropped."""


class Pushes(Repository):
    """Web Push subscriptions."""

    def store(self, subscription: PushRow) -> None:
        """Store a subscription, replacing one of the same endpoint."""
        own = select(PushRow.id).where(PushRow.user_id == subscription.user_id).order_by(PushRow.since.desc())
        with self._session() as session:
            add_session(session.connection(), subscription.user_id, subscription.since)
            lock_session(session.connection(), subscription.user_id)
            session.execute(delete(PushRow).where(PushRow.id == subscription.id))
            session.add(subscription)
            surplus = list(session.scalars(own.offset(_MOST_SUBSCRIPTIONS)))
            session.execute(delete(PushRow).where(PushRow.id.in_(surplus)))

    def of(self, user: str) -> list[PushRow]:
        """Return the subscriptions of a user."""
        return self._scalars(select(PushRow).where(PushRow.user_id == user).order_by(PushRow.since))

    def drop(self, user: str, endpoint: str) -> None:
        """Delete the subscription of a user with an endpoint."""
        self._execute(delete(PushRow).where(PushRow.user_id == user, PushRow.endpoint == endpoint))
