"""Invalid input gets a clear error, loses nothing, and leaves the socket open."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from websockets.exceptions import ConnectionClosedError

from tests.kit.client import PASSWORD, Browser, Json, Socket, close_frame, decide, post
from tests.kit.server import Server


@pytest.fixture
def table(browser: Browser) -> str:
    return browser.create("here", "open")


@pytest.fixture
def socket(browser: Browser, table: str) -> Iterator[Socket]:
    """A socket that is still good for a game after the test."""
    with browser.open(table) as socket:
        yield socket
        assert socket.ask("sit", seat=1)["type"] == "ack"
        while not socket.choices:
            socket.receive()
        decide(socket)


ACT: Json = {"type": "act", "key": "k", "version": 0, "seat": 0, "action": {"type": "swap"}}


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("{", "message/bad-json"),
        ("null", "message/bad-type"),
        (json.dumps(ACT | {"seat": -1}), "message/bad-type"),
    ],
)
def test_message_that_cannot_be_read(socket: Socket, frame: str, code: str) -> None:
    assert socket.raw(frame)["code"] == code


def test_error_repeats_the_key_that_can_be_made_out(socket: Socket) -> None:
    assert socket.raw(json.dumps(ACT | {"key": "mine", "more": 1}))["key"] == "mine"
    assert "key" not in socket.raw("{")


def test_a_megabyte(socket: Socket) -> None:
    assert socket.raw(json.dumps(ACT | {"key": "k" * 1_000_000}))["code"] == "message/too-large"
    assert socket.raw("é" * 40_000)["code"] == "message/too-large"


def test_oversized_frame_closes_the_socket_and_loses_nothing(browser: Browser, table: str) -> None:
    with browser.open(table) as socket:
        socket.ask("sit", seat=1)
        while not socket.choices:
            socket.receive()
        decide(socket)
        before = socket.log
        with pytest.raises(ConnectionClosedError):
            socket.raw("x" * 2_000_000)
    with browser.open(table) as socket:
        assert socket.log == before


def test_binary_frame(socket: Socket) -> None:
    assert socket.raw(b"\x00\xff")["code"] == "message/bad-type"
    assert socket.raw(json.dumps(ACT).encode())["code"] == "message/bad-type"


def test_character_that_no_database_need_store_is_refused(socket: Socket, browser: Browser) -> None:
    plan = {"game": "eko", "options": {"players": 2}, "seats": [{"kind": "here", "name": "a\0"}] * 2}
    answers = [
        socket.ask("rename", seat=0, name="a\0"),
        socket.ask("say", text="a\0"),
        socket.raw('{"type":"say","key":"\\u0000","text":"a"}'),
        post(browser, "/api/tables", 422, **plan),
        post(browser, "/api/account", 422, name="a\0", password=PASSWORD),
    ]
    assert {answer["code"] for answer in answers} == {"message/bad-type"}
    assert all("U+0000" in answer["message"] for answer in answers)
    assert socket.ask("say", text="\\u0000 is a character")["type"] == "ack"


@pytest.fixture
def game(browser: Browser) -> Iterator[Socket]:
    """Two seats in one browser, past the swaps."""
    with browser.open(browser.create("here", "here")) as game:
        for _ in range(2):
            (seat,) = game.state["asked"]
            game.act(seat, {"action": {"type": "swap"}})
        yield game


@pytest.mark.parametrize(
    ("action", "code", "named"),
    [
        ({}, "message/bad-type", "type"),
        ({"type": "fly"}, "message/bad-type", "type"),
        ({"type": "move", "from": "0,0"}, "message/bad-type", "to"),
        ({"type": "move", "from": "0,0", "to": "a,b"}, "message/bad-type", "to"),
        ({"type": "move", "from": "0,0", "to": "0,1", "speed": 2}, "message/bad-type", "speed"),
        ({"type": "move", "from": "0,0", "to": "99,99"}, "action/illegal", "E2.1"),
        ({"type": "march"}, "action/illegal", "E12.2"),
    ],
)
def test_action_that_is_not_possible(game: Socket, action: Json, code: str, named: str) -> None:
    (seat,) = game.state["asked"]
    version, position = game.version, game.state["position"]
    error = game.order("act", seat=seat, action=action, hold=False)
    assert error["code"] == code
    assert named in error["message"]
    if code == "action/illegal":
        assert re.fullmatch(r"E\d+\.\d+", error["rule"])
        assert error["refusal"]
    again = game.ask("undo", version=version - 1, seat=seat)
    assert again["code"] == "table/stale"
    assert game.wait("table")["state"]["position"] == position


def test_foreign_seat(browser: Browser, server: Server) -> None:
    table = browser.create("here", "greedy")
    with browser.open(table) as mine, server.browser().open(table) as theirs:
        for seat in (0, 1, 2, 7):
            error = theirs.order("act", seat=seat, action={"type": "swap"}, hold=False)
            assert error["code"] == "table/not-your-seat"
        assert mine.order("act", seat=1, action={"type": "swap"}, hold=False)["code"] == "table/not-your-seat"
        for kind in ("undo", "end_turn", "resign"):
            assert theirs.order(kind, seat=0)["code"] == "table/not-your-seat"
        assert theirs.ask("pace", milliseconds=0)["code"] == "table/not-your-seat"


def test_forged_cookie_is_a_stranger(browser: Browser) -> None:
    table = browser.create("here", "here")
    name, _, value = browser.cookie.partition("=")
    forged = f"{name}={value[:-2]}{'AA' if not value.endswith('AA') else 'BB'}"
    with browser.open(table, Cookie=forged) as socket:
        assert [seat["yours"] for seat in socket.table["seats"]] == [False, False]


def test_old_version_is_refused_and_the_table_shown_anew(game: Socket) -> None:
    (seat,) = game.state["asked"]
    action = game.choices[str(seat)][0]["action"]
    error = game.ask("act", version=game.version - 1, seat=seat, action=action, hold=False)
    assert error["code"] == "table/stale"
    assert game.wait("table")["version"] == game.version
    future = game.ask("act", version=game.version + 1, seat=seat, action=action, hold=False)
    assert future["code"] == "table/stale"


def test_same_key_is_done_once_and_answered_the_same_way(game: Socket) -> None:
    (seat,) = game.state["asked"]
    action = game.choices[str(seat)][0]["action"]
    message = {"type": "act", "key": "once", "version": game.version, "seat": seat, "action": action}
    answers = []
    for _ in range(3):
        game.websocket.send(json.dumps(message))
        answers.append(game.wait("ack", "error"))
    assert answers == [{"type": "ack", "key": "once", "version": message["version"] + 1}] * 3
    game.until(message["version"] + 1)
    assert len(game.log) == 3
    refused = message | {"key": "twice"}
    for _ in range(2):
        game.websocket.send(json.dumps(refused))
        answers.append(game.wait("ack", "error"))
    assert answers[-1] == answers[-2]
    assert answers[-1]["code"] == "table/stale"


def test_flood_is_answered_in_order(game: Socket) -> None:
    keys = [f"flood-{number}" for number in range(300)]
    for key in keys:
        game.websocket.send(json.dumps({"type": "chat", "key": key, "on": False}))
    assert [game.wait("ack")["key"] for _ in keys] == keys


def test_unknown_table(browser: Browser) -> None:
    assert browser.get("/api/tables/zzzzzzzzzzzz", 404)["code"] == "table/not-found"
    assert browser.http.get("/api/tables/zzzzzzzzzzzz/record").status_code == 404
    with browser.connect("tables/zzzzzzzzzzzz", Socket) as socket:
        assert socket.receive()["code"] == "table/not-found"
        assert close_frame(socket).code == 4404


GOOD: Json = {
    "game": "eko",
    "options": {"players": 2, "variants": [], "setup": "standard"},
    "seats": [{"kind": "here"}, {"kind": "bot", "bot": "random"}],
}


@pytest.mark.parametrize(
    ("plan", "named"),
    [
        (GOOD | {"game": "chess"}, "game"),
        (GOOD | {"game": 1}, "game"),
        (GOOD | {"more": 1}, "more"),
        ({"game": "eko"}, "options"),
        (GOOD | {"options": {"players": 5}}, "players"),
        (GOOD | {"options": {"players": "2"}}, "players"),
        (GOOD | {"options": {"players": 2, "variants": ["fog"]}}, "variants"),
        (GOOD | {"options": {"players": 2, "variants": "wind"}}, "variants"),
        (GOOD | {"options": {"players": 2, "setup": "chaos"}}, "setup"),
        (GOOD | {"options": {"players": 2, "seed": "x"}}, "seed"),
        (GOOD | {"options": {"players": 2, "seed": -1}}, "seed"),
        (GOOD | {"options": {"players": 2, "speed": 1}}, "speed"),
        (GOOD | {"options": {"players": 2, "turn_limit": 0}}, "turn_limit"),
        (GOOD | {"options": {"players": 2, "layout": [["A", 0, 0, 0]]}}, "E2.8"),
        (GOOD | {"options": {"players": 3}}, "seats"),
        (GOOD | {"options": {"players": 2, "layout": json.loads("[" * 500 + "]" * 500)}}, "options"),
        (GOOD | {"seats": []}, "seats"),
        (GOOD | {"seats": [{"kind": "here"}] * 5}, "seats"),
        (GOOD | {"seats": [{"kind": "here"}] * 500}, "seats"),
        (GOOD | {"seats": [{"kind": "throne"}] * 2}, "kind"),
        (GOOD | {"seats": [{"kind": "bot", "bot": "deep"}, {"kind": "here"}]}, "bot"),
        (GOOD | {"seats": [{"kind": "here", "bot": "random"}] * 2}, "bot"),
        (GOOD | {"seats": [{"kind": "here", "colour": 4}] * 2}, "colour"),
        (GOOD | {"seats": [{"kind": "here", "colour": 1}] * 2}, "colour"),
        (GOOD | {"seats": [{"kind": "here", "name": "x" * 41}] * 2}, "name"),
        ([], ""),
        (None, ""),
    ],
)
def test_table_that_cannot_be(browser: Browser, plan: object, named: str) -> None:
    answer = browser.http.post("/api/tables", json=plan)
    assert answer.status_code == 422
    assert set(answer.json()) <= {"code", "rule", "field", "message"}
    assert named in answer.json()["message"]


def test_body_that_is_no_json_or_too_large(browser: Browser) -> None:
    json_type = {"content-type": "application/json"}
    twice = '{"game":"eko","game":"ekko"}'
    for content in ("{", b"\xff\xfe", "[" * 50_000, twice):
        answer = browser.http.post("/api/tables", content=content, headers=json_type)
        assert (answer.status_code, answer.json()["code"]) == (400, "message/bad-json")
    assert answer.json()["message"] == "'game': appears twice in one object"
    answer = browser.http.post("/api/tables", content="x" * 100_000, headers=json_type)
    assert (answer.status_code, answer.json()["code"]) == (413, "message/too-large")


@pytest.mark.parametrize("end", ["}", ' ,"\\ud800":1}'])
def test_object_with_thousands_of_unknown_keys_is_refused_as_one(
    browser: Browser, socket: Socket, end: str
) -> None:
    large = "{" + ",".join(f'"{number}":1' for number in range(5000)) + end
    for content in (large, f'{{"seats":[{large}]}}'):
        answer = browser.http.post(
            "/api/tables", content=content, headers={"content-type": "application/json"}
        )
        assert (answer.status_code, answer.json()["code"]) == (413, "message/too-large")
        assert socket.raw(content)["code"] == "message/too-large"
    assert answer.json()["message"] == "an object has at most 1000 keys"


def test_refusals_of_unknown_keys_name_the_allowed_ones(browser: Browser, socket: Socket, table: str) -> None:
    shown = socket.raw(json.dumps(ACT | {"seats": 1}))["message"]
    assert shown.endswith("allowed: key, version, seat, type, action, hold")
    plan: Json = {"game": "eko", "options": {"players": 2}, "seats": [{"kind": "here"}] * 2}
    sit: Json = {"type": "sit", "key": "k", "seat": 1}
    for path, body, field, allowed in (
        ("tables", plan | {"title": "x"}, "title", "game, options, seats, chat, public"),
        ("tables", plan | {"seats": [{"kind": "here", "title": "x"}]}, "seats.0.title", "kind, bot, name"),
        ("tables", plan | {"options": {"clock": {"hours": 1}}}, "options.clock.hours", "base, increment"),
        ("tables", plan | {"options": {"players": 2, "size": 3}}, "size", "absence, back, clock"),
        (f"tables/{table}/orders", sit | {"place": 1}, "place", "key, type, seat, name"),
    ):
        refused = post(browser, f"/api/{path}", 422, **body)
        assert refused["field"] == field
        assert f"; allowed: {allowed}" in refused["message"]
    assert "; allowed: player, winner" in browser.get("/api/archive?people=me", 422)["message"]
