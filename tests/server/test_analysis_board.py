"""The analysis board: lines of play, their evaluation, and tables that go on from them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ekoes.games.eko.game import EKO
from ekoes.records import read_record
from ekoes.records.referee import book_of
from ekoes.server.http.analysis import EditorInfo, EvaluationInfo, LineInfo
from tests.kit.client import Browser, Json, decide, post

BOARD, ENGINE = "/api/eko/analysis", "/api/eko/analysis/engine"
NEW = {"players": 2, "seed": 7}


def line(browser: Browser, status: int = 200, **plan: Any) -> Json:
    """Play a line; return the answer."""
    known: Json = post(browser, BOARD, status, **plan)
    return known


def decisions(browser: Browser, record: str, count: int) -> list[Json]:
    """Return so many decisions after a record, each the first legal one."""
    position = EKO.from_json(read_record(record).start.to_json())
    found = []
    for _ in range(count):
        (seat,) = position.actors()
        action = min(position.legal(seat), key=str)
        found.append({"seat": seat, "action": EKO.action_to_json(action)})
        position = position.play(seat, action)
    return found


def evaluated(browser: Browser, **plan: Any) -> list[Json]:
    with browser.http.stream("POST", ENGINE, json=plan) as answer:
        assert answer.status_code == 200, answer.read()
        return [json.loads(text) for text in answer.iter_lines()]


def test_a_line_starts_with_a_new_game_or_a_record_and_goes_on(browser: Browser) -> None:
    opened = line(browser, options=NEW)
    LineInfo.model_validate(opened)
    assert opened["table"]["log"] == []
    assert all(seat["yours"] for seat in opened["table"]["seats"]), "the reader plays all seats"
    moves = decisions(browser, opened["record"], 6)
    played = line(browser, record=opened["record"], decisions=moves)
    assert [(one["seat"], one["action"]) for one in played["table"]["log"]] == [
        (one["seat"], one["action"]) for one in moves
    ]
    again = line(browser, record=played["record"])
    assert again["record"] == played["record"]
    assert again["table"]["state"] == played["table"]["state"]
    early = line(browser, record=played["record"], after=2, decisions=moves[2:4])
    assert early["record"] == line(browser, record=opened["record"], decisions=moves[:4])["record"]


def test_an_illegal_decision_is_refused_and_the_board_stays(browser: Browser) -> None:
    opened = line(browser, options=NEW)
    moves = decisions(browser, opened["record"], 2)
    wrong = {"seat": moves[1]["seat"], "action": {"type": "march"}}
    refused = line(browser, record=opened["record"], decisions=[moves[0], wrong])
    assert refused["refusal"]["rule"]
    assert len(refused["table"]["log"]) == 1
    assert line(browser, 422, record=opened["record"], decisions=[wrong, moves[0]])["rule"]
    for plan in ({}, {"options": NEW, "record": "x"}, {"record": "[Game]"}):
        assert line(browser, 422, **plan)["message"]


def test_a_tree_is_written_as_a_record_and_read_again(browser: Browser) -> None:
    opened = line(browser, options=NEW)
    moves = decisions(browser, opened["record"], 4)
    played = line(browser, record=opened["record"], decisions=moves)
    words = [one["notation"] for one in played["table"]["log"]]
    assert words[0] == "keep"
    start = read_record(opened["record"]).start
    written = [book_of("eko").format_action(action, start) for action in start.legal(0)]
    swap = next(word for word in written if word != "keep")
    resigned = played["record"].replace("result: open", "result: 0 by resignation (E11.5)")
    tree = [
        {"comment": "Two ways"},
        *({"notation": word} for word in words),
        {"parent": 0, "notation": swap, "sign": "?!", "comment": "ü"},
    ]
    wish = {"record": resigned, "tree": tree}
    text = browser.http.post(f"{BOARD}/record", json=wish).json()["record"]
    again = line(browser, record=text, tree=True)
    LineInfo.model_validate(again)
    assert again["record"] == resigned, "the game and its result stay"
    start, main, other, *others = again["tree"]
    assert start == {"comment": "Two ways"}
    assert (main["entry"]["notation"], len(others)) == (words[0], 3)
    assert (other["parent"], other["sign"], other["comment"]) == (0, "?!", "ü")
    shown = line(browser, record=opened["record"], decisions=moves[:1])["table"]["log"][0]
    assert main["entry"] == {key: value for key, value in shown.items() if key not in {"n", "at"}}
    plain = browser.http.post(f"{BOARD}/record", json={"record": opened["record"], "tree": [{}]}).json()
    assert plain == {"record": opened["record"]}
    for wrong, key in (
        ([{}, {"notation": "march"}], "tree"),
        ([{}, {"notation": "keep", "parent": 1}], None),
        ([{}, {"notation": "keep"}, {"notation": "keep", "parent": 0}], "tree"),
        ([{}, {"notation": "keep", "comment": "x" * 2001}], "tree.1.comment"),
    ):
        assert post(browser, f"{BOARD}/record", 422, record=opened["record"], tree=wrong).get("field") == key
    assert (
        "E12" in browser.http.post(f"{BOARD}/record", json=wish | {"tree": [{}, {"notation": "march"}]}).text
    )
    broken = line(browser, 422, record=text.replace(swap, "march"), tree=True)
    assert "line " in broken["message"]


def test_a_board_starts_from_a_position(browser: Browser) -> None:
    position = read_record(line(browser, options=NEW)["record"]).start
    later = position.play(0, position.legal(0)[0]).to_json()
    opened = line(browser, position=later, tree=True)
    assert (opened["tree"], opened["table"]["log"]) == ([{}], [])
    assert read_record(opened["record"]).start.to_json() == later
    assert line(browser, 422, position=later | {"players": 9})["field"] == "players"


def test_pictures_of_a_line(browser: Browser) -> None:
    record = line(browser, options=NEW)["record"]
    plan = {"record": record, "decisions": decisions(browser, record, 3)}
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


def test_the_engine_evaluates_a_line_and_an_earlier_search_ends(browser: Browser) -> None:
    record = line(browser, options=NEW)["record"]
    moves = decisions(browser, record, 3)
    wish = {"record": record, "decisions": moves, "seconds": 60, "lines": 2}
    with browser.http.stream("POST", ENGINE, json=wish) as first:
        texts = first.iter_lines()
        while len((known := json.loads(next(texts)))["lines"]) < 2:
            assert not known["final"]
        assert evaluated(browser, record=record, seconds=0.1)[-1]["final"]
        *_, last = map(json.loads, texts)
    assert last["final"]
    EvaluationInfo.model_validate(last)
    assert sum(last["value"]) == pytest.approx(1)
    for variation in last["lines"]:
        then = [{"seat": one["seat"], "action": one["action"]} for one in variation["entries"]]
        there = line(browser, record=record, decisions=moves + then)
        assert there["refusal"] is None
        shown = [{key: one[key] for key in one.keys() - {"n", "at"}} for one in there["table"]["log"][3:]]
        assert shown == variation["entries"]


def test_a_position_by_hand_is_judged_and_analysed(browser: Browser) -> None:
    def examined(status: int = 200, **content: Any) -> Json:
        known: Json = post(browser, "/api/eko/editor", status, content=content)
        return known

    board = post(browser, "/api/eko/preview", 200, **NEW)
    draft = {"players": 2, "tiles": board["board"]["tiles"]}
    keys = ("stacks", "buildings", "reserve", "removed", "captives", "turn")
    position = {key: board["position"][key] for key in keys}
    judged = examined(**draft, position=position)
    EditorInfo.model_validate(judged)
    assert judged["faults"] == []
    opened = line(browser, record=judged["record"])
    assert opened["table"]["state"]["position"] == board["position"]
    broken = examined(**draft, position=position | {"removed": [1, 0]})
    EditorInfo.model_validate(broken)
    assert [fault["rule"] for fault in broken["faults"]] == ["E1.2"]
    assert broken["record"] is None
    assert examined(422, players=2, tiles=[["Z", 0, 0, 0]])["rule"] == "E2.3"
    assert examined(422, players=9, tiles=[])["message"]


def test_a_table_goes_on_from_a_record(browser: Browser) -> None:
    record = line(browser, options=NEW)["record"]
    moves = decisions(browser, record, 5)
    record = line(browser, record=record, decisions=moves)["record"]
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
