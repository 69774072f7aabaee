"""The analysis board of EKKO: a sequence of decisions with all hands open."""

from __future__ import annotations

from pathlib import Path

from ekoes.games.api.contract import CHANCE
from ekoes.records import read_record, replay
from ekoes.server.http.analysis import BoardInfo
from ekoes.tables.analysis_board import StartPlan, board_start
from tests.kit.client import Browser, Json, post

GAMES = Path(__file__).parents[1] / "golden/ekko/games"
BOARD = "/api/ekko/analysis"
ASKED: Json = {
    "game": "ekko", "version": 1, "players": 3, "target": 25,
    "pile": [12, 55, 3], "zone": [38, 33, 67], "hands": [[1, 20, 76], [8], [44, 90]], "aside": [[], [17], []],
    "scores": [0, 4, 11],
    "turn": {"round": 1, "dealer": 2, "player": 2, "last": 1, "phase": "mirror", "asked": 0},
}  # fmt: skip


def test_a_board_begins_with_a_deal_or_a_position(browser: Browser) -> None:
    fresh = post(browser, BOARD, 200, options={"players": 2, "seed": 3})
    BoardInfo.model_validate(fresh)
    (deal,) = read_record(fresh["record"]).decisions
    assert (deal.seat, sorted(deal.action.order), fresh["n"]) == (CHANCE, list(range(1, 99)), 1)
    assert post(browser, BOARD, 200, record=fresh["record"]) == fresh
    plan: Json = {"game": "ekko", "options": {}, "seats": [{"kind": "here"}, {"kind": "here"}]}
    refused = post(browser, "/api/tables", 422, **plan, record=fresh["record"])
    assert refused["field"] == "record", "only games in turns go on"
    asked = post(browser, BOARD, 200, position=ASKED)
    assert (read_record(asked["record"]).start.to_json(), asked["n"]) == (ASKED, 0)
    assert post(browser, BOARD, 422, position=ASKED | {"pile": [12, 12]})["rule"] == "K1.1"


def test_a_live_game_is_a_sequence_from_one_misplay_to_the_next() -> None:
    text = (GAMES / "live-four-players-to-12.txt").read_text("utf-8")
    decisions = read_record(text).decisions
    live = list(replay(read_record(text)))
    wrong = [n for n, one in enumerate(decisions) if type(one.action).__name__ == "Misplay"]
    for after in (3, wrong[0], wrong[0] + 1, wrong[1] - 1, len(decisions)):
        shown = board_start("ekko", StartPlan(record=text, after=after), 1)
        again = read_record(shown["record"])
        assert again.table is None
        assert list(replay(again))[shown["n"]].to_json()["zone"] == live[after].to_json()["zone"]
        is_first = after <= wrong[0]
        assert (again.start.to_json()["turn"]["phase"] == "deal") is is_first
        if is_first:
            assert next(one.action for one in again.decisions if one.seat >= 0) == decisions[1].action
