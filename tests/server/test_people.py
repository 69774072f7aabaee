"""Accounts over the wire: made, signed in elsewhere, recovered, exported and deleted; seats that move."""

from __future__ import annotations

import io
import json
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from ekoes.tables.puzzles import puzzles_of
from tests.kit.client import PASSWORD, Browser, lobby, new_name, post, sign_in, sign_up, who
from tests.kit.server import Server, ekoes
from tests.kit.tournaments import join, make

PUZZLE = next(iter(puzzles_of("eko")))


@pytest.fixture
def name() -> str:
    return new_name()


def yours(browser: Browser, table: str) -> list[int]:
    return [seat["seat"] for seat in browser.get(f"/api/tables/{table}")["seats"] if seat["yours"]]


def test_guest_who_signs_up_keeps_seats_and_the_old_cookie_is_not_enough(
    browser: Browser, server: Server, name: str
) -> None:
    table = browser.create("here", "greedy")
    guest = browser.http.cookies["ekoes"]
    assert who(browser) is None
    sign_up(browser, name)
    assert (who(browser), yours(browser, table)) == (name, [0])
    thief = server.browser()
    thief.http.cookies.set("ekoes", guest)
    assert yours(thief, table) == []
    assert who(thief) is None


def test_account_signs_in_at_another_device_and_brings_the_guests_seats_along(
    browser: Browser, server: Server, name: str
) -> None:
    first = browser.create("here", "greedy")
    sign_up(browser, name)
    phone = server.browser()
    second = phone.create("here", "greedy")
    sign_in(phone, name.upper())
    assert (yours(phone, first), yours(phone, second), yours(browser, second)) == ([0], [0], [0])
    own = phone.get("/api/account/tables")["tables"]
    assert {table["id"] for table in own} == {first, second}
    assert all(len(table["seats"]) == 2 for table in own)
    with phone.open(second) as socket:
        choice = next(iter(socket.choices.values()))[0]
        socket.act(0, choice)


def test_account_sits_down_by_its_name_unless_it_says_another(
    browser: Browser, server: Server, name: str
) -> None:
    table = server.browser().create("open", "open", "open")
    sign_up(browser, name)
    with browser.open(table) as socket:
        for seat, wish in enumerate(({}, {"name": "Somebody else"})):
            assert socket.ask("sit", seat=seat, **wish)["type"] == "ack"
    assert [seat["name"] for seat in browser.get(f"/api/tables/{table}")["seats"]] == [
        name,
        "Somebody else",
        "",
    ]


def test_account_has_its_name_at_its_own_table_unless_it_says_another(browser: Browser, name: str) -> None:
    sign_up(browser, name)
    here, bot = {"kind": "here"}, {"kind": "bot", "bot": "greedy"}
    for seats, names in (
        ([bot, here, here], ["", name, ""]),
        ([here | {"name": "Somebody else"}, here], ["Somebody else", ""]),
    ):
        plan = {"game": "eko", "options": {"players": len(seats)}, "seats": seats}
        table = post(browser, "/api/tables", 201, **plan)["id"]
        assert [seat["name"] for seat in browser.get(f"/api/tables/{table}")["seats"]] == names


def test_guest_bears_no_name_that_looks_like_an_accounts(browser: Browser, server: Server, name: str) -> None:
    sign_up(browser, name)
    guest, twin = server.browser(), name.replace("e", "е")
    for names in ([name], ["Bo", twin]):
        seats = [{"kind": "here", "name": one} for one in names] + [{"kind": "open"}]
        refusal = post(guest, "/api/tables", 409, game="eko", options={"players": len(seats)}, seats=seats)
        assert (refusal["code"], refusal["field"]) == ("account/name-taken", "name")
    table = browser.create({"kind": "here", "name": name}, "open")
    with guest.open(table) as socket:
        assert socket.ask("sit", seat=1, name=twin)["code"] == "account/name-taken"
        assert socket.ask("sit", seat=1, name="Bo")["type"] == "ack"
        assert socket.ask("rename", seat=1, name=twin)["code"] == "account/name-taken"
    with lobby(guest) as here:
        assert here.ask("hello", name=twin)["code"] == "account/name-taken"
        wish = {"game": "eko", "options": {"players": 2}, "name": name}
        assert here.ask("seek", **wish)["code"] == "account/name-taken"
    with browser.open(table) as socket:
        assert socket.ask("rename", seat=0, name=name.upper())["type"] == "ack"


def test_accounts_are_marked_at_seats_in_the_chat_and_in_the_lobby(
    browser: Browser, server: Server, name: str
) -> None:
    guest, own = server.browser(), new_name()
    table = browser.create({"kind": "here", "name": name}, "open", public=True)
    with guest.open(table) as socket, browser.open(table), lobby(guest) as here:
        assert socket.ask("sit", seat=1, name=own)["type"] == "ack"
        for marked in ([None, None], [True, None]):
            shown = guest.get(f"/api/tables/{table}")["seats"]
            assert [seat.get("account") for seat in shown] == marked
            if marked[0] is None:
                sign_up(browser, name)
        assert socket.ask("say", text="hello")["type"] == "ack"
        with browser.open(table) as hers:
            assert hers.ask("rename", seat=0, name="Somebody")["type"] == "ack"
            assert hers.ask("say", text="it is me")["type"] == "ack"
            assert hers.ask("rename", seat=0, name=name)["type"] == "ack"
            assert hers.ask("say", text="hello")["type"] == "ack"
        lines = guest.get(f"/api/tables/{table}/chat")["lines"]
        assert [line.get("account") for line in lines] == [None, None, True]
        here.until(lambda known: table in known["tables"] and "account" in known["tables"][table]["seats"][0])
        assert "account" not in here.known["tables"][table]["seats"][1]


def test_seat_where_hands_are_hidden_stays_with_the_guest(
    browser: Browser, server: Server, name: str
) -> None:
    sign_up(browser, name)
    table = browser.create_race("here", "open", "beginner")
    phone = server.browser()
    with phone.open(table) as socket:
        assert socket.ask("sit", seat=1)["type"] == "ack"
    sign_in(phone, name)
    assert yours(phone, table) == [0]


@pytest.mark.parametrize(
    ("wish", "key", "code"),
    [
        ({"name": "", "password": PASSWORD}, "name", "message/bad-type"),
        ({"name": "x\ny", "password": PASSWORD}, "name", "message/bad-type"),
        ({"name": "x" * 25, "password": PASSWORD}, "name", "message/bad-type"),
        ({"name": "somebody", "password": "short"}, "password", "account/weak-password"),
    ],
)
def test_invalid_account_is_refused_by_field(
    browser: Browser, wish: dict[str, str], key: str, code: str
) -> None:
    refusal = post(browser, "/api/account", 422, **wish)
    assert (refusal["field"], refusal["code"]) == (key, code)
    assert who(browser) is None


def test_wrong_password_and_unknown_name_get_the_same_answer(
    browser: Browser, server: Server, name: str
) -> None:
    sign_up(browser, name)
    other = server.browser()
    shown = [
        post(other, "/api/account/sign-in", 403, name=called, password="another one")
        for called in (name, "nobody at all")
    ]
    assert shown[0] == shown[1]
    assert shown[0]["code"] == "account/wrong"
    assert who(other) is None


def test_signed_in_user_has_to_sign_out_first(browser: Browser, name: str) -> None:
    sign_up(browser, name)
    refusal = post(browser, "/api/account/sign-in", 409, name=name, password=PASSWORD)
    assert refusal["code"] == "account/signed-in"
    post(browser, "/api/account/sign-out")
    assert who(browser) is None
    sign_in(browser, name)
    assert who(browser) == name


def test_too_many_attempts_at_a_name_have_to_wait_and_lock_no_owner_out(
    server: Server, browser: Browser, name: str
) -> None:
    codes = sign_up(browser, name)
    known = server.browser()
    sign_in(known, name)
    post(known, "/api/account/sign-out")
    thief = server.browser()
    for _ in range(10):
        post(thief, "/api/account/sign-in", 403, name=name, password="a guess")
    answer = thief.http.post("/api/account/sign-in", json={"name": name, "password": PASSWORD})
    assert (answer.status_code, answer.json()["code"]) == (429, "account/too-many")
    assert 0 < int(answer.headers["retry-after"]) <= 3600
    sign_in(known, name)
    post(browser, "/api/account/password", old=PASSWORD, password="another tower")
    post(server.browser(), "/api/account/recover", name=name, code=codes[0], password="a third tower")
    elsewhere = {"X-Forwarded-For": "198.18.255.1"}
    wish = {"name": name, "password": "a third tower"}
    assert server.browser().http.post("/api/account/sign-in", json=wish, headers=elsewhere).is_success


def test_device_that_is_ended_elsewhere_is_out_at_once(browser: Browser, server: Server, name: str) -> None:
    sign_up(browser, name)
    table = browser.create("here", "greedy")
    phone = server.browser()
    sign_in(phone, name)
    with phone.open(table) as socket:
        devices = browser.get("/api/account/devices")["devices"]
        assert [device["this"] for device in devices].count(True) == 1
        ended = next(device["id"] for device in devices if not device["this"])
        assert browser.http.delete(f"/api/account/devices/{ended}").status_code == 204
        with pytest.raises(ConnectionClosed, match="signed out"):
            socket.wait("the end")
    assert (who(phone), yours(phone, table), yours(browser, table)) == (None, [], [0])
    assert browser.http.delete(f"/api/account/devices/{ended}").status_code == 404


def test_devices_are_their_owners_alone(browser: Browser, server: Server, name: str) -> None:
    sign_up(browser, name)
    (device,) = browser.get("/api/account/devices")["devices"]
    stranger = server.browser()
    assert stranger.http.get("/api/account/devices").status_code == 401
    sign_up(stranger, new_name())
    assert stranger.http.delete(f"/api/account/devices/{device['id']}").status_code == 404
    assert who(browser) == name


def test_new_password_ends_all_other_devices(browser: Browser, server: Server, name: str) -> None:
    sign_up(browser, name)
    phone = server.browser()
    sign_in(phone, name)
    assert (
        post(browser, "/api/account/password", 403, old="no", password="another tower")["field"] == "password"
    )
    post(browser, "/api/account/password", old=PASSWORD, password="another tower")
    assert (who(browser), who(phone)) == (name, None)
    post(phone, "/api/account/sign-in", 403, name=name, password=PASSWORD)
    sign_in(phone, name, "another tower")


def test_recovery_code_lets_in_once(browser: Browser, server: Server, name: str) -> None:
    codes = sign_up(browser, name)
    assert len(set(codes)) == len(codes) == 8
    other = server.browser()
    typed = codes[0].upper().replace("-", " ")
    post(other, "/api/account/recover", name=name, code=typed, password="another tower")
    assert (who(other), who(browser)) == (name, None)
    third = server.browser()
    refusal = post(third, "/api/account/recover", 403, name=name, code=codes[0], password="another tower")
    assert refusal["field"] == "code"
    fresh = post(other, "/api/account/codes", 200, password="another tower")["codes"]
    post(third, "/api/account/recover", 403, name=name, code=codes[1], password="another tower")
    post(third, "/api/account/recover", name=name, code=fresh[0], password="another tower")


def test_export_holds_all_and_deletion_leaves_no_name(browser: Browser, server: Server, name: str) -> None:
    table = browser.create({"kind": "here", "name": name}, "open")
    going = browser.create({"kind": "here", "name": name}, "greedy")
    friend = server.browser()
    with friend.open(table) as theirs, browser.open(table) as ours:
        theirs.ask("sit", seat=1, name="Friend")
        ours.until(theirs.version)
        assert ours.order("resign", seat=0)["type"] == "ack"
    sign_up(browser, name)
    post(browser, "/api/eko/puzzles/solved", 200, solved=[PUZZLE])
    answer = browser.http.get("/api/account/export")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert json.loads(archive.read("account.json"))["name"] == name
        assert {entry["table"] for entry in json.loads(archive.read("tables.json"))} == {table, going}
        assert [one["puzzle"] for one in json.loads(archive.read("puzzles.json"))] == [PUZZLE]
        assert name in archive.read(f"records/{table}.txt").decode()
    post(browser, "/api/account/delete", 403, password="no")
    assert who(browser) == name
    post(browser, "/api/account/delete", password=PASSWORD)
    assert (who(browser), yours(browser, going)) == (None, [])
    assert name not in friend.http.get(f"/api/tables/{table}/record").text
    assert friend.get(f"/api/tables/{going}")["state"]["outcome"] is not None
    post(browser, "/api/account/sign-in", 403, name=name, password=PASSWORD)


def test_name_of_a_deleted_account_is_in_no_later_backup(
    own_server: Server, name: str, tmp_path: Path
) -> None:
    browser, friend = own_server.browser(), own_server.browser()
    sign_up(browser, name)
    sign_up(friend, new_name())
    table = browser.create({"kind": "here", "name": name}, "open", "open")
    with browser.open(table) as ours, friend.open(table) as theirs:
        for socket, seat in ((ours, 1), (theirs, 2)):
            assert socket.ask("sit", seat=seat)["type"] == "ack"
            assert socket.ask("chat")["type"] == "ack"
        assert ours.ask("rename", seat=1, name=name.upper())["type"] == "ack"
        assert ours.ask("say", text="You move too slowly")["type"] == "ack"
        about = {"seat": 0, "reason": "insult", "words": "unkind"}
        post(friend, "/api/reports", 201, table=table, **about)
        assert ours.ask("stand", seat=1)["type"] == "ack"
    moved = browser.create({"kind": "here", "name": name}, "here")
    assert post(browser, f"/api/tables/{moved}/seats/0/pass", 409)["code"] == "account/own-seat"
    join(browser, make(friend))
    post(friend, "/api/relations/follow", 201, account=name)
    post(browser, "/api/account/delete", password=PASSWORD)
    ekoes("backup", tmp_path / "saved.zip", "--data", own_server.data)
    with zipfile.ZipFile(tmp_path / "saved.zip") as saved:
        assert name.casefold().encode() not in saved.read("ekoes.sqlite").lower()


def test_damaged_tables_keep_nobody_from_exporting_and_deleting_an_account(
    own_server: Server, name: str
) -> None:
    browser = own_server.browser()
    sign_up(browser, name)
    tables = [browser.create({"kind": "here", "name": name}, "greedy") for _ in range(4)]
    for table in tables[:2]:
        with browser.open(table) as socket:
            assert socket.order("resign", seat=0)["type"] == "ack"
    own_server.stop()
    with closing(sqlite3.connect(own_server.database)) as database, database:
        for table in tables[::2]:
            database.execute("UPDATE states SET digest = 'x' WHERE table_id = ?", (table,))
    own_server.start()
    with zipfile.ZipFile(io.BytesIO(browser.http.get("/api/account/export").content)) as archive:
        assert [file for file in archive.namelist() if "/" in file] == [f"records/{tables[1]}.txt"]
        assert {entry["table"] for entry in json.loads(archive.read("tables.json"))} == set(tables)
    post(browser, "/api/account/delete", password=PASSWORD)
    assert (who(browser), yours(browser, tables[3])) == (None, [])
    assert browser.get(f"/api/tables/{tables[3]}")["state"]["outcome"] is not None


def test_seat_moves_to_another_device_once(browser: Browser, server: Server) -> None:
    table = browser.create("here", "here")
    shown = post(browser, f"/api/tables/{table}/seats/1/pass", 200)
    assert 0 < shown["seconds"] <= 600
    phone, late = server.browser(), server.browser()
    with browser.open(table) as socket:
        assert post(phone, "/api/passes", 200, **{"pass": shown["pass"]}) == {
            "id": table,
            "seat": 1,
            "url": f"/t/{table}",
        }
        socket.until(1)
        assert [seat["yours"] for seat in socket.table["seats"]] == [True, False]
    assert (yours(browser, table), yours(phone, table)) == ([0], [1])
    assert post(late, "/api/passes", 422, **{"pass": shown["pass"]})["code"] == "table/not-your-seat"
    assert post(late, f"/api/tables/{table}/seats/0/pass", 403)["code"] == "account/not-your-seat"
    assert post(late, "/api/passes", 422, **{"pass": "made.up"})["field"] == "pass"
    back = post(phone, f"/api/tables/{table}/seats/1/pass", 200)
    post(browser, "/api/passes", 200, **{"pass": back["pass"]})
    assert post(late, "/api/passes", 410, **{"pass": shown["pass"]})["code"] == "account/old-pass"
    assert yours(browser, table) == [0, 1]


def test_account_keeps_its_own_seat_which_is_played_where_it_is_signed_in(
    browser: Browser, server: Server, name: str
) -> None:
    phone = server.browser()
    early = server.browser()
    alone = early.create("here", "random")
    given = post(early, f"/api/tables/{alone}/seats/0/pass", 200)["pass"]
    sign_up(early, new_name())
    assert post(phone, "/api/passes", 409, **{"pass": given})["code"] == "account/own-seat"
    assert yours(early, alone) == [0]

    sign_up(browser, name)
    table = browser.create("here", {"kind": "here", "name": "A friend"})
    assert post(browser, f"/api/tables/{table}/seats/0/pass", 409)["code"] == "account/own-seat"
    friends = post(browser, f"/api/tables/{table}/seats/1/pass", 200)["pass"]
    post(phone, "/api/passes", 200, **{"pass": friends})
    assert (yours(browser, table), yours(phone, table)) == ([0], [1])
    sign_in(phone, name)
    assert yours(phone, table) == [0, 1]


def test_seat_that_has_moved_stays_where_it_is_after_a_restart(own_server: Server) -> None:
    host, phone = own_server.browser(), own_server.browser()
    table = host.create("here", "here")
    shown = post(host, f"/api/tables/{table}/seats/1/pass", 200)
    post(phone, "/api/passes", 200, **{"pass": shown["pass"]})
    own_server.kill()
    own_server.start()
    assert (yours(host, table), yours(phone, table)) == ([0], [1])


def test_passwords_and_codes_are_stored_hashed(browser: Browser, server: Server, name: str) -> None:
    codes = sign_up(browser, name)
    with closing(sqlite3.connect(server.database)) as database:
        stored = "\n".join(database.iterdump())
    assert name in stored
    assert "$argon2id$" in stored
    for secret in (PASSWORD, *codes, codes[0].replace("-", "")):
        assert secret not in stored
        assert secret not in server.log.read_text()
