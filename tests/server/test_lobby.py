"""The lobby over WebSocket: what is sent to whom, and pairing."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from ekoes.server.realtime.connection import LARGE
from tests.kit.client import Browser, Json, challenge, inbox, lobby, new_name, post, sign_up
from tests.kit.server import Server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of this file's own, as it shows who is connected."""
    with Server(tmp_path_factory.mktemp("lobby")) as server:
        yield server


def test_public_table_is_listed_from_creation_to_its_end(
    server: Server,
) -> None:
    ada, bo, eve = server.browser(), server.browser(), server.browser()
    with lobby(eve) as watching, lobby(ada), lobby(bo):
        table = ada.create({"kind": "here", "name": "Ada"}, "open", public=True, variants=["wind"])
        seen = watching.until(lambda known: table in known["tables"])["tables"][table]
        assert (seen["game"], seen["open"], seen["options"]) == (
            "eko",
            True,
            {"variants": ["wind"]},
        )
        assert [(seat["name"], seat["taken"]) for seat in seen["seats"]] == [("Ada", True), ("", False)]
        with bo.open(table) as there, ada.open(table) as here:
            assert there.ask("sit", seat=1, name="Bo")["type"] == "ack"
            seen = watching.until(lambda known: not known["tables"][table]["open"])["tables"][table]
            assert seen["seats"][1]["name"] == "Bo"
            assert here.order("resign", seat=0)["type"] == "ack"
            watching.until(lambda known: table not in known["tables"])


def test_table_is_listed_while_one_of_its_players_is_connected(own_server: Server) -> None:
    ada, eve = own_server.browser(), own_server.browser()
    with lobby(ada) as own:
        table = ada.create("here", "open", public=True)
        own.until(lambda known: table in known["tables"])
    own_server.stop()
    own_server.start()
    with lobby(eve) as watching:
        assert watching.known["tables"] == {}
        with lobby(ada) as own:
            assert list(own.known["own"]) == [table]
            watching.until(lambda known: table in known["tables"])


def test_lobby_names_users_and_counts_guests(server: Server) -> None:
    ada, bo, eve = server.browser(), server.browser(), server.browser()
    sign_up(bo, "Bo of the lobby")
    with lobby(eve) as watching:
        with lobby(ada, "Ada of the lobby") as own, lobby(bo, "somebody else") as named:
            names = {"Ada of the lobby", "Bo of the lobby"}
            seen = watching.until(lambda known: names <= {one["name"] for one in known["people"].values()})
            assert sorted(one.get("account", False) for one in seen["people"].values()) == [False, True]
            assert seen["counts"]["guests"] >= 1
            assert ada.cookie.split("=")[1].split(".")[0] not in str(seen)
            assert own.ask("hello", name="")["type"] == "ack"
            watching.until(lambda known: len(known["people"]) == 1)
            named.until(lambda known: len(known["people"]) == 1)
        watching.until(lambda known: not known["people"])


def test_large_lobby_diffs_reach_sockets_with_and_without_compression(
    server: Server,
) -> None:
    ada, bo, eve = server.browser(), server.browser(), server.browser()
    with lobby(bo) as one, lobby(eve, compression=None) as other, lobby(ada):
        tables = {ada.create_race("here", "open", "open", "open", public=True) for _ in range(30)}
        for watching in (one, other):
            watching.until(lambda known: tables <= known["tables"].keys())
        with lobby(eve, compression=None) as late, lobby(bo) as later:
            last = ada.create_race("here", "open", public=True)
            for watching in (one, other, late, later):
                watching.until(lambda known: last in known["tables"])
            lists = [
                {table: watching.known["tables"][table] for table in tables}
                for watching in (one, other, late, later)
            ]
            assert all(shown == lists[0] for shown in lists)  # other tables may change meanwhile
            assert len(str(late.known)) > LARGE


def test_seekers_of_the_same_game_are_paired(server: Server) -> None:
    ada, bo, eve = server.browser(), server.browser(), server.browser()
    game = {"game": "ekko", "options": {"players": 2}}
    with lobby(ada, "Ada") as adas, lobby(bo) as bos, lobby(eve) as watching:
        assert adas.ask("seek", **game)["type"] == "ack"
        waiting = watching.until(lambda known: known["seeking"])["seeking"]
        assert list(waiting.values()) == [game | {"options": {}, "players": 2, "waiting": 1}]
        assert bos.ask("seek", game="ekko", options={"players": 3})["type"] == "ack"
        slow = {"players": 2, "clock": {"days": 1, "up": "bot"}}
        assert bos.ask("seek", game="eko", options=slow)["type"] == "ack"
        seen = watching.until(lambda known: any(one["game"] == "eko" for one in known["seeking"].values()))
        assert [one.get("clock") for one in seen["seeking"].values()] == [None, slow["clock"]]
        assert bos.ask("unseek")["type"] == "ack"
        watching.until(lambda known: [one["game"] for one in known["seeking"].values()] == ["ekko"])
        assert bos.ask("seek", **game, name="Bo")["type"] == "ack"
        table = adas.wait("paired")["table"]
        assert bos.wait("paired")["table"] == table
        watching.until(lambda known: not known["seeking"] and not known["tables"][table]["open"])
        seats = ada.get(f"/api/tables/{table}")["seats"]
        assert {seat["name"]: seat["yours"] for seat in seats} == {"Ada": True, "Bo": False}


def test_an_account_sits_down_by_its_own_name(server: Server) -> None:
    ada, bo = server.browser(), server.browser()
    sign_up(ada, "Ada the Great")
    game = {"game": "ekko", "options": {"players": 2, "calm": True}}
    with lobby(ada, "Bo") as adas, lobby(bo) as bos:
        assert adas.ask("seek", **game, name="Bo")["type"] == "ack"
        assert bos.ask("seek", **game, name="Bo")["type"] == "ack"
        seats = bo.get(f"/api/tables/{bos.wait('paired')['table']}")["seats"]
        assert sorted(seat["name"] for seat in seats) == ["Ada the Great", "Bo"]


@pytest.mark.parametrize(
    ("message", "code", "field"),
    [
        ({"game": "chess", "options": {"players": 2}}, "message/bad-type", "game"),
        ({"game": "eko", "options": {"players": 7}}, "table/bad-seats", "players"),
        ({"game": "eko", "options": {}}, "table/bad-seats", "players"),
        ({"game": "eko", "options": {"players": 2, "speed": 1}}, None, "speed"),
        (
            {"game": "eko", "options": {"players": 2}, "bots": {"bot": "hal", "after": 1}},
            "table/bad-seats",
            "bot",
        ),
        (
            {"game": "eko", "options": {"players": 2}, "bots": {"bot": "greedy", "after": -1}},
            None,
            "bots.after",
        ),
        ({"game": "eko", "options": {"players": 2, "rated": True}}, "table/rated-account", "rated"),
        ({"game": "eko"}, None, "options"),
    ],
)
def test_seek_of_an_invalid_game_is_refused(
    browser: Browser, message: Json, code: str | None, field: str | None
) -> None:
    with lobby(browser) as here:
        answer = here.ask("seek", **message)
        assert answer["type"] == "error"
        assert code is None or answer["code"] == code
        assert answer.get("field") == field
        assert here.ask("hello", name="Ada")["type"] == "ack"


def test_blocked_users_are_not_paired(
    server: Server,
) -> None:
    ada, bo, eve = server.browser(), server.browser(), server.browser()
    table = ada.create("here", "open")
    with bo.open(table) as socket:
        assert socket.ask("sit", seat=1)["type"] == "ack"
    sign_up(ada, "Ada who blocks")
    post(ada, "/api/relations/block", 201, table=table, seat=1)
    game = {"game": "ekko", "options": {"players": 2}}
    with lobby(ada) as adas, lobby(bo) as bos, lobby(eve) as eves:
        assert bos.ask("seek", **game, name="Bo")["type"] == "ack"
        assert adas.ask("seek", **game)["type"] == "ack"
        eves.until(lambda known: [one["waiting"] for one in known["seeking"].values()] == [2])
        assert eves.ask("seek", **game, name="Eve")["type"] == "ack"
        assert bos.wait("paired")["table"] == eves.wait("paired")["table"]
        adas.until(lambda known: [one["waiting"] for one in known["seeking"].values()] == [1])


def test_challenge_is_sent_to_challenger_and_challenged_alone(
    server: Server,
) -> None:
    ada, bo, eve = server.browser(), server.browser(), server.browser()
    sign_up(ada, "Ada who asks")
    sign_up(bo, "Bo who is asked")
    with lobby(ada) as adas, lobby(eve) as eves:
        made = challenge(ada, "Bo who is asked")["id"]
        assert adas.invitation()["yours"]
        with lobby(bo) as bos:
            seen = bos.invitation()
            assert (seen["id"], seen["by"], seen["yours"]) == (made, "Ada who asks", False)
            table = post(bo, f"/api/challenges/{made}/accept", 200)["table"]
            gone = bos.wait("challenge-gone")
            assert (gone, gone["table"]) == (adas.wait("challenge-gone"), table)
        eves.ask("hello", name="Eve")
        assert eves.invitations == []
    with ada.open(table) as socket:
        assert [seat["name"] for seat in socket.table["seats"]] == ["Ada who asks", "Bo who is asked"]


def test_challenge_reaches_every_page_of_an_account(server: Server) -> None:
    ada, bo, eve = server.browser(), server.browser(), server.browser()
    sign_up(ada, "Ada who invites")
    sign_up(bo, "Bo on another page")
    with inbox(bo) as bos, inbox(bo) as too, inbox(eve) as eves:
        made = challenge(ada, "Bo on another page")["id"]
        with inbox(bo) as later:
            assert [one.invitation()["id"] for one in (bos, too, later)] == [made] * 3
        table = post(bo, f"/api/challenges/{made}/accept", 200)["table"]
        assert bos.wait("challenge-gone")["table"] == too.wait("challenge-gone")["table"] == table
        assert bos.ask("hello", name="Bo")["code"] == "message/bad-type"
        assert eves.ask("hello", name="Eve")["code"] == "message/bad-type"
        assert eves.invitations == []


@pytest.mark.parametrize(
    ("clock", "lasts"),
    [
        (None, timedelta(minutes=10)),
        ({"base": 300, "increment": 5}, timedelta(minutes=10)),
        ({"days": 3}, timedelta(days=7)),
    ],
)
def test_challenge_by_correspondence_lasts_seven_days(
    server: Server, clock: dict[str, int] | None, lasts: timedelta
) -> None:
    ada, bo = server.browser(), server.browser()
    names = new_name(), new_name()
    sign_up(ada, names[0])
    sign_up(bo, names[1])
    before = datetime.now(UTC)
    ends = datetime.fromisoformat(challenge(ada, names[1], clock=clock)["ends"])
    assert before + lasts <= ends <= datetime.now(UTC) + lasts


def test_blocked_user_cannot_challenge(server: Server) -> None:
    ada, bo = server.browser(), server.browser()
    sign_up(ada, "Ada the blocked")
    sign_up(bo, "Bo the quiet")
    table = ada.create("here", "open")
    with bo.open(table) as socket:
        assert socket.ask("sit", seat=1)["type"] == "ack"
    made = challenge(ada, "Bo the quiet")["id"]
    post(bo, "/api/relations/block", 201, table=table, seat=0)
    assert challenge(ada, "Bo the quiet", status=403)["code"] == "account/apart"
    assert post(bo, f"/api/challenges/{made}/accept", 403)["code"] == "account/apart"
    post(bo, f"/api/challenges/{made}/decline", 204)
    with lobby(bo) as bos:
        bos.ask("hello", name="Bo")
        assert bos.invitations == []


def test_one_account_has_three_challenges_pending_to_another(server: Server) -> None:
    ada, bo, eve = server.browser(), server.browser(), server.browser()
    names = new_name(), new_name(), new_name()
    for browser, name in zip((ada, bo, eve), names, strict=True):
        sign_up(browser, name)
    for _ in range(3):
        challenge(ada, names[1])
    assert challenge(ada, names[1], status=429)["code"] == "account/too-many"
    challenge(ada, names[2])
    challenge(eve, names[1])


def test_rated_challenge_from_the_same_address_is_refused(
    server: Server,
) -> None:
    ada, bo = server.browser(), server.browser()
    sign_up(ada, "Ada of one house")
    sign_up(bo, "Bo of the same house")
    made = challenge(ada, "Bo of the same house", rated=True)["id"]
    assert post(bo, f"/api/challenges/{made}/accept", 403)["code"] == "table/rated-address"
    assert [one["id"] for one in bo.get("/api/challenges")["challenges"]] == [made]


def test_whoever_watches_is_sent_to_a_public_game_of_people(own_server: Server) -> None:
    ada, bo, eve = own_server.browser(), own_server.browser(), own_server.browser()
    sign_up(ada, "Ada the watched")
    bots = eve.get("/api/ekko/watch")["table"]
    assert bo.get("/api/ekko/watch") == {"table": bots, "game": "ekko"}
    assert {seat["kind"] for seat in eve.get(f"/api/tables/{bots}")["seats"]} == {"bot"}
    with lobby(ada), lobby(bo):
        table = ada.create_race({"kind": "here", "name": "Ada"}, "open", public=True)
        assert eve.get("/api/ekko/watch")["table"] == bots
        assert eve.get("/api/profile/playing?name=Ada the watched") == {"table": None, "game": None}
        with bo.open(table) as there:
            assert there.ask("sit", seat=1, name="Bo")["type"] == "ack"
        assert eve.get("/api/ekko/watch")["table"] == table
        assert eve.get("/api/profile/playing?name=Ada the watched") == {"table": table, "game": "ekko"}
    assert eve.get("/api/chess/watch", 422)["field"] == "game"
