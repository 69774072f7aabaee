"""Reviews of finished games, for any reader."""

from __future__ import annotations

from time import sleep

from ekoes.server.http.analysis import ReviewInfo
from tests.kit.client import Browser
from tests.kit.server import Server


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


def test_rounds_in_real_time_are_reviewed_too_and_looked_back_on_by_their_player(
    browser: Browser, server: Server
) -> None:
    about = {game["name"]: game.get("reviews", False) for game in browser.get("/api/meta")["games"]}
    assert about == {"eko": True, "ekko": True}
    table = browser.create_race("here", "beginner")
    address = f"/api/tables/{table}/review"
    with browser.open(table) as socket:
        while not socket.log:
            socket.receive()
        assert browser.http.post(address).json()["code"] == "table/not-over"
        socket.order("resign", seat=0)
    assert [(game["table"], game["review"]) for game in browser.get("/api/ekko/coach")["games"]] == [
        (table, None)
    ]
    browser.http.post(address)
    while (state := browser.get(address))["state"] == "running":
        sleep(0.05)
    ReviewInfo.model_validate(state)
    assert (state["state"], state["chances"]) == ("done", [])
    assert [(deal["n"], len(deal["seats"])) for deal in state["review"]["luck"]] == [(1, 2)]
    (game,) = browser.get("/api/ekko/coach")["games"]
    assert (game["players"], game["won"], game["seats"], game["people"]) == (2, False, [0], [0])
    assert game["review"]["totals"] == state["review"]["totals"]
    assert browser.get("/api/eko/coach") == server.browser().get("/api/ekko/coach") == {"games": []}
    assert browser.get("/api/chess/coach", 422)["field"] == "game"
