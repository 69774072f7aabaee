"""Clubs as tests use them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from tests.kit.client import Browser, Json, Room, post

_NUMBERS = count(1)


def found_club(browser: Browser, **changes: Any) -> str:
    """Found a club and return its id."""
    plan = {"name": f"Harbour {next(_NUMBERS)} of {id(browser)}", "text": "We play on Mondays.", "open": True}
    return str(post(browser, "/api/clubs", 201, **plan | changes)["id"])


def look_at(browser: Browser, club: str) -> Json:
    found: Json = browser.get(f"/api/clubs/{club}")
    return found


def enter(browser: Browser, club: str, status: int = 201, **changes: Any) -> Json:
    answer: Json = post(browser, f"/api/clubs/{club}/members", status, **changes)
    return answer


def appoint(browser: Browser, club: str, name: str, role: str | None, status: int = 204) -> Any:
    return post(browser, f"/api/clubs/{club}/roles", status, account=name, role=role)


def roles(browser: Browser, club: str) -> dict[str, str]:
    return {one["name"]: one["role"] for one in browser.get(f"/api/clubs/{club}/members")["members"]}


@contextmanager
def club_room(browser: Browser, club: str) -> Iterator[Room]:
    """Open a club as a member; what there is is known."""
    with browser.connect(f"clubs/{club}", Room) as here:
        here.receive()
        yield here
