"""Tokens, by which programs act for an account, and the accounts that are programs' own."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Engine, Row, delete, exists, func, insert, select, update

from ekoes.errors import AccountError
from ekoes.storage.database import transaction
from ekoes.storage.people import PROGRAM, People
from ekoes.storage.remembered import Remembered
from ekoes.storage.schema import Base, PlaceRow, ProgramRow, ResultRow, TokenRow

__all__ = ["MOST_TOKENS", "Programs", "Token"]

MOST_TOKENS = 20
"""Of one account."""
_KNOWN = 10_000
_NOTED = timedelta(days=1)
_ROW = Base.metadata.tables["tokens"]


@dataclass(frozen=True, slots=True)
class Token:
    """What lets a program act for an account. credential: it stands for that where a cookie would.

    used_at: when it was last used, give or take a day; None: never.
    """

    number: int
    credential: str
    holder: str
    name: str
    scopes: frozenset[str]
    since: datetime
    used_at: datetime | None = None


class Programs:
    """Keeps tokens and who is a program. Each method is one transaction and may raise StorageError.

    The methods block; they may be called from any thread.
    """

    def __init__(self, engine: Engine, people: People) -> None:
        """Keep them in a database. people: remembers who comes with which credential."""
        self._engine = engine
        self._people = people
        self._tokens: Remembered[Token] = Remembered(_KNOWN)
        with transaction(engine) as connection:
            self._holders = frozenset(connection.scalars(select(ProgramRow.holder)))

    # ------------------------------------------------------------ tokens

    def make(self, holder: str, name: str, scopes: Collection[str], digest: str, at: datetime) -> Token:
        """Keep a new token of an account. digest: of its text. Raises AccountError if it has too many."""
        row = {"digest": digest, "holder": holder, "name": name, "scopes": " ".join(sorted(scopes))}
        with transaction(self._engine) as connection:
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
            with transaction(self._engine) as connection:
                known = _find(connection, TokenRow.digest == credential.removeprefix(PROGRAM))
        return None if known is None else self._tokens.put(credential, known)

    def of(self, holder: str) -> list[Token]:
        """Return the tokens of an account, the latest first."""
        found = select(_ROW).where(TokenRow.holder == holder).order_by(TokenRow.number.desc())
        with transaction(self._engine) as connection:
            return [_token(row) for row in connection.execute(found)]

    def use(self, token: Token, at: datetime) -> None:
        """Note that a token is used; once a day is enough."""
        if token.used_at is not None and at - token.used_at < _NOTED:
            return
        with transaction(self._engine) as connection:
            noted = update(TokenRow).where(TokenRow.number == token.number).values(used_at=at)
            connection.execute(noted)
            known = _find(connection, TokenRow.number == token.number)
        if known is not None:
            self._tokens.put(token.credential, known)

    def end(self, holder: str, number: int | None = None) -> list[str]:
        """End a token of an account, None: all of them. Returns: the credentials that have ended."""
        is_this = (TokenRow.holder == holder, *([] if number is None else [TokenRow.number == number]))
        with transaction(self._engine) as connection:
            ended = delete(TokenRow).where(*is_this).returning(TokenRow.digest)
            credentials = [PROGRAM + digest for digest in connection.scalars(ended)]
        for credential in credentials:
            self._people.end(credential)
        return credentials

    # ------------------------------------------------------------ programs

    def has(self, holder: str | None) -> bool:
        """Tell whether a holder is a program; nothing is read."""
        return holder in self._holders

    def mark(self, holder: str, at: datetime) -> None:
        """Make an account a program's, for good. Raises AccountError if a person has played with it."""
        if holder in self._holders:
            return
        with transaction(self._engine) as connection:
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
