"""What others feel while one address uses all its limits, in counts: how far it has come meanwhile."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
import threading
from collections import Counter, defaultdict
from contextlib import ExitStack, closing
from operator import sub
from pathlib import Path

import httpx
import pytest
from fastapi.routing import APIRoute

from ekoes.games.eko.fairness import named_layouts
from ekoes.server.app import ROUTERS, create_app
from ekoes.server.http.policy import policy_of, routes_of
from ekoes.server.http.requests import services_of
from ekoes.server.settings import Settings
from ekoes.tables.lessons import lessons_of
from ekoes.tables.orders import Resign
from ekoes.tables.puzzles import puzzles_of
from tests.kit.client import PASSWORD, Browser, Socket
from tests.kit.loops import run_apart
from tests.kit.server import Server
from tests.unit.storage.keeping import Keeper, eko_table

FLOOD = {"X-Forwarded-For": "198.51.100.7"}
OTHER = "203.0.113.7"
DECISIONS = 12


@pytest.mark.long
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


OWN_LIMITS = {"record", "board", "draw", "pack", "enter"}
"""Costs of which an address may ask for so few that they slow nobody."""
MOST_CALLS = 20_000
"""Python calls, with those of the client: about ten milliseconds."""


@run_apart
async def test_no_request_without_a_limit_of_its_own_costs_the_server_much(tmp_path: Path) -> None:
    """Calls are counted in the loop for the first request of each kind, in all threads for the second."""
    calls = calls_of_loop = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    def count_of_loop(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls_of_loop
        calls_of_loop += event == "call"

    threading.setprofile(count)
    try:
        app = create_app(Settings(data=tmp_path, bot_workers=0))
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here") as web,
        ):
            keeper = Keeper(services_of(app).store, eko_table())
            keeper.play(300)
            place = next(iter(keeper.table.position.stacks()))
            keeper.order(Resign, seat=0)
            found = {"table_id": "t", "decisions": 200, "place": place, "players": 2, "tempo": "unlimited"}
            layout, puzzle = next(iter(named_layouts())).name, next(iter(puzzles_of("eko")))
            lesson = next(iter(lessons_of("eko")))
            await web.get("/healthz")
            costs, first_costs = dict[str, int](), dict[str, int]()
            for route in routes_of(ROUTERS):
                asks = isinstance(route, APIRoute) and "GET" in (route.methods or ())
                has_own_limit = policy_of(route.endpoint).limit in OWN_LIMITS | {"connect"}
                # bots go on playing what is watched, so that their calls would be counted with other requests
                begins = route.path.endswith("/watch")
                if not asks or has_own_limit or begins or not route.path.startswith("/api/"):
                    continue
                name = puzzle if "puzzles" in route.path else lesson if "lessons" in route.path else "eko"
                words = {"name": name, "game": "eko", "layout": layout} | found
                path = route.path.format_map(defaultdict(int, words))
                before = calls_of_loop
                sys.setprofile(count_of_loop)
                await web.get(path)
                first_costs[path] = calls_of_loop - before
                before = calls
                sys.setprofile(count)
                await web.get(path)
                sys.setprofile(None)
                costs[path] = calls - before
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    assert len(costs) > 40
    assert max(costs.values()) > 5_000, "those of a picture are counted"
    assert {path: cost for path, cost in costs.items() if cost > MOST_CALLS} == {}
    assert {path: cost for path, cost in first_costs.items() if cost > MOST_CALLS} == {}


@pytest.mark.long
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
    """All that costs most are passwords, of which 30 may wait, and first positions, of which four may."""
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
            wishes += [("eko/analysis", {"options": {"players": 4, "seed": n}}) for n in range(20)]
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
        table, socket = watch(other)
        socket.wait("update")
        before = decided(server, tables, [table])
        for _ in range(DECISIONS):
            socket.wait("update")
        others, own = map(sub, decided(server, tables, [table]), before)
        assert others <= 3 * own


def decided(server: Server, *groups: list[str]) -> list[int]:
    """Return how many decisions of each group of tables are stored, all at one moment."""
    with closing(sqlite3.connect(server.database)) as database:
        found = [table for (table,) in database.execute("SELECT table_id FROM events")]
    return [sum(table in group for table in found) for group in groups]
