"""The door of each table: who may sit down there, and under which name."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from starlette.requests import HTTPConnection

from ekoes.errors import TableError, TalkError
from ekoes.match.orders import AnyOrder, Sit
from ekoes.match.state import Table
from ekoes.storage.people import Account
from ekoes.storage.remembered import Remembered
from ekoes.storage.store import Store

__all__ = ["Door", "note_address"]

_ADDRESSES = 50_000


class Door:
    """Lets people in, by what the server alone knows of them. Addresses are in memory only."""

    def __init__(self, store: Store, *, asks_addresses: bool = True) -> None:
        """Begin with no addresses. asks_addresses: whether two at one address may not play a rated game."""
        self._people = store.people
        self._programs = store.programs
        self._ties = store.ties
        self._asks_addresses = asks_addresses
        self._addresses: Remembered[str] = Remembered(_ADDRESSES)

    def note(self, holder: str, address: str) -> None:
        """Note from where somebody comes."""
        self._addresses.put(holder, address)

    def address(self, holder: str) -> str | None:
        """Return from where somebody comes, if two at one address may not play a rated game."""
        return self._addresses.get(holder) if self._asks_addresses else None

    async def account(self, holder: str) -> Account:
        """Return the account of who wants to play a rated game. Raises TableError if there is none."""
        account = await asyncio.to_thread(self._people.account, holder)
        if account is None:
            raise TableError("a rated game needs an account", code="table/rated-account", key="rated")
        self.check_person(holder)
        return account

    def check_person(self, holder: str) -> None:
        """Raise TableError if an account that wants to play a rated game is a program's."""
        if self._programs.has(holder):
            message = "a rated game is played by people, not by programs"
            raise TableError(message, code="account/program-rated", key="rated")

    async def let_in(self, table: Table, order: AnyOrder, session: str) -> AnyOrder:
        """Return an order as a table may take it: who has an account sits down by its name.

        Elsewhere than at a rated table it may be another name. Raises: TableError or TalkError if nobody may
        sit down there who comes like this.
        """
        if not isinstance(order, Sit) or any(lent.holder == session for lent in table.consent.lent):
            return order
        await self._check_welcome(table, session)
        if order.name and not table.rated:
            return order
        if table.rated:
            account: Account | None = await self.account(session)
            self.check_address(session, (seat.session for seat in table.seats if seat.session is not None))
        else:
            account = await asyncio.to_thread(self._people.account, session)
        return order if account is None else order.model_copy(update={"name": account.name})

    async def _check_welcome(self, table: Table, session: str) -> None:
        """Raise TalkError if the host of a table has blocked somebody."""
        if table.host is not None and await asyncio.to_thread(self._ties.has_blocked, table.host, session):
            raise TalkError("you can't sit down at this table", code="talk/blocked")

    def check_address(self, holder: str, others: Iterable[str]) -> None:
        """Raise TableError if one of the others who play a rated game is at somebody's address."""
        address = self.address(holder)
        if address is not None and address in map(self.address, others):
            message = "somebody plays from your address already: a rated game is not played against oneself"
            raise TableError(message, code="table/rated-address", key="seat")


def note_address(connection: HTTPConnection, holder: str) -> None:
    """Note from which address somebody comes who may play a rated game."""
    door: Door = connection.app.state.door
    if connection.client is not None:
        door.note(holder, connection.client.host)
