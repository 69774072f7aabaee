"""A browser as a test drives it: cookies, requests, and sockets that keep the table as a page does."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

from ekoes.games.eko.presenter import offered
from ekoes.protocol.diff import seen, updated
from ekoes.protocol.incoming import PROTOCOL

PATIENCE = 60.0
ANSWERS = ("ack", "error", "why", "ways")
_KEYS = (f"key-{number}" for number in itertools.count())

Json = dict[str, Any]


class Browser:
    """One browser: its cookies stay with it."""

    def __init__(self, address: str) -> None:
        limits = httpx.Limits(max_keepalive_connections=0)  # a restarted server knows no old line
        self.http = httpx.Client(base_url=address, timeout=PATIENCE, limits=limits)
        self.get("/api/meta")

    @property
    def cookie(self) -> str:
        return f"ekoes={self.http.cookies['ekoes']}"

    def get(self, path: str) -> Any:
        answer = self.http.get(path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def create(self, *seats: str | Json, **options: Any) -> str:
        """Make a table of Ekö. seats: ``here``, ``open``, a bot's name, or the whole JSON."""
        return self._create("eko", seats, {"variants": [], "setup": "standard", "seed": 1} | options)

    def create_race(self, *seats: str | Json, **options: Any) -> str:
        """Make a table of EKKO."""
        return self._create("ekko", seats, options)

    def _create(self, game: str, seats: tuple[str | Json, ...], options: Json) -> str:
        known: Json = {"here": {"kind": "here"}, "open": {"kind": "open"}}
        plans = [known.get(s, {"kind": "bot", "bot": s}) if isinstance(s, str) else s for s in seats]
        plan = {"game": game, "options": {"players": len(seats)} | options, "seats": plans}
        answer = self.http.post("/api/tables", json=plan)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    @contextmanager
    def open(self, table: str, **headers: str) -> Iterator[Socket]:
        """Open the socket of a table; it has been shown the table."""
        base = str(self.http.base_url).replace("http://", "ws://").rstrip("/")
        address = f"{base}/api/tables/{table}/socket?protocol={PROTOCOL}"
        named = {"Cookie": self.cookie, **headers}
        with connect(
            address,
            additional_headers=named,
            proxy=None,
            max_size=None,
            max_queue=None,  # what is not read is not waited for in the end
            open_timeout=PATIENCE,
        ) as line:
            socket = Socket(line)
            socket.wait("table")
            yield socket


class Socket:
    """A socket and the table as its messages have told it."""

    def __init__(self, line: ClientConnection) -> None:
        self.line = line
        self.table: Json = {}

    @property
    def state(self) -> Json:
        return seen(self.table)

    @property
    def version(self) -> int:
        return int(self.table["version"])

    @property
    def log(self) -> list[Json]:
        log: list[Json] = self.table["log"]
        return log

    @property
    def choices(self) -> dict[str, list[Json]]:
        """What the seats of this browser may do, action by action."""
        spaces = [space["space"] for space in self.table["board"].get("spaces", [])]
        told: Json = self.state["choices"]
        return {
            seat: list(offered(rows, spaces)) if isinstance(rows, dict) else rows
            for seat, rows in told.items()
        }

    def receive(self) -> Json:
        """Wait for the next message, take it in, and return it."""
        message: Json = json.loads(self.line.recv(timeout=PATIENCE))
        match message["type"]:
            case "table":
                self.table = message
            case "update":
                self.table = updated(self.table, message)
            case "seats":
                self.table = {**self.table, "seats": message["seats"]}
        return message

    def wait(self, *kinds: str) -> Json:
        """Take messages in until one of some kinds comes, and return it."""
        while (message := self.receive())["type"] not in kinds:
            pass
        return message

    def until(self, version: int) -> None:
        """Take messages in until the table has a version."""
        while self.version < version:
            self.receive()

    def ask(self, kind: str, **content: Any) -> Json:
        """Send a message with a fresh key and return its answer."""
        message = {"type": kind, "key": next(_KEYS), **content}
        self.line.send(json.dumps(message))
        while (answer := self.wait(*ANSWERS)).get("key") != message["key"]:
            pass
        return answer

    def intend(self, seat: int, kind: str, **action: Any) -> Json:
        """Send an intent (EKKO); return its answer, the table being shown as of then."""
        answer = self.ask("intent", seat=seat, action={"type": kind, **action})
        if answer["type"] == "ack":
            self.until(answer["version"])
        return answer

    def order(self, kind: str, **content: Any) -> Json:
        """Give an order for the table as it is known here; return its answer."""
        answer = self.ask(kind, version=self.version, **content)
        if answer["type"] == "ack":
            self.until(answer["version"])
        return answer

    def act(self, seat: int, choice: Json, *, hold: bool = False) -> Json:
        """Play a choice, which the table must take."""
        answer = self.order("act", seat=seat, action=choice["action"], hold=hold)
        assert answer["type"] == "ack", answer
        return answer

    def raw(self, frame: str | bytes) -> Json:
        """Send a frame as it is and return the error that answers it."""
        self.line.send(frame)
        return self.wait("error")
