"""The analysis board: its start, pictures of lines of play, and tables that go on from them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ekoes.ekko import Game as EkkoGame
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE
from ekoes.games.eko.game import EKO
from ekoes.records import Decision, read_record, replay, write_record
from ekoes.server.http.analysis import BoardInfo
from tests.kit.client import Browser, Json, decide, post

GAME = Path(__file__).parents[1] / "golden" / "games" / "two-greedy.txt"
BOARD = "/api/eko/analysis"
NEW = {"players": 2, "seed": 7}


def open_game(decided: int | None) -> str:
    """Return the record of a game after so many decisions (None: all), without its result."""
    whole = read_record(GAME.read_text("utf-8"))
    return write_record(replace(whole, decisions=whole.decisions[:decided], outcome=None))


def opened(browser: Browser, status: int = 200, **plan: Any) -> Json:
    """Return the start of a board."""
    known: Json = post(browser, BOARD, status, **plan)
    return known


def record_after(record: str, moves: list[Json]) -> str:
    """Return the record of a game after more decisions."""
    game = read_record(record)
    more = [Decision(one["seat"], EKO.parse_action(one["action"])) for one in moves]
    return write_record(replace(game, decisions=(*game.decisions, *more)))


def decisions(record: str, count: int) -> list[Json]:
    """Return so many decisions after a record, each the first legal one."""
    position = EKO.from_json(read_record(record).start.to_json())
    found = []
    for _ in range(count):
        (seat,) = position.actors()
        action = min(position.legal(seat), key=str)
        found.append({"seat": seat, "action": EKO.action_to_json(action)})
        position = position.play(seat, action)
    return found


def test_a_board_begins_with_a_new_game_or_with_a_record(browser: Browser) -> None:
    fresh = opened(browser, options=NEW)
    BoardInfo.model_validate(fresh)
    assert (fresh["n"], read_record(fresh["record"]).seed) == (0, 7)
    text = record_after(fresh["record"], decisions(fresh["record"], 6))
    assert opened(browser, record=text) == {"record": text, "n": 6}
    early = record_after(fresh["record"], decisions(fresh["record"], 2))
    assert opened(browser, record=text, after=2) == {"record": early, "n": 2}
    head, body = text.split("\n\n", 1)
    noted = f'{head}\n[Variations "yes"]\n\n; "Two ways"\n{body}'
    assert opened(browser, record=noted) == {"record": noted, "n": 6}
    assert opened(browser, record=noted, after=0) == {"record": fresh["record"], "n": 0}


def test_what_the_rules_refuse_begins_no_board(browser: Browser) -> None:
    record = opened(browser, options=NEW)["record"]
    text = record_after(record, decisions(record, 2))
    assert "line " in opened(browser, 422, record=text.replace(": keep", ": march"))["message"]
    for plan in ({}, {"options": NEW, "record": "x"}, {"record": "[Game]"}):
        assert opened(browser, 422, **plan)["message"]
    moves = decisions(record, 2)
    wrong = {"seat": moves[1]["seat"], "action": {"type": "march"}}
    assert post(browser, f"{BOARD}/picture.svg", 422, record=record, decisions=[moves[0], wrong])["rule"]
    chance = {"seat": -1, "action": moves[0]["action"]}
    refused = post(browser, f"{BOARD}/picture.svg", 422, record=record, decisions=[chance])
    assert refused["code"] == "table/not-now"


def test_a_board_begins_with_a_position(browser: Browser) -> None:
    position = read_record(opened(browser, options=NEW)["record"]).start
    later = position.play(0, position.legal(0)[0]).to_json()
    begun = opened(browser, position=later)
    assert begun["n"] == 0
    assert read_record(begun["record"]).start.to_json() == later
    assert opened(browser, 422, position=later | {"players": 9})["field"] == "players"


def test_pictures_of_a_line(browser: Browser) -> None:
    record = opened(browser, options=NEW)["record"]
    plan = {"record": record, "decisions": decisions(record, 3)}
    for path, kind, begins in (
        ("picture.svg", "image/svg+xml", b"<svg"),
        ("picture.png", "image/png", b"\x89PNG"),
        ("line.gif", "image/gif", b"GIF89a"),
    ):
        answer = browser.http.post(f"{BOARD}/{path}", json=plan)
        assert (answer.status_code, answer.headers["content-type"]) == (200, kind)
        assert answer.content.startswith(begins)
    plan["decisions"].append(plan["decisions"][0])
    assert browser.http.post(f"{BOARD}/picture.svg", json=plan).status_code == 422


@pytest.mark.parametrize("name", ["snap", "chess"])
def test_only_games_with_an_analysis_have_a_board(browser: Browser, name: str) -> None:
    post(browser, f"/api/{name}/analysis", 422, options={"players": 2})


def test_a_table_goes_on_from_a_record(browser: Browser) -> None:
    record = opened(browser, options=NEW)["record"]
    moves = decisions(record, 5)
    record = record_after(record, moves)
    plan = {"game": "eko", "options": {}, "record": record}
    seats = [{"kind": "here"}, {"kind": "here"}]
    table = post(browser, "/api/tables", 201, **plan, seats=seats)["id"]
    with browser.open(table) as socket:
        assert [one["action"] for one in socket.log] == [one["action"] for one in moves]
        decide(socket)
        assert len(socket.log) == 6
    text = browser.http.get(f"/api/tables/{table}/record").text
    kept = read_record(text)
    first = [EKO.action_to_json(one.action) for one in kept.decisions[:5]]
    assert (kept.seed, len(kept.decisions), first) == (7, 6, [one["action"] for one in moves])
    for wrong, key in (
        ({"seats": [{"kind": "here"}, {"kind": "open"}]}, "seats"),
        ({"seats": seats[:1]}, "seats"),
        ({"seats": seats, "options": {"players": 2}}, "players"),
        ({"seats": seats, "record": record.replace("result: open", "")}, None),
        ({"seats": seats, "record": record.replace('[Seed "7"]', f'[Seed "{2**64}"]')}, "seed"),
        ({"seats": seats, "record": record.replace('[Seed "7"]', '[TurnLimit "10001"]')}, "turn_limit"),
    ):
        assert post(browser, "/api/tables", 422, **(plan | wrong)).get("field") == key


@pytest.mark.parametrize(
    ("decided", "result", "outcome"),
    [
        (None, "result: 0 by points (E11.2)", {"winners": [0], "reason": "points", "rule": "E11.2"}),
        (6, "result: 1 by resignation (E11.5)", {"winners": [1], "reason": "resignation", "rule": "E11.5"}),
        (6, "result: nobody by agreement (E11.5)", {"winners": [], "reason": "agreement", "rule": "E11.5"}),
    ],
)
def test_a_finished_game_is_imported(
    browser: Browser, decided: int | None, result: str, outcome: Json
) -> None:
    record = open_game(decided).replace("result: open", result)
    seats = [{"kind": "here", "name": "Ann"}, {"kind": "bot", "bot": "beginner"}]
    plan = {"game": "eko", "options": {}, "seats": seats, "public": True, "imported": True, "record": record}
    table = post(browser, "/api/tables", 201, **plan)["id"]
    known = browser.http.get(f"/api/tables/{table}").json()
    assert known["state"]["outcome"] == outcome
    assert len(known["log"]) == len(read_record(record).decisions)
    result_of = browser.http.get(f"/api/tables/{table}/result").json()
    assert (result_of["tempo"], result_of["rated"]) == ("imported", False)
    assert browser.http.get(f"/api/tables/{table}/record").text.endswith(f"{result}\n")
    assert table in [one["table"] for one in browser.http.get("/api/archive?tempo=imported").json()["games"]]


def sequence_of_ekko(players: int, most: int = 1000) -> EkkoGame:
    """Return a game of EKKO of random decisions, or its beginning."""
    game, chance = EkkoGame(players, target=4, seed=players), Chance(players)
    while game.outcome() is None and len(game.decisions) < most:
        if game.turn == CHANCE:
            game.push_chance()
        else:
            game.push(chance.choice(list(game.legal())))
    return game


@pytest.mark.parametrize("players", [2, 3, 8])
def test_a_finished_sequence_of_ekko_is_imported_as_a_calm_table(browser: Browser, players: int) -> None:
    game = sequence_of_ekko(players)
    seats = [{"kind": "here"}, *[{"kind": "bot", "bot": "beginner"}] * (players - 1)]
    plan = {"game": "ekko", "options": {}, "seats": seats, "imported": True, "record": game.record()}
    plan["gives_part"] = True  # as the page says of every game
    table = post(browser, "/api/tables", 201, **plan)["id"]
    known = browser.http.get(f"/api/tables/{table}").json()
    outcome = game.outcome()
    assert outcome is not None
    assert known["state"]["outcome"]["winners"] == list(outcome.winners)
    assert tuple(known["state"]["position"]["scores"]) == game.position.scores
    assert (known["options"]["calm"], known["options"]["imported"]) == (True, True)
    (*_, last) = replay(read_record(browser.http.get(f"/api/tables/{table}/record").text))
    assert last.to_json()["scores"] == list(game.position.scores)


def test_a_player_of_ekko_who_gave_up_is_imported(browser: Browser) -> None:
    given_up = sequence_of_ekko(2, 9).record().replace("result: open", "result: 1 by resignation (K5.6)")
    seats = [{"kind": "here"}, {"kind": "bot", "bot": "beginner"}]
    plan = {"game": "ekko", "options": {}, "seats": seats, "imported": True, "record": given_up}
    table = post(browser, "/api/tables", 201, **plan)["id"]
    outcome = browser.http.get(f"/api/tables/{table}").json()["state"]["outcome"]
    assert (outcome["winners"], outcome["reason"]) == ([1], "resignation")
    for wrong, code in (
        ({"options": {"target": 4}}, "position/options"),
        ({"seats": [{"kind": "here"}, {"kind": "open"}]}, "table/bad-seats"),
        ({"imported": False}, "table/wrong-order"),
    ):
        assert browser.http.post("/api/tables", json=plan | wrong).json()["code"] == code


def test_what_is_not_imported(browser: Browser) -> None:
    game = open_game(6)
    seats = [{"kind": "here"}, {"kind": "bot", "bot": "beginner"}]
    plan = {"game": "eko", "options": {}, "seats": seats, "imported": True}
    late = game.replace("result: open", "result: 1 by time (E11.5)")
    for wrong, code in (
        ({"record": game}, "table/not-over"),
        ({"record": late}, "table/wrong-order"),
        ({}, "message/bad-type"),
        ({"record": late, "options": {"clock": {"base": 60}}}, "message/bad-type"),
    ):
        assert browser.http.post("/api/tables", json=plan | wrong).json()["code"] == code
