"""A program as a test drives it: a token in place of cookies, requests, and answers that go on."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from ekoes.protocol.diff import seen, updated
from ekoes.server.realtime.connection import BEAT
from tests.server.browser import PATIENCE, Browser
from tests.server.schema import way

__all__ = ["Program", "Reading", "token_of"]

Json = dict[str, Any]
_KEYS = (f"program-{number}" for number in itertools.count())

_PATIENCE = 5
"""Signs of life that may come instead of what is waited for."""
ALL = ("account:read", "table:read", "table:play", "challenge", "chat", "lobby")


def token_of(browser: Browser, *scopes: str, name: str = "A bot") -> Json:
    """Make a token of a browser's account and return what is told of it, its text among it."""
    wish = {"name": name, "scopes": list(scopes or ALL)}
    answer = browser.http.post("/api/account/tokens", json=wish)
    assert answer.status_code == 201, answer.text
    told: Json = answer.json()
    return told


class Reading:
    """An answer that goes on, of which each line is checked. table: as its messages have told it."""

    def __init__(self, answer: httpx.Response, place: str) -> None:
        self._schema = way(f"from_{place}")
        self._lines = answer.iter_lines()
        self.table: Json = {}

    @property
    def state(self) -> Json:
        return seen(self.table)

    def next(self) -> Json | None:
        """Wait for the next message and take it in; None: it has ended."""
        beats = 0
        while (text := next(self._lines, None)) == BEAT:
            beats += 1
            assert beats < _PATIENCE, "nothing comes but signs of life"
        if text is None:
            return None
        message: Json = json.loads(text)
        self._schema.validate(message)
        if message["type"] == "table":
            self.table = message
        elif message["type"] == "update":
            self.table = updated(self.table, message)
        return message

    def wait(self, *kinds: str) -> Json:
        """Take messages in until one of some kinds comes, and return it."""
        while (message := self.next()) is not None and message["type"] not in kinds:
            pass
        assert message is not None, "the stream has ended"
        return message


class Program:
    """A program with a token."""

    def __init__(self, address: str, token: str) -> None:
        self.token = token
        headers = {"Authorization": f"Bearer {token}"}
        limits = httpx.Limits(max_keepalive_connections=0)  # nothing is left open when a test is over
        self.http = httpx.Client(base_url=address, timeout=PATIENCE, headers=headers, limits=limits)

    def post(self, path: str, status: int = 200, **body: Any) -> Any:
        answer = self.http.post(path, json=body)
        assert answer.status_code == status, answer.text
        return answer.json() if answer.content else None

    def order(self, table: str, kind: str, status: int = 200, **content: Any) -> Any:
        """Give an order; return its answer."""
        return self.post(f"/api/tables/{table}/orders", status, type=kind, key=next(_KEYS), **content)

    @contextmanager
    def read(self, path: str) -> Iterator[Reading]:
        """Open an answer that goes on."""
        with self.http.stream("GET", path) as answer:
            assert answer.status_code == 200, answer.read()
            assert answer.headers["content-type"] == "application/x-ndjson"
            yield Reading(answer, "events" if "/bot/" in path else "table")
