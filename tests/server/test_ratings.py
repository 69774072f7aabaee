"""Rated tables: who may play there, what a game changes, and who sees it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from tests.kit import race
from tests.kit.client import PASSWORD, Browser, Socket, challenge, lobby, play_together, post
from tests.kit.programs import Program, token_of
from tests.kit.server import Server
from tests.kit.tournaments import join, look, make, start

RATED: dict[str, Any] = {"seed": None, "rated": True}
SEEK: dict[str, Any] = {"game": "eko", "options": {"players": 2, "rated": True}}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server where all players come from one address."""
    with Server(tmp_path_factory.mktemp("ratings"), "--one-house") as server:
        yield server


def refused(browser: Browser, *seats: str, game: str = "eko", **options: Any) -> tuple[int, str, str]:
    """Ask for a rated table that can't be had; return status, code and key."""
    known = {"here": {"kind": "here"}, "open": {"kind": "open"}}
    plans = [known.get(seat, {"kind": "bot", "bot": seat}) for seat in seats]
    wish = {"game": game, "options": {"players": len(seats), "rated": True} | options, "seats": plans}
    answer = browser.http.post("/api/tables", json=wish)
    return answer.status_code, answer.json()["code"], answer.json()["field"]


def decide_twice(here: Socket, there: Socket) -> None:
    """Let two play until each has decided twice, after which their game counts."""
    while "abort" not in here.state:
        here.receive()
    while "abort" in here.state:
        play_together(here, there, 1)


def played(one: Browser, other: Browser) -> str:
    """Play a rated game that the second one gives up; return its table."""
    table = one.create("here", "open", **RATED)
    with one.open(table) as here, other.open(table) as socket:
        assert socket.ask("sit", seat=1)["type"] == "ack"
        decide_twice(here, socket)
        assert socket.order("resign", seat=1)["type"] == "ack"
    return table


def test_rated_game_changes_both_ratings_and_profiles(server: Server) -> None:
    (ada, first), (bo, second) = server.member(), server.member()
    table = played(ada, bo)
    shown = ada.get(f"/api/tables/{table}/result")
    assert shown["rated"]
    assert [seat["name"] for seat in shown["seats"]] == [first, second]
    before, after = ([seat[when]["rating"] for seat in shown["seats"]] for when in ("before", "after"))
    assert before == [1500, 1500]
    assert after[0] > 1500 > after[1]
    for browser, name, rating, won in ((bo, first, after[0], 1), (ada, second, after[1], 0)):
        profile = browser.get(f"/api/profile?name={name}")
        (standing,) = profile["ratings"]
        assert (standing["rating"], standing["games"], standing["won"]) == (rating, 1, won)
        assert standing["provisional"]
        assert profile["between"] == {"won": 1 - won, "lost": won, "even": 0}
        (game,) = browser.get(f"/api/profile/games?name={name}")["games"]
        assert game["table"] == table
        (point,) = browser.get(f"/api/profile/curve/eko/2/untimed?name={name}")["points"]
        assert point["rating"] == rating
    assert ada.get(f"/api/profile?name={first}")["you"]


def test_seats_show_the_ratings_before_the_game_to_every_viewer(server: Server) -> None:
    (ada, first), (bo, _) = server.member(), server.member()
    new = {"rating": 1500, "deviation": 250, "provisional": True}
    casual = ada.create("here", {"kind": "bot", "bot": "random"})
    with server.browser().open(casual) as socket:
        assert all("rating" not in seat for seat in socket.table["seats"])
    table = ada.create("here", "open", **RATED)
    watcher = server.browser()
    with ada.open(table) as here, bo.open(table) as there, watcher.open(table) as seen:
        assert there.ask("sit", seat=1)["type"] == "ack"
        decide_twice(here, there)
        assert there.order("resign", seat=1)["type"] == "ack"
        seen.until(there.version)
        assert seen.state["outcome"]
        assert [seat["rating"] for seat in seen.table["seats"]] == [new, new]
    rating = ada.get(f"/api/profile?name={first}")["ratings"][0]["rating"]
    with watcher.open(ada.create("here", "open")) as seen:
        assert [seat.get("rating", {}).get("rating") for seat in seen.table["seats"]] == [rating, None]


def test_result_is_available_after_the_game(server: Server) -> None:
    ada, _ = server.member()
    table = ada.create("here", "open", **RATED)
    assert ada.get(f"/api/tables/{table}/result", 409)["code"] == "table/not-over"


def test_rated_table_needs_accounts_to_create_and_to_join(server: Server) -> None:
    guest, (ada, first) = server.browser(), server.member()
    assert refused(guest, "here", "open") == (401, "table/rated-account", "rated")
    table = ada.create("here", "open", **RATED)
    with guest.open(table) as socket:
        assert socket.table["options"]["rated"]
        assert socket.table["seats"][0]["name"] == first
        assert socket.ask("sit", seat=1)["code"] == "table/rated-account"
    with ada.open(table) as socket:
        assert socket.ask("sit", seat=1)["code"] == "table/rated"


@pytest.mark.parametrize(
    ("seats", "options", "key"),
    [
        (("here", "greedy"), {}, "seats"),
        (("here", "here"), {}, "seats"),
        (("here", "open"), {"seed": 7}, "seed"),
        (("here", "open"), {"turn_limit": 7}, "turn_limit"),
    ],
)
def test_unratable_tables_are_refused_by_field(
    server: Server, seats: tuple[str, ...], options: dict[str, Any], key: str
) -> None:
    assert refused(server.member()[0], *seats, **options) == (422, "table/rated", key)


def test_rated_seats_have_account_names_and_cannot_be_passed_on(server: Server) -> None:
    (ada, first), (bo, second) = server.member(), server.member()
    table = ada.create({"kind": "here", "name": "Somebody"}, "open", **RATED)
    with bo.open(table) as socket:
        assert socket.ask("sit", seat=1, name="Ada")["type"] == "ack"
        assert [seat["name"] for seat in socket.table["seats"]] == [first, second]
        assert socket.ask("rename", seat=1, name="Ada")["code"] == "table/rated"
    assert post(ada, f"/api/tables/{table}/seats/0/pass", 409)["code"] == "account/own-seat"


def test_two_at_one_address_play_no_rated_game(own_server: Server) -> None:
    (ada, _), (bo, _) = own_server.member(), own_server.member()
    table = ada.create("here", "open", **RATED)
    sit = {"type": "sit", "key": "sit", "seat": 1}
    assert post(bo, f"/api/tables/{table}/orders", 403, **sit)["code"] == "table/rated-address"
    with bo.open(table) as socket:
        assert socket.ask("sit", seat=1)["code"] == "table/rated-address"
    tournament = make(ada, options={"rated": True})
    for browser in (ada, bo):
        join(browser, tournament)
    start(ada, tournament)
    (game,) = look(ada, tournament)["rounds"]["1"]
    assert "rated" not in ada.get(f"/api/tables/{game['table']}")["options"]
    with lobby(ada) as here, lobby(bo) as there:
        here.ask("seek", **SEEK)
        there.ask("seek", **SEEK)
        there.until(lambda known: [one["waiting"] for one in known["seeking"].values()] == [2])


def test_games_without_decisions_change_no_rating_and_can_be_aborted(server: Server) -> None:
    (ada, first), (bo, _) = server.member(), server.member()

    def give(browser: Browser, table: str, kind: str, status: int = 200, **content: Any) -> Any:
        order = {"type": kind, "key": kind, **content}
        return post(browser, f"/api/tables/{table}/orders", status, **order)

    for kind, content in (("resign", {"version": 0}), ("abort", {})):
        table = ada.create("here", "open", **RATED)
        assert give(ada, table, "abort", 422, seat=0)["code"] == "table/no-abort"
        give(bo, table, "sit", seat=1)
        assert give(bo, table, "abort", 422, seat=0)["code"] == "table/not-your-seat"
        assert ada.get(f"/api/tables/{table}")["state"]["abort"] == {"until": None}
        give(bo, table, kind, seat=1, **content)
        assert "abort" not in ada.get(f"/api/tables/{table}")["state"]
    outcome = ada.get(f"/api/tables/{table}")["state"]["outcome"]
    assert outcome == {"winners": [], "reason": "aborted", "rule": None}
    profile = ada.get(f"/api/profile?name={first}")
    assert profile["ratings"] == []
    (game,) = ada.get(f"/api/profile/games?name={first}")["games"]
    assert (game["reason"], game["rated"]) == ("resignation", False)
    assert ada.http.get(f"/api/tables/{table}/result").json()["code"] == "table/not-over"
    assert ada.http.get(f"/api/tables/{table}/record").text.endswith("result: open\n")


def test_rematch_of_a_rated_game_is_rated(server: Server) -> None:
    (ada, _), (bo, second) = server.member(), server.member()
    table = played(ada, bo)
    with ada.open(table) as one, bo.open(table) as two:
        one.ask("rematch", seat=0)
        two.ask("rematch", seat=1)
        while not (again := two.state["rematch"]["table"]):
            two.receive()
    with ada.open(again) as here, bo.open(again) as socket:
        assert socket.table["options"]["rated"]
        assert socket.table["options"]["seed"] != two.table["options"]["seed"]
        decide_twice(here, socket)
        (seat,) = (seat["seat"] for seat in socket.table["seats"] if seat["yours"])
        assert socket.order("resign", seat=seat)["type"] == "ack"
    assert bo.get(f"/api/profile?name={second}")["ratings"][0]["games"] == 2


@pytest.mark.long
def test_games_by_link_are_listed_for_their_players_only(server: Server) -> None:
    (ada, first), (bo, _) = server.member(), server.member()
    table = ada.create("here", "open")
    with bo.open(table) as socket:
        socket.ask("sit", seat=1)
        socket.order("resign", seat=1)
    games = [
        [game["table"] for game in eye.get(f"/api/profile/games?name={first}")["games"]]
        for eye in (ada, bo, server.browser())
    ]
    assert games == [[table], [table], []]
    assert ada.get(f"/api/profile?name={first}")["ratings"] == []


@pytest.mark.long
def test_leaderboard_lists_players_with_a_certain_rating(server: Server) -> None:
    (ada, first), (bo, second) = server.member(), server.member()
    for number in range(18):
        played(*((bo, ada) if number % 3 == 2 else (ada, bo)))
    leaders = ada.get("/api/ratings/eko/2/untimed")["leaders"]
    assert [it["name"] for it in leaders] == [first, second]
    assert leaders[0]["games"] == 18
    pools = ada.get("/api/ratings")["pools"]
    assert {"game": "eko", "players": 2, "tempo": "untimed"}.items() <= pools[0].items()


def test_profile_of_an_unknown_name_is_404(server: Server) -> None:
    assert server.browser().get("/api/profile?name=nobody at all", 404)["code"] == "account/unknown"


def test_race_between_accounts_is_rated_apart_from_the_calm_mode(server: Server) -> None:
    (ada, first), (bo, _) = server.member(), server.member()
    for calm in (False, True):
        table = ada.create_race("here", "open", rated=True, calm=calm)
        with ada.open(table) as here, bo.open(table) as socket:
            assert socket.ask("sit", seat=1)["type"] == "ack"
            while "abort" not in here.state:
                here.receive()
            while "abort" in here.state:
                if not (race.act(here, 0) or race.act(socket, 1)):
                    here.receive()
                newest = max(here.version, socket.version)
                here.until(newest)
                socket.until(newest)
            assert socket.ask("resign", seat=1)["type"] == "ack"
    ratings = ada.get(f"/api/profile?name={first}")["ratings"]
    assert {(it["game"], it["tempo"]) for it in ratings} == {("ekko", "calm"), ("ekko", "live")}


def test_deleted_account_leaves_no_profile(server: Server) -> None:
    (ada, first), (bo, second) = server.member(), server.member()
    table = played(ada, bo)
    post(ada, "/api/account/delete", password=PASSWORD)
    assert bo.http.get(f"/api/profile?name={first}").status_code == 404
    seats = bo.get(f"/api/tables/{table}/result")["seats"]
    assert [seat["name"] for seat in seats] == ["", second]


def test_quick_rated_game_brings_accounts_together_and_counts(server: Server) -> None:
    (ada, first), (bo, second) = server.member(), server.member()
    with lobby(ada) as here, lobby(bo) as there:
        assert here.ask("seek", **SEEK)["type"] == "ack"
        here.until(lambda known: any(one.get("rated") for one in known["seeking"].values()))
        assert there.ask("seek", **SEEK)["type"] == "ack"
        table = here.wait("paired")["table"]
    with ada.open(table) as socket, bo.open(table) as other:
        decide_twice(socket, other)
        seats = socket.table["seats"]
        assert {seat["name"] for seat in seats} == {first, second}
        (own,) = [seat["seat"] for seat in seats if seat["yours"]]
        assert socket.order("resign", seat=own)["type"] == "ack"
    after = {
        seat["name"]: seat["after"]["rating"] for seat in ada.get(f"/api/tables/{table}/result")["seats"]
    }
    assert after[first] < 1500 < after[second]


def test_seekers_of_a_rated_game_at_one_address_are_told_at_once(own_server: Server) -> None:
    (ada, _), (bo, _) = own_server.member(), own_server.member()
    with lobby(ada) as here, lobby(bo) as there:
        for socket in (here, there):
            socket.send("seek", key="rated", **SEEK)
        here.wait("same-network")
        there.wait("same-network")
        for socket in (here, there):
            socket.send("seek", key="unrated", game="eko", options={"players": 2})
        assert here.wait("paired")["table"] == there.wait("paired")["table"]


def test_quick_rated_game_is_for_accounts_without_bots(server: Server) -> None:
    ada, _ = server.member()
    with lobby(server.browser(), "Eve") as guest, lobby(ada) as here:
        assert guest.ask("seek", **SEEK)["code"] == "table/rated-account"
        with_bots = here.ask("seek", **SEEK, bots={"bot": "casual", "after": 0})
        assert (with_bots["code"], with_bots["field"]) == ("table/rated", "bots")
        dealt = here.ask("seek", game="eko", options=SEEK["options"] | {"seed": 3})
        assert (dealt["code"], dealt["field"]) == ("table/rated", "seed")


asked = partial(challenge, rated=True)


def test_three_players_accept_a_rated_challenge(server: Server) -> None:
    (ada, first), (bo, second), (eve, third) = server.member(), server.member(), server.member()
    made = asked(ada, second, third)
    assert made["rated"]
    accept = f"/api/challenges/{made['id']}/accept"
    assert post(eve, accept, 200)["table"] is None
    table = post(bo, accept, 200)["table"]
    with ada.open(table) as socket:
        assert [seat["name"] for seat in socket.table["seats"]] == [first, second, third]
        assert socket.table["options"]["rated"]
        assert [seat["taken"] for seat in socket.table["seats"]] == [True] * 3


def test_an_invitation_to_a_rated_game_is_for_people_with_names_and_no_board_of_ones_choice(
    server: Server,
) -> None:
    (ada, _), (bo, second) = server.member(), server.member()
    made = asked(ada, second)
    answer = Program(server.address, token_of(bo)["token"]).post(f"/api/challenges/{made['id']}/accept", 403)
    assert answer["code"] == "account/program-rated"
    options = {"players": 2, "rated": True}
    seats = [{"kind": "here"}, {"kind": "account", "account": second}]
    answer = Program(server.address, token_of(ada)["token"]).post(
        "/api/challenges", 403, game="eko", options=options, seats=seats
    )
    assert answer["code"] == "account/program-rated"
    post(bo, f"/api/challenges/{made['id']}/accept", 200)
    assert asked(ada, second, status=422, seed=3)["field"] == "seed"
    with_bot = [*seats, {"kind": "bot", "bot": "random"}]
    wish = {"players": 3, "rated": True}
    assert post(ada, "/api/challenges", 422, game="eko", options=wish, seats=with_bot)["field"] == "seats"
    bot, name = server.member()
    post(bot, "/api/account/program", 200)
    assert asked(ada, name, status=403)["code"] == "account/program-rated"
