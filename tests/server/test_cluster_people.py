"""People of several servers on one database: signed out everywhere at once, and tournaments go on."""

from __future__ import annotations

from time import monotonic, sleep

import pytest

from tests.kit.client import (
    PASSWORD,
    Browser,
    Json,
    close_frame,
    new_name,
    post,
    sign_in,
    sign_up,
    tournament_room,
)
from tests.kit.server import Pair
from tests.kit.tournaments import drawn, join, make, resign, start
from tests.server.test_people import who

_SECONDS = 10.0
"""In which a server has heard what it is told at once, on a machine that is busy."""


def signed_in_twice(pair: Pair) -> tuple[Browser, Browser, str]:
    """Return two browsers of one account, by two doors, and its name."""
    name = new_name()
    desk, phone = pair.browser(0), pair.browser(1)
    sign_up(desk, name)
    sign_in(phone, name)
    return desk, phone, name


def until_out(browser: Browser) -> None:
    """Ask whose account it is until it is nobody's."""
    begun = monotonic()
    while who(browser) is not None:
        assert monotonic() - begun < _SECONDS
        sleep(0.05)  # nothing tells a browser without a line


@pytest.mark.parametrize("owner", [0, 1])
def test_new_password_at_one_door_ends_sessions_and_lines_at_the_other(pair: Pair, owner: int) -> None:
    desk, phone, name = signed_in_twice(pair)
    table = pair.browser(owner).create("open", "open")
    with phone.open(table) as socket:
        post(desk, "/api/account/password", old=PASSWORD, password="another tower")
        assert close_frame(socket).reason == "signed out"
    until_out(phone)
    assert who(desk) == name


def test_device_that_is_ended_at_one_door_is_out_at_the_other(pair: Pair) -> None:
    desk, phone, _ = signed_in_twice(pair)
    (other,) = [one for one in desk.get("/api/account/devices")["devices"] if not one["this"]]
    with phone.open(pair.browser(0).create("open", "open")) as socket:
        assert desk.http.delete(f"/api/account/devices/{other['id']}").status_code == 204
        assert close_frame(socket).reason == "signed out"
    until_out(phone)


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
            told = room.until(drawn(played + 1))
        pair.servers[killed].kill()
        for number, browser in people.items():
            people[number] = pair.browser(1 - killed, browser)
        play_round(people, told, played + 1)
        pair.servers[killed].start()
        people = {number: pair.browser(number % 2, browser) for number, browser in people.items()}
    with tournament_room(people[1], tournament) as room:
        told = room.until(lambda told: told["about"]["status"] == "over")
    assert [len(games) for games in told["rounds"].values()] == [2, 2, 2]
    assert sum(one["points"] for one in told["standings"].values()) == 6


def play_round(people: dict[int, Browser], told: Json, played: int) -> None:
    """Let all games of a round end: the entrant with the higher number gives up."""
    for game in told["rounds"][str(played)]:
        if "points" not in game:
            resign(people[max(game["seats"])], game["table"])


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
            post(fan, "/api/ties/follow", 201, table=game["table"], seat=1)
        play_round(people, told, 1)
        assert len(room.until(drawn(2))["rounds"]["2"]) == 2
