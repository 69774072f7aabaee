from __future__ import annotations

import pytest

from ekoes.server.accounts import Sessions

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
    theirs = Sessions(b"o" * 32)
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
