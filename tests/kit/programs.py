"""A program as a test drives it: a token in place of cookies, requests, and streamed answers."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import httpx
from jsonschema_rs import Draft202012Validator
from websockets.sync.client import connect

from ekoes.client.client import seen, updated
from ekoes.protocol import PROTOCOL, protocol_schema
from ekoes.server.realtime.connection import BEAT
from tests.kit.client import PATIENCE, TLS, Browser, Connection, Json, post

__all__ = ["Program", "Reading", "token_of", "way"]

_KEYS = (f"program-{number}" for number in itertools.count())

_PATIENCE = 5
"""Keep-alives that may come instead of what is waited for."""
ALL = ("account:read", "table:read", "table:play", "challenge", "chat", "lobby")


@cache
def way(direction: str) -> Draft202012Validator:
    """Return a validator for the messages of one direction, by the protocol's JSON Schema."""
    return Draft202012Validator({"$ref": f"#/$defs/{direction}", **protocol_schema()})


def token_of(browser: Browser, *scopes: str, name: str = "A bot") -> Json:
    """Make a token of a browser's account ; return what the server answers, its text included."""
    made: Json = post(browser, "/api/account/tokens", 201, name=name, scopes=list(scopes or ALL))
    return made


class Reading:
    """A streamed answer, each message validated. table: as the messages describe it."""

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
            assert beats < _PATIENCE, "nothing comes but keep-alives"
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
        self.http = httpx.Client(
            base_url=address, timeout=PATIENCE, headers=headers, limits=limits, verify=TLS
        )

    def post(self, path: str, status: int = 200, **body: Any) -> Any:
        answer = self.http.post(path, json=body)
        assert answer.status_code == status, answer.text
        return answer.json() if answer.content else None

    def order(self, table: str, kind: str, status: int = 200, **content: Any) -> Any:
        """Give an order; return its answer."""
        return self.post(f"/api/tables/{table}/orders", status, type=kind, key=next(_KEYS), **content)

    @contextmanager
    def open(self, table: str) -> Iterator[Connection]:
        """Open the socket of a table."""
        address = str(self.http.base_url).replace("http://", "ws://")
        headers = {"Authorization": f"Bearer {self.token}"}
        with connect(
            f"{address}/api/tables/{table}/socket?protocol={PROTOCOL}", additional_headers=headers, proxy=None
        ) as websocket:
            yield Connection(websocket)

    @contextmanager
    def read(self, path: str) -> Iterator[Reading]:
        """Open a streamed answer."""
        with self.http.stream("GET", path) as answer:
            assert answer.status_code == 200, answer.read()
            assert answer.headers["content-type"] == "application/x-ndjson"
            yield Reading(answer, "events" if "/bot/" in path else "table")
