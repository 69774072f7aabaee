"""Who holds seats: guests, known by their cookie alone, and accounts, which sign in at several browsers."""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson
from sqlalchemy import Connection, Engine, delete, exists, insert, select, update

from ekoes.errors import AccountError, StorageError
from ekoes.games.contract import Json
from ekoes.storage.database import transaction
from ekoes.storage.forgetting import forget_talk
from ekoes.storage.mentions import forget_mentions
from ekoes.storage.missing import AddMissing
from ekoes.storage.pairings import forget_entrant
from ekoes.storage.schema import (
    AccountRow,
    DeviceRow,
    PlaceRow,
    ProgramRow,
    PushRow,
    RatingRow,
    RecoveryRow,
    ResultRow,
    SessionRow,
    TableRow,
    TokenRow,
    VacationRow,
)

__all__ = ["PROGRAM", "Account", "Device", "OwnTable", "People", "Place", "add_session", "known_as"]

_DEVICE = "d."
"""How the id of a device begins, and no guest's."""
PROGRAM = "t."
"""How the credential of a program begins, before the digest of its token."""
_ID_BYTES = 16
_KNOWN = 50_000
_LONGEST_KNOWN = 160
"""There are letters of which eighteen are made."""
_ADD_SESSION = AddMissing(SessionRow.__table__)  # type: ignore[arg-type] # it is a table


@dataclass(frozen=True, slots=True)
class Account:
    """A holder with a name. password: its hash."""

    holder: str
    name: str
    password: str
    since: datetime


@dataclass(frozen=True, slots=True)
class Device:
    """A browser at which an account is signed in. about: what it calls itself."""

    id: str
    about: str
    since: datetime
    seen_at: datetime


@dataclass(frozen=True, slots=True)
class Place:
    """A seat that somebody holds."""

    table_id: str
    seat: int
    game: str
    is_over: bool
    made_at: datetime


@dataclass(frozen=True, slots=True)
class OwnTable:
    """A table at which somebody has a seat. seats: name and colour of each."""

    id: str
    game: str
    made_at: datetime
    seats: tuple[Json, ...]


class People:
    """Keeps accounts and where they are signed in. Each method is one transaction and may raise StorageError.

    The methods block; they may be called from any thread.
    """

    def __init__(self, engine: Engine) -> None:
        """Keep them in a database."""
        self._engine = engine
        self._holders: dict[str, str | None] = {}

    def holder(self, credential: str) -> str | None:
        """Return who comes with a cookie or a token; None: that has ended, or it is a guest no more.

        A guest is its own holder until an account is made of it, which needs a device from then on.
        """
        try:
            return self._holders[credential]
        except KeyError:
            with transaction(self._engine) as connection:
                found = _holder(connection, credential)
        if len(self._holders) >= _KNOWN:
            self._holders.clear()
        # Who was signed out while this was looked up stays so.
        return self._holders.setdefault(credential, found)

    # ------------------------------------------------------------ accounts

    def account(self, holder: str) -> Account | None:
        """Return the account of a holder, None for a guest."""
        return self._account(AccountRow.holder == holder)

    def named(self, name: str) -> Account | None:
        """Return the account of a name, however it is written."""
        return self._account(AccountRow.known_as == known_as(name))

    def open(self, account: Account, codes: Collection[str]) -> None:
        """Make a guest an account. codes: digests of recovery codes.

        Raises: AccountError ``account/name-taken``, also where the guest has an account by now.
        """
        facts = {"name": account.name, "password": account.password, "since": account.since}
        row = facts | {"holder": account.holder, "known_as": known_as(account.name)}
        try:
            with transaction(self._engine) as connection:
                add_session(connection, account.holder, account.since)
                connection.execute(insert(AccountRow).values(row))
                _set_codes(connection, account.holder, codes)
        except StorageError as error:
            if error.code != "storage/conflict":
                raise
            raise AccountError("somebody has this name", code="account/name-taken", key="name") from error
        self._holders[account.holder] = None

    def set_password(self, holder: str, password: str) -> None:
        """Change the password. password: its hash."""
        with transaction(self._engine) as connection:
            changed = update(AccountRow).where(AccountRow.holder == holder).values(password=password)
            connection.execute(changed)

    def set_codes(self, holder: str, codes: Collection[str]) -> None:
        """Replace the recovery codes. codes: digests."""
        with transaction(self._engine) as connection:
            _set_codes(connection, holder, codes)

    def use_code(self, holder: str, code: str) -> bool:
        """Use a recovery code up; tell whether it was one. code: its digest."""
        is_this = (RecoveryRow.holder == holder, RecoveryRow.code == code)
        with transaction(self._engine) as connection:
            return bool(connection.execute(delete(RecoveryRow).where(*is_this)).rowcount)

    def close(self, holder: str) -> None:
        """Forget an account, its codes, devices and ratings, whom it knew, and the name by what it said.

        Its seats stay with a holder that nobody is, and results of its games keep no name of it.
        """
        with transaction(self._engine) as connection:
            forget_talk(connection, holder)
            forget_mentions(connection, holder)
            gone = {"holder": None, "name": ""}
            connection.execute(update(ResultRow).where(ResultRow.holder == holder).values(gone))
            forget_entrant(connection, holder)
            known = (RatingRow, RecoveryRow, DeviceRow, PushRow, VacationRow, TokenRow, ProgramRow)
            for row in (*known, AccountRow):
                connection.execute(delete(row).where(row.holder == holder))
        self._holders[holder] = None

    def end(self, credential: str) -> None:
        """Know that a credential stands for nobody any more."""
        self._holders[credential] = None

    def forget_all(self) -> None:
        """Look up again who comes with what: other processes may have changed it."""
        self._holders.clear()

    def forget(self, holder: str) -> None:
        """Look up again who comes with the cookies of an account: somebody else has changed that."""
        for credential in [one for one, known in self._holders.items() if known == holder]:
            self._holders.pop(credential, None)

    # ------------------------------------------------------------ devices

    def sign_in(self, holder: str, about: str, at: datetime) -> str:
        """Return what the cookie of a browser carries at which an account signs in."""
        credential = _DEVICE + secrets.token_urlsafe(_ID_BYTES)
        row = {"id": credential, "holder": holder, "about": about[:200], "since": at, "seen_at": at}
        with transaction(self._engine) as connection:
            connection.execute(insert(DeviceRow).values(row))
        return credential

    def seen(self, credential: str, at: datetime) -> None:
        """Note that a device is in use."""
        with transaction(self._engine) as connection:
            connection.execute(update(DeviceRow).where(DeviceRow.id == credential).values(seen_at=at))

    def devices(self, holder: str) -> list[Device]:
        """Return where an account is signed in, the latest first."""
        columns = (DeviceRow.id, DeviceRow.about, DeviceRow.since, DeviceRow.seen_at)
        found = select(*columns).where(DeviceRow.holder == holder).order_by(DeviceRow.seen_at.desc())
        with transaction(self._engine) as connection:
            return [Device(*row) for row in connection.execute(found)]

    def sign_out(self, holder: str, device: str) -> bool:
        """End a device of a holder; tell whether there was one."""
        is_this = (DeviceRow.holder == holder, DeviceRow.id == device)
        with transaction(self._engine) as connection:
            ended = bool(connection.execute(delete(DeviceRow).where(*is_this)).rowcount)
        if ended:
            self._holders[device] = None
        return ended

    # ------------------------------------------------------------ seats

    def places(self, holder: str) -> list[Place]:
        """Return the seats of a holder, those of the newest tables first."""
        columns = (PlaceRow.table_id, PlaceRow.seat, TableRow.game, TableRow.is_over, TableRow.created_at)
        found = (
            select(*columns)
            .join(TableRow, TableRow.id == PlaceRow.table_id)
            .where(PlaceRow.holder == holder)
            .order_by(TableRow.created_at.desc(), PlaceRow.table_id, PlaceRow.seat)
        )
        with transaction(self._engine) as connection:
            return [Place(*row) for row in connection.execute(found)]

    def running(self, holder: str, most: int) -> list[tuple[str, datetime]]:
        """Return the newest tables that are not over where somebody has a seat, and when they were made."""
        seated = exists().where(PlaceRow.table_id == TableRow.id, PlaceRow.holder == holder)
        found = select(TableRow.id, TableRow.created_at).where(seated, ~TableRow.is_over)
        latest = found.order_by(TableRow.created_at.desc(), TableRow.id).limit(most)
        with transaction(self._engine) as connection:
            return [(table_id, at) for table_id, at in connection.execute(latest)]

    def tables(self, holder: str, most: int) -> list[OwnTable]:
        """Return the newest tables at which somebody has a seat."""
        columns = (TableRow.id, TableRow.game, TableRow.created_at, TableRow.state)
        seated = exists().where(PlaceRow.table_id == TableRow.id, PlaceRow.holder == holder)
        found = select(*columns).where(seated).order_by(TableRow.created_at.desc(), TableRow.id).limit(most)
        with transaction(self._engine) as connection:
            rows = connection.execute(found).all()
        return [OwnTable(id_, game, at, _seats(state)) for id_, game, at, state in rows]

    def _account(self, condition: Any) -> Account | None:  # noqa: ANN401 - of SQLAlchemy
        columns = (AccountRow.holder, AccountRow.name, AccountRow.password, AccountRow.since)
        with transaction(self._engine) as connection:
            row = connection.execute(select(*columns).where(condition)).first()
            return None if row is None else Account(*row)


def known_as(name: str) -> str:
    """Return a name so that names which look alike but for case and width are one."""
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


def _seats(state: str | None) -> tuple[Json, ...]:
    """Return who sits at a table; nobody where it has not been opened since schema 1."""
    seats = orjson.loads(state)["seats"] if state else ()
    return tuple({"name": seat["name"], "colour": seat["colour"]} for seat in seats)


def add_session(connection: Connection, holder: str, at: datetime) -> None:
    """Keep a holder who was not seen before."""
    connection.execute(_ADD_SESSION, {"id": holder, "created_at": at})


def _set_codes(connection: Connection, holder: str, codes: Collection[str]) -> None:
    connection.execute(delete(RecoveryRow).where(RecoveryRow.holder == holder))
    connection.execute(insert(RecoveryRow), [{"holder": holder, "code": code} for code in codes])
