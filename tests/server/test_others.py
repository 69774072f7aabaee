"""What others feel while one address uses all its limits, in counts: how far it has come meanwhile."""

from __future__ import annotations

import asyncio
import sqlite3
from collections import Counter
from contextlib import ExitStack, closing
from pathlib import Path

import httpx

from ekoes.server.app import create_app
from ekoes.server.http.requests import services_of
from ekoes.server.settings import Settings
from ekoes.tables.orders import Resign
from tests.kit.client import PASSWORD, Browser, Socket
from tests.kit.loops import run_apart
from tests.kit.server import Server
from tests.unit.storage.keeping import Keeper, eko_table

FLOOD = {"X-Forwarded-For": "198.51.100.7"}
OTHER = "203.0.113.7"
DECISIONS = 12


@run_apart
async def test_sockets_open_while_an_address_signs_in_sixty_times(tmp_path: Path) -> None:
    """A new socket needs one of asyncio's threads, to ask the database who opens it."""
    app = create_app(Settings(data=tmp_path, bot_workers=0))
    transport = httpx.ASGITransport(app, client=("198.51.100.7", 1))
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://here", timeout=600) as web,
    ):
        hashed: list[int] = []

        async def sign_in(number: int) -> int:
            wish = {"name": f"Nobody {number}", "password": PASSWORD}
            status = (await web.post("/api/account/sign-in", json=wish)).status_code
            if status == 403:
                hashed.append(number)
                begun.set()
            return status

        begun = asyncio.Event()
        asked = [asyncio.create_task(sign_in(number)) for number in range(60)]
        await begun.wait()
        await asyncio.to_thread(int)
        assert len(hashed) <= 4, "two are hashed at a time"
        statuses = await asyncio.gather(*asked)
        assert (statuses.count(403), statuses.count(503)) == (30, 30), "a quarter of the queue is theirs"


@run_apart
async def test_frames_of_an_animation_are_drawn_beside_the_server(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path, bot_workers=0))
    services = services_of(app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here", timeout=60) as web,
    ):
        keeper = Keeper(services.store, eko_table())
        keeper.play(20)
        keeper.order(Resign, seat=0)
        assert services.sandbox.pids == []
        film = await web.get("/api/tables/t/game.gif")
        assert film.content.startswith(b"GIF89a")
        assert len(services.sandbox.pids) == 1


@run_apart
async def test_orders_and_new_sockets_wait_for_no_costly_requests_of_another_address(tmp_path: Path) -> None:
    """All that costs most are passwords, of which 30 may wait, and start positions, of which four may."""
    with Server(tmp_path, "--bot-workers", "1") as server:
        other = Browser(server.address, OTHER)
        table = other.create_race("here", "here", calm=True)
        statuses, begun = Counter[int](), asyncio.Event()

        async def send(method: str, path: str, body: object = None) -> None:
            answer = await web.request(method, f"/api/{path}", json=body)
            if answer.status_code != 503:
                statuses[answer.status_code] += 1
                begun.set()

        def use() -> list[int]:
            """Return how many answers the other address had got before each step of this one."""
            steps = [statuses.total()]
            with other.open(table) as socket:
                steps.append(statuses.total())
                for seat in range(2):
                    assert socket.intend(seat, "ready", round=1)["type"] == "ack"
                    steps.append(statuses.total())
            return steps

        limits = httpx.Limits(max_connections=None)
        async with httpx.AsyncClient(
            base_url=server.address, headers=FLOOD, timeout=600, limits=limits
        ) as web:
            wishes: list[tuple[str, object]] = [
                ("account/sign-in", {"name": f"Nobody {n}", "password": PASSWORD}) for n in range(30)
            ]
            wishes += [("eko/preview", {"players": 4, "seed": n}) for n in range(20)]
            asked = [asyncio.create_task(send("POST", *wish)) for wish in wishes]
            await begun.wait()
            steps = await asyncio.to_thread(use)
            await asyncio.gather(*asked)
        assert statuses[403] == 30, "they wait, and none is refused"
        assert steps[-1] - steps[0] <= 12, "less than half of them"


def test_bots_of_one_table_wait_for_few_of_many_tables_of_another_address(tmp_path: Path) -> None:
    """Eight tables decide about as often as one of another address, as addresses take turns."""
    with Server(tmp_path, "--bot-workers", "1") as server, ExitStack() as opened:
        flood, other = Browser(server.address, FLOOD["X-Forwarded-For"]), Browser(server.address, OTHER)

        def watch(browser: Browser) -> tuple[str, Socket]:
            table = browser.create("skilled", "skilled")
            socket = opened.enter_context(browser.open(table))
            socket.ask("pace", milliseconds=0)
            return table, socket

        tables = [watch(flood)[0] for _ in range(8)]
        _, socket = watch(other)
        socket.wait("update")
        before = decided(server, tables)
        for _ in range(DECISIONS):
            socket.wait("update")
        assert decided(server, tables) - before <= 3 * DECISIONS


def decided(server: Server, tables: list[str]) -> int:
    """Return how many decisions of tables are stored."""
    with closing(sqlite3.connect(server.database)) as database:
        found = database.execute("SELECT table_id FROM events").fetchall()
        return sum(table in tables for (table,) in found)
