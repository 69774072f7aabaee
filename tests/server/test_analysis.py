"""Analysis over WebSocket and reviews: who may ask, one at a time, and stopped on request."""

from __future__ import annotations

import json
from time import sleep
from typing import Any

import pytest

from ekoes.games.eko.game import EKO
from ekoes.server.http.analysis import ReviewInfo
from tests.kit.client import Browser, Json, Socket, decide
from tests.kit.server import Server

FOR_EVER = 60


def result(socket: Socket) -> Json:
    """Wait for the result of a search."""
    while "result" not in (shown := socket.wait("analysis")):
        pass
    return shown


def searched(socket: Socket, **wish: Any) -> Json:
    """Analyse a position until there is a result; return it."""
    asked = socket.ask("analyse", seconds=FOR_EVER, lines=2, **wish)
    assert asked["type"] == "ack"
    while not socket.wait("analysis")["info"]["iterations"]:
        pass
    end = f"stop {asked['key']}"
    socket.websocket.send(json.dumps({"type": "stop", "key": end}))
    shown = result(socket)
    assert shown["key"] == asked["key"]
    assert socket.wait("ack")["key"] == end
    return shown


def check(shown: Json) -> None:
    """Check that a result is consistent."""
    known = shown["result"]
    assert sum(known["value"]) == pytest.approx(1)
    assert known["iterations"] > 0
    for line in known["lines"]:
        assert [EKO.action_to_json(EKO.parse_action(action)) for action in line["actions"]] == line["actions"]
    assert len(known["lines"]) <= 2


def test_against_bots_a_position_is_searched(browser: Browser) -> None:
    with browser.open(browser.create("here", "beginner")) as socket:
        shown = searched(socket)
        assert shown["after"] == 0
        check(shown)


def test_analysis_is_refused_at_a_table_of_people_until_the_game_is_over(
    browser: Browser, server: Server
) -> None:
    table = browser.create("here", "open", "beginner")
    with browser.open(table) as socket, server.browser().open(table) as other:
        assert socket.ask("analyse")["code"] == "table/people"
        assert other.ask("sit", seat=1)["type"] == "ack"
        for each in (socket, other):
            assert each.ask("analyse")["code"] == "table/people"


def test_any_position_of_a_finished_game_is_analysed_for_any_viewer(browser: Browser, server: Server) -> None:
    table = browser.create("here", "here")
    with browser.open(table) as socket, server.browser().open(table) as watcher:
        for _ in range(3):
            decide(socket)
        assert watcher.ask("analyse")["code"] == "table/people"
        socket.order("resign", seat=0)
        watcher.until(socket.version)
        shown = searched(watcher, after=2)
        assert shown["after"] == 2
        check(shown)
        assert watcher.ask("analyse", after=99)["type"] == "error"


def test_review_is_made_once_of_a_finished_game_for_any_reader(browser: Browser, server: Server) -> None:
    table = browser.create("here", "open")
    address, reader = f"/api/tables/{table}/review", server.browser().http
    with browser.open(table) as socket, server.browser().open(table) as other:
        assert other.ask("sit", seat=1)["type"] == "ack"
        for early in (reader.get(address), browser.http.post(address)):
            assert (early.status_code, early.json()["code"]) == (409, "table/not-over")
        socket.until(other.version)
        socket.order("resign", seat=0)
    assert reader.get(address).json()["state"] == "none"
    assert reader.post(address).json()["state"] in {"running", "done"}
    while (state := browser.get(address))["state"] == "running":
        sleep(0.05)
    ReviewInfo.model_validate(state)
    assert (state["state"], len(state["chances"]), state["review"]["accuracy"]) == ("done", 1, [None, None])
    assert reader.post(address).json() == state


def test_rounds_in_real_time_are_reviewed_too(browser: Browser) -> None:
    about = {game["name"]: game.get("reviews", False) for game in browser.get("/api/meta")["games"]}
    assert about == {"eko": True, "ekko": True}
    table = browser.create_race("here", "beginner")
    address = f"/api/tables/{table}/review"
    with browser.open(table) as socket:
        while not socket.log:
            socket.receive()
        assert browser.http.post(address).json()["code"] == "table/not-over"
        socket.order("resign", seat=0)
    browser.http.post(address)
    while (state := browser.get(address))["state"] == "running":
        sleep(0.05)
    ReviewInfo.model_validate(state)
    assert (state["state"], state["chances"]) == ("done", [])
    assert [(deal["n"], len(deal["seats"])) for deal in state["review"]["luck"]] == [(1, 2)]


def test_game_of_bots_is_analysed_for_spectators(browser: Browser, server: Server) -> None:
    with server.browser().open(browser.create("beginner", "beginner")) as watcher:
        assert watcher.ask("pause", paused=True)["type"] == "ack"
        check(searched(watcher))


def test_analysis_ends_on_stop_and_when_another_begins(browser: Browser) -> None:
    with browser.open(browser.create("here", "beginner")) as socket:
        assert socket.ask("stop")["type"] == "ack", "there is nothing to end"
        first = socket.ask("analyse", seconds=FOR_EVER)["key"]
        socket.websocket.send('{"type":"analyse","key":"second","seconds":60}')
        assert result(socket)["key"] == first
        assert socket.wait("ack")["key"] == "second"
        socket.websocket.send('{"type":"stop","key":"stop it"}')
        assert result(socket)["key"] == "second"
        assert socket.wait("ack")["key"] == "stop it"


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"seconds": 0}, "seconds"),
        ({"seconds": 61}, "seconds"),
        ({"lines": 9}, "lines"),
        ({"after": -1}, "after"),
    ],
)
def test_analysis_limits_are_validated(browser: Browser, wrong: Json, field: str) -> None:
    with browser.open(browser.create("here", "beginner")) as socket:
        error = socket.ask("analyse", **wrong)
        assert (error["type"], error["field"]) == ("error", field)


@pytest.mark.long
def test_ekko_positions_are_not_analysed(browser: Browser) -> None:
    with browser.open(browser.create_race("here", "beginner")) as socket:
        assert socket.ask("analyse")["code"] == "table/wrong-order"
