"""A whole server in the loop of a test: time stands until the test moves it, and chance is the test's.

Whoever comes has the seats of the name that they come by. All that leaves the server goes over its own
sockets, as it does elsewhere.
"""

from __future__ import annotations

import asyncio
import io
import json
import logging
import socket
import zipfile
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from fastapi import FastAPI
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client import generate_latest
from websockets.asyncio.client import ClientConnection, connect

from ekoes.games.api.chance import Chance
from ekoes.protocol import PROTOCOL
from ekoes.server.app import create_app
from ekoes.server.cluster.cluster import LobbyNews
from ekoes.server.http.requests import services_of
from ekoes.server.ops.telemetry import traces_of
from ekoes.server.realtime.connection import BEAT
from ekoes.server.realtime.sockets import uvicorn_config
from ekoes.server.realtime.streams import PULSE
from ekoes.server.runtime.hub import Hub
from ekoes.server.settings import Settings
from ekoes.tables.table import Table
from tests.kit.client import TLS
from tests.kit.passwords import QUICK_HASHER
from tests.unit.server.hub_room import AtOnce, Clock, settled

__all__ = ["TABLE", "Line", "Reader", "Visitor", "World", "world"]

TABLE = "worldstable"
"""The one table of a world: two worlds tell it by the same name."""
PASSWORD = "a tower by the sea"
_HERE, _NAMED = "127.0.0.1", "games.example"
_CHANGING = {"x-request-id", "date", "content-length"}
"""Headers that differ each time, or follow from the rest."""
_BY_THE_WALL = ("_bucket", "_sum", "_created")
"""Ends of the names of measures that depend on how quick the machine is."""
_UNTOLD = {"request", "ms", "seconds", "lines"}
"""Keys of log entries that differ each time."""


class World:
    """A running server, its clock and its visitors."""

    def __init__(self, app: FastAPI, clock: Clock, address: str, spans: InMemorySpanExporter) -> None:
        self.clock = clock
        self.hub: Hub = services_of(app).hub
        self._app = app
        self._address = address
        self._spans = spans
        self._opened = AsyncExitStack()
        self._others = _Others()
        self._news = LobbyNews(
            self._others,  # type: ignore[arg-type]
            services_of(app).store,
            (),
            lambda _: nullcontext(),
            lambda *_: None,
        )
        self.hub.listeners.append(self._news.note_table)
        self.hub.turn_listeners.append(self._news.note_table)
        self._news.start()

    async def close(self) -> None:
        await self._opened.aclose()

    async def make(self, table: Table) -> None:
        """Keep the table of this world."""
        await self.hub.create(table, TABLE)

    async def visitor(self, user: str, account: str | None = None) -> Visitor:
        """Connect a client that has the seats of a user. account: the name of a new one."""
        cookie = services_of(self._app).sessions.header(user, is_secure=False)
        name, _, text = cookie.partition(";")[0].partition("=")
        coming = httpx.AsyncClient(base_url=self._address, timeout=60, headers={"Host": _NAMED}, verify=TLS)
        http = await self._opened.enter_async_context(coming)
        http.cookies.set(name, text, domain=_HERE, path="/")
        visitor = Visitor(http, self)
        if account is not None:
            assert (await visitor.post("/api/account", name=account, password=PASSWORD)).startswith("201")
        return visitor

    async def line(self, path: str, cookie: str) -> Line:
        """Open a web socket."""
        address = f"{self._address.replace('http', 'ws')}{path}?protocol={PROTOCOL}"
        opening = connect(
            address,
            additional_headers={"Cookie": cookie},
            proxy=None,
            max_size=None,
            max_queue=None,  # else who has not read all of it waits ten seconds for the line to close
            ping_interval=None,
        )
        line = Line(await self._opened.enter_async_context(opening))
        await settled()
        return line

    async def reader(self, http: httpx.AsyncClient, path: str, token: str) -> Reader:
        """Open an answer that goes on, as a program does."""
        asked = http.stream("GET", path, headers={"Authorization": f"Bearer {token}"})
        answer = await self._opened.enter_async_context(asked)
        assert answer.status_code == 200
        return Reader(answer, self.clock)

    async def sent_to_others(self) -> set[str]:
        """Return what would be sent to another process; how often depends on real time."""
        while not self._others.messages:  # noqa: ASYNC110 - a timer sends them
            await asyncio.sleep(0.05)
        await self._news.stop()
        return self._others.messages

    def log_metrics_and_spans(self, log: Iterable[logging.LogRecord]) -> list[str]:
        """Return what the operator sees: log entries, metrics, spans."""
        measures = generate_latest(self.hub.metrics.registry).decode().splitlines()
        own = [line for line in measures if line.startswith("ekoes_")]
        return [
            *(_line(record) for record in log if record.name.startswith("ekoes")),
            *(line for line in own if not line.partition("{")[0].partition(" ")[0].endswith(_BY_THE_WALL)),
            *(f"{span.name} {dict(span.attributes or {})}" for span in self._spans.get_finished_spans()),
        ]


class _Others:
    """Another process, which is the lobby leader. messages: all that was sent to it."""

    id = "this one"

    def __init__(self) -> None:
        self.messages: set[str] = set()

    def handle(self, _topic: str, _handler: object) -> None:
        """Send nothing."""

    async def publish_to_owner(self, name: str, topic: str, text: str) -> bool:
        self.messages.add(f"{name} {topic} {text}")
        return True


class Visitor:
    """A client with a cookie. Answers are texts: status, headers, and the body."""

    def __init__(self, http: httpx.AsyncClient, world: World) -> None:
        self.http = http
        self._world = world

    async def get(self, path: str) -> str:
        return _told(await self.http.get(path))

    async def post(self, path: str, **body: Any) -> str:
        return _told(await self.http.post(path, json=body))

    async def line(self, path: str = f"/api/tables/{TABLE}/socket") -> Line:
        return await self._world.line(path, f"ekoes={self.http.cookies['ekoes']}")

    async def reader(self, path: str, *scopes: str) -> Reader:
        """Open an answer that goes on, by a token of one's account. scopes: what it allows."""
        made = await self.http.post("/api/account/tokens", json={"name": "reads", "scopes": list(scopes)})
        assert made.status_code == 201, made.text
        return await self._world.reader(self.http, path, made.json()["token"])


class Line:
    """A web socket. messages: all that it received."""

    def __init__(self, line: ClientConnection) -> None:
        self._line = line
        self.messages: list[str] = []

    async def hear(self) -> None:
        """Take in what has been sent by now."""
        await self._line.send(BEAT)
        while (text := str(await self._line.recv())) != BEAT:
            self.messages.append(text)

    async def ask(self, kind: str, **content: Any) -> Mapping[str, Any]:
        """Send a message, and return its answer when all that comes of it has been done."""
        key = content.setdefault("key", f"{kind} {len(self.messages)}")
        await self._line.send(json.dumps({"type": kind, **content}))
        answer: dict[str, Any] = {}
        while answer.get("key") != key:
            self.messages.append(str(await self._line.recv()))
            answer = json.loads(self.messages[-1])
        await settled()
        return answer


class Reader:
    """A streamed answer. messages: its lines."""

    def __init__(self, answer: httpx.Response, clock: Clock) -> None:
        self._lines = answer.aiter_lines()
        self._clock = clock
        self._since = clock.now()
        self.messages: list[str] = []

    async def hear(self) -> None:
        """Take in all up to the latest sign of life."""
        seconds = (self._clock.now() - self._since).total_seconds()
        while self.messages.count(BEAT) < seconds // PULSE:
            self.messages.append(await anext(self._lines))


@asynccontextmanager
async def world(folder: Path, chance: Chance) -> AsyncIterator[World]:
    """Serve from a folder, on a port of its own."""
    clock, spans, provider = Clock(), InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    settings = Settings(data=folder, bot_workers=0)
    app = create_app(settings, chance=chance, clock=clock, traces=traces_of(provider), thread=AtOnce(1))
    config = uvicorn_config(app)
    config.ws_ping_interval = None  # how far away somebody is, is another time each time
    server = uvicorn.Server(config)
    with socket.create_server((_HERE, 0)) as listening, pytest.MonkeyPatch.context() as patch:
        patch.setattr("ekoes.server.accounts._HASHER", QUICK_HASHER)
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        made = World(app, clock, f"http://{_HERE}:{listening.getsockname()[1]}", spans)
        try:
            yield made
        finally:
            await made.close()
            server.should_exit = True
            await serving


def _told(answer: httpx.Response) -> str:
    headers = [f"{name}: {text}" for name, text in answer.headers.items() if name not in _CHANGING]
    return "\n".join([f"{answer.status_code}", *headers, *_body(answer)])


def _body(answer: httpx.Response) -> list[str]:
    """Return the body as text; of a file of files what is in each of them, as it also knows its hour."""
    if answer.headers.get("content-type") != "application/zip":
        return [answer.content.decode("latin-1")]
    with zipfile.ZipFile(io.BytesIO(answer.content)) as file:
        return [f"{name}: {file.read(name).decode()}" for name in file.namelist()]


def _line(record: logging.LogRecord) -> str:
    """Format a log entry: the event and its fields."""
    usual = vars(logging.makeLogRecord({}))
    about = {key: value for key, value in vars(record).items() if key not in usual and key not in _UNTOLD}
    return f"{record.levelname} {record.getMessage()} {about}"
