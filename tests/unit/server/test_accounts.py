"""Cookies, passwords, API tokens, seat passes, and the file of signing keys."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import count
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from argon2 import extract_parameters

from ekoes.errors import AccountError, StorageError
from ekoes.server.accounts import (
    _DUMMY_HASH,
    LASTS,
    RATE,
    Attempts,
    Caller,
    KnownDevice,
    Pass,
    Passes,
    Sessions,
    TokenStore,
    digest_of,
    fresh_token,
    hashed,
    is_password,
)
from ekoes.server.app import create_app
from ekoes.server.http.requests import services_of
from ekoes.server.ops.secrets import add_key, forget_keys, signing_keys
from ekoes.server.push import signer
from ekoes.server.runtime.permissions import SeatGuard
from ekoes.server.runtime.viewers import error_json
from ekoes.server.settings import Settings
from ekoes.storage.accounts import MOST_TOKENS, Token
from ekoes.storage.store import Store
from tests.kit.stored import account
from tests.kit.tables import refusal
from tests.unit.server.hub_room import run
from tests.unit.storage.keeping import NOW

KEY, OTHER = b"k" * 32, b"o" * 32


def cookie_of(header: str) -> str:
    return header.partition(";")[0].partition("=")[2]


def test_cookie_brings_the_session_back() -> None:
    sessions = Sessions(KEY)
    session = sessions.fresh()
    header = sessions.header(session, is_secure=False)
    assert sessions.read(cookie_of(header)) == session
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(header.split("; "))
    assert "Secure" not in header
    assert sessions.header(session, is_secure=True).endswith("; Secure")


def test_sessions_differ() -> None:
    sessions = Sessions(KEY)
    assert len({sessions.fresh() for _ in range(100)}) == 100


@pytest.mark.parametrize("cookie", [None, "", "x", "a.b", "é", '"x".y', "." * 5000])
def test_forged_cookie_has_no_session(cookie: str | None) -> None:
    assert Sessions(KEY).read(cookie) is None


def test_cookie_of_another_key_has_no_session() -> None:
    theirs = Sessions(OTHER)
    assert Sessions(KEY).read(cookie_of(theirs.header("me", is_secure=False))) is None


def test_by_https_the_cookie_has_a_name_that_no_other_host_can_set() -> None:
    header = Sessions(KEY).header("me", is_secure=True)
    assert header.startswith("__Host-ekoes=")
    assert {"Secure", "HttpOnly", "SameSite=Lax", "Path=/"} <= set(header.split("; "))
    assert "Domain" not in header


def test_newest_key_signs_and_old_ones_still_verify() -> None:
    old = cookie_of(Sessions(KEY).header("me", is_secure=False))
    both = Sessions(KEY, OTHER)
    new = cookie_of(both.header("me", is_secure=False))
    assert (both.read(old), both.read(new)) == ("me", "me")
    assert old != new
    assert (Sessions(OTHER).read(old), Sessions(OTHER).read(new)) == (None, "me")


def test_only_the_right_password_fits() -> None:
    stored = hashed("correct horse", "ada")
    assert "correct horse" not in stored
    assert is_password(stored, "correct horse")
    assert not is_password(stored, "correct house")


@pytest.mark.parametrize(
    "password",
    ["short", "password", "12345678", "qwertyui", "P@ssw0rd1", "ADA LOVELACE", "adalovelace", "aaaaaaaaaa"],
)
def test_password_that_is_easy_to_guess_is_refused(password: str) -> None:
    with pytest.raises(AccountError) as refused:
        hashed(password, "Ada Lovelace")
    assert (refused.value.code, refused.value.key) == ("account/weak-password", "password")


CALLER = Caller("credential", "guest", "2001:db8:0:1::7", "a browser")
KNOWN = KnownDevice("random").after("ada")


def tries(attempt: Callable[[], Coroutine[Any, Any, str]], most: int = 120) -> int:
    """Return how many attempts are allowed."""
    for number in range(most):
        try:
            run(attempt())
        except AccountError:
            return number
    return most


def test_wrong_attempts_are_counted_by_name_and_network() -> None:
    attempts = Attempts()
    assert tries(lambda: attempts.sign_in(CALLER, "Ada", "ada")) == 10
    assert tries(lambda: attempts.sign_in(CALLER, "ADA", "ada")) == 0
    assert tries(lambda: attempts.sign_in(CALLER._replace(address="2001:db8:0:2::"), "Ada", "ada")) == 10
    assert tries(lambda: attempts.sign_in(CALLER, "Bo", None)) == 10


def test_all_networks_together_have_a_hundred_attempts_at_a_name() -> None:
    attempts, numbers = Attempts(), count()
    anywhere = lambda: attempts.sign_in(  # noqa: E731
        CALLER._replace(address=f"2001:db8:0:{next(numbers):x}::"), "Ada", "ada"
    )
    assert tries(anywhere) == 100
    assert tries(lambda: attempts.sign_in(CALLER._replace(device=KNOWN), "Ada", "ada")) == 10
    assert tries(lambda: attempts.recover(CALLER, "Ada")) == 10
    assert tries(lambda: attempts.confirm(CALLER)) == 10


def test_device_is_known_to_its_own_accounts_only() -> None:
    attempts = Attempts()
    assert tries(lambda: attempts.sign_in(CALLER, "Bo", "bo")) == 10
    assert tries(lambda: attempts.sign_in(CALLER._replace(device=KNOWN), "Bo", "bo")) == 0
    device = KNOWN
    for user in ("bo", "cy", "di", "ed", "di"):
        device = device.after(user)
    assert [device.has(user) for user in ("ada", "bo", "cy", "di", "ed")] == [False, True, True, True, True]
    cookie = cookie_of(Sessions(KEY).device_header(device, "di", is_secure=False))
    assert Sessions(KEY).read_device(cookie) == device
    assert Sessions(OTHER).read_device(cookie) is None
    assert Sessions(KEY).read(cookie) is None


def test_right_password_clears_the_attempts_before_it() -> None:
    attempts = Attempts()
    for _ in range(2):
        *_, key = [run(attempts.sign_in(CALLER, "Ada", "ada")) for _ in range(10)]
        run(attempts.clear(key))


def test_an_unknown_name_takes_as_long_to_check_as_a_known_one() -> None:
    assert not is_password(None, "whatever")
    assert extract_parameters(_DUMMY_HASH) == extract_parameters(hashed("correct horse", "ada"))


@pytest.fixture
def store(store: Store) -> Store:
    """A store with an account."""
    account(store, "ada")
    return store


def new_token(store: Store, *scopes: str) -> str:
    text = fresh_token()
    store.programs.make("ada", "A bot", scopes, digest_of(text), NOW)
    return text


def read(tokens: TokenStore, text: str) -> Token:
    token = run(tokens.admit(text))
    assert token is not None
    return token


def test_token_is_valid_until_it_is_revoked(store: Store) -> None:
    tokens, text = TokenStore(store.programs), new_token(store, "table:read", "chat")
    token = read(tokens, text)
    assert (token.user_id, token.scopes) == ("ada", frozenset({"table:read", "chat"}))
    assert store.people.user(token.credential) == "ada"
    assert store.programs.end("ada", token.number) == [token.credential]
    assert store.people.user(token.credential) is None
    assert run(tokens.admit(text)) is None


def test_each_token_has_its_own_rate_limit(store: Store) -> None:
    tokens, text, other = TokenStore(store.programs), new_token(store), new_token(store)

    async def use_up() -> None:
        for _ in range(2 * RATE.amount):  # a window can end meanwhile, which then allows more
            await tokens.admit(text)

    for _ in range(RATE.amount):
        run(tokens.admit(text))
    with pytest.raises(AccountError) as refused:
        run(use_up())
    error = error_json(refused.value)
    assert (error["code"], error["retry_after"]) == ("account/too-many", refused.value.wait)
    run(tokens.admit(other))
    run(tokens.admit(fresh_token()))


def test_use_is_stored_once_a_day(store: Store) -> None:
    tokens, text = TokenStore(store.programs), new_token(store)
    for hours, noted in ((0, 0), (23, 0), (25, 25)):
        store.programs.use(read(tokens, text), NOW + timedelta(hours=hours))
        (token,) = store.programs.of("ada")
        assert token.used_at == NOW + timedelta(hours=noted)


def test_an_account_has_a_limited_number_of_tokens(store: Store) -> None:
    for _ in range(MOST_TOKENS):
        new_token(store)
    with pytest.raises(AccountError) as refused:
        new_token(store)
    assert refused.value.code == "account/many-tokens"


def test_token_of_a_deleted_account_is_invalid(store: Store) -> None:
    text = new_token(store)
    credential = read(TokenStore(store.programs), text).credential
    store.people.make_program("ada", NOW)
    assert store.people.is_program("ada")
    store.programs.end("ada")
    store.people.close("ada")
    assert store.people.user(credential) is None


GIVEN = Pass("table", 3, "giver", "once")


def test_pass_is_valid_until_it_expires() -> None:
    passes = Passes(KEY)
    text = passes.write(GIVEN, NOW)
    assert passes.read(text, NOW + LASTS - timedelta(seconds=1)) == GIVEN
    with pytest.raises(AccountError, match="expired"):
        passes.read(text, NOW + LASTS)


@pytest.mark.parametrize("spoil", [lambda text: text[:-1], lambda text: "x" + text, lambda _: ""])
def test_pass_that_was_changed_is_invalid(spoil: object) -> None:
    passes = Passes(KEY)
    with pytest.raises(AccountError) as refused:
        passes.read(spoil(passes.write(GIVEN, NOW)), NOW)  # type: ignore[operator]
    assert refused.value.code == "account/no-pass"


def test_pass_of_another_key_is_invalid() -> None:
    with pytest.raises(AccountError):
        Passes(OTHER).read(Passes(KEY).write(GIVEN, NOW), NOW)


def test_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "secret.key"
    (key,) = signing_keys(path)
    assert len(key) == 32
    assert signing_keys(path) == [key]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_damaged_key_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret.key"
    path.write_bytes(b"short")
    with pytest.raises(StorageError, match="damaged"):
        signing_keys(path)


def test_key_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="No such file"):
        signing_keys(tmp_path / "missing" / "secret.key")


def test_new_key_is_last_until_the_others_are_removed(tmp_path: Path) -> None:
    path = tmp_path / "secret.key"
    (first,) = signing_keys(path)
    both = add_key(path)
    assert both[0] == first
    assert signing_keys(path) == both
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert forget_keys(path) == signing_keys(path) == both[1:]
    assert [file.name for file in tmp_path.iterdir()] == ["secret.key"]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o666])
def test_key_that_others_may_read_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "secret.key"
    signing_keys(path)
    path.chmod(mode)
    with pytest.raises(StorageError, match="chmod 600"):
        signing_keys(path)


def test_processes_that_start_at_once_have_the_same_keys(tmp_path: Path) -> None:
    for number in range(20):
        folder = tmp_path / str(number)
        folder.mkdir()
        begin = Barrier(4)

        def start(_: int, folder: Path = folder, begin: Barrier = begin) -> tuple[bytes, str]:
            begin.wait()
            return signing_keys(folder / "secret.key")[0], signer(folder / "push.pem").public

        with ThreadPoolExecutor(4) as threads:
            assert len(set(threads.map(start, range(4)))) == 1
        assert sorted(file.name for file in folder.iterdir()) == ["push.pem", "secret.key"]


@pytest.mark.parametrize(
    ("other", "code"),
    [("2001:db8::2", "table/rated-address"), ("::ffff:203.0.113.1", None), (None, "table/rated-unknown")],
)
def test_rated_game_needs_known_addresses_of_different_networks(
    store: Store, other: str | None, code: str | None
) -> None:
    guard = SeatGuard(store)
    guard.note("ada", "2001:db8::1")
    if other is not None:
        guard.note("bo", other)
    assert guard.are_apart(["ada", "bo"]) == (code is None)
    for user, known in (("ada", "bo"), ("bo", "ada")):
        if code is None:
            guard.check_address(user, [known])
        else:
            assert refusal(guard.check_address, user, [known]) == code


def test_players_of_one_house_need_no_address(store: Store) -> None:
    guard = SeatGuard(store, asks_addresses=False)
    guard.check_address("ada", ["bo"])
    assert guard.are_apart(["ada", "bo"])


def test_data_are_readable_by_their_owner_only(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    before = os.umask(0o022)
    try:
        for _ in range(2):
            services = services_of(create_app(Settings(data=folder, bot_workers=0)))
            services.store.try_out()
            modes = {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}
            assert modes.keys() >= {f"ekoes.sqlite{end}" for end in ("", "-wal", "-shm")}
            assert set(modes.values()) == {0o600}
            services.store.close()
            (folder / "ekoes.sqlite").chmod(0o644)  # as an earlier release left it
        assert folder.stat().st_mode & 0o777 == 0o700
    finally:
        os.umask(before)
