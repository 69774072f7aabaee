"""The openings of a position: of public games, and of bots."""

from __future__ import annotations

from typing import Any

import pytest

from ekoes.games.eko.fairness import named_layouts
from ekoes.server.http.analysis import OpeningInfo
from tests.kit.client import Browser, Json, play_together, post
from tests.kit.server import Server
from tests.server.test_analysis_board import decisions, opened, record_after

WELL = next(one for one in named_layouts() if one.name == "well")
ON_WELL = {"players": 2, "layout": WELL.tiles, "seed": 7}


def opening(browser: Browser, status: int = 200, **plan: Any) -> Json:
    known: Json = post(browser, "/api/eko/openings", status, **plan)
    return known


def test_bots_have_played_on_a_named_board(browser: Browser) -> None:
    record = opened(browser, options=ON_WELL)["record"]
    moves = decisions(record, 2)
    found = opening(browser, record=record, decisions=moves)
    OpeningInfo.model_validate(found)
    assert found["is_opening"]
    bots = found["bots"]
    assert (bots["level"], bots["board"]) == ("greedy", True)
    assert bots["moves"], "some have built here"
    counts = [move["games"] for move in bots["moves"]]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] <= bots["games"]
    for move in bots["moves"]:
        assert len(move["wins"]) == 2
        assert 0 <= move["score"] <= 1
        assert move["decisions"] >= len(move["entries"]) > 0
        entry = move["entries"][0]
        after = record_after(record, [*moves, {"seat": entry["seat"], "action": entry["action"]}])
        assert f" {entry['notation']}" in after


def test_other_boards_count_where_nobody_has_played(browser: Browser) -> None:
    found = opening(browser, options={"players": 2, "seed": 7})
    assert (found["games"], found["bots"]["board"]) == (None, False)


def test_public_games_count_from_their_end_on(server: Server, browser: Browser) -> None:
    def counted() -> int:
        found = opening(browser, options=ON_WELL)["games"]
        return 0 if found is None else int(found["games"])

    for public in (False, True):
        before = counted()
        one, other = server.browser(), server.browser()
        plan = {"game": "eko", "options": ON_WELL, "seats": [{"kind": "here"}, {"kind": "open"}]}
        table = post(one, "/api/tables", 201, **plan, public=public)["id"]
        with one.open(table) as here, other.open(table) as there:
            assert there.ask("sit", seat=1)["type"] == "ack"
            here.until(there.version)
            play_together(here, there, 2)
            assert counted() == before
            assert there.order("resign", seat=1)["type"] == "ack"
        assert counted() == before + public


def test_after_the_opening_nothing_is_counted(browser: Browser) -> None:
    record = opened(browser, options=ON_WELL)["record"]
    moves = decisions(record, 30)
    assert opening(browser, record=record, decisions=moves) == {
        "is_opening": False,
        "games": None,
        "bots": None,
    }


@pytest.mark.parametrize("name", ["snap", "ekko", "chess"])
def test_only_games_with_openings_have_them(browser: Browser, name: str) -> None:
    post(browser, f"/api/{name}/openings", 422, options={"players": 2})
