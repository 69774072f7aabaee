"""Deals from a seed that nobody chose alone: parts of the players, and a check when the game is over."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from ekoes.cli.main import main
from ekoes.errors import EkoesError, RecordError
from ekoes.records import GameRecord, read_record, replay, write_record
from ekoes.tables.deal_check import check_deal
from ekoes.tables.deals import joint_seed
from tests.kit.client import Browser, Json, Socket, decide, lobby, new_name, picture, post, sign_up
from tests.kit.server import Pair, Server
from tests.kit.tournaments import join, look, make, start

ADA, BO = "a" * 32, "b" * 32


def create(browser: Browser, game: str, *seats: Json, **options: object) -> str:
    wish = {"players": len(seats), **options}
    made = post(browser, "/api/tables", 201, game=game, options=wish, seats=seats, gives_part=True)
    return str(made["id"])


def deal(browser: Browser, table: str) -> Json:
    found: Json = browser.get(f"/api/tables/{table}/deal")
    return found


def record(browser: Browser, table: str) -> GameRecord:
    return read_record(browser.http.get(f"/api/tables/{table}/record").text)


@pytest.fixture
def two(server: Server) -> Iterator[tuple[Browser, Browser, ExitStack]]:
    with ExitStack() as stack:
        yield server.browser(), server.browser(), stack


def begin(table: str, two: tuple[Browser, Browser, ExitStack]) -> tuple[Socket, Socket]:
    """Give both parts, the second one as the last seat is taken."""
    ada, bo, stack = two
    one, other = (stack.enter_context(browser.open(table)) for browser in (ada, bo))
    assert one.table["options"]["deal"] == "open"
    assert one.ask("give_part", seat=0, part=ADA)["type"] == "ack"
    assert one.ask("give_part", seat=0, part=BO)["code"] == "table/no-part", "another device of the player"
    assert other.ask("sit", seat=1, gives_part=True)["type"] == "ack"
    assert other.ask("give_part", seat=0, part=BO)["code"] == "table/not-your-seat"
    assert other.ask("give_part", seat=1, part="B")["code"] == "message/bad-type"
    assert other.ask("give_part", seat=1, part=BO)["type"] == "ack"
    for socket in (one, other):
        while socket.table["options"]["deal"] == "open":
            socket.receive()
    assert one.ask("give_part", seat=0, part=BO)["code"] == "table/no-part"
    return one, other


def dealt(socket: Socket) -> list[int]:
    """Wait for the cards; return those of the seat of this browser."""
    while not (hands := socket.state["hands"]) or not next(iter(hands.values()))["hand"]:
        socket.receive()
    cards: list[int] = next(iter(hands.values()))["hand"]
    return cards


def test_cards_follow_from_both_parts_and_a_secret_that_is_told_at_the_end(
    two: tuple[Browser, Browser, ExitStack], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ada, bo, _ = two
    table = create(ada, "ekko", {"kind": "here"}, {"kind": "open"})
    promised = deal(bo, table)
    assert promised.keys() == {"commitment"}
    one, other = begin(table, two)
    hand = dealt(one)
    assert deal(ada, table) == promised
    other.ask("resign", seat=1)
    told = deal(bo, table)
    assert sha256(bytes.fromhex(told["secret"])).hexdigest() == promised["commitment"]
    assert (told["parts"], told["table"]) == (f"{ADA} {BO}", table)
    played = record(bo, table)
    found = check_deal(played)
    assert (found.commitment, found.parts, found.rounds) == (promised["commitment"], (ADA, BO), 1)
    assert found.faults == ()
    assert list(replay(played))[1].to_json()["hands"][0] == hand

    file = tmp_path / "game.txt"
    for part, status, says in ((ADA, 0, "fair: the start and the deals"), (BO, 1, "NOT as the parts say")):
        file.write_text(
            write_record(replace(played, tags={**played.tags, "DealParts": f"{part} {BO}"})), "utf-8"
        )
        assert main(["verify", str(file)]) == status
        assert says in capsys.readouterr().out

    def faults(**tags: str) -> tuple[str, ...]:
        return check_deal(replace(played, tags={**played.tags, **tags})).faults

    assert "the parts give another deal in round 1" in faults(DealSecret="0" * 64)
    assert "the parts give another deal in round 1" in faults(DealParts=f"{BO} {ADA}")
    assert "the parts give another deal in round 1" in faults(DealTable="another")
    malformed = {"DealSecret": "", "DealParts": ADA, "DealFirst": "3", "DealOptions": "["}
    for wrong in ({"DealOptions": "{}"}, *({name: text} for name, text in malformed.items())):
        with pytest.raises(EkoesError):
            faults(**wrong)

    one.ask("rematch", seat=0)
    other.ask("rematch", seat=1)
    while not (again := one.state["rematch"]["table"]):
        one.receive()
    assert deal(bo, again)["commitment"] != promised["commitment"]
    with ada.open(again) as first, bo.open(again) as second:
        seats = [[seat["seat"] for seat in one.table["seats"] if seat["yours"]] for one in (first, second)]
        first.ask("give_part", seat=seats[0][0], part=BO)
        second.ask("give_part", seat=seats[1][0], part=ADA)
        dealt(first)
        first.ask("resign", seat=seats[0][0])
    replayed = record(bo, again)
    assert check_deal(replayed).faults == ()
    starts = [one.start.to_json()["turn"]["dealer"] for one in (played, replayed)]
    holders = [ADA if seats[0] == [starts[1]] else BO, ADA if starts[0] == 0 else BO]
    assert sorted(holders) == [ADA, BO], "the other player deals"


def test_board_is_drawn_as_all_have_given_their_parts_and_stays_through_a_kill(own_server: Server) -> None:
    ada, bo = own_server.browser(), own_server.browser()
    table = create(ada, "eko", {"kind": "here"}, {"kind": "open"}, variants=["moon"])
    promised = deal(ada, table)
    with ada.open(table) as one, bo.open(table) as other:
        one.ask("give_part", seat=0, part=ADA)
        assert "seed" not in one.table["options"]
        other.ask("sit", seat=1, gives_part=True)
        assert one.state["asked"] == []
        own_server.kill()
    own_server.start()
    assert deal(ada, table) == promised
    with ada.open(table) as one, bo.open(table) as other:
        before = other.table["board"]
        other.ask("give_part", seat=1, part=BO)
        while not one.state["asked"]:
            one.receive()
        assert one.table["board"] != before
        decide(one if one.choices else other)
        one.until(2)
        shown = one.table
        own_server.kill()
    own_server.start()
    with ada.open(table) as one:
        assert picture(one.table) == picture(shown)
        assert "DealSecret" not in record(ada, table).tags
        one.order("resign", seat=0)
    played = record(bo, table)
    assert check_deal(played).faults == ()
    assert played.seed == shown["options"]["seed"]
    assert ada.get(f"/api/tables/{table}/positions/0")["state"]["position"] == played.start.view(None)
    faults = check_deal(replace(played, tags={**played.tags, "DealParts": f"{BO} {BO}"})).faults
    assert faults == ("the parts give another first position",)


def test_secret_and_seed_are_told_to_nobody_before_the_end(own_server: Server) -> None:
    ada, bo = own_server.browser(), own_server.browser()
    table = create(ada, "ekko", {"kind": "here"}, {"kind": "open"}, target=5)
    heard: list[str] = []
    with ExitStack() as stack:
        one, other = begin(table, (ada, bo, stack))
        dealt(one)
        paths = ("", "/deal", "/status", "/positions/0", "/positions/1", "/picture.svg", "/record")
        heard += [ada.http.get(f"/api/tables/{table}{path}").text for path in paths]
        heard += [json.dumps(one.table), json.dumps(other.table)]
        assert bo.http.get(f"/api/tables/{table}/record").status_code == 409
        other.ask("resign", seat=1)
    told = deal(ada, table)
    seed = joint_seed(bytes.fromhex(told["secret"]), table, told["parts"]).hex()
    heard.append(own_server.log.read_text("utf-8"))
    for text in heard:
        for hidden in (told["secret"], seed, ADA, BO):
            assert hidden not in text


def test_table_with_bots_waits_for_one_part_and_not_for_long(browser: Browser) -> None:
    table = create(browser, "ekko", {"kind": "here"}, {"kind": "bot", "bot": "random"})
    late = create(browser, "ekko", {"kind": "here"}, {"kind": "bot", "bot": "random"})
    with browser.open(table) as socket:
        socket.ask("give_part", seat=0, part=ADA)
        dealt(socket)
        socket.ask("resign", seat=0)
    assert check_deal(record(browser, table)).parts == (ADA, None)
    with browser.open(late) as socket:
        dealt(socket)
        socket.ask("resign", seat=0)
    found = check_deal(record(browser, late))
    assert (found.parts, found.faults) == ((None, None), ())


def test_chosen_seed_and_a_table_without_parts_have_no_deal_to_check(browser: Browser) -> None:
    chosen = create(browser, "eko", {"kind": "here"}, {"kind": "here"}, seed=7)
    for table in (chosen, browser.create("here", "here")):
        assert browser.get(f"/api/tables/{table}/deal", 409)["code"] == "table/no-part"
        with pytest.raises(RecordError, match="does not say how"):
            check_deal(record(browser, table))


def test_parts_come_in_by_two_doors(pair: Pair) -> None:
    ada, bo = pair.browser(0), pair.browser(1)
    table = create(ada, "ekko", {"kind": "here"}, {"kind": "open"})
    with ExitStack() as stack:
        _, other = begin(table, (ada, bo, stack))
        other.ask("resign", seat=1)
    assert check_deal(record(ada, table)).faults == ()


def test_players_who_were_paired_challenged_or_drawn_give_their_parts_at_the_table(server: Server) -> None:
    people = ada, bo = server.browser(), server.browser()

    def play(at: str) -> None:
        with ExitStack() as stack:
            for player, part in zip(people, (ADA, BO), strict=True):
                socket = stack.enter_context(player.open(at))
                (seat,) = [one["seat"] for one in socket.table["seats"] if one["yours"]]
                assert socket.ask("give_part", seat=seat, part=part)["type"] == "ack"
            dealt(socket)
            socket.ask("resign", seat=seat)
        found = check_deal(record(ada, at))
        assert (set(found.parts), found.faults) == ({ADA, BO}, ())

    with lobby(ada) as here, lobby(bo) as there:
        for room in (here, there):
            room.send("seek", key="s", game="ekko", options={"players": 2, "target": 7}, gives_part=True)
        play(here.wait("paired")["table"])
    names = [new_name() for _ in people]
    for one, name in zip(people, names, strict=True):
        sign_up(one, name)
    seats = [{"kind": "here"}, {"kind": "account", "account": names[1]}]
    plan = {"game": "ekko", "options": {"players": 2}, "seats": seats, "gives_part": True}
    made = post(ada, "/api/challenges", 201, **plan)
    play(post(bo, f"/api/challenges/{made['id']}/accept", 200)["table"])
    tournament = make(ada, game="ekko", options={"clock": None})
    for one in people:
        join(one, tournament)
    start(ada, tournament)
    play(look(bo, tournament)["rounds"]["1"][0]["table"])
