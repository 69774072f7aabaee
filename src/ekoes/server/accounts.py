"""Credentials and accounts: cookies, passwords, recovery codes, API tokens, seat passes, export, deletion."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from hashlib import sha256
from io import BytesIO
from threading import Lock
from typing import Any, NamedTuple, TypeVar, TypeVarTuple
from zipfile import ZIP_DEFLATED, ZipFile

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError
from itsdangerous import BadSignature, URLSafeSerializer
from limits import parse

from ekoes.errors import AccountError, EkoesError
from ekoes.games.api.contract import Json
from ekoes.server.ops.clock import Clock
from ekoes.server.ops.limits import HERE, Count
from ekoes.server.ops.logs import LOG
from ekoes.server.realtime.sockets import OpenSockets
from ekoes.server.runtime.hub import Hub
from ekoes.server.workers.fair_queue import FairQueue
from ekoes.storage.accounts import Account, Place, Programs, Token
from ekoes.storage.names import known_as
from ekoes.storage.store import Store
from ekoes.tables.orders import Rename, Resign, Stand
from ekoes.tables.table import Table

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

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
_LEAST_SCORE = 2
"""The least score of a password: a million guesses, which the limits of sign-ins put out of reach."""
_JUDGED = 24
"""Characters of a password that are judged: 72 signs that may stand for letters take seconds."""
_JUDGING = Lock()
"""zxcvbn puts the words of its caller into a dictionary that all threads share."""


def hashed(password: str, name: str) -> str:
    """Return the hash of a password; takes tens of milliseconds. Raises AccountError."""
    if len(password) < _SHORTEST:
        message = f"a password has at least {_SHORTEST} characters"
        raise AccountError(message, code="account/weak-password", key="password")
    if _score(password, name) < _LEAST_SCORE:
        raise AccountError("this password is too easy to guess", code="account/weak-password", key="password")
    return _HASHER.hash(password)


def _score(password: str, name: str) -> int:
    """Return how hard a password is to guess, from 0 to 4, for someone who knows the name."""
    from zxcvbn import zxcvbn  # noqa: PLC0415 - its word lists are read when they are needed

    with _JUDGING:
        score: int = zxcvbn(password[:_JUDGED], [name, *name.split(), "ekoes"])["score"]
    return score


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


_GUESSES = parse("10 per hour")
"""Attempts of one network at one name, of a known device, with recovery codes, or while signed in."""
_PER_NAME = parse("100 per hour")
"""Attempts of all networks at one name."""
_PER_NETWORK = parse("60 per 15 minutes")
_ACCOUNTS = parse("30 per hour")
_HASHES_AT_ONCE, _HASHES_WAITING, _HASHES_WAIT = 2, 118, 5
"""Hashes of passwords, each with 64 MiB and four threads for some 50 ms; a school gets 30 of the places."""


class KnownDevice(NamedTuple):
    """A browser where accounts have been signed in. id: random; users: digests, the latest last."""

    id: str
    users: tuple[str, ...] = ()

    def has(self, user: str) -> bool:
        """Return whether an account has been signed in here."""
        return digest_of(user) in self.users

    def after(self, user: str) -> KnownDevice:
        """Return the device after a sign-in."""
        digest = digest_of(user)
        others = [known for known in self.users if known != digest]
        return self._replace(users=(*others[1 - _MOST_KNOWN :], digest))


class Caller(NamedTuple):
    """The client of a request.

    credential: the content of its cookie. user: its user. address: what limits count it as. about: its user
    agent. device: None at a new browser.
    """

    credential: str
    user: str
    address: str
    about: str
    device: KnownDevice | None = None


class Attempts:
    """Limits attempts to guess passwords and recovery codes, so that no one else can lock an owner out.

    Each method counts an attempt and returns the key of its counter for ``clear``. Raises: AccountError with
    the seconds to wait.
    """

    def __init__(self, count: Count = HERE) -> None:
        self._counter = count("attempts")

    async def sign_in(self, caller: Caller, name: str, user: str | None) -> str:
        """Count a password with a name. user: of the account with this name, if there is one."""
        if user is not None and caller.device is not None and caller.device.has(user):
            return await self._guess(f"device {caller.device.id} {user}")
        key = await self._network_guess("name", caller, name)
        await self._counter.check([_PER_NAME], f"name {known_as(name)}", "attempts")
        return key

    async def recover(self, caller: Caller, name: str) -> str:
        """Count a recovery code. All networks together may try as often as they like: a code has 79 bits."""
        return await self._network_guess("code", caller, name)

    async def confirm(self, caller: Caller) -> str:
        """Count a password of a browser that is signed in."""
        return await self._guess(f"confirm {caller.credential}")

    async def clear(self, key: str) -> None:
        """Reset the counter after a right attempt."""
        await self._counter.clear([_GUESSES], key)

    async def _network_guess(self, what: str, caller: Caller, name: str) -> str:
        key = await self._guess(f"{what} {caller.address} {known_as(name)}")
        await self._counter.check([_PER_NETWORK], f"{what} {caller.address}", "attempts")
        return key

    async def _guess(self, key: str) -> str:
        await self._counter.check([_GUESSES], key, "attempts")
        return key


class Register:
    """Signs users up, in and out, and moves their seats. Passwords are hashed in threads of their own.

    connections: the open sockets of all sessions. on_change: called with an account that was opened, closed
    or made a program.
    """

    def __init__(self, store: Store, hub: Hub, passes: Passes, clock: Clock, count: Count) -> None:
        self.connections = OpenSockets()
        self._people = store.people
        self._store = store
        self._hub = hub
        self._passes = passes
        self._clock = clock
        self._sign_ups = count("sign-ups")
        self.hashing = FairQueue(_HASHES_AT_ONCE, _HASHES_WAITING, "passwords", _HASHES_WAIT)
        self._attempts = Attempts(count)
        self.on_change: Callable[[str], None] = lambda _user: None

    async def _hash(self, caller: Caller, work: Callable[[*Ts], T], *args: *Ts) -> T:
        """Run a function that hashes a password when it is its turn. Raises LimitError if too many wait."""
        return await self.hashing.do((caller.address, caller.user), work, *args)

    async def look(self, user: str) -> None:
        """Apply a change that another process has made to an account."""
        name, _ = await asyncio.to_thread(self._people.reload, user)
        if name is None:
            self._hub.remove_from_chats(user)

    async def sign_up(self, caller: Caller, name: str, password: str) -> tuple[str, list[str]]:
        """Create an account for a guest, who keeps their seats.

        Returns: the new credential, the recovery codes. Raises: AccountError.
        """
        await self._sign_ups.check([_ACCOUNTS], f"new {caller.address}", "attempts")
        codes = fresh_codes()
        account = await self._hash(caller, self._open, caller, name, password, codes)
        self.on_change(account.user_id)
        return await self._sign_in(caller, account), codes

    def _open(self, caller: Caller, name: str, password: str, codes: Iterable[str]) -> Account:
        self._check_guest(caller)
        account = Account(caller.user, name, hashed(password, name), self._clock.now())
        self._people.open(account, [read_code(code) for code in codes])
        return account

    async def sign_in(self, caller: Caller, name: str, password: str) -> str:
        """Sign an account in; seats and studies of the guest at this browser become the account's.

        Returns: the new credential of the browser. Raises: AccountError.
        """
        account = await asyncio.to_thread(self._people.named, name)
        attempt = await self._attempts.sign_in(caller, name, None if account is None else account.user_id)
        account = await self._hash(caller, self._known, caller, account, password)
        await self._attempts.clear(attempt)
        return await self._sign_in(caller, account)

    def _known(self, caller: Caller, account: Account | None, password: str) -> Account:
        self._check_guest(caller)
        stored = None if account is None else account.password
        if not is_password(stored, password) or account is None:
            raise AccountError("wrong name or password", code="account/wrong", key="password")
        return account

    async def recover(self, caller: Caller, name: str, code: str, password: str) -> str:
        """Sign an account in with a recovery code and a new password; other devices are signed out.

        Returns: the new credential of the browser. Raises: AccountError.
        """
        attempt = await self._attempts.recover(caller, name)
        account = await self._hash(caller, self._recovered, caller, name, code, password)
        await self._attempts.clear(attempt)
        await self._sign_out_others(account.user_id, None)
        return await self._sign_in(caller, account)

    def _recovered(self, caller: Caller, name: str, code: str, password: str) -> Account:
        self._check_guest(caller)
        fresh, account = hashed(password, name), self._people.named(name)
        if account is None or not self._people.use_code(account.user_id, read_code(code)):
            raise AccountError("wrong name or recovery code", code="account/wrong-code", key="code")
        self._people.set_password(account.user_id, fresh)
        return account

    def _check_guest(self, caller: Caller) -> None:
        if self._people.account(caller.user) is not None:
            raise AccountError("this browser is already signed in", code="account/signed-in")

    async def _sign_in(self, caller: Caller, account: Account) -> str:
        """Sign a browser in, and move what it has as a guest to the account. Raises AccountError."""
        rights = await asyncio.to_thread(self._store.moderation.rights, account.user_id)
        if rights.closed_at is not None:
            raise AccountError("this account was closed by the operator of the server", code="account/closed")
        now = self._clock.now()
        credential = await asyncio.to_thread(self._people.sign_in, account.user_id, caller.about, now)
        if caller.user != account.user_id:
            await asyncio.to_thread(self._store.studies.hand_over, caller.user, account.user_id)
            for place in await asyncio.to_thread(self._people.places, caller.user):
                with suppress(EkoesError):  # with hidden hands, a user has only one seat at a table
                    async with self._hub.table(place.table_id) as live:
                        await live.hand_over(place.seat, caller.user, account.user_id)
        return credential

    def account(self, user: str) -> Account:
        """Return the account of a user. Blocks. Raises AccountError if there is none."""
        account = self._people.account(user)
        if account is None:
            raise AccountError("this browser is not signed in", code="account/none")
        return account

    async def change_password(self, caller: Caller, old: str, new: str) -> None:
        """Change the password; sign out all other devices and revoke all tokens. Raises AccountError."""
        account = await self._proven(caller, old)
        fresh = await self._hash(caller, hashed, new, account.name)
        await asyncio.to_thread(self._people.set_password, account.user_id, fresh)
        await self._sign_out_others(account.user_id, caller.credential)

    async def fresh_codes(self, caller: Caller, password: str) -> list[str]:
        """Return new recovery codes in place of the old ones. Raises AccountError."""
        account = await self._proven(caller, password)
        codes = fresh_codes()
        await asyncio.to_thread(self._people.set_codes, account.user_id, [read_code(code) for code in codes])
        return codes

    async def sign_out(self, caller: Caller, device: str) -> None:
        """Sign a device of an account out, this one or another. Raises AccountError."""
        account = await asyncio.to_thread(self.account, caller.user)
        if not await asyncio.to_thread(self._people.sign_out, account.user_id, device):
            raise AccountError("no such device", code="account/no-device", key="device")
        self.connections.end(device)

    async def _sign_out_others(self, user: str, remaining: str | None) -> None:
        """Sign out all devices of an account but one, and revoke its tokens."""
        for credential in await asyncio.to_thread(self._end_others, user, remaining):
            self.connections.end(credential)

    def _end_others(self, user: str, remaining: str | None) -> list[str]:
        devices = [device.id for device in self._people.devices(user) if device.id != remaining]
        for device in devices:
            self._people.sign_out(user, device)
        return [*devices, *self._store.programs.end(user)]

    async def _proven(self, caller: Caller, password: str) -> Account:
        """Return the account of a client if the password is right. Raises AccountError."""
        account = await asyncio.to_thread(self.account, caller.user)
        attempt = await self._attempts.confirm(caller)
        if not await self._hash(caller, is_password, account.password, password):
            raise AccountError("wrong password", code="account/wrong-password", key="password")
        await self._attempts.clear(attempt)
        return account

    # ------------------------------------------------------------ seats

    async def give_pass(self, user: str, table_id: str, seat: int) -> tuple[str, int]:
        """Return a pass for a seat of a user, and its lifetime in seconds. Raises EkoesError."""
        async with self._hub.table(table_id) as live:
            if not live.table.is_held_by(user, seat):
                raise AccountError("this seat is not yours", code="account/not-your-seat", key="seat")
            await self._check_passed_on(live.table, seat, user)
        given = Pass(table_id, seat, user, secrets.token_urlsafe(8))
        text = self._passes.write(given, self._clock.now())
        return text, int(LASTS.total_seconds())

    async def use_pass(self, user: str, text: str) -> Pass:
        """Move the seat of a pass to a user. Raises EkoesError if it can't be moved, or was once."""
        given = self._passes.read(text, self._clock.now())
        async with self._hub.table(given.table_id) as live:
            await self._check_passed_on(live.table, given.seat, given.giver)
            await live.hand_over(given.seat, given.giver, user, f"pass-{given.nonce}")
        return given

    async def _check_passed_on(self, table: Table, seat: int, giver: str) -> None:
        """Raise AccountError if a seat is an account's own: its only one, or the one with its name.

        On the other device it would be a guest's; an account signs in there instead.
        """
        account = await asyncio.to_thread(self._people.account, giver)
        if account is None or not table.is_held_by(giver, seat):
            return
        is_only_one = sum(one.session == giver for one in table.seats) == 1
        if is_only_one or table.seats[seat].name == account.name:
            message = "this seat is an account's: sign in on the other device"
            raise AccountError(message, code="account/own-seat", key="seat")

    async def _leave(self, place: Place, user: str) -> None:
        """Remove the name from a seat, and resign or stand up for its user."""
        async with self._hub.table(place.table_id) as live:
            seat, key = place.seat, f"leave-{place.seat}"
            await live.submit(Rename(key=f"{key}-name", seat=seat, name=""), user)
            table = live.table
            leaving = Resign(key=key, version=table.version, seat=seat) if table.is_full else None
            with suppress(EkoesError):  # the game is over, or the host can't leave this seat
                await live.submit(leaving or Stand(key=key, seat=seat), user)

    async def _erase_name(self, table_id: str, name: str) -> None:
        """Remove a name from seats that are not its user's, such as that of a bot that plays for them."""
        async with self._hub.table(table_id) as live:
            for number, seat in enumerate(live.table.seats):
                order = Rename(key=f"erase-{number}", seat=number, name="")
                if seat.name == name and seat.session is not None:
                    await live.submit(order, seat.session)
                while live.table.seats[number].name == name and seat.kind == "bot":
                    await live.advance(live.table, order)

    # ------------------------------------------------------------ export, deletion

    async def export(self, account: Account, address: str | None) -> bytes:
        """Return all data of an account as a zip file. Raises LimitError if too many wait."""
        files = await asyncio.to_thread(self._data, account)
        records = {}
        for table_id in {place["table"] for place in files["tables"] if place["is_over"]}:
            with _skipping_unreadable(table_id):
                async with self._hub.table(table_id) as live:
                    records[table_id] = await live.record()
        return await self.hashing.do((address, account.user_id), _zipped, files, records)

    def _data(self, account: Account) -> dict[str, Any]:
        """Return all data of an account but the records, by the names of their files."""
        store, user = self._store, account.user_id
        return {
            "account": _facts(account, "name", "since"),
            "devices": [_facts(one, "about", "since", "seen_at") for one in self._people.devices(user)],
            "tables": [
                {"table": one.table_id} | _facts(one, "seat", "game", "is_over", "made_at")
                for one in self._people.places(user)
            ],
            "ratings": [
                _facts(one, "pool", "games", "won") | _facts(one.rating, "mean", "deviation")
                for one in store.results.standings(user)
            ],
            "puzzles": [
                _facts(one, "game", "puzzle", "was_right", "at", "solved_at")
                for one in store.puzzles.of(user)
            ],
            "puzzle-ratings": [
                _facts(one, "game", "answers", "right_answers") | _facts(one.rating, "mean", "deviation")
                for one in store.puzzles.standings(user)
            ],
            "studies": [
                _facts(one, "id", "game", "changed_at") | {"content": json.loads(one.content)}
                for one in store.studies.of(user, whole=True)
            ],
            "lines": [
                {"table": line.table_id} | _facts(line, "text" if line.phrase is None else "phrase", "at")
                for line in store.talk.said_by(user)
            ],
            "people": [_facts(one, "kind", "name", "since") for one in store.relations.of(user)],
            "vacations": [_facts(one, "began", "until") for one in store.vacations.of(user)],
            "tokens": [
                _facts(one, "name", "since", "used_at") | {"scopes": sorted(one.scopes)}
                for one in store.programs.of(user)
            ],
            "tournaments": [
                {"tournament": one.id} | _facts(one, "name", "number", "made_at")
                for one in store.tournaments.joined(user)
            ],
            "league": [
                {"game": game, "bot": name, "since": since}
                for game, name, since in store.league.authored(user)
            ],
            "clubs": [
                {"club": one.club.id, "name": one.club.name} | _facts(one, "role", "since")
                for one in store.clubs.of(user)
            ],
            "club-lines": [
                {"club": club, "text": text, "at": at} for club, text, at in store.clubs.said_by(user)
            ],
        }

    async def close(self, caller: Caller, password: str) -> None:
        """Delete an account: it leaves its games, its name is removed from all seats. Raises AccountError."""
        account = await self._proven(caller, password)
        await asyncio.to_thread(self._store.tournaments.withdraw, account.user_id)
        for place in await asyncio.to_thread(self._people.places, account.user_id):
            with _skipping_unreadable(place.table_id):
                await self._leave(place, account.user_id)
        for table_id in await asyncio.to_thread(self._people.named_at, account):
            with _skipping_unreadable(table_id):
                await self._erase_name(table_id, account.name)
        await self._sign_out_others(account.user_id, None)
        await asyncio.to_thread(self._people.close, account.user_id)
        self._hub.remove_from_chats(account.user_id)
        self.on_change(account.user_id)

    async def make_program(self, account: Account) -> None:
        """Make an account that of a program, for good. Raises AccountError if it has played before."""
        await asyncio.to_thread(self._people.make_program, account.user_id, self._clock.now())
        self.on_change(account.user_id)


_UNREADABLE = {"storage/damaged", "table/other-rules"}


@contextmanager
def _skipping_unreadable(table_id: str) -> Iterator[None]:
    """Go on without a table that is damaged or judged by other rules: an account must not depend on it."""
    try:
        yield
    except EkoesError as error:
        if error.code not in _UNREADABLE:
            raise
        LOG.warning("table skipped", table=table_id, error=str(error))


def _facts(value: object, *names: str) -> Json:
    return {name: getattr(value, name) for name in names}


def _zipped(files: Mapping[str, Any], records: Mapping[str, str]) -> bytes:
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as made:
        for name, content in files.items():
            text = json.dumps(content, indent=2, ensure_ascii=False, default=datetime.isoformat)
            made.writestr(f"{name}.json", f"{text}\n")
        for table_id, text in records.items():
            made.writestr(f"records/{table_id}.txt", text)
    return file.getvalue()


LASTS = timedelta(minutes=10)


class Pass(NamedTuple):
    """A seat and the user who gives it away. nonce: makes each pass valid once."""

    table_id: str
    seat: int
    giver: str
    nonce: str


class Passes:
    """Signs passes and reads them. A pass names the giver, so it is void while another user has the seat."""

    def __init__(self, *keys: bytes) -> None:
        """Sign with the last key, and accept the signatures of all."""
        self._serializer = URLSafeSerializer(list(keys), salt="ekoes.seat")

    def write(self, given: Pass, at: datetime) -> str:
        """Return a pass that is valid from now on."""
        return self._serializer.dumps([*given, int((at + LASTS).timestamp())])

    def read(self, text: str, at: datetime) -> Pass:
        """Read a pass. Raises AccountError if its signature is wrong or it has expired."""
        try:
            table_id, seat, giver, nonce, ends = self._serializer.loads(text)
        except (BadSignature, ValueError):
            raise AccountError("not a valid seat pass", code="account/no-pass", key="pass") from None
        if at.timestamp() >= ends:
            raise AccountError("this seat pass has expired", code="account/old-pass", key="pass")
        return Pass(table_id, seat, giver, nonce)


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

    async def admit(self, text: str) -> Token | None:
        """Return the token of a text, and count its use; None if it is unknown. Raises AccountError."""
        token = await asyncio.to_thread(self._programs.token, digest_of(text))
        if token is not None:
            await self._counter.check([RATE], str(token.number), "requests")
        return token


COOKIE, DEVICE_COOKIE = "ekoes", "ekoes-device"
_HOST = "__Host-"
"""Prefix over HTTPS: no other host and no plain HTTP page can set a cookie of such a name."""
SECURE_COOKIE, SECURE_DEVICE_COOKIE = _HOST + COOKIE, _HOST + DEVICE_COOKIE
_ONE_YEAR = 365 * 24 * 60 * 60
_MOST_KNOWN = 4
"""Accounts by which a browser is known, at most."""


class Sessions:
    """Creates session cookies and device cookies, and reads them."""

    def __init__(self, *keys: bytes) -> None:
        """Sign with the last key, and accept the signatures of all."""
        self._serializer = URLSafeSerializer(list(keys), salt="ekoes.session")
        self._devices = URLSafeSerializer(list(keys), salt="ekoes.device")

    def read(self, cookie: str | None) -> str | None:
        """Return the session of a cookie, None if there is none or its signature is wrong."""
        value = _signed(self._serializer, cookie)
        return value if isinstance(value, str) else None

    def read_device(self, cookie: str | None) -> KnownDevice | None:
        """Return the device of a cookie, None if there is none or its signature is wrong."""
        value = _signed(self._devices, cookie)
        return KnownDevice(value[0], tuple(value[1:])) if isinstance(value, list) else None

    def fresh(self) -> str:
        """Return a new session."""
        return secrets.token_urlsafe(16)

    def header(self, session: str, *, is_secure: bool) -> str:
        """Return the value of the ``Set-Cookie`` header for a session."""
        return _cookie(COOKIE, self._serializer.dumps(session), is_secure=is_secure)

    def device_header(self, before: KnownDevice | None, user: str, *, is_secure: bool) -> str:
        """Return the value of the ``Set-Cookie`` header for a device after a sign-in."""
        device = (before or KnownDevice(secrets.token_urlsafe(16))).after(user)
        return _cookie(DEVICE_COOKIE, self._devices.dumps([device.id, *device.users]), is_secure=is_secure)


def _signed(serializer: URLSafeSerializer, cookie: str | None) -> object:
    try:
        return serializer.loads(cookie) if cookie else None
    except BadSignature:
        return None


def _cookie(name: str, value: str, *, is_secure: bool) -> str:
    cookie = f"{name}={value}; Path=/; Max-Age={_ONE_YEAR}; HttpOnly; SameSite=Lax"
    return f"{_HOST}{cookie}; Secure" if is_secure else cookie
