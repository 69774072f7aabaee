"""The analysis board of EKKO: a sequence of decisions with all hands open, and the values of the cards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ekoes.records import read_record, replay, write_record
from ekoes.server.http.analysis import EvaluationInfo, LineInfo
from ekoes.tables.analysis_board import Line, LinePlan, play_line
from tests.kit.client import Browser, Json, post
from tests.unit.tables.racing import NOW

GAMES = Path(__file__).parents[1] / "golden/ekko/games"
BOARD, ENGINE = "/api/ekko/analysis", "/api/ekko/analysis/engine"
ASKED: Json = {
    "game": "ekko", "version": 1, "players": 3, "target": 25,
    "pile": [12, 55, 3], "zone": [38, 33, 67], "hands": [[1, 20, 76], [8], [44, 90]], "aside": [[], [17], []],
    "scores": [0, 4, 11],
    "turn": {"round": 1, "dealer": 2, "player": 2, "last": 1, "phase": "mirror", "asked": 0},
}  # fmt: skip


def line(browser: Browser, status: int = 200, **plan: Any) -> Json:
    known: Json = post(browser, BOARD, status, **plan)
    return known


def chosen(answer: Json, number: int = 0) -> Json:
    """Return one of the legal decisions, as it is sent."""
    choice = answer["table"]["state"]["choices"][number]
    return {"seat": choice["seat"], "action": choice["action"]}


def line_of(**plan: Any) -> Line:
    return play_line("ekko", LinePlan.model_validate(plan), 1, NOW)


def test_a_line_starts_with_a_deal_and_chance_deals_again_when_the_user_wants_it(browser: Browser) -> None:
    opened = line(browser, options={"players": 2, "seed": 3})
    LineInfo.model_validate(opened)
    assert [entry["verdict"] for entry in opened["table"]["log"]] == ["deal"]
    assert [len(one["hand"]) for one in opened["table"]["state"]["hands"].values()] == [6, 6]
    played, decisions = opened, []
    while not played["table"]["state"]["rounds"]:
        decisions.append(chosen(played))
        played = line(browser, record=opened["record"], decisions=decisions)
        assert played["refusal"] is None
    assert [one["action"] for one in played["table"]["log"][1:]] == [one["action"] for one in decisions]
    assert played["table"]["state"]["choices"][0]["seat"] == -1
    dealt = line(browser, record=played["record"], decisions=[chosen(played)])
    deal = dealt["table"]["log"][-1]["action"]
    assert sorted(deal["order"]) == list(range(1, 99)), "a whole deal, so that the line replays exactly"
    assert line(browser, record=dealt["record"])["table"]["state"] == dealt["table"]["state"]


def test_a_tree_with_a_deal_is_written_as_a_record_and_read_again(browser: Browser) -> None:
    opened = line(browser, options={"players": 2, "seed": 3}, tree=True)
    deal, *_ = (one["notation"] for one in opened["table"]["log"])
    first, second, *_ = (one["notation"] for one in opened["table"]["state"]["choices"])
    branches = [{"notation": first}, {"parent": 1, "notation": second, "sign": "?!", "comment": "ü"}]
    tree = [{}, {"notation": deal}, *branches]
    text = post(browser, f"{BOARD}/record", 200, record=opened["record"], tree=tree)["record"]
    plan: Json = {"game": "ekko", "options": {}, "seats": [{"kind": "here"}, {"kind": "here"}]}
    refused = post(browser, "/api/tables", 422, **plan, record=text)
    assert refused["field"] == "record", "only games in turns go on"
    again = line(browser, record=text, tree=True)
    assert [one.get("entry", {}).get("notation") for one in again["tree"]] == [None, deal, first, second]
    assert (again["tree"][3]["sign"], again["tree"][3]["comment"]) == ("?!", "ü")
    shown = {key: value for key, value in again["table"]["log"][1].items() if key not in {"n", "at"}}
    assert again["tree"][2]["entry"] == shown


def test_the_mirror_is_asked_first_and_what_is_illegal_is_refused(browser: Browser) -> None:
    opened = line(browser, position=ASKED)
    notations = {choice["notation"] for choice in opened["table"]["state"]["choices"]}
    assert notations == {"76/-1", "76/-20", "76/+", "pass"}
    passed = {"seat": 0, "action": {"type": "pass"}}
    wrong = {"seat": 2, "action": {"type": "play", "card": 44}}
    refused = line(browser, position=ASKED, decisions=[passed, wrong])
    assert (refused["refusal"]["rule"], len(refused["table"]["log"])) == ("K2.1", 1)
    assert line(browser, 422, position=ASKED, decisions=[wrong, passed])["rule"] == "K6.1"
    assert line(browser, 422, position=ASKED | {"pile": [12, 12]})["rule"] == "K1.1"


def test_a_live_game_is_a_sequence_from_one_misplay_to_the_next() -> None:
    text = (GAMES / "live-four-players-to-12.txt").read_text("utf-8")
    decisions = read_record(text).decisions
    live = list(replay(read_record(text)))
    wrong = [n for n, one in enumerate(decisions) if type(one.action).__name__ == "Misplay"]
    for after in (3, wrong[0], wrong[0] + 1, wrong[1] - 1, len(decisions)):
        shown = line_of(record=text, after=after)
        again = read_record(write_record(shown.record))
        assert again.table is None
        assert again.start.to_json() == shown.begin.position.to_json()
        assert shown.table.position.to_json()["zone"] == live[after].to_json()["zone"]
        is_first = after <= wrong[0]
        assert (again.start.to_json()["turn"]["phase"] == "deal") is is_first
        if is_first:
            assert next(one.action for one in again.decisions if one.seat >= 0) == decisions[1].action


def test_the_engine_values_every_card_and_each_players_chance(browser: Browser) -> None:
    with browser.http.stream("POST", ENGINE, json={"position": ASKED, "seconds": 60}) as answer:
        assert answer.status_code == 200, answer.read()
        *_, last = map(json.loads, answer.iter_lines())
    EvaluationInfo.model_validate(last)
    assert last["final"]
    assert sum(last["value"]) == pytest.approx(1)
    assert sum(last["round"]) == pytest.approx(1)
    values = {one["entries"][0]["notation"]: one["points"] for one in last["lines"]}
    assert list(values.values()) == sorted(values.values(), reverse=True)
    assert set(values) == {"76/-1", "76/-20", "76/+", "pass"}
    assert values["pass"] == min(values.values())
