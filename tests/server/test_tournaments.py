"""Tournaments over the wire: joined, played round after round, watched live, and never drawn twice."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from contextlib import closing
from io import BytesIO
from zipfile import ZipFile

import pytest

from tests.kit.client import PASSWORD, Browser, Json, lobby, post, tournament_room
from tests.kit.server import Server
from tests.kit.tournaments import drawn, join, look, make, next_round, play_round, resign, start, wish


def names_of(shown: Json) -> list[str]:
    """The entrants in the order of the standings."""
    standings = shown["standings"]
    return sorted(standings, key=lambda number: (standings[number]["rank"], int(number)))


@pytest.mark.long
def test_swiss_tournament_of_eight_goes_on_through_a_kill_in_its_middle(own_server: Server) -> None:
    browsers = [own_server.member()[0] for _ in range(8)]
    tournament = make(browsers[0])
    people = {join(browser, tournament): browser for browser in browsers}
    with tournament_room(browsers[0], tournament) as room:
        start(browsers[0], tournament)
        shown = room.until(drawn(1))
        assert shown["about"]["status"] == "running"
        assert [game["seats"] for game in shown["rounds"]["1"]] == [[1, 5], [6, 2], [3, 7], [8, 4]]
        assert shown["own"]["table"] == shown["rounds"]["1"][0]["table"]
        play_round(people, shown, 1)
        shown = next_round(room, browsers[0], tournament, 2)
        assert [shown["standings"][str(number)]["points"] for number in people] == [1] * 4 + [0] * 4
        first = shown["rounds"]["2"][0]
        resign(people[max(first["seats"])], first["table"])
        shown = room.until(lambda known: "points" in known["rounds"]["2"][0])
        own_server.kill()
    own_server.start()
    assert look(browsers[1], tournament)["rounds"] == shown["rounds"]
    with tournament_room(browsers[1], tournament) as room:
        play_round(people, room.known, 2)
        own_server.stop()
    own_server.start()
    with tournament_room(browsers[2], tournament) as room:
        next_round(room, browsers[0], tournament, 3)
        play_round(people, room.known, 3)
        shown = room.until(lambda known: known["about"]["status"] == "over")
    assert shown["about"]["drawn"] == 3
    met = Counter(frozenset(game["seats"]) for games in shown["rounds"].values() for game in games)
    assert len(met) == 12
    assert names_of(shown)[0] == "1"
    assert shown["standings"]["1"]["points"] == 3
    assert sum(it["points"] for it in shown["standings"].values()) == 12
    with closing(sqlite3.connect(own_server.database)) as database:
        tables = "SELECT count(*), count(DISTINCT table_id) FROM pairings"
        assert database.execute(tables).fetchone() == (12, 12)
        assert database.execute("SELECT count(*) FROM tables").fetchone() == (12,)


def test_late_entry_withdrawal_and_bye(server: Server) -> None:
    browsers = [server.member()[0] for _ in range(4)]
    tournament = make(browsers[0], rounds=2)
    people = {join(browser, tournament): browser for browser in browsers[:3]}
    start(browsers[0], tournament)
    shown = look(browsers[0], tournament)
    assert [game["seats"] for game in shown["rounds"]["1"]] == [[1, 2], [3]]
    assert shown["rounds"]["1"][1]["points"] == [1]
    people[join(browsers[3], tournament)] = browsers[3]
    assert people[2].http.delete(f"/api/tournaments/{tournament}/entrants/2").status_code == 204
    with tournament_room(browsers[3], tournament) as room:
        shown = next_round(room, browsers[0], tournament, 2)
        assert shown["rounds"]["1"][0]["points"] == [1, 0]
        assert shown["entrants"]["2"]["left"]
        assert sorted(number for game in shown["rounds"]["2"] for number in game["seats"]) == [1, 3, 4]
        assert shown["standings"]["4"]["points"] in {0.5, 1.5}
        too_late = server.member()[0].http.post(f"/api/tournaments/{tournament}/entrants")
        assert (too_late.status_code, too_late.json()["code"]) == (409, "tournament/closed")
        play_round(people, shown, 2)
        shown = room.until(lambda known: known["about"]["status"] == "over")
    assert shown["own"] == {"entrant": 4}


def test_before_the_start_it_is_said_how_many_will_sit_at_each_table(server: Server) -> None:
    """Four at tables of three sit two and two."""
    browsers = [server.member()[0] for _ in range(4)]
    tournament = make(browsers[0], form="tables", players=3)
    expected = [None, [2], [3], [2, 2]]
    for browser, tables in zip(browsers, expected, strict=True):
        join(browser, tournament)
        assert look(browser, tournament)["about"].get("tables") == tables
    start(browsers[0], tournament)
    shown = look(browsers[0], tournament)
    assert [len(game["seats"]) for game in shown["rounds"]["1"]] == [2, 2]
    assert "tables" not in shown["about"]


def test_tables_of_three_are_decided_when_one_is_left_and_seats_go_round(server: Server) -> None:
    browsers = [server.member()[0] for _ in range(3)]
    tournament = make(browsers[0], form="tables", players=3, rounds=2)
    people = {join(browser, tournament): browser for browser in browsers}
    start(browsers[0], tournament)
    with tournament_room(browsers[0], tournament) as room:
        for number in (1, 2):
            known = room.until(drawn(1)) if number == 1 else next_round(room, browsers[0], tournament, number)
            (game,) = known["rounds"][str(number)]
            for loser in (3, 2):
                resign(people[loser], game["table"])
        shown = room.until(lambda known: known["about"]["status"] == "over")
    seats = [shown["rounds"][number][0]["seats"] for number in ("1", "2")]
    assert all(one != other for one, other in zip(*seats, strict=True))
    assert [shown["standings"][number]["points"] for number in ("1", "2", "3")] == [2, 0.5, 0.5]


def test_lobby_lists_open_tournaments(server: Server) -> None:
    browser = server.member()[0]
    with lobby(browser) as here:
        tournament = make(browser, name="Told")
        there = here.until(lambda known: tournament in known["tournaments"])["tournaments"][tournament]
        assert (there["name"], there["status"], there["entrants"]) == ("Told", "open", 0)
        join(browser, tournament)
        here.until(lambda known: known["tournaments"][tournament]["entrants"] == 1)
        assert browser.http.post(f"/api/tournaments/{tournament}/end").status_code == 204
        here.until(lambda known: tournament not in known["tournaments"])


@pytest.mark.parametrize(
    ("changes", "code", "field"),
    [
        ({"options": {"clock": None}}, "tournament/clock", "clock"),
        ({"options": {"clock": {"base": 60, "increment": 0, "up": "bot"}}}, "tournament/clock", "clock"),
        (
            {"game": "ekko", "options": {"clock": None, "turn_clock": None}},
            "tournament/clock",
            "turn_clock",
        ),
        (
            {"game": "ekko", "form": "arena", "options": {"clock": None, "target": 121}},
            "tournament/too-long",
            "target",
        ),
        ({"players": 3}, "tournament/form", "form"),
        ({"form": "tables"}, "tournament/form", "form"),
        ({"players": 9, "form": "tables"}, "tournament/players", "players"),
        ({"options": {"seed": 3}}, "tournament/option", "seed"),
        ({"rounds": 0}, "message/bad-type", "rounds"),
        ({"name": " "}, "message/bad-type", "name"),
    ],
)
def test_tournament_that_can_not_be_played_is_refused(
    browser: Browser, server: Server, changes: Json, code: str, field: str
) -> None:
    refused = post(server.member()[0], "/api/tournaments", 422, **wish(**changes))
    assert (refused["code"], refused["field"]) == (code, field)


def test_guests_do_not_join_and_others_neither_start_nor_end(server: Server) -> None:
    maker, other, guest = server.member()[0], server.member()[0], server.browser()
    tournament = make(maker)
    address = f"/api/tournaments/{tournament}"
    assert guest.http.post("/api/tournaments", json=wish()).status_code == 401
    assert guest.http.post(f"{address}/entrants").status_code == 401
    assert other.http.post(f"{address}/start").json()["code"] == "tournament/not-yours"
    assert maker.http.post(f"{address}/start").json()["code"] == "tournament/too-few"
    number = join(other, tournament)
    assert guest.http.delete(f"{address}/entrants/{number}").status_code == 401
    assert maker.http.delete(f"{address}/entrants/{number}").status_code == 204
    assert look(other, tournament)["entrants"] == {}
    join(other, tournament)
    join(maker, tournament)
    start(maker, tournament)
    assert maker.http.post(f"{address}/start").json()["code"] == "tournament/started"
    assert other.http.post(f"{address}/end").status_code == 403
    assert maker.http.post(f"{address}/end").status_code == 204
    assert look(guest, tournament)["about"]["status"] == "over"
    table = look(guest, tournament)["rounds"]["1"][0]["table"]
    assert guest.get(f"/api/tables/{table}/tournament") == {
        "tournament": {"id": tournament, "name": "Spring", "round": 1}
    }


def test_account_has_five_tournaments_at_a_time(server: Server) -> None:
    maker = server.member()[0]
    for _ in range(5):
        make(maker)
    assert post(maker, "/api/tournaments", 429, **wish())["code"] == "tournament/too-many"


def test_deleted_account_leaves_no_name_and_plays_no_more(server: Server) -> None:
    maker, other = server.member()[0], server.member()[0]
    tournament = make(maker)
    join(maker, tournament)
    join(other, tournament)
    start(maker, tournament)
    waiting = make(maker)
    join(other, waiting)
    with ZipFile(BytesIO(other.http.get("/api/account/export").content)) as export:
        joined = json.loads(export.read("tournaments.json"))[1]
    assert (joined["tournament"], joined["name"], joined["number"]) == (tournament, "Spring", 2)
    assert other.http.post("/api/account/delete", json={"password": PASSWORD}).status_code == 204
    with tournament_room(maker, tournament) as room:
        shown = room.until(lambda known: known["about"]["status"] == "over")
    assert shown["entrants"]["2"] == {"name": "", "left": True}
    assert shown["standings"]["1"]["points"] == 1
    assert look(maker, waiting)["entrants"] == {}


def test_unknown_tournament_has_no_socket(browser: Browser) -> None:
    with tournament_room(browser, "none") as room:
        assert room.known == {}
    assert browser.http.get("/api/tournaments/none").status_code == 404
