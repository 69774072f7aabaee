"""The client, the example bots and the bridge against a real server."""

from __future__ import annotations

import asyncio
import inspect
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import aclosing, contextmanager
from pathlib import Path
from typing import IO, Any

import pytest

from ekoes.client import (
    Client,
    ConnectionFailedError,
    RefusedError,
    Table,
    account_seat,
    open_seat,
    own_seat,
)
from tests.kit.client import sign_up
from tests.kit.loops import run_apart
from tests.kit.programs import Program, token_of
from tests.kit.server import EKOES, Server

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
GUIDE = "guide/write-a-bot-for-the-server.md"


def token(server: Server, name: str) -> str:
    browser = server.browser()
    sign_up(browser, name)
    return str(token_of(browser)["token"])


@contextmanager
def running(*command: str, pipe: int | IO[str] = subprocess.PIPE) -> Iterator[subprocess.Popen[str]]:
    """Let a program run as long as it is needed. pipe: where its output goes."""
    path = os.pathsep.join([str(Path(EKOES).parent), os.environ["PATH"]])
    process = subprocess.Popen(
        command, stdout=pipe, stderr=subprocess.STDOUT, text=True, env={**os.environ, "PATH": path}
    )
    try:
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=60)


def example(name: str, server: Server, secret: str) -> tuple[str, ...]:
    return sys.executable, str(EXAMPLES / name), server.address, secret


def bridge(server: Server, secret: str) -> tuple[str, ...]:
    engine = f"{sys.executable} {EXAMPLES / 'engine.py'}"
    return EKOES, "bridge", engine, "--server", server.address, "--token", secret


def play_out(server: Server, host: Program, game: str, players: list[str], **options: Any) -> Any:
    """Ask players for a game and return how it ended."""
    seats = [{"kind": "account", "account": name} for name in players]
    plan = {"game": game, "options": {"players": len(seats), **options}, "seats": seats}
    with host.read("/api/bot/stream") as events:
        host.post("/api/challenges", 201, **plan)
        table = events.wait("challenge-gone")["table"]
    assert table is not None
    with host.read(f"/api/tables/{table}/stream") as reading:
        reading.wait("table")
        while reading.state["outcome"] is None:
            reading.wait("update")
        return reading.state["outcome"]


@pytest.mark.long
def test_the_example_bots_and_the_bridge_play_whole_games(server: Server) -> None:
    host = Program(server.address, token(server, "Host"))
    secrets = {name: token(server, name) for name in ("Eager", "Plain", "Bridge")}
    with (
        running(*example("bot_eko.py", server, secrets["Eager"])),
        running(*example("bot_ekko.py", server, secrets["Plain"])),
        running(*bridge(server, secrets["Bridge"])) as program,
    ):
        assert program.stdout
        assert program.stdout.readline().startswith("Any action plays as Bridge at ")
        eko = play_out(server, host, "eko", ["Eager", "Bridge"], variants=[], turn_limit=6)
        assert eko["reason"] in {"turn-limit", "points", "last-on-board", "both", "nobody"}
        ekko = play_out(server, host, "ekko", ["Plain", "Bridge"], target=1, reaction=1)
        assert ekko["reason"] in {"lowest-total", "tie"}


def test_the_example_bot_of_ekko_plays_a_challenge_by_default(server: Server) -> None:
    host = Program(server.address, token(server, "Dealer"))
    bots = {name: token(server, name) for name in ("Left", "Right")}
    with (
        running(*example("bot_ekko.py", server, bots["Left"])) as one,
        running(*example("bot_ekko.py", server, bots["Right"])) as two,
    ):
        assert play_out(server, host, "ekko", ["Left", "Right"], target=1)["reason"] in {
            "lowest-total",
            "tie",
        }
        for bot in (one, two):
            assert bot.stdout
            assert "have won" in bot.stdout.readline()


def test_the_bot_of_the_guide_plays_with_http_alone(server: Server) -> None:
    host = Program(server.address, token(server, "Asker"))
    secret = token(server, "Http")
    with running(*example("bot_http.py", server, secret)):
        seats = [{"kind": "account", "account": "Http"}, {"kind": "bot", "bot": "random"}]
        options = {"players": 2, "variants": [], "turn_limit": 2}
        with host.read("/api/bot/stream") as events:
            host.post("/api/challenges", 201, game="eko", options=options, seats=seats)
            table = events.wait("challenge-gone")["table"]
        with host.read(f"/api/tables/{table}/stream") as reading:
            reading.wait("table")
            while reading.state["outcome"] is None:
                reading.wait("update")
        assert {entry["seat"] for entry in reading.table["log"]} == {0, 1}


def test_the_bot_of_the_guide_is_the_example_and_short() -> None:
    text = (EXAMPLES / "bot_http.py").read_text("utf-8")
    assert len(text.splitlines()) <= 30
    assert text.partition('"""\n\n')[2] in (EXAMPLES.parent / GUIDE).read_text("utf-8")


@pytest.mark.parametrize("name", ["bot_eko.py", "bot_ekko.py"])
def test_the_example_bots_are_short(name: str) -> None:
    lines = [line for line in (EXAMPLES / name).read_text("utf-8").splitlines() if line.strip()]
    assert len(lines) <= 40


@run_apart
async def test_guests_make_a_table_join_it_talk_and_play_it_out(server: Server) -> None:
    async with Client(server.address) as ada, Client(server.address) as bo:
        seats = [own_seat("Ada"), open_seat()]
        table_id = await ada.make_table("eko", {"players": 2, "seed": 1, "variants": []}, seats)
        async with ada.table(table_id) as own, bo.table(table_id) as other:
            assert await ada.account() is None
            assert await other.sit(name="Bo") == 1
            await own.listen()
            await other.say("Good luck!")
            has_decided = False
            async for view in own:
                assert [seat.yours for seat in view.seats] == [True, False]
                if view.is_started and view.asked and not has_decided:
                    has_decided = True
                    version = await own.act(0, view.legal(0)[0])
                    await other.order("resign", seat=1, version=version)
            assert own.view.winners == (0,)
            assert [line["text"] for line in own.said] == ["Good luck!"]
        assert "by resignation" in await ada.record(table_id)


def coroutines(kind: type) -> set[str]:
    """The public methods of a class that wait for the server."""
    is_waiting = (inspect.iscoroutinefunction, inspect.isasyncgenfunction)
    return {name for name, one in vars(kind).items() if name[0] != "_" and any(f(one) for f in is_waiting)}


@contextmanager
def counting(kind: type, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Check that each public method of a class that waits for the server is called in the block."""
    names, called = coroutines(kind), set[str]()

    def watched(name: str) -> Callable[..., Any]:
        method = getattr(kind, name)

        def call(*args: Any, **more: Any) -> Any:
            called.add(name)
            return method(*args, **more)

        return call

    for name in names:
        monkeypatch.setattr(kind, name, watched(name))
    yield
    assert called == names


def test_each_method_of_the_client_works(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    async def call_all() -> None:
        names = {name: token(server, name) for name in ("Ines", "Jan")}
        async with (
            Client(server.address, names["Ines"]) as ines,
            Client(server.address, names["Jan"]) as jan,
            aclosing(jan.events()) as events,
        ):
            assert await ines.account() == "Ines"
            options, seats = {"players": 2, "seed": 1, "variants": []}, [own_seat(), account_seat("Jan")]
            for end in (ines.cancel, jan.decline):
                made = await ines.challenge("eko", options, seats)
                assert [one["id"] for one in await jan.challenges()] == [made]
                assert (await anext(events))["challenge"]["id"] == made
                await end(made)
                assert (await anext(events))["type"] == "challenge-gone"
                assert await jan.challenges() == []
            table_id = await jan.accept(await ines.challenge("eko", options, seats))
            assert table_id is not None
            async with ines.table(table_id) as own:
                await own.first_view()
                await own.act(0, own.view.legal(0)[0])
                assert (await ines.past(table_id, 0))["position"] != (await ines.past(table_id, 1))[
                    "position"
                ]
                with pytest.raises(RefusedError, match="rated"):  # which programs don't play
                    await own.abort(0)
            assert "result: open" in await ines.record(table_id)
            race = await ines.make_table("ekko", {"players": 2}, [own_seat(), open_seat()])
            async with ines.table(race) as own, jan.table(race) as other:
                await own.listen()
                assert await other.sit() == 1
                await other.say("Good luck!")
                await own.intend(0, {"type": "ready", "round": 1})
                with pytest.raises(RefusedError):
                    await own.order("act", seat=0, action={"type": "end"}, version=0)
                await other.resign(1)
                async for view in own:
                    assert view.is_over == (view.winners == (0,))
                assert [line["text"] for line in own.said] == ["Good luck!"]

    with counting(Client, monkeypatch), counting(Table, monkeypatch):
        run_apart(call_all)()


@run_apart
async def test_client_raises_refusals_with_code_and_missing_scope(server: Server) -> None:
    browser = server.browser()
    sign_up(browser, "Limited")
    limited = token_of(browser, "table:read")["token"]
    async with Client(server.address, limited) as client:
        with pytest.raises(RefusedError) as refused:
            await client.make_table("eko", {"players": 2}, [own_seat(), open_seat()])
        assert (refused.value.code, refused.value.scope) == ("account/scope", "table:play")
        with pytest.raises(ConnectionFailedError) as lost:
            async with client.table("nothing"):
                pass
        assert lost.value.code == "table/not-found"
        async with client.table(browser.create("open", "open")) as table:
            with pytest.raises(RefusedError) as refused:
                await table.sit(0)
            assert refused.value.scope == "table:play"
    with pytest.raises(ConnectionFailedError, match="can't be reached"):
        async with Client("http://127.0.0.1:1"):
            pass


@run_apart
async def test_events_go_on_after_answers_of_a_proxy_whose_server_restarts() -> None:
    answers = [
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
        b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\n\r\n",
        b'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{"type":"started","table":"t"}\n',
    ]

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answers.pop(0))
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as proxy:
        host, port = proxy.sockets[0].getsockname()
        async with Client(f"http://{host}:{port}") as client, aclosing(client.events()) as events:
            assert (await anext(events))["table"] == "t"
    assert not answers


@run_apart
async def test_a_table_is_followed_through_a_restart_of_its_server(own_server: Server) -> None:
    async with Client(own_server.address) as client:
        options = {"players": 2, "seed": 1, "variants": []}
        table_id = await client.make_table("eko", options, [own_seat(), own_seat()])
        async with client.table(table_id) as table:
            version = await table.act(0, table.view.legal(0)[0])
            await asyncio.to_thread(own_server.kill)
            with pytest.raises(ConnectionFailedError):
                await table.resign(0)
            await asyncio.to_thread(own_server.start)
            async for view in table:
                assert view.version >= version
                if table.is_connected:
                    break
            seat = table.view.asked[0]
            assert await table.act(seat, table.view.legal(seat)[0]) > version
