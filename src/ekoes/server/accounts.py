"""Credentials and accounts: cookies, passwords, recovery codes, API tokens, seat passes, export, deletion."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from io import BytesIO
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError
from itsdangerous import BadSignature, URLSafeSerializer
from limits import RateLimitItem, parse

from ekoes.errors import AccountError, EkoesError
from ekoes.server.ops.clock import Clock
from ekoes.server.ops.limits import HERE, Count
from ekoes.server.realtime.sockets import OpenSockets
from ekoes.server.runtime.hub import Hub
from ekoes.storage.accounts import (
    PROGRAM,
    Account,
    Device,
    OwnTable,
    Place,
    Programs,
    Token,
    Vacation,
    known_as,
)
from ekoes.storage.results import Standing
from ekoes.storage.social import Line, Relation
from ekoes.storage.store import Store
from ekoes.storage.tournaments import Joined
from ekoes.tables.orders import Rename, Resign, Stand

LONGEST_PASSWORD = 200
_SHORTEST = 8
_CODES = 8
_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
_GROUPS, _GROUP = 4, 4

_HASHER = PasswordHasher()
"""Argon2id with the parameters of RFC 9106 for little memory."""
_DUMMY_HASH = (
    "$argon2id$v=19$m=65536,t=3,p=4$3RY5aeNWsGAZ14F+gHbNgA$xQmhdwHL1oUPknz/gvJpwh3jLX6ZljrIQqgCR0h1rWY"
)
"""The hash of no password: unknown names must take as long to check as known ones."""


def hashed(password: str, name: str) -> str:
    """Return the hash of a password; takes tens of milliseconds. Raises AccountError."""
    if len(password) < _SHORTEST:
        message = f"A password has at least {_SHORTEST} characters"
        raise AccountError(message, code="account/weak-password", key="password")
    if password.casefold() == name.casefold() or len(set(password)) < _SHORTEST // 2:
        message = "This password is too easy to guess"
        raise AccountError(message, code="account/weak-password", key="password")
    return _HASHER.hash(password)


def is_password(stored: str | None, password: str) -> bool:
    """Return whether a password matches a stored hash; for None this takes as long, and is False."""
    try:
        is_right = _HASHER.verify(_DUMMY_HASH if stored is None else stored, password)
    except VerificationError:
        return False
    return is_right and stored is not None


def fresh_codes() -> list[str]:
    """Return recovery codes of 79 random bits each."""
    return [
        "-".join("".join(secrets.choice(_ALPHABET) for _ in range(_GROUP)) for _ in range(_GROUPS))
        for _ in range(_CODES)
    ]


def read_code(text: str) -> str:
    """Return the digest of a recovery code, ignoring case and separators; random codes need no salt."""
    return sha256(re.sub(r"[^a-z0-9]", "", text.lower()).encode()).hexdigest()


_PER_NAME = parse("10 per 15 minutes")
_PER_ADDRESS = parse("60 per 15 minutes")
_ACCOUNTS = parse("30 per hour")


class Attempts:
    """Counts attempts to sign in and to sign up. Methods raise AccountError with the seconds to wait."""

    def __init__(self, count: Count = HERE) -> None:
        self._counter = count("attempts")

    async def sign_in(self, name: str, address: str) -> None:
        """Count an attempt to sign in."""
        await self._count([(_PER_NAME, f"name {name}"), (_PER_ADDRESS, f"address {address}")])

    async def sign_up(self, address: str) -> None:
        """Count an attempt to create an account."""
        await self._count([(_ACCOUNTS, f"new {address}")])

    async def _count(self, limits: Iterable[tuple[RateLimitItem, str]]) -> None:
        for limit, whose in limits:
            if wait := await self._counter.wait([limit], whose):
                message = f"Too many attempts; try again in {wait} seconds"
                raise AccountError(message, code="account/too-many", wait=wait)


def archive(
    account: Account,
    devices: Sequence[Device],
    places: Sequence[Place],
    standings: Sequence[Standing],
    records: Mapping[str, str],
    said: Sequence[tuple[str, Line]],
    ties: Sequence[Relation],
    vacations: Sequence[Vacation],
    tokens: Sequence[Token],
    joined: Sequence[Joined],
) -> bytes:
    """Return all data of an account as a zip file.

    records: the visible ones, by table. said: the account's chat lines with their tables.
    """
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as made:
        made.writestr("account.json", _json({"name": account.name, "since": account.since.isoformat()}))
        made.writestr("devices.json", _json([_device(device) for device in devices]))
        made.writestr("tables.json", _json([_place(place) for place in places]))
        made.writestr("ratings.json", _json([_standing(standing) for standing in standings]))
        made.writestr("lines.json", _json([_line(table_id, line) for table_id, line in said]))
        made.writestr("people.json", _json([_tie(tie) for tie in ties]))
        made.writestr("vacations.json", _json([_vacation(vacation) for vacation in vacations]))
        made.writestr("tokens.json", _json([_token(token) for token in tokens]))
        made.writestr("tournaments.json", _json([_joined(one) for one in joined]))
        for table_id, text in records.items():
            made.writestr(f"records/{table_id}.txt", text)
    return file.getvalue()


def _joined(one: Joined) -> dict[str, object]:
    return {"tournament": one.id, "name": one.name, "number": one.number, "made_at": one.made_at.isoformat()}


def _device(device: Device) -> dict[str, str]:
    return {
        "about": device.about,
        "since": device.since.isoformat(),
        "seen_at": device.seen_at.isoformat(),
    }


def _place(place: Place) -> dict[str, object]:
    return {
        "table": place.table_id,
        "seat": place.seat,
        "game": place.game,
        "is_over": place.is_over,
        "made_at": place.made_at.isoformat(),
    }


def _standing(standing: Standing) -> dict[str, object]:
    rating = {"mean": standing.rating.mean, "deviation": standing.rating.deviation}
    return {"pool": standing.pool, **rating, "games": standing.games, "won": standing.won}


def _line(table_id: str, line: Line) -> dict[str, object]:
    said = {"text": line.text} if line.phrase is None else {"phrase": line.phrase}
    return {"table": table_id, **said, "at": line.at.isoformat()}


def _tie(tie: Relation) -> dict[str, str]:
    return {"kind": tie.kind, "name": tie.name, "since": tie.since.isoformat()}


def _vacation(vacation: Vacation) -> dict[str, str]:
    return {"began": vacation.began.isoformat(), "until": vacation.until.isoformat()}


def _token(token: Token) -> dict[str, object]:
    used_at = None if token.used_at is None else token.used_at.isoformat()
    facts = {"name": token.name, "scopes": sorted(token.scopes)}
    return facts | {"since": token.since.isoformat(), "used_at": used_at}


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


_TABLES = 100


class Caller(NamedTuple):
    """The client of a request.

    credential: the content of its cookie. holder: its user. about: its user agent.
    """

    credential: str
    holder: str
    address: str
    about: str


class Register:
    """Signs users up, in and out. Passwords are hashed in worker threads.

    lines: the open sockets of all sessions.
    """

    def __init__(self, store: Store, seats: Seats, clock: Clock, count: Count = HERE) -> None:
        self.lines = OpenSockets()
        self.seats = seats
        self._people = store.people
        self._store = store
        self._clock = clock
        self._attempts = Attempts(count)

    async def sign_up(self, caller: Caller, name: str, password: str) -> tuple[str, list[str]]:
        """Create an account for a guest, who keeps their seats.

        Returns: the new credential, the recovery codes. Raises: AccountError.
        """
        await self._attempts.sign_up(caller.address)
        await self._check_guest(caller)
        password_hash = await asyncio.to_thread(hashed, password, name)
        codes = fresh_codes()
        account = Account(caller.holder, name, password_hash, self._clock.now())
        await asyncio.to_thread(self._people.open, account, [read_code(code) for code in codes])
        return await self._sign_in(caller, account), codes

    async def sign_in(self, caller: Caller, name: str, password: str) -> str:
        """Sign an account in; the seats of the guest at this browser become the account's.

        Returns: the new credential of the browser. Raises: AccountError.
        """
        await self._attempts.sign_in(known_as(name), caller.address)
        await self._check_guest(caller)
        account = await asyncio.to_thread(self._people.named, name)
        stored = None if account is None else account.password
        if not await asyncio.to_thread(is_password, stored, password) or account is None:
            raise AccountError("Wrong name or password", code="account/wrong", key="password")
        return await self._sign_in(caller, account)

    async def recover(self, caller: Caller, name: str, code: str, password: str) -> str:
        """Sign an account in with a recovery code and a new password; other devices are signed out.

        Returns: the new credential of the browser. Raises: AccountError.
        """
        await self._attempts.sign_in(known_as(name), caller.address)
        await self._check_guest(caller)
        fresh = await asyncio.to_thread(hashed, password, name)
        account = await asyncio.to_thread(self._people.named, name)
        if account is None or not await asyncio.to_thread(
            self._people.use_code, account.holder, read_code(code)
        ):
            raise AccountError("Wrong name or recovery code", code="account/wrong", key="code")
        await asyncio.to_thread(self._people.set_password, account.holder, fresh)
        await self._sign_out_others(account.holder, None)
        return await self._sign_in(caller, account)

    async def _check_guest(self, caller: Caller) -> None:
        if await asyncio.to_thread(self._people.account, caller.holder) is not None:
            raise AccountError("This browser is already signed in", code="account/signed-in")

    async def _sign_in(self, caller: Caller, account: Account) -> str:
        """Sign a browser in, and move its seats as a guest to the account. Raises AccountError."""
        rights = await asyncio.to_thread(self._store.moderation.rights, account.holder)
        if rights.closed_at is not None:
            raise AccountError("This account was closed by the operator of the server", code="account/closed")
        credential = await asyncio.to_thread(
            self._people.sign_in, account.holder, caller.about, self._clock.now()
        )
        if caller.holder != account.holder:
            for place in await asyncio.to_thread(self._people.places, caller.holder):
                await self.seats.move(place, caller.holder, account.holder)
        return credential

    async def find(self, caller: Caller) -> Account | None:
        """Return the account of a browser, None for a guest, and record the use of the device."""
        account = await asyncio.to_thread(self._people.account, caller.holder)
        if account is not None:
            await asyncio.to_thread(self._people.seen, caller.credential, self._clock.now())
        return account

    def is_program(self, account: Account) -> bool:
        """Return whether an account is a bot account."""
        return self._store.programs.has(account.holder)

    async def devices(self, caller: Caller) -> list[Device]:
        """Return the devices at which an account is signed in. Raises AccountError."""
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
            raise AccountError("This browser is not signed in", code="account/none")
        return account

    async def change_password(self, caller: Caller, old: str, new: str) -> None:
        """Change the password; sign out all other devices and revoke all tokens. Raises AccountError."""
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
        """Sign a device of an account out, this one or another. Raises AccountError."""
        account = await self.account(caller)
        if not await asyncio.to_thread(self._people.sign_out, account.holder, device):
            raise AccountError("No such device", code="account/no-device", key="device")
        self.lines.end(device)

    async def _sign_out_others(self, holder: str, remaining: str | None) -> None:
        """Sign out all devices of an account but one, and revoke its tokens."""
        for device in await asyncio.to_thread(self._people.devices, holder):
            if device.id != remaining:
                await asyncio.to_thread(self._people.sign_out, holder, device.id)
                self.lines.end(device.id)
        for credential in await asyncio.to_thread(self._store.programs.end, holder):
            self.lines.end(credential)

    async def _proven(self, caller: Caller, password: str) -> Account:
        """Return the account of a client if the password is right. Raises AccountError."""
        account = await self.account(caller)
        await self._attempts.sign_in(known_as(account.name), caller.address)
        if not await asyncio.to_thread(is_password, account.password, password):
            raise AccountError("Wrong password", code="account/wrong", key="password")
        return account

    async def export(self, caller: Caller) -> bytes:
        """Return all data of an account as a zip file. Raises AccountError."""
        account = await self.account(caller)
        devices = await asyncio.to_thread(self._people.devices, account.holder)
        places = await asyncio.to_thread(self._people.places, account.holder)
        standings = await asyncio.to_thread(self._store.results.standings, account.holder)
        records = {}
        for table_id in {place.table_id for place in places if place.is_over}:
            records[table_id] = await self.seats.record(table_id)
        said = await asyncio.to_thread(self._store.talk.said_by, account.holder)
        ties = await asyncio.to_thread(self._store.relations.of, account.holder)
        vacations = await asyncio.to_thread(self._store.vacations.of, account.holder)
        tokens = await asyncio.to_thread(self._store.programs.of, account.holder)
        joined = await asyncio.to_thread(self._store.tournaments.joined, account.holder)
        data = (account, devices, places, standings, records, said, ties, vacations, tokens, joined)
        return await asyncio.to_thread(archive, *data)

    async def close(self, caller: Caller, password: str) -> None:
        """Delete an account: it leaves its games, its name is removed from all seats. Raises AccountError."""
        account = await self._proven(caller, password)
        await asyncio.to_thread(self._store.tournaments.withdraw, account.holder)
        for place in await asyncio.to_thread(self._people.places, account.holder):
            await self.seats.leave(place, account.holder)
        await self._sign_out_others(account.holder, None)
        await asyncio.to_thread(self._people.close, account.holder)
        self.seats.forget_talk(account.holder)


LASTS = timedelta(minutes=10)


class Pass(NamedTuple):
    """A seat and the user who gives it away."""

    table_id: str
    seat: int
    giver: str


class Passes:
    """Signs passes and reads them. A pass names the giver, so it is void once the seat has moved."""

    def __init__(self, *keys: bytes) -> None:
        """Sign with the last key, and accept the signatures of all."""
        self._serializer = URLSafeSerializer(list(keys), salt="ekoes.seat")

    def write(self, given: Pass, at: datetime) -> str:
        """Return a pass that is valid from now on."""
        text: str | bytes = self._serializer.dumps([*given, int((at + LASTS).timestamp())])
        return text if isinstance(text, str) else text.decode()

    def read(self, text: str, at: datetime) -> Pass:
        """Read a pass. Raises AccountError if its signature is wrong or it has expired."""
        try:
            *given, ends = self._serializer.loads(text)
        except BadSignature:
            raise AccountError("Not a valid seat pass", code="account/no-pass", key="pass") from None
        if at.timestamp() >= ends:
            raise AccountError("This seat pass has expired", code="account/old-pass", key="pass")
        return Pass(*given)


class Seats:
    """Moves seats from one user to another."""

    def __init__(self, hub: Hub, passes: Passes, clock: Clock) -> None:
        self._hub = hub
        self._passes = passes
        self._clock = clock

    async def give_pass(self, holder: str, table_id: str, seat: int) -> tuple[str, int]:
        """Return a pass for a seat of a user, and its lifetime in seconds. Raises EkoesError."""
        async with self._hub.table(table_id) as live:
            if not live.table.is_held_by(holder, seat):
                raise AccountError("This seat is not yours", code="account/not-your-seat", key="seat")
        text = self._passes.write(Pass(table_id, seat, holder), self._clock.now())
        return text, int(LASTS.total_seconds())

    async def use_pass(self, holder: str, text: str) -> Pass:
        """Move the seat of a pass to a user. Raises EkoesError if it can't be moved."""
        given = self._passes.read(text, self._clock.now())
        async with self._hub.table(given.table_id) as live:
            await live.hand_over(given.seat, given.giver, holder)
        return given

    async def move(self, place: Place, giver: str, holder: str) -> None:
        """Move a seat if its table allows it: with hidden hands, a user has only one seat."""
        try:
            async with self._hub.table(place.table_id) as live:
                await live.hand_over(place.seat, giver, holder)
        except EkoesError:
            return

    async def leave(self, place: Place, holder: str) -> None:
        """Remove the name from a seat, and resign or stand up for its user."""
        async with self._hub.table(place.table_id) as live:
            seat, key = place.seat, f"leave-{place.seat}"
            await live.submit(Rename(key=f"{key}-name", seat=seat, name=""), holder)
            table = live.table
            leaving = Resign(key=key, version=table.version, seat=seat) if table.is_started else None
            try:
                await live.submit(leaving or Stand(key=key, seat=seat), holder)
            except EkoesError:
                return  # the game is over, or the host can't leave this seat

    def forget_talk(self, holder: str) -> None:
        """Remove the name of a user from the chat."""
        self._hub.forget_talk(holder)

    async def record(self, table_id: str) -> str:
        """Return the record of a table. Raises TableError while it may not be seen."""
        async with self._hub.table(table_id) as live:
            return await live.record()


RATE = parse("200 per 10 seconds")
"""Requests with one token."""


def fresh_token() -> str:
    """Return a new token with 256 random bits."""
    return "ekoes_" + secrets.token_urlsafe(32)


def digest_of(text: str) -> str:
    """Return the digest of a token, which is all that is stored; random tokens need no salt."""
    return sha256(text.encode()).hexdigest()


class TokenStore:
    """Looks up the tokens of requests and counts their use."""

    def __init__(self, programs: Programs, count: Count = HERE) -> None:
        self._programs = programs
        self._counter = count("tokens")

    def read(self, text: str) -> Token:
        """Return the token of a text. Raises AccountError."""
        token = self._find(text)
        if token is None:
            raise AccountError("Unknown or expired API token", code="account/no-token")
        return token

    async def count(self, text: str) -> None:
        """Count a use of a token; unknown tokens are not counted. Raises AccountError."""
        token = self._find(text)
        if token is not None and (wait := await self._counter.wait([RATE], str(token.number))):
            message = f"Too many requests; try again in {wait} seconds"
            raise AccountError(message, code="account/too-many", wait=wait)

    def _find(self, text: str) -> Token | None:
        return self._programs.token(PROGRAM + digest_of(text))


COOKIE = "ekoes"
SECURE_COOKIE = "__Host-ekoes"
"""The name over HTTPS: no other host and no plain HTTP page can set a cookie of that name."""
_ONE_YEAR = 365 * 24 * 60 * 60
_SALT = "ekoes.session"


class Sessions:
    """Creates session cookies and reads them."""

    def __init__(self, *keys: bytes) -> None:
        """Sign with the last key, and accept the signatures of all."""
        self._serializer = URLSafeSerializer(list(keys), salt=_SALT)
        self._newest = URLSafeSerializer(keys[-1], salt=_SALT)

    def read(self, cookie: str | None) -> str | None:
        """Return the session of a cookie, None if there is none or its signature is wrong."""
        if not cookie:
            return None
        try:
            value = self._serializer.loads(cookie)
        except BadSignature:
            return None
        return value if isinstance(value, str) else None

    def is_signed_anew(self, cookie: str) -> bool:
        """Return whether a cookie is signed with the newest key."""
        try:
            self._newest.loads(cookie)
        except BadSignature:
            return False
        return True

    def fresh(self) -> str:
        """Return a new session."""
        return secrets.token_urlsafe(16)

    def header(self, session: str, *, is_secure: bool) -> str:
        """Return the value of the ``Set-Cookie`` header for a session."""
        value = self._serializer.dumps(session)
        text = value if isinstance(value, str) else value.decode()
        cookie = f"{text}; Path=/; Max-Age={_ONE_YEAR}; HttpOnly; SameSite=Lax"
        return f"{SECURE_COOKIE}={cookie}; Secure" if is_secure else f"{COOKIE}={cookie}"
