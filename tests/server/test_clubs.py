"""Clubs over the wire: members, chat, tables and tournaments, and all that strangers may try."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from websockets.exceptions import ConnectionClosed

from tests.kit.client import PASSWORD, PLAN, Browser, Json, Room, close_frame, post
from tests.kit.clubs import appoint, club_room, enter, found_club, look_at, roles
from tests.kit.server import ControlledServer, Server, ekoes
from tests.kit.tournaments import join, look, start, wish


class Circle:
    """A club that is joined by its link, with a table and a tournament; Ada owns it."""

    def __init__(self, server: Server) -> None:
        (self.ada, self.ada_name), (self.bea, self.bea_name) = server.member(), server.member()
        (self.cid, self.cid_name), (self.eve, self.eve_name) = server.member(), server.member()
        self.id = found_club(self.ada, open=False)
        self.path = f"/api/clubs/{self.id}"
        self.table = post(self.ada, f"{self.path}/tables", 201, **PLAN | {"public": True})["id"]
        self.tournament = post(self.ada, f"{self.path}/tournaments", 201, **wish(name="League"))["id"]

    @property
    def invitation(self) -> str:
        return str(look_at(self.ada, self.id)["own"]["invitation"])

    def refused(self, browser: Browser) -> tuple[set[str], set[str]]:
        """Have somebody try all that members may do, and all that organisers may; return the refusals."""
        with browser.open(self.table) as socket:
            sat = socket.ask("sit", seat=1)
        assert is_closed(browser, self.id)
        of_members = {
            post(browser, f"{self.path}/lines", 403, text="Hello")["code"],
            post(browser, f"{self.path}/tables", 403, **PLAN)["code"],
            post(browser, f"/api/tournaments/{self.tournament}/entrants", 403)["code"],
            post(browser, "/api/reports", 403, club=self.id, line=1, reason="spam")["code"],
            browser.get(f"{self.path}/members", 403)["code"],
            sat["code"],
        }
        of_organisers = {
            post(browser, f"{self.path}/tournaments", 403, **wish())["code"],
            post(browser, f"{self.path}/invitation", 403)["code"],
            browser.http.put(self.path, json={"name": "Ours", "text": "", "open": True}).json()["code"],
            browser.http.delete(self.path).json()["code"],
            browser.get(f"{self.path}/members?banned=true", 403)["code"],
            appoint(browser, self.id, self.ada_name, None, 403)["code"],
        }
        return of_members, of_organisers


def rematch_of(circle: Circle) -> str:
    """Have a game of the club's table given up, and return the table of its rematch."""
    with circle.ada.open(circle.table) as ada, circle.bea.open(circle.table) as bea:
        assert bea.order("resign", seat=1)["type"] == "ack"
        for socket, seat in ((ada, 0), (bea, 1)):
            assert socket.ask("rematch", seat=seat)["type"] == "ack"
        while ada.state["rematch"]["table"] is None:
            ada.receive()
        return str(ada.state["rematch"]["table"])


def is_closed(browser: Browser, club: str) -> bool:
    """Return whether a club's room sends a browser away."""
    with browser.connect(f"clubs/{club}", Room) as room:
        with pytest.raises(ConnectionClosed):
            room.until(lambda _known: False)
        return not room.known and close_frame(room).code == 4404


DAY = 24 * 3600
REFUSED = ({"club/members-only"}, {"club/not-yours"})


def test_strangers_see_name_and_text_alone_and_need_the_link(server: Server) -> None:
    circle = Circle(server)
    eve, club = circle.eve, circle.id
    seen = look_at(eve, club)
    shown = (seen["own"], seen["tournaments"], seen["owner"], seen["members"])
    assert shown == ({}, [], circle.ada_name, 1)
    assert circle.tournament not in {one["id"] for one in eve.get("/api/tournaments")["tournaments"]}
    assert circle.refused(eve) == REFUSED
    for guess in (None, "", "guessed"):
        assert enter(eve, club, 403, invitation=guess)["code"] == "club/invitation"
    old = circle.invitation
    assert enter(circle.bea, club, invitation=old)["own"]["role"] == "member"
    new = post(circle.ada, f"{circle.path}/invitation", 200)["invitation"]
    assert enter(eve, club, 403, invitation=old)["code"] == "club/invitation"
    enter(eve, club, invitation=new)
    assert [one["id"] for one in eve.get("/api/clubs")["own"]] == [club]
    assert roles(eve, club) == dict.fromkeys((circle.bea_name, circle.eve_name), "member") | {
        circle.ada_name: "owner"
    }


def test_members_talk_sit_down_and_enter_until_they_are_banned(server: Server) -> None:
    circle = Circle(server)
    bea, cid, club = circle.bea, circle.cid, circle.id
    for browser in (bea, cid):
        enter(browser, club, invitation=circle.invitation)
    with club_room(bea, club) as room:
        assert set(room.known["tables"]) == {circle.table}
        post(cid, f"{circle.path}/lines", text="Good evening")
        lines = room.until(lambda known: known["lines"])["lines"]
        assert [(one["name"], one["text"]) for one in lines.values()] == [(circle.cid_name, "Good evening")]
        post(bea, "/api/relations/block", 201, club=club, line=1)
        room.until(lambda known: known["own"]["hidden"] == [1])
        with bea.open(circle.table) as socket:
            assert socket.ask("sit", seat=1)["type"] == "ack"
        room.until(lambda known: not known["tables"][circle.table]["open"])
        again = rematch_of(circle)
        with circle.eve.open(again) as socket:
            assert socket.ask("sit", seat=1)["code"] == "club/members-only"
        assert [join(browser, circle.tournament) for browser in (bea, cid)] == [1, 2]
        assert appoint(bea, club, circle.cid_name, "banned", 403)["code"] == "club/not-yours"
        appoint(circle.ada, club, circle.cid_name, "organiser")
        for name, role in (
            (circle.ada_name, None),
            (circle.bea_name, "owner"),
            (circle.bea_name, "organiser"),
        ):
            assert appoint(cid, club, name, role, 403)["code"] == "club/not-yours"
        assert appoint(cid, club, circle.eve_name, "member", 404)["code"] == "club/nobody"
        appoint(cid, club, circle.bea_name, "banned")
        with pytest.raises(ConnectionClosed):
            room.until(lambda _known: False)
    assert enter(bea, club, 403, invitation=circle.invitation)["code"] == "club/banned"
    entrants = look(cid, circle.tournament)["entrants"].values()
    assert [one["name"] for one in entrants] == [circle.cid_name]
    assert circle.refused(bea) == REFUSED
    banned = cid.get(f"{circle.path}/members?banned=true")["members"]
    assert [one["name"] for one in banned] == [circle.bea_name]
    appoint(cid, club, circle.bea_name, None)
    enter(bea, club, invitation=circle.invitation)


def test_club_is_passed_on_and_all_but_games_leave_with_it(server: Server) -> None:
    circle = Circle(server)
    ada, cid, club = circle.ada, circle.cid, circle.id
    enter(cid, club, invitation=circle.invitation)
    assert ada.http.delete(f"{circle.path}/members").json()["code"] == "club/owner"
    appoint(ada, club, circle.cid_name, "owner")
    assert ada.http.delete(circle.path).json()["code"] == "club/not-yours"
    running = post(ada, f"{circle.path}/tournaments", 201, **wish())["id"]
    for browser in (ada, cid):
        join(browser, running)
    start(cid, running)  # as an organiser of the club
    assert [one["status"] for one in look_at(ada, club)["tournaments"]] == ["running", "open"]
    with club_room(ada, club) as room:
        assert cid.http.delete(circle.path).status_code == 204
        with pytest.raises(ConnectionClosed):
            room.until(lambda _known: False)
    assert ada.get(circle.path, 404)["code"] == "club/not-found"
    assert ada.http.get(f"/api/tournaments/{circle.tournament}").status_code == 404
    assert look(ada, running)["about"]["club"] == {"id": club, "name": ""}
    assert post(circle.bea, f"/api/tournaments/{running}/entrants", 403)["code"] == "club/members-only"
    assert ada.get(f"/api/tables/{circle.table}")["state"]["outcome"] is None
    assert not cid.get("/api/clubs")["own"]


def test_table_of_the_week_is_one_until_it_is_full_and_comes_once_a_week(tmp_path: Path) -> None:
    with ControlledServer(tmp_path) as server:
        (ada, _), (bea, _) = server.member(), server.member()
        club = found_club(ada)
        enter(bea, club)
        weekly = {"game": "eko", "players": 2, "days": 3}
        assert post_weekly(bea, club, weekly) == 403
        assert post_weekly(ada, club, weekly | {"players": 5}) == 422
        refused = ada.http.put(f"/api/clubs/{club}/weekly", json=weekly | {"game": "ekko"}).json()
        assert (refused["code"], refused["field"]) == ("club/weekly", "game")
        assert post_weekly(ada, club, weekly) == 204
        assert look_at(bea, club)["weekly"] == weekly
        (first,) = tables_of(bea, club)
        server.forward(8 * DAY)
        assert tables_of(bea, club) == {first}  # nobody has taken it
        for seat, browser in enumerate((ada, bea)):
            with browser.open(first) as socket:
                assert socket.ask("sit", seat=seat)["type"] == "ack"
        (second,) = tables_of(bea, club) - {first}
        with bea.open(second) as socket:
            assert socket.ask("sit", seat=0)["type"] == "ack"
        with ada.open(second) as socket:
            assert socket.ask("sit", seat=1)["type"] == "ack"
        assert tables_of(ada, club) == {first, second}  # the next one is due in a week
        server.forward(8 * DAY)
        server.stop()
        server.start()
        assert len(tables_of(ada, club) - {first, second}) == 1
        assert ada.http.delete(f"/api/clubs/{club}/weekly").status_code == 204
        assert look_at(ada, club)["weekly"] is None


def post_weekly(browser: Browser, club: str, weekly: Json) -> int:
    return browser.http.put(f"/api/clubs/{club}/weekly", json=weekly).status_code


def tables_of(browser: Browser, club: str) -> set[str]:
    """Open a club and return the ids of its tables."""
    with club_room(browser, club) as room:
        return set(room.known["tables"])


def test_clubs_are_found_by_unique_names_and_nobody_founds_many(server: Server) -> None:
    ada, _ = server.member()
    first = found_club(ada, name="Lighthouse")
    assert post(ada, "/api/clubs", 409, name="LIGHTH0USE", text="", open=True)["code"] == "club/name-taken"
    assert (
        post(ada, "/api/clubs", 409, name="Moderator", text="", open=True)["code"] == "account/name-reserved"
    )
    assert [one["id"] for one in ada.get("/api/clubs?search=house")["clubs"]] == [first]
    assert not ada.get("/api/clubs?search=lantern")["clubs"]
    founded = [
        ada.http.post("/api/clubs", json={"name": f"More {n}", "text": "", "open": True}).status_code
        for n in range(4)
    ]
    assert founded.count(201) < 4
    assert founded[-1] == 429


def test_account_that_is_deleted_leaves_its_clubs_to_others(server: Server) -> None:
    (ada, ada_name), (bea, bea_name), (cid, _) = (server.member() for _ in range(3))
    shared, alone = found_club(ada), found_club(ada)
    for browser in (cid, bea):
        enter(browser, shared)
    appoint(ada, shared, bea_name, "organiser")
    post(ada, f"/api/clubs/{shared}/lines", text="See you")
    with ZipFile(BytesIO(ada.http.get("/api/account/export").content)) as archive:
        assert {one["club"] for one in json.loads(archive.read("clubs.json"))} == {shared, alone}
        assert [one["text"] for one in json.loads(archive.read("club-lines.json"))] == ["See you"]
    with club_room(cid, shared) as room:
        post(cid, "/api/reports", 201, club=shared, line=1, reason="spam")
        post(ada, "/api/account/delete", password=PASSWORD)
        room.until(lambda known: known["lines"]["1"]["name"] == "")
        assert room.known["about"]["members"] == 2
    assert look_at(cid, shared)["owner"] == bea_name
    assert cid.get(f"/api/clubs/{alone}", 404)["code"] == "club/not-found"
    ekoes("admin", "moderator", bea_name, "--data", server.data)
    assert ada_name not in bea.http.get("/api/moderation/reports").text
    third = found_club(cid)
    assert look_at(bea, third)["own"] == {"moderates": True}
    assert bea.http.delete(f"/api/clubs/{third}").status_code == 204
    assert "remove-club" in ekoes("admin", "audit", "--data", server.data)
