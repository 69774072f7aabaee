"""Tables over HTTP and WebSocket: created, joined, played, watched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from websockets.extensions.permessage_deflate import PerMessageDeflate
from websockets.frames import Frame, Opcode
from websockets.sync.client import connect

from ekoes.games.api.chance import Chance
from ekoes.games.eko.position.action import Space
from ekoes.games.eko.position.tiles import distance
from ekoes.records import read_record
from ekoes.server.realtime.connection import LARGE
from tests.kit.client import Browser, Connection, Json, Socket, close_frame, decide, play
from tests.kit.server import Server

LONGEST = 4000
NONE = {"discs": 0, "emperor": False}
ALL_VARIANTS = ["portals", "labyrinth", "beacon", "moon", "sandtemple", "pyramids", "wind"]


def test_board_describes_every_space(browser: Browser) -> None:
    variants = ["portals", "labyrinth", "pyramids", "beacon"]
    with browser.open(browser.create("here", "here", variants=variants)) as socket:
        board = socket.table["board"]
    words = {space["terrain"] for space in board["spaces"]}
    assert {"sand", "tempest", "capital", "portal"} <= words
    assert all(("zone" in space) == (space["terrain"] == "tempest") for space in board["spaces"])
    assert all(space["space"] == f"{space['q']},{space['r']}" for space in board["spaces"])
    assert [space["terrain"] for space in board["spaces"] if space.get("capital")] == ["capital"]
    assert len(board["portals"]) == 2
    assert all(set(portal) == {"space", "direction", "front"} for portal in board["portals"])
    assert all(len(spaces) == 3 for spaces in board["pyramids"] + board["beacons"])


def test_players_have_what_the_set_up_gave_them(browser: Browser) -> None:
    with browser.open(browser.create("here", "here")) as socket:
        position = socket.state["position"]
        stacks = position["stacks"].values()
        for seat in range(2):
            assert [stack["emperor"] for stack in stacks if stack["owner"] == seat].count(True) == 1
            assert sum(stack["height"] for stack in stacks if stack["owner"] == seat) == 16
        assert position["buildings"] == {}
        assert position["reserve"] == [NONE] * 2


def test_seats_show_name_colour_and_owner(browser: Browser, server: Server) -> None:
    table = browser.create({"kind": "here", "name": "Ada", "colour": 2}, "open", "greedy")
    (here, free, bot) = server.browser().get(f"/api/tables/{table}")["seats"]
    assert (here["name"], here["colour"], here["taken"], here["yours"]) == ("Ada", 2, True, False)
    assert (free["taken"], free["yours"], free["online"]) == (False, False, False)
    assert (bot["kind"], bot["bot"], bot["taken"], bot["online"]) == ("bot", "greedy", True, True)
    assert [seat["yours"] for seat in browser.get(f"/api/tables/{table}")["seats"]] == [True, False, False]
    assert sorted(seat["colour"] for seat in (here, free, bot)) == [0, 1, 2]


def test_open_seat_is_taken_through_the_link(browser: Browser, server: Server) -> None:
    table = browser.create("here", "open")
    with browser.open(table) as mine, server.browser().open(table) as theirs:
        assert mine.state["asked"] == theirs.state["asked"] == []
        assert mine.order("end_turn", seat=0)["code"] == "table/not-started"
        mine.wait("table", "seats") if mine.table["seats"][1]["online"] else None
        assert theirs.ask("sit", seat=1, name="Grace")["type"] == "ack"
        update = mine.wait("update")
        assert (update["seats"][1]["name"], update["seats"][1]["taken"]) == ("Grace", True)
        assert update["seats"][1]["online"] is True
        (asked,) = mine.state["asked"]
        theirs.wait("update") if not theirs.state["asked"] else None
        assert list((mine, theirs)[asked].choices) == [str(asked)]
        assert (theirs, mine)[asked].choices == {}


def test_open_seat_can_be_left_before_the_first_decision_only(browser: Browser) -> None:
    with browser.open(browser.create("here", "open")) as socket:
        assert socket.ask("sit", seat=1)["type"] == "ack"
        assert socket.ask("stand", seat=1)["type"] == "ack"
        assert socket.ask("stand", seat=1)["code"] == "table/not-your-seat"
        assert socket.ask("sit", seat=1)["type"] == "ack"
        socket.wait("update") if not socket.state["asked"] else None
        decide(socket)
        assert socket.ask("stand", seat=1)["code"] == "table/started"


def test_seat_can_be_renamed_by_its_holder_alone(browser: Browser, server: Server) -> None:
    table = browser.create("here", "greedy")
    with browser.open(table) as mine, server.browser().open(table) as theirs:
        assert theirs.ask("rename", seat=0, name="Mallory")["code"] == "table/not-your-seat"
        assert mine.ask("rename", seat=0, name=" Ada ")["type"] == "ack"
        assert theirs.wait("seats")["seats"][0]["name"] == "Ada"
        assert mine.ask("rename", seat=1, name="Bot")["code"] == "table/not-your-seat"


@pytest.mark.parametrize("setup", ["standard", "draft"])
def test_four_players_with_all_variants_account_for_every_piece(browser: Browser, setup: str) -> None:
    table = browser.create("here", "here", "here", "here", variants=ALL_VARIANTS, setup=setup, turn_limit=40)
    with browser.open(table) as socket:
        chance = Chance(6)
        while socket.state["outcome"] is None:
            decide(socket, chance=chance)
            position = socket.state["position"]
            for seat in range(4):
                stacks = [stack for stack in position["stacks"].values() if stack["owner"] == seat]
                reserve, unplaced = position["reserve"][seat], position.get("unplaced", [NONE] * 4)[seat]
                pieces = sum(stack["height"] for stack in stacks) + position["removed"][seat]
                pieces += sum(seat in held for held in position["captives"])
                pieces += sum(place["discs"] + place["emperor"] for place in (reserve, unplaced))
                assert pieces == 16
                built = [b["kind"] for b in position["buildings"].values() if b["owner"] == seat]
                assert Counter(built) <= Counter(camp=5, tower=3, castle=1)
        assert len(socket.log) > 60


def test_log_has_each_decision_and_positions_replay_it(browser: Browser) -> None:
    table = browser.create("here", "here")
    with browser.open(table) as socket:
        seen = [socket.state["position"]]
        for _ in range(6):
            decide(socket)
            seen.append(socket.state["position"])
        assert [entry["n"] for entry in socket.log] == [1, 2, 3, 4, 5, 6]
        assert all(entry["notation"] and entry["effect"] and entry["at"] for entry in socket.log)
        for number, position in enumerate(seen):
            past = browser.get(f"/api/tables/{table}/positions/{number}")
            assert (past["n"], past["state"]["position"]) == (number, position)
    assert browser.http.get(f"/api/tables/{table}/positions/7").status_code == 404


@pytest.mark.parametrize(
    "bots",
    [
        pytest.param(("random",), marks=pytest.mark.long),
        ("greedy", "random"),
        pytest.param(("random",) * 3, marks=pytest.mark.long),
    ],
)
def test_game_is_played_to_its_end_with_bots(browser: Browser, server: Server, bots: tuple[str, ...]) -> None:
    table = browser.create("here", *bots, turn_limit=60)
    with browser.open(table) as socket, server.browser().open(table) as watcher:
        assert socket.ask("pace", milliseconds=0)["type"] == "ack"
        play_to_the_end(socket)
        assert socket.state["asked"] == []
        outcome = socket.state["outcome"]
        assert set(outcome) == {"winners", "reason", "rule"}
        assert socket.order("resign", seat=0)["code"] == "table/game-over"
        watcher.until(socket.version)
        assert watcher.state["outcome"] == outcome
        assert watcher.log == socket.log
    record = read_record(browser.http.get(f"/api/tables/{table}/record").text)
    assert record.outcome is not None
    assert list(record.outcome.winners) == outcome["winners"]
    assert len(record.decisions) == len(socket.log)


def play_to_the_end(socket: Socket) -> None:
    """Play own seats by chance until the game is over."""
    chance = Chance(5)
    for _ in range(LONGEST):
        if socket.state["outcome"] is not None:
            return
        if socket.choices:
            decide(socket, chance=chance)
        else:
            socket.receive()
    raise AssertionError("the game does not end")


@pytest.fixture
def hot_seat(browser: Browser) -> Iterator[Socket]:
    """Two seats in one browser, the swaps declined: the first player's action is asked."""
    with browser.open(browser.create("here", "here")) as socket:
        for _ in range(2):
            play(socket, "keep")
        yield socket


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


def test_bot_waits_for_a_held_turn(browser: Browser) -> None:
    with browser.open(browser.create("here", "random")) as socket:
        assert socket.ask("pace", milliseconds=0)["type"] == "ack"
        while socket.state["held"] is None:
            decide(socket, hold=True) if socket.choices else socket.receive()
        held = socket.version
        assert socket.ask("chat", on=False)["type"] == "ack"
        assert socket.version == held
        assert socket.order("end_turn", seat=0)["type"] == "ack"
        while socket.version < held + 2:
            socket.receive()
        assert socket.log[-1]["seat"] == 1


def test_third_time_ends_the_game_and_the_second_warns(hot_seat: Socket) -> None:
    """E11.6: two stacks step to and fro on spaces that regroups have left empty."""
    one, two = both_out(hot_seat)
    counted = []
    for action in (one[1], two[1], one[0], two[0], one[1], two[1]):
        step(hot_seat, action)
        counted.append(hot_seat.state["repetition"])
    assert counted == [1, 2, 2, 2, 2, 3]
    assert hot_seat.state["outcome"] == {"winners": [], "reason": "repetition", "rule": "E11.6"}


def test_held_third_time_ends_the_game_when_the_turn_ends(hot_seat: Socket) -> None:
    one, two = both_out(hot_seat)
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


def both_out(socket: Socket) -> tuple[tuple[Json, Json], tuple[Json, Json]]:
    """Let a stack of each player step to a space left empty by a regroup; return the steps there and back."""
    for _ in range(4):
        play(socket, "regroup")
    one = there_and_back(socket)
    step(socket, one[0])
    two = there_and_back(socket, avoided=one[0]["from"])
    step(socket, two[0])
    return one, two


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


def test_the_whole_table_is_deflated_and_what_follows_is_not(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    came: list[tuple[bool, int]] = []
    decode = PerMessageDeflate.decode

    def listen(extension: PerMessageDeflate, frame: Frame, *, max_size: int | None = None) -> Frame:
        if frame.opcode is Opcode.TEXT:  # the server pings too
            came.append((frame.rsv1, len(frame.data)))
        return decode(extension, frame, max_size=max_size)

    monkeypatch.setattr(PerMessageDeflate, "decode", listen)
    with browser.open(browser.create("here", "here")) as socket:
        for _ in range(20):
            decide(socket)
    (is_deflated, size), *others = came
    assert is_deflated
    assert size < LARGE
    assert len(others) >= 40
    assert not any(deflated for deflated, _ in others)


@pytest.mark.parametrize("named", ["", "?protocol=2", "?protocol=4", "?protocol=two"])
def test_other_protocol_version_is_closed_with_a_reload_message(browser: Browser, named: str) -> None:
    address = str(browser.http.base_url).replace("http://", "ws://")
    table, cookie = browser.create("here", "here"), {"Cookie": browser.cookie}
    with connect(
        f"{address}/api/tables/{table}/socket{named}", additional_headers=cookie, proxy=None
    ) as websocket:
        socket = Connection(websocket)
        shown = socket.receive()
        assert (shown["type"], shown["code"]) == ("error", "message/protocol")
        assert "reload" in shown["message"]
        assert close_frame(socket).code == 4426


def test_the_whole_table_comes_again_when_asked_for(browser: Browser) -> None:
    with browser.open(browser.create("here", "here")) as socket:
        decide(socket)
        before, socket.table = socket.table, {}
        assert socket.ask("table")["type"] == "ack"
        assert socket.table == before
