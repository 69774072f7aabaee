"""Checks what users and programs may do at a table: take a seat, under which name, by which token."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable
from typing import Literal, get_args

from ekoes.errors import AccountError, StorageError, TableError, TalkError
from ekoes.games.api.contract import Json
from ekoes.protocol import Show
from ekoes.server.ops.limits import network_of
from ekoes.storage.accounts import Account, Token
from ekoes.storage.cache import LRUCache
from ekoes.storage.store import Store
from ekoes.tables.chat import Listen, Mute, Say
from ekoes.tables.orders import Order, Sit
from ekoes.tables.table import Table

_ADDRESSES = 50_000
_PEOPLE_ONLY = "a rated game is played by people, not by programs"

Scope = Literal["account:read", "table:read", "table:play", "challenge", "chat", "lobby"]
SCOPES: tuple[Scope, ...] = get_args(Scope)

Scopes = frozenset[str]
ALL: Scopes = frozenset(SCOPES)


class SeatGuard:
    """Checks the accounts and addresses of users who sit down.

    Addresses are noted with every request (``session_of``), and are only in memory: after a start of the
    server that of a user is unknown until their next request.
    """

    def __init__(self, store: Store, *, asks_addresses: bool = True) -> None:
        """Create it without addresses. asks_addresses: refuse rated games between users at one address."""
        self._people = store.people
        self._relations = store.relations
        self._clubs = store.clubs
        self._asks_addresses = asks_addresses
        self._addresses: LRUCache[str] = LRUCache(_ADDRESSES)

    def note(self, user: str, host: str) -> None:
        """Store the latest address of a user. host: as the connection names it."""
        self._addresses.put(user, network_of(host))

    def address(self, user: str) -> str | None:
        """Return the address of a user, None if unknown; the user's id where addresses do not matter."""
        return self._addresses.get(user) if self._asks_addresses else user

    def place(self, address: str | None) -> str | None:
        """Return a key for the users of an address; None if addresses do not matter.

        address: None for this machine.
        """
        return (address or "") if self._asks_addresses else None

    def are_apart(self, users: Iterable[str]) -> bool:
        """Return whether the addresses of users are known and different, as a rated game needs it."""
        addresses = [self.address(user) for user in users]
        return None not in addresses and len(set(addresses)) == len(addresses)

    def marks(self, user: str | None, name: str) -> Json:
        """Return the marks of a user under a name: ``account`` if it is their account's, ``program``.

        Loading a table caches those of its players. Does not fail: the change that is shown with them is
        stored already.
        """
        if user is None:
            return {}
        try:
            marks = {"account": True} if name and self._people.name(user) == name else {}
            return marks | ({"program": True} if self._people.is_program(user) else {})
        except StorageError:
            return {}

    async def check_names(self, user: str, names: Iterable[str | None]) -> None:
        """Raise AccountError if a user may not bear one of the names."""
        for name in {name for name in names if name}:
            await asyncio.to_thread(self._people.check_name, user, name)

    async def account(self, user: str) -> Account:
        """Return the account of a player of a rated game. Raises TableError if there is none."""
        account = await asyncio.to_thread(self._people.account, user)
        if account is None:
            raise TableError("a rated game needs an account", code="table/rated-account", key="rated")
        await self.check_person(user)
        return account

    async def check_person(self, user: str) -> None:
        """Raise TableError if the account of a player of a rated game is a program's.

        The database is asked, as another process may have made it one a moment ago.
        """
        _, is_program = await asyncio.to_thread(self._people.reload, user)
        if is_program:
            raise TableError(_PEOPLE_ONLY, code="account/program-rated", key="rated")

    async def check_sit(self, table_id: str, table: Table, order: Sit, session: str) -> Sit:
        """Return a user's order to sit down, with the name of their account.

        At tables that are not rated they may choose another name. Raises: ClubError, TableError or TalkError
        if the user may not sit down.
        """
        if any(one.user == session for one in table.agreements.substitutes):
            return order
        await asyncio.to_thread(self._check_club, table_id, session)
        if table.host is not None and await asyncio.to_thread(
            self._relations.has_blocked, table.host, session
        ):
            raise TalkError("you can't sit down at this table", code="talk/blocked")
        if order.name and not table.rated:
            await self.check_names(session, [order.name])
            return order
        if table.rated:
            account: Account | None = await self.account(session)
            self.check_address(session, {seat.session for seat in table.seats if seat.session} - {session})
        else:
            account = await asyncio.to_thread(self._people.account, session)
        return order if account is None else order.model_copy(update={"name": account.name})

    def _check_club(self, table_id: str, session: str) -> None:
        """Raise ClubError if a table is for the members of a club and the user is not one of them."""
        club = self._clubs.of_table(table_id)
        if club is not None:
            self._clubs.check_member(club, session)

    def keep_in_club(self, table_id: str, rematch: str) -> None:
        """Make the table of a rematch one of the club to which the table before it belongs, if any."""
        club = self._clubs.of_table(table_id)
        if club is not None and self._clubs.of_table(rematch) is None:
            self._clubs.add_table(club, rematch)

    def check_address(self, user: str, others: Iterable[str]) -> None:
        """Raise TableError unless all players of a rated game have known addresses, the user's not shared.

        others: the other players so far.
        """
        address, theirs = self.address(user), [self.address(other) for other in others]
        if address is None or None in theirs:
            message = (
                "the address of a player of this rated game is not known now; try again when they are here"
            )
            raise TableError(message, code="table/rated-unknown", key="seat")
        if address in theirs:
            message = "another player of this rated game has your address: you can't play against yourself"
            raise TableError(message, code="table/rated-address", key="seat")


def check_by_hand(token: Token | None) -> None:
    """Raise AccountError if a program asks for a rated game."""
    if token is not None:
        raise AccountError("bots can't play rated games", code="account/program-rated", key="rated")


def check_allowed(scopes: Scopes, message: object, table: Table) -> None:
    """Raise AccountError unless a message to a table is allowed: only people play rated games."""
    if isinstance(message, Listen | Say | Mute):
        check_scope(scopes, "chat")
    else:
        reads = isinstance(message, Show)
        check_scope(scopes, "table:read" if reads else "table:play")
    if table.rated and isinstance(message, Order):
        check_no_token(scopes)


def check_no_token(scopes: Scopes) -> None:
    """Raise AccountError if a program with a token takes part in a rated game."""
    if scopes is not ALL:
        raise AccountError(_PEOPLE_ONLY, code="account/program-rated")


def check_scope(scopes: Collection[str], scope: Scope) -> None:
    """Raise AccountError unless the scopes include the one needed."""
    if scope not in scopes:
        raise AccountError(f"this token does not allow {scope}", code="account/scope", scope=scope)
