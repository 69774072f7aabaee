"""EKKO's tables over the wire: people and bots, races between browsers, restarts, bad input."""

from __future__ import annotations

import json
import signal
from contextlib import ExitStack

import pytest

from ekoes.games.ekko.rules.record import mirror_of
from ekoes.records import read_record
from tests.kit.client import Browser, Json, Socket, post
from tests.kit.race import LONGEST, act, hand, over, play_on, valid
from tests.kit.server import Server

# ---------------------------------------------------------------- whole games


@pytest.mark.parametrize("options", [{}, {"calm": True, "window": 2}, {"misplays": False, "hints": True}])
def test_person_and_bots_play_a_whole_game(browser: Browser, options: Json) -> None:
    table = browser.create_race(
        "here", "skilled", "random", "beginner", target=12, turn_clock=None, **options
    )
    with browser.open(table) as socket:
        assert browser.http.get(f"/api/tables/{table}/record").json()["code"] == "table/not-over"
        assert browser.http.get(f"/api/tables/{table}/record").status_code == 409
        socket.ask("pace", milliseconds=0)
        play_on(socket, 0, until=lambda: over(socket))
        state, log = socket.state, socket.log
        assert (state["stage"], state["remaining"]) == ("over", None)
        totals = state["rounds"][-1]["totals"]
        assert state["outcome"]["winners"] == [
            seat for seat, total in enumerate(totals) if total == min(totals)
        ]
        assert [entry["n"] for entry in log] == list(range(1, len(log) + 1))
        record = read_record(browser.http.get(f"/api/tables/{table}/record").text)
        assert len(record.decisions) == len(log)
        assert record.outcome is not None
        assert list(record.outcome.winners) == state["outcome"]["winners"]
        again = browser.get(f"/api/tables/{table}")
        assert (again["log"], again["state"]["rounds"]) == (log, state["rounds"])
        past = browser.get(f"/api/tables/{table}/positions/{len(log)}")["state"]
        assert (past["position"], past["outcome"]) == (state["position"], state["outcome"])


def test_the_past_of_a_game_shows_every_hand_once_it_is_over(browser: Browser) -> None:
    table = browser.create_race("here", "beginner", turn_clock=None)
    with browser.open(table) as socket:
        play_on(socket, 0, until=lambda: len(socket.state["position"]["zone"]) > 1)
        own, length = socket.state["hands"]["0"]["hand"], len(socket.log)
        dealt = browser.get(f"/api/tables/{table}/positions/1")["state"]
        assert (dealt["hands"], dealt["position"]["zone"]) == ({}, [])
        socket.ask("resign", version=socket.version, seat=0)
        dealt, then = (browser.get(f"/api/tables/{table}/positions/{n}")["state"] for n in (1, length))
        assert then["hands"]["0"]["hand"] == own
        assert [len(each["hand"]) for each in then["hands"].values()] == then["position"]["sizes"]
        assert dealt["position"]["zone"] == then["position"]["zone"][:1]


def test_two_browsers_race_for_the_same_card(browser: Browser, server: Server) -> None:
    """Played until who is not in turn holds the mirror of the top card; they mirror, the other plays too."""
    other = server.browser()
    table = browser.create_race("here", "open", target=500, turn_clock=None)
    with ExitStack() as stack:
        mine, theirs = stack.enter_context(browser.open(table)), stack.enter_context(other.open(table))
        assert theirs.ask("sit", seat=1, name="Grace")["type"] == "ack"
        sockets = [mine, theirs]
        for _ in range(LONGEST):
            keep_up(sockets)
            if mine.state["stage"] == "race" and can_race(sockets):
                break
            if not any(act(socket, seat) for seat, socket in enumerate(sockets)):
                mine.receive()
        turn, top = mine.state["position"]["turn"]["player"], mine.state["position"]["zone"][-1]
        card = valid(sockets[turn], turn)[0]
        mirror = sockets[1 - turn].intend(1 - turn, "mirror", card=mirror_of(top), on=top, effect="draw")
        late = sockets[turn].intend(turn, "play", card=card, on=top)
        assert (mirror["type"], late["type"]) == ("ack", "ack")
        keep_up(sockets)
        for socket in sockets:
            receipt = socket.state["receipt"]
            assert receipt["winner"] == {"seat": 1 - turn, "card": mirror_of(top), "kind": "mirror"}
            (loser,) = receipt["losers"]
            assert (loser["seat"], loser["card"], loser["kind"]) == (turn, card, "play")
            assert loser["behind"] == socket.log[-1]["behind"] >= 0
        assert card in hand(sockets[turn], turn)
        assert set(mine.state["hands"]) == {"0"}
        assert set(theirs.state["hands"]) == {"1"}


def keep_up(sockets: list[Socket]) -> None:
    """Let every socket catch up."""
    for socket in sockets:
        socket.until(max(other.version for other in sockets))


def can_race(sockets: list[Socket]) -> bool:
    position = sockets[0].state["position"]
    turn, top = position["turn"]["player"], position["zone"][-1]
    can_play = [card for card in valid(sockets[turn], turn) if card != mirror_of(top)]
    others = hand(sockets[1 - turn], 1 - turn)
    # The last card of a hand would end the round, and the receipt with it.
    return mirror_of(top) in others and len(others) > 1 and bool(can_play)


# ---------------------------------------------------------------- what lasts


@pytest.mark.parametrize("end", [pytest.param(signal.SIGTERM, marks=pytest.mark.long), signal.SIGKILL])
def test_round_goes_on_in_its_middle_after_a_restart(own_server: Server, end: signal.Signals) -> None:
    browser = own_server.browser()
    table = browser.create_race("here", {"kind": "open"}, "random", turn_clock=600)
    guest = own_server.browser()
    with browser.open(table) as mine, guest.open(table) as theirs:
        theirs.ask("sit", seat=1)
        mine.ask("pace", milliseconds=0)
        theirs.ask("pace", milliseconds=0)
        keep_up([mine, theirs])
        for _ in range(LONGEST):
            keep_up([mine, theirs])
            if len(mine.log) > 6:
                break
            if not (act(mine, 0) or act(theirs, 1)):
                mine.receive()
        message = {"type": "intent", "key": "remembered", "seat": 0, "action": {"type": "ready", "round": 1}}
        mine.websocket.send(json.dumps(message))
        shown = mine.wait("ack", "error")
        keep_up([mine, theirs])
        before = mine.table
        own_server.stop(end)
    own_server.start()
    with browser.open(table) as mine, guest.open(table) as theirs:
        assert mine.log[: len(before["log"])] == before["log"]
        assert mine.state["rounds"][: len(before["state"]["rounds"])] == before["state"]["rounds"]
        assert set(mine.state["hands"]) == {"0"}
        mine.websocket.send(json.dumps(message))
        again = mine.wait("ack", "error")  # it changed nothing, so a bot may have gone on meanwhile
        assert again | {"version": shown["version"]} == shown
        assert again["version"] >= shown["version"]
        for _ in range(LONGEST):
            keep_up([mine, theirs])
            if len(mine.log) > len(before["log"]) + 5:
                break
            if not (act(mine, 0) or act(theirs, 1)):
                mine.receive()


# ---------------------------------------------------------------- what can't be

PLAN: Json = {
    "game": "ekko",
    "options": {"players": 2},
    "seats": [{"kind": "here"}, {"kind": "bot", "bot": "random"}],
}


@pytest.mark.parametrize(
    ("plan", "code", "field"),
    [
        ({"options": {"players": 2, "seed": 7}}, "position/options", "seed"),
        ({"options": {"players": 2, "turn_limit": 7}}, "position/options", "turn_limit"),
        ({"options": {"players": 2, "variants": []}}, "position/options", "variants"),
        ({"options": {"players": 9}}, "position/options", "players"),
        ({"options": {"players": 3}}, "table/bad-seats", "seats"),
        ({"options": {"players": 2, "reaction": 0}}, "position/options", "reaction"),
        ({"options": {"players": 2, "turn_clock": "30"}}, "position/options", "turn_clock"),
        ({"options": {"players": 2, "window": 1000}}, "position/options", "window"),
        ({"options": {"players": 2, "calm": None}}, "position/options", "calm"),
        ({"seats": [{"kind": "here"}, {"kind": "here"}]}, "table/hot-seat", "calm"),
        ({"seats": [{"kind": "here"}, {"kind": "bot", "bot": "greedy"}]}, "table/bad-seats", "bot"),
        ({"seats": [{"kind": "here", "colour": 8}, {"kind": "bot"}]}, "message/bad-type", "seats.0.colour"),
    ],
)
def test_table_that_cannot_be(browser: Browser, plan: Json, code: str, field: str) -> None:
    refused = post(browser, "/api/tables", 422, **(PLAN | plan))
    assert (refused["code"], refused["field"]) == (code, field)


def test_eight_players_have_eight_colours(browser: Browser) -> None:
    table = browser.create_race("here", *["random"] * 7)
    assert {seat["colour"] for seat in browser.get(f"/api/tables/{table}")["seats"]} == set(range(8))


INTENT: Json = {"type": "intent", "key": "k", "seat": 0}


@pytest.mark.parametrize(
    ("message", "code", "field"),
    [
        (INTENT, "message/missing-key", "action"),
        (INTENT | {"action": {}}, "message/unknown-type", "action.type"),
        (INTENT | {"action": {"type": "fly"}}, "message/unknown-type", "action.type"),
        (INTENT | {"action": {"type": "deal", "order": []}}, "message/unknown-type", "action.type"),
        (INTENT | {"action": []}, "message/bad-type", "action"),
        (INTENT | {"action": {"type": "play", "card": 5}}, "message/missing-key", "action.on"),
        (INTENT | {"action": {"type": "play", "card": "5", "on": 1}}, "message/bad-type", "action.card"),
        (INTENT | {"action": {"type": "play", "card": 0, "on": 1}}, "message/bad-type", "action.card"),
        (INTENT | {"action": {"type": "play", "card": 99, "on": 1}}, "message/bad-type", "action.card"),
        (INTENT | {"action": {"type": "play", "card": 5, "on": True}}, "message/bad-type", "action.on"),
        (
            INTENT | {"action": {"type": "play", "card": 5, "on": 1, "x": 1}},
            "message/unknown-key",
            "action.x",
        ),
        (
            INTENT | {"action": {"type": "mirror", "card": 5, "on": 50, "effect": "burn"}},
            "message/bad-type",
            "action.effect",
        ),
        (
            INTENT | {"action": {"type": "mirror", "card": 5, "on": 50, "aside": -1}},
            "message/bad-type",
            "action.aside",
        ),
        (INTENT | {"action": {"type": "effect"}}, "message/missing-key", "action.effect"),
        (INTENT | {"action": {"type": "draw"}}, "message/missing-key", "action.on"),
        (INTENT | {"action": {"type": "pass", "on": None}}, "message/bad-type", "action.on"),
        (INTENT | {"action": {"type": "ready", "round": 0}}, "message/bad-type", "action.round"),
        (INTENT | {"version": 1, "action": {"type": "draw", "on": 5}}, "message/unknown-key", "version"),
        (INTENT | {"seat": 8, "action": {"type": "draw", "on": 5}}, "message/bad-type", "seat"),
        ({"type": "rematch", "key": "k"}, "message/missing-key", "seat"),
        ({"type": "rematch", "key": "k", "seat": 0, "version": 1}, "message/unknown-key", "version"),
        ({"type": "tick", "key": "k"}, "message/unknown-type", "type"),
        ({"type": "deal", "key": "k", "order": [1]}, "message/unknown-type", "type"),
        ({"type": "wake", "key": "k"}, "message/unknown-type", "type"),
        ({"type": "rematched", "key": "k", "table": "x"}, "message/unknown-type", "type"),
    ],
)
def test_message_that_cannot_be_read(game: Socket, message: Json, code: str, field: str) -> None:
    error = game.raw(json.dumps(message))
    assert (error["code"], error.get("field")) == (code, field)


@pytest.fixture(scope="module")
def game(server: Server) -> object:
    """A table in its first round, which nothing here may change."""
    browser = server.browser()
    table = browser.create_race("here", "random", turn_clock=None)
    with browser.open(table) as socket:
        yield socket
        assert len(socket.log) == 1
        assert socket.intend(0, "ready", round=1)["type"] == "ack"


def test_order_of_the_other_game_is_refused(game: Socket, browser: Browser) -> None:
    assert game.ask("act", version=1, seat=0, action={"type": "swap"})["code"] == "table/wrong-order"
    assert game.ask("undo", version=1, seat=0)["code"] == "table/wrong-order"
    assert game.ask("draw", version=1, seat=0, offer=True)["code"] == "table/wrong-order"
    with browser.open(browser.create("here", "here")) as eko:
        assert eko.intend(0, "ready", round=1)["code"] == "table/wrong-order"
        assert eko.ask("resign", seat=0)["code"] == "table/stale"


def test_stranger_and_wrong_moment(game: Socket, server: Server) -> None:
    table = game.table["id"]
    with server.browser().open(table) as stranger:
        assert stranger.state["hands"] == {}
        for seat in (0, 1, 7):
            assert stranger.intend(seat, "ready", round=1)["code"] == "table/not-your-seat"
    assert game.intend(1, "ready", round=1)["code"] == "table/not-your-seat"
    assert game.intend(0, "play", card=5, on=50)["type"] == "ack", "haste: nobody has seen that card (K7.2)"
    assert game.intend(0, "ready", round=9)["code"] == "table/not-now"
    assert game.ask("stand", seat=0)["code"] == "table/not-your-seat"
    with server.browser().open(server.browser().create_race("open", "random")) as waiting:
        assert waiting.state["stage"] == "waiting"
        assert waiting.ask("sit", seat=0)["type"] == "ack"


def test_browser_can_have_one_seat_where_hands_would_be_seen(browser: Browser) -> None:
    with browser.open(browser.create_race("here", "open")) as socket:
        error = socket.ask("sit", seat=1)
        assert (error["code"], error["field"]) == ("table/hot-seat", "seat")
        assert socket.intend(0, "ready", round=1)["code"] == "table/not-started"
        assert socket.state["stage"] == "waiting"
