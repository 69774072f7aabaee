from __future__ import annotations

import stat
from pathlib import Path

import pytest

from ekoes.errors import StorageError
from ekoes.server.sessions import Sessions, signing_key

KEY = b"k" * 32


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
def test_cookie_of_somebody_else_is_nobody(cookie: str | None) -> None:
    assert Sessions(KEY).read(cookie) is None


def test_cookie_of_another_key_is_nobody() -> None:
    theirs = Sessions(b"o" * 32)
    assert Sessions(KEY).read(cookie_of(theirs.header("me", is_secure=False))) is None


def test_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "secret.key"
    key = signing_key(path)
    assert len(key) == 32
    assert signing_key(path) == key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_damaged_key_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret.key"
    path.write_bytes(b"short")
    with pytest.raises(StorageError, match="damaged"):
        signing_key(path)


def test_key_that_cannot_be_kept_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="No such file"):
        signing_key(tmp_path / "missing" / "secret.key")
