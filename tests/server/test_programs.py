"""Programs over the wire: tokens and what they allow, streams, orders, challenges, bots among people."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import httpx

from ekoes.games.eko.game import EKO
from tests.kit.choices import offered
from tests.kit.client import Json, challenge, close_frame, lobby, post
from tests.kit.programs import Program, Reading, token_of
from tests.kit.server import Server


def program(server: Server, *scopes: str) -> tuple[Program, str]:
    """Make an account with a token; return its program and its name."""
    browser, name = server.member()
    return Program(server.address, token_of(browser, *scopes)["token"]), name


def decide(player: Program, table: str, reading: Reading, seat: int) -> Json:
    """Play the first choice of a seat; return the answer."""
    action = offered(reading.state["position"], seat)[0]["action"]
    shown: Json = player.order(table, "act", version=reading.table["version"], seat=seat, action=action)
    return shown


def test_token_is_shown_once_stored_as_a_digest_listed_and_revoked(server: Server) -> None:
    browser, name = server.member()
    made = token_of(browser, "account:read", name="My bot")
    bot = Program(server.address, made["token"])
    assert bot.http.get("/api/account").json()["name"] == name
    (listed,) = browser.get("/api/account/tokens")["tokens"]
    assert (listed["name"], listed["scopes"]) == ("My bot", ["account:read"])
    assert listed["used_at"] is not None
    assert "token" not in listed
    with closing(sqlite3.connect(server.database)) as database:
        stored = "\n".join(database.iterdump())
    assert made["token"] not in stored
    assert made["token"] not in server.log.read_text()
    assert browser.http.delete(f"/api/account/tokens/{made['id']}").status_code == 204
    answer = bot.http.get("/api/account")
    assert (answer.status_code, answer.json()["code"]) == (401, "account/no-token")
    assert answer.headers["www-authenticate"] == "Bearer"
    assert browser.http.delete(f"/api/account/tokens/{made['id']}").status_code == 404


def test_author_enters_a_bot_into_the_league_by_its_token_and_no_other_removes_it(server: Server) -> None:
    """The standing is public, and sent only where it has changed."""
    owner, _ = server.member()
    post(owner, "/api/account/program", 200)
    token = token_of(owner)["token"]
    author, name = server.member()
    league, entries = "/api/league/eko", "/api/league/eko/entries"
    before = author.http.get(league).headers["etag"]
    post(author, entries, token=token)
    shown = server.browser().http.get(league, headers={"If-None-Match": before})
    (entry,) = [one for one in shown.json()["players"] if one.get("author") == name]
    again = author.http.get(league, headers={"If-None-Match": shown.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    bot = {"name": entry["name"]}
    assert server.member()[0].http.delete(entries, params=bot).json()["code"] == "league/not-yours"
    assert Program(server.address, token).http.delete(entries, params=bot).status_code == 403
    assert token not in server.log.read_text()
    assert author.http.delete(entries, params=bot).status_code == 204
    assert entry["name"] not in author.http.get(league).text


def test_new_password_ends_all_tokens(server: Server) -> None:
    browser, _ = server.member()
    bot = Program(server.address, token_of(browser)["token"])
    assert bot.http.get("/api/account").status_code == 200
    post(browser, "/api/account/password", old="a tower by the sea", password="another good one")
    assert bot.http.get("/api/account").status_code == 401


def test_what_a_token_does_not_allow_is_refused_with_the_scope(server: Server) -> None:
    bot, _ = program(server, "account:read")
    table = server.browser().create("here", "open")
    shown = bot.order(table, "sit", 403, seat=1)
    assert (shown["code"], shown["scope"]) == ("account/scope", "table:play")
    answer = bot.http.get(f"/api/tables/{table}/stream")
    assert (answer.status_code, answer.json()["scope"]) == (403, "table:read")
    for path in ("/api/account/devices", "/api/account/tokens", "/api/account/export", "/api/moderation"):
        shown = bot.http.get(path).json()
        assert shown["code"] == "account/no-program", path
    with bot.open(table) as socket:
        assert socket.receive()["scope"] == "table:read"
        assert close_frame(socket).code == 4403


def test_socket_of_a_token_takes_what_it_allows(server: Server) -> None:
    bot, _ = program(server, "table:read")
    table = server.browser().create("here", "open")
    with bot.open(table) as socket:
        assert socket.receive()["type"] == "table"
        assert socket.ask("sit", seat=1)["code"] == "account/scope"
        assert socket.ask("say", phrase="hello")["scope"] == "chat"


def test_request_with_a_token_needs_no_look_at_its_origin_and_no_cookie(server: Server) -> None:
    browser, name = server.member()
    bot, other = program(server)
    bot.http.headers["Origin"] = "https://elsewhere.example"
    bot.http.cookies.set("ekoes", browser.http.cookies["ekoes"])
    assert bot.http.get("/api/account").json()["name"] == other != name
    answer = browser.http.post(
        "/api/account/tokens", json={}, headers={"Origin": "https://elsewhere.example"}
    )
    assert (answer.status_code, answer.json()["code"]) == (403, "message/foreign-origin")


def test_two_programs_challenge_play_talk_and_hear_of_the_end(server: Server) -> None:
    (ada, name), (bo, other) = program(server), program(server)
    seats = [{"kind": "here"}, {"kind": "account", "account": other.lower()}]
    options = {"players": 2, "seed": 1, "variants": []}
    with ada.read("/api/bot/stream") as hears, bo.read("/api/bot/stream") as asked:
        made = ada.post("/api/challenges", 201, game="eko", options=options, seats=seats)
        shown = asked.wait("challenge")["challenge"]
        assert (shown["by"], shown["yours"]) == (name, False)
        assert [(seat["name"], seat["accepted"]) for seat in shown["seats"]] == [(name, True), (other, False)]
        assert ada.post(f"/api/challenges/{made['id']}/accept", 404)["code"] == "account/no-challenge"
        table = bo.post(f"/api/challenges/{made['id']}/accept")["table"]
        assert hears.wait("started") == {"type": "started", "table": table, "game": "eko", "seats": [0]}
        assert hears.wait("challenge-gone")["table"] == table
        assert asked.wait("started")["seats"] == [1]
        with (
            ada.read(f"/api/tables/{table}/stream?chat=true") as own,
            bo.read(f"/api/tables/{table}/stream") as seen,
        ):
            own.wait("chat")
            seen.wait("table")
            version = decide(ada, table, own, 0)["version"]
            assert seen.wait("update")["version"] == version
            assert seen.table["seats"][0]["name"] == name
            stale = ada.order(table, "end_turn", 409, version=0, seat=0)
            assert stale["code"] == "table/stale"
            bo.post(f"/api/tables/{table}/say", 204, key="hello", phrase="hello")
            assert own.wait("said")["line"]["phrase"] == "hello"
            assert bo.http.get(f"/api/tables/{table}/chat").json()["lines"][0]["yours"] is True
            bo.order(table, "resign", version=version, seat=1)
        assert hears.wait("over")["table"] == table
        assert asked.wait("over")["table"] == table


def test_legal_actions_are_listed_on_request_for_the_own_seat_to_decide(server: Server) -> None:
    (ada, _), (bo, other) = program(server), program(server)
    seats = [{"kind": "here"}, {"kind": "account", "account": other}]
    options = {"players": 2, "seed": 1, "variants": []}
    made = ada.post("/api/challenges", 201, game="eko", options=options, seats=seats)
    table = bo.post(f"/api/challenges/{made['id']}/accept")["table"]
    path = f"/api/tables/{table}"
    listed = [one.http.get(f"{path}?actions=full").json()["own"]["actions"] for one in (ada, bo)]
    shown = ada.http.get(path).json()
    assert "own" not in shown
    legal = EKO.from_json(shown["state"]["position"]).legal(0)
    assert listed[1] == {}
    assert {EKO.parse_action(action) for action in listed[0].pop("0")} == set(legal)
    assert listed[0] == {}
    with ada.read(f"{path}/stream?actions=full") as own, bo.read(f"{path}/stream") as plain:
        (actions,) = own.wait("table")["own"]["actions"].values()
        plain.wait("table")
        ada.order(table, "act", version=own.table["version"], seat=0, action=actions[-1])
        assert own.wait("update")["own"]["actions"].keys() == {"0"} & set(map(str, own.state["asked"]))
        assert "actions" not in plain.wait("update").get("own", {})
    spectator = server.browser()
    assert spectator.get(f"{path}?actions=full")["own"] == {"actions": {}}
    wrong = ada.http.get(f"{path}?actions=all")
    assert (wrong.status_code, wrong.json()["field"]) == (422, "actions")


def test_challenges_are_declined_taken_back_and_refused(server: Server) -> None:
    (ada, name), (bo, other) = program(server), program(server)
    plan: Json = {"game": "ekko", "options": {"players": 2}}
    seats = [{"kind": "account", "account": other}, {"kind": "here"}]
    with ada.read("/api/bot/stream") as hears:
        first = ada.post("/api/challenges", 201, **plan, seats=seats)["id"]
        (known,) = bo.http.get("/api/challenges").json()["challenges"]
        assert (known["id"], known["game"]) == (first, "ekko")
        bo.post(f"/api/challenges/{first}/decline", 204)
        assert hears.wait("challenge-gone")["reason"] == "declined"
        second = ada.post("/api/challenges", 201, **plan, seats=seats)["id"]
        assert ada.http.delete(f"/api/challenges/{second}").status_code == 204
        assert hears.wait("challenge-gone")["reason"] == "cancelled"
    assert bo.http.get("/api/challenges").json()["challenges"] == []
    alone = [{"kind": "here"}, {"kind": "account", "account": name}]
    assert ada.post("/api/challenges", 422, **plan, seats=alone)["code"] == "account/challenge"
    nobody = [{"kind": "here"}, {"kind": "account", "account": "Nobody at all"}]
    assert ada.post("/api/challenges", 404, **plan, seats=nobody)["code"] == "account/unknown"
    rated = {"players": 2, "rated": True}
    shown = ada.post("/api/challenges", 403, game="eko", options=rated, seats=seats)
    assert shown["code"] == "account/program-rated"


def test_table_stream_has_the_own_hand_alone(server: Server) -> None:
    (ada, _), (bo, other) = program(server), program(server)
    seats = [{"kind": "here"}, {"kind": "account", "account": other}]
    challenge = ada.post("/api/challenges", 201, game="ekko", options={"players": 2}, seats=seats)
    table = bo.post(f"/api/challenges/{challenge['id']}/accept")["table"]
    with ada.read(f"/api/tables/{table}/stream") as own, bo.read(f"/api/tables/{table}/stream") as others:
        for number, reading in enumerate((own, others)):
            reading.wait("table")
            while not reading.state["hands"]:
                reading.wait("update")
            assert list(reading.state["hands"]) == [str(number)]


def test_a_stream_ends_with_its_token_and_with_the_server(own_server: Server) -> None:
    browser, _ = own_server.member()
    made, stored = token_of(browser), token_of(browser)
    bot, other = (Program(own_server.address, one["token"]) for one in (made, stored))
    with bot.read("/api/bot/stream") as reading, other.read("/api/bot/stream") as goes_on:
        browser.http.delete(f"/api/account/tokens/{made['id']}")
        assert reading.next() is None
        own_server.stop()
        assert goes_on.next() is None


def test_account_is_marked_as_a_bot_before_it_has_played_and_is_shown_as_one(server: Server) -> None:
    browser, name = server.member()
    assert post(browser, "/api/account/program", 200) == {"program": True}
    assert browser.get("/api/account")["program"] is True
    assert browser.get(f"/api/profile?name={name}")["program"] is True
    bot = Program(server.address, token_of(browser)["token"])
    table = server.browser().create("open", "open", public=True)
    person, _ = server.member()
    with lobby(person) as watching, bot.read(f"/api/tables/{table}/stream") as reading:
        bot.order(table, "sit", seat=0)
        reading.wait("table")
        while not reading.table["seats"][0].get("program"):
            reading.wait("update", "table")
        assert reading.table["seats"][0]["name"] == name
        shown = watching.until(lambda known: table in known["tables"])["tables"][table]
        assert shown["seats"][0]["program"] is True
    with person.open(table) as socket:
        assert socket.ask("sit", seat=1)["type"] == "ack"
        assert "program" not in socket.table["seats"][1]
    shown = post(person, "/api/account/program", 409)
    assert shown["code"] == "account/played"


def test_bot_accounts_that_take_challenges_are_listed_with_a_rating_from_unrated_games(
    server: Server,
) -> None:
    (browser, name), (person, other) = server.member(), server.member()
    post(browser, "/api/account/program", 200)
    bot, not_marked = Program(server.address, token_of(browser)["token"]), program(server)[0]
    with lobby(person) as watching:
        with bot.read("/api/bot/stream") as asked, not_marked.read("/api/bot/stream"):
            known = watching.until(lambda known: any(one["name"] == name for one in known["people"].values()))
            (shown,) = [one for one in known["people"].values() if one["name"] == name]
            assert shown == {"name": name, "account": True, "program": True, "listens": True}
            assert person.get("/api/bots") == {"bots": [{"name": name, "ratings": []}]}
            challenge(person, name)
            made = asked.wait("challenge")["challenge"]["id"]
            table = bot.post(f"/api/challenges/{made}/accept")["table"]
            with person.open(table) as socket:
                assert socket.order("resign", seat=0)["type"] == "ack"
            (listed,) = person.get("/api/bots")["bots"]
            (rating,) = listed["ratings"]
            assert (rating["game"], rating["games"], rating["won"]) == ("eko", 1, 1)
            assert rating["rating"] > 1500
        watching.until(lambda known: all(one["name"] != name for one in known["people"].values()))
    assert person.get("/api/bots") == {"bots": []}
    assert person.get(f"/api/profile?name={name}")["ratings"] == [rating]
    assert person.get(f"/api/profile?name={other}")["ratings"] == []


def test_programs_play_no_rated_games(server: Server) -> None:
    person, _ = server.member()
    plan = {"game": "eko", "options": {"players": 2, "rated": True}}
    seats = [{"kind": "here"}, {"kind": "open"}]
    table = post(person, "/api/tables", 201, **plan, seats=seats)["id"]
    bot, _ = program(server)
    assert bot.order(table, "sit", 403, seat=1)["code"] == "account/program-rated"
    assert bot.post("/api/tables", 403, **plan, seats=seats)["code"] == "account/program-rated"
    marked, _ = server.member()
    post(marked, "/api/account/program", 200)
    with marked.open(table) as socket:
        assert socket.ask("sit", seat=1)["code"] == "account/program-rated"
    by_hand = Program(server.address, token_of(person)["token"])
    shown = by_hand.order(table, "resign", 403, seat=0, version=0)
    assert shown["code"] == "account/program-rated"
    token = token_of(person, "lobby")["token"]
    with lobby(person, headers={"Authorization": f"Bearer {token}"}) as seeking:
        assert seeking.ask("seek", **plan)["code"] == "account/program-rated"


def test_a_guest_may_play_by_requests_too(server: Server) -> None:
    guest = server.browser()
    table = guest.create("here", "greedy")
    with httpx.Client(base_url=server.address, cookies=guest.http.cookies, timeout=60) as client:
        state = client.get(f"/api/tables/{table}").json()
        order = {"type": "resign", "key": "enough", "version": state["version"], "seat": 0}
        assert client.post(f"/api/tables/{table}/orders", json=order).json()["version"] > state["version"]
        wrong = client.post(f"/api/tables/{table}/orders", json=order | {"key": "more", "seat": "x"})
        assert (wrong.status_code, wrong.json()["field"]) == (422, "seat")
