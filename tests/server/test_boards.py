"""Named layouts and reports of fairness over HTTP."""

from __future__ import annotations

import json

from ekoes.games.eko.fairness import named_layouts
from ekoes.records import read_record
from tests.kit.client import Browser, post

FAIRNESS = "/api/eko/fairness"


def test_layouts_are_listed_with_pictures(browser: Browser) -> None:
    listed = browser.get("/api/eko/layouts")
    assert [one["name"] for one in listed] == [one.name for one in named_layouts()]
    picture = browser.http.get(f"/api/eko/layouts/{listed[0]['name']}/picture.svg")
    assert picture.text.startswith("<svg")


def test_table_is_played_on_a_named_layout(browser: Browser) -> None:
    layout = browser.get("/api/eko/layouts")[0]
    assert layout["players"] == 2
    table = browser.create("here", "here", variants=layout["variants"], layout=layout["tiles"])
    record = browser.http.get(f"/api/tables/{table}/record").text
    assert read_record(record).start.to_json()["tiles"] == layout["tiles"]


def test_report_is_streamed_and_equal_bodies_give_equal_reports(browser: Browser) -> None:
    body = {"layout": named_layouts()[0].tiles, "games": 20, "seed": 5}
    lines = [json.loads(line) for line in browser.http.post(FAIRNESS, json=body).text.splitlines()]
    assert (lines[0]["played"], lines[-1]["played"]) == (0, 20)
    assert [line["report"] is None for line in lines] == [True] * (len(lines) - 1) + [False]
    assert lines[-1]["report"]["games"] == 20
    again = browser.http.post(FAIRNESS, json=body).text.splitlines()
    assert json.loads(again[-1]) == lines[-1]


def test_board_that_is_not_playable_is_refused_before_the_stream_begins(browser: Browser) -> None:
    assert post(browser, FAIRNESS, 422, layout=[["A", 0, 0, 0]])["rule"] == "E2.8"
