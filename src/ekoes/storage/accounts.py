"""Users: guests, accounts with their sessions, vacations, tokens and push subscriptions, and erasure."""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Collection
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

import orjson
from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Row,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)

from ekoes.errors import AccountError, StorageError
from ekoes.games.api.contract import Json
from ekoes.storage.cache import LRUCache
from ekoes.storage.dialects import dialect_of
from ekoes.storage.engine import Repository, columns_of
from ekoes.storage.results import erase_entrant, erase_from_index
from ekoes.storage.schema import (
    AccountRow,
    Base,
    DeviceRow,
    LineRow,
    MuteRow,
    PlaceRow,
    ProgramRow,
    PushRow,
    RatingRow,
    RecoveryRow,
    ReportRow,
    ResultRow,
    RightsRow,
    TableRow,
    TieRow,
    TokenRow,
    VacationRow,
)


def erase_social(connection: Connection, holder: str) -> None:
    """Delete a user's blocks, follows, mutes and rights, and their name in messages and reports.

    The moderation log stays.
    """
    connection.execute(update(LineRow).where(LineRow.holder == holder).values(name=""))
    connection.execute(update(ReportRow).where(ReportRow.about == holder).values(name=""))
    for row in (TieRow, MuteRow):
        connection.execute(delete(row).where(or_(row.holder == holder, row.other == holder)))
    connection.execute(delete(RightsRow).where(RightsRow.holder == holder))


_SESSIONS = Base.metadata.tables["sessions"]
_DEVICE = "d."
"""Prefix of device ids; no guest id has it."""
PROGRAM = "t."
"""Prefix of a program's credential, before the digest of its token."""
_ID_BYTES = 16
_KNOWN = 50_000
_LONGEST_KNOWN = 160
"""NFKC can expand one character to eighteen."""


@dataclass(frozen=True, slots=True)
class Account:
    """A registered user. password: its hash."""

    holder: str
    name: str
    password: str
    since: datetime


@dataclass(frozen=True, slots=True)
class Device:
    """A browser where an account is signed in. about: its user agent."""

    id: str
    about: str
    since: datetime
    seen_at: datetime


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
        self._holders: dict[str, str | None] = {}

    def holder(self, credential: str) -> str | None:
        """Return the user of a cookie or token; None if it has ended or the guest has become an account.

        A guest's credential is its id; an account needs a device.
        """
        try:
            return self._holders[credential]
        except KeyError:
            with self._transaction() as connection:
                found = _holder(connection, credential)
        if len(self._holders) >= _KNOWN:
            self._holders.clear()
        # A sign-out during the lookup wins.
        return self._holders.setdefault(credential, found)

    # ------------------------------------------------------------ accounts

    def account(self, holder: str) -> Account | None:
        """Return the account of a user, None for a guest."""
        return self._account(AccountRow.holder == holder)

    def named(self, name: str) -> Account | None:
        """Return the account of a name, ignoring case and width."""
        return self._account(AccountRow.known_as == known_as(name))

    def open(self, account: Account, codes: Collection[str]) -> None:
        """Turn a guest into an account. codes: digests of recovery codes.

        Raises: AccountError ``account/name-taken``, also if the guest has an account by now.
        """
        row = asdict(account) | {"known_as": known_as(account.name)}
        try:
            with self._transaction() as connection:
                add_session(connection, account.holder, account.since)
                connection.execute(insert(AccountRow).values(row))
                _set_codes(connection, account.holder, codes)
        except StorageError as error:
            if error.code != "storage/conflict":
                raise
            raise AccountError("this name is taken", code="account/name-taken", key="name") from error
        self._holders[account.holder] = None

    def set_password(self, holder: str, password: str) -> None:
        """Change the password. password: its hash."""
        changed = update(AccountRow).where(AccountRow.holder == holder).values(password=password)
        self._execute(changed)

    def set_codes(self, holder: str, codes: Collection[str]) -> None:
        """Replace the recovery codes. codes: digests."""
        with self._transaction() as connection:
            _set_codes(connection, holder, codes)

    def use_code(self, holder: str, code: str) -> bool:
        """Use up a recovery code, and return whether it was valid. code: its digest."""
        is_this = (RecoveryRow.holder == holder, RecoveryRow.code == code)
        return bool(self._execute(delete(RecoveryRow).where(*is_this)))

    def close(self, holder: str) -> None:
        """Erase an account with its codes, devices, ratings, relations, and its name everywhere.

        Its seats stay with an id that no user has.
        """
        with self._transaction() as connection:
            erase_social(connection, holder)
            erase_from_index(connection, holder)
            gone = {"holder": None, "name": ""}
            connection.execute(update(ResultRow).where(ResultRow.holder == holder).values(gone))
            erase_entrant(connection, holder)
            known = (RatingRow, RecoveryRow, DeviceRow, PushRow, VacationRow, TokenRow, ProgramRow)
            for row in (*known, AccountRow):
                connection.execute(delete(row).where(row.holder == holder))
        self._holders[holder] = None

    def end(self, credential: str) -> None:
        """Mark a credential as ended in the cache."""
        self._holders[credential] = None

    def forget_all(self) -> None:
        """Clear the cache of credentials: other processes may have changed them."""
        self._holders.clear()

    def forget(self, holder: str) -> None:
        """Evict the credentials of an account from the cache."""
        for credential in [one for one, known in self._holders.items() if known == holder]:
            self._holders.pop(credential, None)

    # ------------------------------------------------------------ devices

    def sign_in(self, holder: str, about: str, at: datetime) -> str:
        """Sign an account in at a browser, and return the value of its cookie."""
        credential = _DEVICE + secrets.token_urlsafe(_ID_BYTES)
        row = {"id": credential, "holder": holder, "about": about[:200], "since": at, "seen_at": at}
        self._execute(insert(DeviceRow).values(row))
        return credential

    def seen(self, credential: str, at: datetime) -> None:
        """Store when a device was last used."""
        self._execute(update(DeviceRow).where(DeviceRow.id == credential).values(seen_at=at))

    def devices(self, holder: str) -> list[Device]:
        """Return the devices of an account, the latest first."""
        columns = columns_of(DeviceRow, Device)
        found = select(*columns).where(DeviceRow.holder == holder).order_by(DeviceRow.seen_at.desc())
        return [Device(*row) for row in self._rows(found)]

    def sign_out(self, holder: str, device: str) -> bool:
        """Delete a device of a user, and return whether there was one."""
        is_this = (DeviceRow.holder == holder, DeviceRow.id == device)
        ended = bool(self._execute(delete(DeviceRow).where(*is_this)))
        if ended:
            self._holders[device] = None
        return ended

    # ------------------------------------------------------------ seats

    def places(self, holder: str) -> list[Place]:
        """Return the seats of a user, newest tables first."""
        columns = (PlaceRow.table_id, PlaceRow.seat, TableRow.game, TableRow.is_over, TableRow.created_at)
        found = (
            select(*columns)
            .join(TableRow, TableRow.id == PlaceRow.table_id)
            .where(PlaceRow.holder == holder)
            .order_by(TableRow.created_at.desc(), PlaceRow.table_id, PlaceRow.seat)
        )
        return [Place(*row) for row in self._rows(found)]

    def running(self, holder: str, most: int) -> list[tuple[str, datetime]]:
        """Return the newest unfinished tables of a user, and when they were created."""
        seated = exists().where(PlaceRow.table_id == TableRow.id, PlaceRow.holder == holder)
        found = select(TableRow.id, TableRow.created_at).where(seated, ~TableRow.is_over)
        latest = found.order_by(TableRow.created_at.desc(), TableRow.id).limit(most)
        return [(table_id, at) for table_id, at in self._rows(latest)]

    def tables(self, holder: str, most: int) -> list[OwnTable]:
        """Return the newest tables of a user."""
        columns = (TableRow.id, TableRow.game, TableRow.created_at, TableRow.state)
        seated = exists().where(PlaceRow.table_id == TableRow.id, PlaceRow.holder == holder)
        found = select(*columns).where(seated).order_by(TableRow.created_at.desc(), TableRow.id).limit(most)
        rows = self._rows(found)
        return [OwnTable(id_, game, at, _seats(state)) for id_, game, at, state in rows]

    def _account(self, condition: Any) -> Account | None:  # noqa: ANN401 - of SQLAlchemy
        row = self._first(select(*columns_of(AccountRow, Account)).where(condition))
        return None if row is None else Account(*row)


def known_as(name: str) -> str:
    """Normalise a name so that names that differ only in case or width are equal."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())[:_LONGEST_KNOWN]


def _holder(connection: Connection, credential: str) -> str | None:
    if credential.startswith(_DEVICE):
        found: str | None = connection.scalar(select(DeviceRow.holder).where(DeviceRow.id == credential))
        return found
    if credential.startswith(PROGRAM):
        digest = credential.removeprefix(PROGRAM)
        return connection.scalar(select(TokenRow.holder).where(TokenRow.digest == digest))
    has_account = connection.scalar(select(exists().where(AccountRow.holder == credential)))
    return None if has_account else credential


def _seats(state: str) -> tuple[Json, ...]:
    return tuple({"name": seat["name"], "colour": seat["colour"]} for seat in orjson.loads(state)["seats"])


def add_session(connection: Connection, holder: str, at: datetime) -> None:
    """Store a user who was not seen before."""
    insert_new = dialect_of(connection.dialect.name).insert_ignore(_SESSIONS)
    connection.execute(insert_new, {"id": holder, "created_at": at})


def _set_codes(connection: Connection, holder: str, codes: Collection[str]) -> None:
    connection.execute(delete(RecoveryRow).where(RecoveryRow.holder == holder))
    connection.execute(insert(RecoveryRow), [{"holder": holder, "code": code} for code in codes])


@dataclass(frozen=True, slots=True)
class Vacation:
    """A vacation of a user. until: when it ends or ended."""

    holder: str
    began: datetime
    until: datetime


class Vacations(Repository):
    """Vacations of players."""

    def of(self, holder: str) -> list[Vacation]:
        """Return the vacations of a user, oldest first."""
        return self._found(VacationRow.holder == holder)

    def lately(self, since: datetime) -> list[Vacation]:
        """Return the vacations that last or have ended since a time."""
        return self._found(VacationRow.until >= since)

    def begin(self, vacation: Vacation) -> None:
        """Store a vacation."""
        self._execute(insert(VacationRow).values(asdict(vacation)))

    def end(self, holder: str, at: datetime) -> None:
        """End the current vacation of a user."""
        lasting = (VacationRow.holder == holder, VacationRow.until > at)
        self._execute(update(VacationRow).where(*lasting).values(until=at))

    def _found(self, condition: ColumnElement[bool]) -> list[Vacation]:
        columns = columns_of(VacationRow, Vacation)
        found = select(*columns).where(condition).order_by(VacationRow.began, VacationRow.holder)
        return [Vacation(*row) for row in self._rows(found)]


MOST_TOKENS = 20
"""The most tokens of one account."""
_KNOWN_TOKENS = 10_000
_NOTED = timedelta(days=1)
_ROW = Base.metadata.tables["tokens"]


@dataclass(frozen=True, slots=True)
class Token:
    """An API token. credential: its counterpart of a cookie; used_at: to within a day, None if never used."""

    number: int
    credential: str
    holder: str
    name: str
    scopes: frozenset[str]
    since: datetime
    used_at: datetime | None = None


class Programs(Repository):
    """Tokens, and which accounts belong to programs."""

    def __init__(self, engine: Engine, people: People) -> None:
        super().__init__(engine)
        self._people = people
        self._tokens: LRUCache[Token] = LRUCache(_KNOWN_TOKENS)
        self._holders = frozenset(self._scalars(select(ProgramRow.holder)))

    # ------------------------------------------------------------ tokens

    def make(self, holder: str, name: str, scopes: Collection[str], digest: str, at: datetime) -> Token:
        """Store a new token. digest: of its text. Raises AccountError if the account has too many."""
        row = {"digest": digest, "holder": holder, "name": name, "scopes": " ".join(sorted(scopes))}
        with self._transaction() as connection:
            own = select(func.count()).where(TokenRow.holder == holder)
            if (connection.scalar(own) or 0) >= MOST_TOKENS:
                message = f"an account has at most {MOST_TOKENS} tokens; end one of them first"
                raise AccountError(message, code="account/many-tokens")
            made = insert(TokenRow).values(row | {"since": at}).returning(TokenRow.number)
            number = int(connection.execute(made).scalar_one())
        return Token(number, PROGRAM + digest, holder, name, frozenset(scopes), at)

    def token(self, credential: str) -> Token | None:
        """Return the token of a credential, None if there is none or it has ended."""
        if self._people.holder(credential) is None:
            return None
        known = self._tokens.get(credential)
        if known is None:
            with self._transaction() as connection:
                known = _find(connection, TokenRow.digest == credential.removeprefix(PROGRAM))
        return None if known is None else self._tokens.put(credential, known)

    def of(self, holder: str) -> list[Token]:
        """Return the tokens of an account, the latest first."""
        found = select(_ROW).where(TokenRow.holder == holder).order_by(TokenRow.number.desc())
        return [_token(row) for row in self._rows(found)]

    def use(self, token: Token, at: datetime) -> None:
        """Store when a token was used, at most once a day."""
        if token.used_at is not None and at - token.used_at < _NOTED:
            return
        with self._transaction() as connection:
            noted = update(TokenRow).where(TokenRow.number == token.number).values(used_at=at)
            connection.execute(noted)
            known = _find(connection, TokenRow.number == token.number)
        if known is not None:
            self._tokens.put(token.credential, known)

    def end(self, holder: str, number: int | None = None) -> list[str]:
        """Delete a token of an account, or all. Returns: the credentials that have ended."""
        is_this = (TokenRow.holder == holder, *([] if number is None else [TokenRow.number == number]))
        ended = delete(TokenRow).where(*is_this).returning(TokenRow.digest)
        credentials = [PROGRAM + digest for digest in self._scalars(ended)]
        for credential in credentials:
            self._people.end(credential)
        return credentials

    # ------------------------------------------------------------ programs

    def has(self, holder: str | None) -> bool:
        """Return whether a user is a program, from memory."""
        return holder in self._holders

    def mark(self, holder: str, at: datetime) -> None:
        """Mark an account as a program, for good. Raises AccountError if it has played before."""
        if holder in self._holders:
            return
        with self._transaction() as connection:
            for row in (PlaceRow, ResultRow):
                if connection.scalar(select(exists().where(row.holder == holder))):
                    message = "this account has had a seat already; a bot needs one of its own"
                    raise AccountError(message, code="account/played")
            connection.execute(insert(ProgramRow).values(holder=holder, since=at))
        self._holders |= {holder}


def _find(connection: Connection, condition: Any) -> Token | None:  # noqa: ANN401 - of SQLAlchemy
    row = connection.execute(select(_ROW).where(condition)).first()
    return None if row is None else _token(row)


def _token(row: Row[Any]) -> Token:
    credential, scopes = PROGRAM + row.digest, frozenset(row.scopes.split())
    return Token(row.number, credential, row.holder, row.name, scopes, row.since, row.used_at)


_MOST_SUBSCRIPTIONS = 20
"""Subscriptions per user; the oldest is dropped."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """A subscription. credential: of its cookie; endpoint: where messages are sent; p256dh, auth: its keys.

    origin: the URL by which the browser knows this server.
    """

    holder: str
    credential: str
    endpoint: str
    p256dh: str
    auth: str
    origin: str

    @property
    def id(self) -> str:
        """A short name of its endpoint."""
        return sha256(self.endpoint.encode()).hexdigest()


class Pushes(Repository):
    """Web Push subscriptions."""

    def keep(self, subscription: Subscription, at: datetime) -> None:
        """Store a subscription, replacing one of the same endpoint."""
        row = asdict(subscription) | {"id": subscription.id, "since": at}
        own = select(PushRow.id).where(PushRow.holder == subscription.holder).order_by(PushRow.since.desc())
        with self._transaction() as connection:
            add_session(connection, subscription.holder, at)
            connection.execute(delete(PushRow).where(PushRow.id == subscription.id))
            connection.execute(insert(PushRow).values(row))
            surplus = list(connection.scalars(own.offset(_MOST_SUBSCRIPTIONS)))
            if surplus:
                connection.execute(delete(PushRow).where(PushRow.id.in_(surplus)))

    def of(self, holder: str) -> list[Subscription]:
        """Return the subscriptions of a user."""
        columns = columns_of(PushRow, Subscription)
        found = select(*columns).where(PushRow.holder == holder).order_by(PushRow.since)
        return [Subscription(*row) for row in self._rows(found)]

    def drop(self, subscription_id: str, holder: str | None = None) -> None:
        """Delete a subscription. holder: only if it belongs to this user."""
        is_this = [PushRow.id == subscription_id]
        if holder is not None:
            is_this.append(PushRow.holder == holder)
        self._execute(delete(PushRow).where(*is_this))
