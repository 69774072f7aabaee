"""The register: who becomes an account, is let in, and leaves."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from ekoes.errors import AccountError
from ekoes.server.clock import Clock
from ekoes.server.people.archive import archive
from ekoes.server.people.attempts import Attempts
from ekoes.server.people.lines import Lines
from ekoes.server.people.seats import Seats
from ekoes.server.people.secrets import fresh_codes, hashed, is_password, read_code
from ekoes.server.tempo import HERE, Count
from ekoes.storage.people import Account, Device, OwnTable, known_as
from ekoes.storage.store import Store

__all__ = ["Caller", "Register"]

_TABLES = 100


class Caller(NamedTuple):
    """The browser that asks. credential: what its cookie carries; holder: who that is.

    address: of its machine; about: what it calls itself.
    """

    credential: str
    holder: str
    address: str
    about: str


class Register:
    """Lets people in. All passwords are looked at in threads: that takes some tens of milliseconds."""

    def __init__(self, store: Store, seats: Seats, clock: Clock, count: Count = HERE) -> None:
        """Keep accounts where tables are kept. count: attempts to be let in."""
        self.lines = Lines()
        self.seats = seats
        self._people = store.people
        self._store = store
        self._seats = seats
        self._clock = clock
        self._attempts = Attempts(count)

    # ------------------------------------------------------------ in

    async def sign_up(self, caller: Caller, name: str, password: str) -> tuple[str, list[str]]:
        """Make a guest an account, which keeps its seats. Returns: what its cookie carries, recovery codes.

        Raises: AccountError.
        """
        await self._attempts.sign_up(caller.address)
        await self._check_guest(caller)
        kept = await asyncio.to_thread(hashed, password, name)
        codes = fresh_codes()
        account = Account(caller.holder, name, kept, self._clock.now())
        await asyncio.to_thread(self._people.open, account, [read_code(code) for code in codes])
        return await self._let_in(caller, account), codes

    async def sign_in(self, caller: Caller, name: str, password: str) -> str:
        """Let an account in at another browser; the seats of the guest there become the account's.

        Returns: what the browser's cookie carries from then on. Raises: AccountError.
        """
        await self._attempts.sign_in(known_as(name), caller.address)
        await self._check_guest(caller)
        account = await asyncio.to_thread(self._people.named, name)
        kept = None if account is None else account.password
        if not await asyncio.to_thread(is_password, kept, password) or account is None:
            raise AccountError("name and password do not fit", code="account/wrong", key="password")
        return await self._let_in(caller, account)

    async def recover(self, caller: Caller, name: str, code: str, password: str) -> str:
        """Let an account in by a recovery code, which is used up; a new password ends all other devices.

        Returns: what the browser's cookie carries from then on. Raises: AccountError.
        """
        await self._attempts.sign_in(known_as(name), caller.address)
        await self._check_guest(caller)
        fresh = await asyncio.to_thread(hashed, password, name)
        account = await asyncio.to_thread(self._people.named, name)
        if account is None or not await asyncio.to_thread(
            self._people.use_code, account.holder, read_code(code)
        ):
            raise AccountError("name and code do not fit", code="account/wrong", key="code")
        await asyncio.to_thread(self._people.set_password, account.holder, fresh)
        await self._sign_out_others(account.holder, None)
        return await self._let_in(caller, account)

    async def _check_guest(self, caller: Caller) -> None:
        if await asyncio.to_thread(self._people.account, caller.holder) is not None:
            raise AccountError("this browser is signed in", code="account/signed-in")

    async def _let_in(self, caller: Caller, account: Account) -> str:
        """Sign a browser in, and give the account the seats that it held as a guest. Raises AccountError."""
        rights = await asyncio.to_thread(self._store.wardens.rights, account.holder)
        if rights.closed_at is not None:
            raise AccountError("this account was closed by who runs the server", code="account/closed")
        credential = await asyncio.to_thread(
            self._people.sign_in, account.holder, caller.about, self._clock.now()
        )
        if caller.holder != account.holder:
            for place in await asyncio.to_thread(self._people.places, caller.holder):
                await self._seats.move(place, caller.holder, account.holder)
        return credential

    # ------------------------------------------------------------ at home

    async def find(self, caller: Caller) -> Account | None:
        """Return the account of a browser, None for a guest; notes that the device is in use."""
        account = await asyncio.to_thread(self._people.account, caller.holder)
        if account is not None:
            await asyncio.to_thread(self._people.seen, caller.credential, self._clock.now())
        return account

    def is_program(self, account: Account) -> bool:
        """Tell whether an account is a bot's."""
        return self._store.programs.has(account.holder)

    async def devices(self, caller: Caller) -> list[Device]:
        """Return where the account of a browser is signed in. Raises AccountError."""
        account = await self.account(caller)
        return await asyncio.to_thread(self._people.devices, account.holder)

    async def tables(self, caller: Caller) -> list[OwnTable]:
        """Return the newest tables of an account. Raises AccountError."""
        account = await self.account(caller)
        return await asyncio.to_thread(self._people.tables, account.holder, _TABLES)

    async def account(self, caller: Caller) -> Account:
        """Return the account of a browser. Raises AccountError if there is none."""
        account = await asyncio.to_thread(self._people.account, caller.holder)
        if account is None:
            raise AccountError("this browser is not signed in", code="account/none")
        return account

    async def change_password(self, caller: Caller, old: str, new: str) -> None:
        """Change the password and end all other devices and all tokens. Raises AccountError."""
        account = await self._proven(caller, old)
        fresh = await asyncio.to_thread(hashed, new, account.name)
        await asyncio.to_thread(self._people.set_password, account.holder, fresh)
        await self._sign_out_others(account.holder, caller.credential)

    async def fresh_codes(self, caller: Caller, password: str) -> list[str]:
        """Return new recovery codes in place of the old ones. Raises AccountError."""
        account = await self._proven(caller, password)
        codes = fresh_codes()
        await asyncio.to_thread(self._people.set_codes, account.holder, [read_code(code) for code in codes])
        return codes

    async def sign_out(self, caller: Caller, device: str) -> None:
        """End a device of an account, this one or another. Raises AccountError if it has no such device."""
        account = await self.account(caller)
        if not await asyncio.to_thread(self._people.sign_out, account.holder, device):
            raise AccountError("there is no such device", code="account/no-device", key="device")
        self.lines.end(device)

    async def _sign_out_others(self, holder: str, kept: str | None) -> None:
        """End all devices of an account but one, and all its tokens."""
        for device in await asyncio.to_thread(self._people.devices, holder):
            if device.id != kept:
                await asyncio.to_thread(self._people.sign_out, holder, device.id)
                self.lines.end(device.id)
        for credential in await asyncio.to_thread(self._store.programs.end, holder):
            self.lines.end(credential)

    async def _proven(self, caller: Caller, password: str) -> Account:
        """Return the account of somebody who knows its password. Raises AccountError."""
        account = await self.account(caller)
        await self._attempts.sign_in(known_as(account.name), caller.address)
        if not await asyncio.to_thread(is_password, account.password, password):
            raise AccountError("this is not the password", code="account/wrong", key="password")
        return account

    # ------------------------------------------------------------ out

    async def export(self, caller: Caller) -> bytes:
        """Return all that is kept of an account, as a zip file. Raises AccountError."""
        account = await self.account(caller)
        devices = await asyncio.to_thread(self._people.devices, account.holder)
        places = await asyncio.to_thread(self._people.places, account.holder)
        standings = await asyncio.to_thread(self._store.results.standings, account.holder)
        records = {}
        for table_id in {place.table_id for place in places if place.is_over}:
            records[table_id] = await self._seats.record(table_id, account.holder)
        said = await asyncio.to_thread(self._store.talk.said_by, account.holder)
        ties = await asyncio.to_thread(self._store.ties.of, account.holder)
        vacations = await asyncio.to_thread(self._store.vacations.of, account.holder)
        tokens = await asyncio.to_thread(self._store.programs.of, account.holder)
        joined = await asyncio.to_thread(self._store.tournaments.joined, account.holder)
        kept = (account, devices, places, standings, records, said, ties, vacations, tokens, joined)
        return await asyncio.to_thread(archive, *kept)

    async def close(self, caller: Caller, password: str) -> None:
        """Delete an account: it leaves its games, its name is taken from all seats. Raises AccountError."""
        account = await self._proven(caller, password)
        await asyncio.to_thread(self._store.tournaments.withdraw, account.holder)
        for place in await asyncio.to_thread(self._people.places, account.holder):
            await self._seats.leave(place, account.holder)
        await self._sign_out_others(account.holder, None)
        await asyncio.to_thread(self._people.close, account.holder)
        self._seats.forget_talk(account.holder)
