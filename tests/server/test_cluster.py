"""Several servers on one database: any of them is a door, and each table has one owner."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from time import monotonic, sleep

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from tests.kit.client import (
    PASSWORD,
    PATIENCE,
    PLAN,
    Browser,
    Json,
    Socket,
    close_frame,
    lobby,
    new_name,
    play_together,
    post,
    sign_in,
    sign_up,
    tournament_room,
    who,
)
from tests.kit.clubs import appoint, club_room, enter, found_club
from tests.kit.server import Pair, Server, free_port
from tests.kit.tournaments import drawn, join, make, next_round, play_round, start
from tests.services.redis import redis_server


def test_two_play_at_one_table_through_two_doors(pair: Pair) -> None:
    ada, bob, table = pair.seated()
    with ada.open(table) as hers, bob.open(table) as his:
        play_together(hers, his, 12)
        assert his.log == hers.log
    assert bob.get(f"/api/tables/{table}")["log"] == ada.get(f"/api/tables/{table}")["log"]
    assert bob.http.get("/api/tables/none").status_code == 404


def test_what_concerns_a_table_elsewhere_brings_it_here(pair: Pair) -> None:
    ada, bob, table = pair.seated()
    with ada.open(table) as hers:
        passed = ada.http.post(f"/api/tables/{table}/seats/0/pass").json()["pass"]
        guest = pair.browser(1)
        assert guest.http.post("/api/passes", json={"pass": passed}).status_code == 200
        with pytest.raises(ConnectionClosed):
            hers.wait("never")
    with guest.open(table) as hers, bob.open(table) as his:
        play_together(hers, his, 4)


def test_lobby_is_one_for_all_doors(pair: Pair) -> None:
    ada, bob = pair.browser(0), pair.browser(1)
    with lobby(ada, "Ada") as hers, lobby(bob, "Bob") as his:
        for visit in (hers, his):
            while {"Ada", "Bob"} > {each["name"] for each in visit.known["people"].values()}:
                visit.receive()
        for browser in (ada, bob):
            table = browser.create("here", "open", public=True)
            for visit in (hers, his):
                while table not in visit.known["tables"]:
                    visit.receive()
    league = [browser.http.get("/api/league/eko").headers["etag"] for browser in (ada, bob)]
    assert len(set(league)) == 1


def test_owner_is_killed_and_the_table_goes_on_at_the_other_door(pair: Pair) -> None:
    ada, bob, table = pair.seated()
    with ada.open(table) as hers, bob.open(table) as his:
        play_together(hers, his, 8)
        told = hers.log
        pair.servers[0].kill()
        assert close_frame(his).code == 1012
    with pair.browser(1, ada).open(table) as hers, bob.open(table) as his:
        assert hers.log == told
        play_together(hers, his, 8)
    pair.servers[0].start()
    with ada.open(table) as hers, bob.open(table) as his:
        play_together(hers, his, 4)
        assert his.log[: len(told)] == told


def test_server_that_goes_tells_those_who_came_in_by_another_door(pair: Pair) -> None:
    ada, bob, table = pair.seated()
    with ada.open(table) as hers, bob.open(table) as his:
        play_together(hers, his, 4)
        pair.servers[0].stop(signal.SIGTERM)
        for socket in (hers, his):
            assert close_frame(socket).code == 1012
    with pair.browser(1, ada).open(table) as hers, bob.open(table) as his:
        play_together(hers, his, 4)
    pair.servers[0].start()


def test_owner_that_slept_and_wakes_writes_nothing(pair: Pair) -> None:
    ada, bob, table = pair.seated()
    with ada.open(table) as hers, bob.open(table) as his:
        play_together(hers, his, 6)
        pair.freeze(0)
        mine = hers if hers.choices else his
        seat, (choice, *_) = next(iter((hers.choices or his.choices).items()))
        order: Json = {"kind": "act", "key": "late", "seat": int(seat), "hold": False}
        order["version"] = hers.version
        order["action"] = choice["action"]
        hers.send(**(order if mine is hers else {"kind": "draw", "key": "late", "offer": True}))
        with pytest.raises(ConnectionClosed):
            his.wait("never")
        with pair.browser(1, ada).open(table) as there, bob.open(table) as back:
            play_together(there, back, 6)
            pair.servers[0].signal(signal.SIGCONT)
            answers = list(rest(hers))
            told = back.log
    assert "late" not in [answer.get("key") for answer in answers if answer["type"] == "ack"]
    with ada.open(table) as hers:
        assert hers.log == told


@pytest.mark.long
def test_owner_that_slept_and_wakes_shows_nothing_of_before(pair: Pair) -> None:
    ada, bob, table = pair.seated()
    with ada.open(table) as hers, bob.open(table) as his:
        play_together(hers, his, 6)
        pair.freeze(0)
        with pytest.raises(ConnectionClosed):
            his.wait("never")
    with pair.browser(1, ada).open(table) as there, bob.open(table) as back:
        play_together(there, back, 6)
        host, port = pair.servers[0].address.removeprefix("http://").split(":")
        line = HTTPConnection(host, int(port))
        line.request("GET", f"/api/tables/{table}", headers={"Cookie": ada.cookie})
        pair.servers[0].signal(signal.SIGCONT)  # the request is the first that it finds
        with closing(line):
            assert json.load(line.getresponse())["version"] == back.version


def rest(socket: Socket) -> Iterator[Json]:
    """Yield what a socket is still told until it is closed."""
    try:
        while True:
            yield socket.receive()
    except ConnectionClosed:
        return


def test_measures_tell_what_each_process_owns(tmp_path: Path) -> None:
    ports = [free_port(), free_port()]
    address = f"127.0.0.1:{ports[0]}"
    options = ("--cluster", address, "--bot-workers", "0", "--metrics", str(ports[1]))
    with redis_server() as redis, Server(tmp_path, "--redis", redis.url, *options, port=ports[0]) as server:
        browser = server.browser()
        with browser.open(browser.create("here", "here")):
            told = httpx.get(f"http://127.0.0.1:{ports[1]}/metrics").text
    (owned,) = (line for line in told.splitlines() if line.startswith("ekoes_leases "))
    assert float(owned.split()[1]) >= 1


# ---------------------------------------------------------------- people


def signed_in_twice(pair: Pair) -> tuple[Browser, Browser, str]:
    """Return two browsers of one account, by two doors, and its name."""
    name = new_name()
    desk, phone = pair.browser(0), pair.browser(1)
    sign_up(desk, name)
    sign_in(phone, name)
    return desk, phone, name


@pytest.mark.parametrize("owner", [0, 1])
def test_new_password_at_one_door_ends_sessions_and_lines_at_the_other(pair: Pair, owner: int) -> None:
    desk, phone, name = signed_in_twice(pair)
    table = pair.browser(owner).create("open", "open")
    with phone.open(table) as socket:
        post(desk, "/api/account/password", old=PASSWORD, password="another tower")
        assert close_frame(socket).reason == "signed out"
    assert who(phone) is None
    assert who(desk) == name


def test_device_that_is_ended_at_one_door_is_out_at_the_other(pair: Pair) -> None:
    desk, phone, _ = signed_in_twice(pair)
    (other,) = [one for one in desk.get("/api/account/devices")["devices"] if not one["this"]]
    with phone.open(pair.browser(0).create("open", "open")) as socket:
        assert desk.http.delete(f"/api/account/devices/{other['id']}").status_code == 204
        assert close_frame(socket).reason == "signed out"
    assert who(phone) is None


def test_account_that_becomes_a_program_is_one_at_the_other_door(pair: Pair) -> None:
    desk, phone, name = signed_in_twice(pair)
    assert "program" not in phone.get(f"/api/profile?name={name}")
    post(desk, "/api/account/program", 200)
    begun = monotonic()
    while "program" not in phone.get(f"/api/profile?name={name}"):
        assert monotonic() - begun < PATIENCE
        sleep(0.05)  # nothing tells a browser without a line
    seats = [{"kind": "here"}, {"kind": "open"}]
    options = {"players": 2, "rated": True, "clock": {"base": 300, "increment": 5, "up": "lose"}}
    refused = phone.http.post("/api/tables", json={"game": "eko", "seats": seats, "options": options})
    assert refused.json()["code"] == "account/program-rated"


@pytest.mark.parametrize("owner", [0, 1])
def test_followed_user_at_a_table_is_online_at_all_doors(pair: Pair, owner: int) -> None:
    desk, phone, _ = signed_in_twice(pair)
    friend, friend_name = pair.browser(owner), new_name()
    sign_up(friend, friend_name)
    for browser in (desk, phone):
        post(browser, "/api/relations/follow", 201, account=friend_name)
        (relation,) = browser.get("/api/relations/follow")["people"]
        assert (relation["name"], relation["here"]) == (friend_name, False)
    with friend.open(friend.create("here", "open")):
        begun = monotonic()
        while not all(browser.get("/api/relations/follow")["people"][0]["here"] for browser in (desk, phone)):
            assert monotonic() - begun < PATIENCE
            sleep(0.05)  # nothing tells a browser without a line


def test_account_that_is_blocked_by_name_is_hidden_in_open_chats_at_all_doors(pair: Pair) -> None:
    desk, phone, _ = signed_in_twice(pair)
    other, name = pair.browser(1), new_name()
    sign_up(other, name)
    table = other.create("open", "open")
    with phone.open(table) as reader, other.open(table) as writer:
        reader.send("chat", key="listen")
        reader.wait("chat")
        assert writer.ask("say", text="you fool")["type"] == "ack"
        number = post(desk, "/api/relations/block", 201, account=name)["id"]
        assert reader.wait("chat")["lines"] == []
        assert desk.http.delete(f"/api/relations/block/{number}").status_code == 204
        assert [line["text"] for line in reader.wait("chat")["lines"]] == ["you fool"]


def test_name_of_an_account_that_is_deleted_at_one_door_is_gone_in_chats_at_the_other(pair: Pair) -> None:
    desk, phone, name = signed_in_twice(pair)
    table = pair.browser(1).create("open", "open")
    with phone.open(table) as socket, pair.browser(1).open(table) as reader:
        reader.send("chat", key="listen")
        reader.wait("chat")
        assert socket.ask("say", text="good luck")["type"] == "ack"
        assert reader.wait("said")["line"]["name"] == name
        post(desk, "/api/account/delete", password=PASSWORD)
        assert [line["name"] for line in reader.wait("chat")["lines"]] == [""]


def test_tournament_goes_on_when_the_server_that_held_it_is_killed(pair: Pair) -> None:
    people: dict[int, Browser] = {}
    tournament = ""
    for number in range(4):
        browser = pair.browser(number % 2)
        sign_up(browser, new_name())
        tournament = tournament or make(browser, rounds=3)
        people[join(browser, tournament)] = browser
    with tournament_room(people[1], tournament) as room:
        start(people[1], tournament)
        told = room.until(drawn(1))
    play_round(people, told, 1)
    for played, killed in ((1, 0), (2, 1)):
        with tournament_room(people[2], tournament) as room:
            told = next_round(room, people[1], tournament, played + 1)
        pair.servers[killed].kill()
        for number, browser in people.items():
            people[number] = pair.browser(1 - killed, browser)
        play_round(people, told, played + 1)
        pair.servers[killed].start()
        people = {number: pair.browser(number % 2, browser) for number, browser in people.items()}
    with tournament_room(people[1], tournament) as room:
        told = room.until(lambda known: known["about"]["status"] == "over")
    assert [len(games) for games in told["rounds"].values()] == [2, 2, 2]
    assert sum(one["points"] for one in told["standings"].values()) == 6


def test_round_ends_at_tables_that_other_servers_own(pair: Pair) -> None:
    """Whoever follows somebody at a table has it brought to their own door."""
    people: dict[int, Browser] = {}
    tournament = ""
    for number in range(4):
        browser = pair.browser(number % 2)
        sign_up(browser, new_name())
        tournament = tournament or make(browser, rounds=2)
        people[join(browser, tournament)] = browser
    with tournament_room(people[1], tournament) as room:
        start(people[1], tournament)
        told = room.until(drawn(1))
        for door, game in enumerate(told["rounds"]["1"]):
            fan = pair.browser(door, people[game["seats"][0]])
            post(fan, "/api/relations/follow", 201, table=game["table"], seat=1)
        play_round(people, told, 1)
        assert len(next_round(room, people[1], tournament, 2)["rounds"]["2"]) == 2


@pytest.mark.parametrize("number", [0, 1])
def test_club_is_one_at_all_doors(pair: Pair, number: int) -> None:
    ada, bea, name = pair.browser(number), pair.browser(1 - number), new_name()
    sign_up(ada, new_name())
    sign_up(bea, name)
    club = found_club(ada)
    enter(bea, club)
    with club_room(bea, club) as room:
        post(ada, f"/api/clubs/{club}/lines", text="Hello")
        room.until(lambda known: "1" in known["lines"])
        table = post(ada, f"/api/clubs/{club}/tables", 201, **PLAN)["id"]
        room.until(lambda known: table in known["tables"])
        with bea.open(table) as socket:
            assert socket.ask("sit", seat=1)["type"] == "ack"
        room.until(lambda known: not known["tables"][table]["open"])
        appoint(ada, club, name, None)
        with pytest.raises(ConnectionClosed):
            room.until(lambda _known: False)
