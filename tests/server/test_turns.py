"""Undo, held turns, resigning, draws: what is done at a table besides playing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ekoes.games.eko.position.action import Space
from ekoes.games.eko.position.tiles import distance
from tests.kit.client import Browser, Json, Socket, decide, play
from tests.kit.server import Server


@pytest.fixture
def hot_seat(browser: Browser) -> Iterator[Socket]:
    """Two seats in one browser, the swaps declined: the first player's action is asked."""
    with browser.open(browser.create("here", "here")) as socket:
        for _ in range(2):
            play(socket, "keep")
        yield socket


def test_decision_of_the_own_turn_is_taken_back(hot_seat: Socket) -> None:
    (seat,) = hot_seat.state["asked"]
    before = hot_seat.state["position"]
    play(hot_seat, "build")
    assert hot_seat.state["asked"] == [seat]
    assert hot_seat.state["undo"] == [seat]
    length, version = len(hot_seat.log), hot_seat.version
    assert hot_seat.order("undo", seat=seat)["type"] == "ack"
    assert hot_seat.state["position"] == before
    assert (len(hot_seat.log), hot_seat.version) == (length - 1, version + 1)
    assert hot_seat.state["undo"] == []
    assert hot_seat.order("undo", seat=seat)["code"] == "table/nothing-to-undo"


def test_undo_stops_at_the_begin_of_the_turn(hot_seat: Socket) -> None:
    (seat,) = hot_seat.state["asked"]
    play(hot_seat, "regroup")
    assert hot_seat.state["asked"] == [1 - seat]
    assert hot_seat.state["undo"] == []
    for each in (0, 1):
        assert hot_seat.order("undo", seat=each)["code"] == "table/nothing-to-undo"


def test_held_turn_waits_for_its_end(hot_seat: Socket) -> None:
    (seat,) = hot_seat.state["asked"]
    choice = play(hot_seat, "regroup", hold=True)
    assert hot_seat.state["held"] == seat
    assert (hot_seat.state["asked"], hot_seat.choices) == ([], {})
    assert hot_seat.state["undo"] == [seat]
    held = hot_seat.order("act", seat=1 - seat, action=choice["action"], hold=False)
    assert held["code"] == "table/held"
    assert hot_seat.order("end_turn", seat=1 - seat)["code"] == "table/not-held"
    assert hot_seat.order("end_turn", seat=seat)["type"] == "ack"
    assert hot_seat.state["held"] is None
    assert hot_seat.state["asked"] == [1 - seat]
    assert hot_seat.order("end_turn", seat=seat)["code"] == "table/not-held"


def test_held_turn_is_taken_back_decision_by_decision(hot_seat: Socket) -> None:
    (seat,) = hot_seat.state["asked"]
    before = hot_seat.state["position"]
    play(hot_seat, "build")
    play(hot_seat, "reinforce", hold=True)
    assert hot_seat.state["held"] == seat
    for _ in range(2):
        assert hot_seat.order("undo", seat=seat)["type"] == "ack"
    assert hot_seat.state["position"] == before
    assert hot_seat.state["asked"] == [seat]


def test_hold_keeps_a_turn_only_when_it_is_finished(hot_seat: Socket) -> None:
    (seat,) = hot_seat.state["asked"]
    play(hot_seat, "build", hold=True)
    assert (hot_seat.state["held"], hot_seat.state["asked"]) == (None, [seat])


def test_bot_waits_for_a_held_turn(browser: Browser) -> None:
    with browser.open(browser.create("here", "random")) as socket:
        assert socket.ask("pace", milliseconds=0)["type"] == "ack"
        while socket.state["held"] is None:
            decide(socket, hold=True) if socket.choices else socket.receive()
        held = socket.version
        assert socket.ask("why", seat=1, action={"type": "end"})["type"] == "why"
        assert socket.version == held
        assert socket.order("end_turn", seat=0)["type"] == "ack"
        while socket.version < held + 2:
            socket.receive()
        assert socket.log[-1]["seat"] == 1


def test_resigning_gives_a_game_of_two_to_the_other(hot_seat: Socket) -> None:
    assert hot_seat.order("resign", seat=1)["type"] == "ack"
    assert hot_seat.state["outcome"] == {"winners": [0], "reason": "resignation", "rule": "E11.5"}
    assert hot_seat.order("resign", seat=0)["code"] == "table/game-over"


def test_resigning_among_three_hands_the_seat_to_a_bot(browser: Browser) -> None:
    with browser.open(browser.create("here", "here", "here")) as socket:
        assert socket.ask("pace", milliseconds=0)["type"] == "ack"
        (seat,) = socket.state["asked"]
        assert socket.order("resign", seat=seat)["type"] == "ack"
        assert socket.state["outcome"] is None
        given = socket.table["seats"][seat]
        assert (given["kind"], given["bot"], given["yours"]) == ("bot", "greedy", False)
        while not socket.choices:
            socket.receive()
        assert socket.log[-1]["seat"] == seat
        assert str(seat) not in socket.choices


def test_draw_needs_everybody(browser: Browser, server: Server) -> None:
    table = browser.create("here", "open", "greedy")
    with browser.open(table) as mine, server.browser().open(table) as theirs:
        theirs.ask("sit", seat=1)
        assert [line.ask("pace", milliseconds=5000)["type"] for line in (mine, theirs)] == ["ack", "ack"]
        while not mine.table["seats"][1]["taken"]:
            mine.receive()
        assert mine.order("draw", seat=0, offer=True)["type"] == "ack"
        assert mine.state["draw_offers"] == [0]
        assert mine.state["outcome"] is None
        theirs.until(mine.version)
        assert theirs.order("draw", seat=1, offer=False)["type"] == "ack"
        assert theirs.state["draw_offers"] == []
        assert theirs.order("draw", seat=1, offer=True)["type"] == "ack"
        mine.until(theirs.version)
        assert mine.order("draw", seat=0, offer=True)["type"] == "ack"
        assert mine.state["outcome"] == {"winners": [], "reason": "agreement", "rule": "E11.5"}


def test_third_time_ends_the_game_and_the_second_warns(hot_seat: Socket) -> None:
    """E11.6: two stacks step to and fro on spaces that regroups have left empty."""
    for _ in range(4):
        play(hot_seat, "regroup")
    one = there_and_back(hot_seat)
    step(hot_seat, one[0])
    two = there_and_back(hot_seat, avoided=one[0]["from"])
    step(hot_seat, two[0])
    counted = []
    for action in (one[1], two[1], one[0], two[0], one[1], two[1]):
        step(hot_seat, action)
        counted.append(hot_seat.state["repetition"])
    assert counted == [1, 2, 2, 2, 2, 3]
    assert hot_seat.state["outcome"] == {"winners": [], "reason": "repetition", "rule": "E11.6"}


def test_held_third_time_ends_the_game_when_the_turn_ends(hot_seat: Socket) -> None:
    for _ in range(4):
        play(hot_seat, "regroup")
    one = there_and_back(hot_seat)
    step(hot_seat, one[0])
    two = there_and_back(hot_seat, avoided=one[0]["from"])
    step(hot_seat, two[0])
    for action in (one[1], two[1], one[0], two[0], one[1]):
        step(hot_seat, action)
    (seat,) = hot_seat.state["asked"]
    hot_seat.act(seat, {"action": two[1]}, hold=True)
    assert (hot_seat.state["repetition"], hot_seat.state["outcome"]) == (3, None)
    hot_seat.order("undo", seat=seat)
    assert hot_seat.state["repetition"] == 2
    hot_seat.act(seat, {"action": two[1]}, hold=True)
    hot_seat.order("end_turn", seat=seat)
    assert hot_seat.state["outcome"]["reason"] == "repetition"


def there_and_back(socket: Socket, avoided: str = "") -> tuple[Json, Json]:
    """Find a single step of who is asked, to a space other than one, and the step back."""
    ((_, choices),) = socket.choices.items()
    moves = [choice["action"] for choice in choices if choice["effect"] == "move"]
    there = next(move for move in moves if move["to"] != avoided and is_step(move))
    return there, {"type": "move", "from": there["to"], "to": there["from"]}


def is_step(move: Json) -> bool:
    return distance(Space.parse(move["from"]), Space.parse(move["to"])) == 1


def step(socket: Socket, action: Json) -> None:
    (seat,) = socket.state["asked"]
    socket.act(seat, {"action": action})
