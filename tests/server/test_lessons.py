"""Lessons, hints and how tables stand, over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.client import Browser, post

ATTACK = {"type": "move", "from": "-1,0", "to": "1,-1"}


def test_lessons_are_listed_in_their_order(browser: Browser) -> None:
    listed = browser.get("/api/lessons/eko")
    assert [lesson["name"] for lesson in listed][:3] == ["move", "regroup", "attack"]
    assert set(listed[0]["title"]) == set(listed[0]["about"]) == {"en", "fr", "de", "cs"}


def test_lesson_has_texts_in_each_language(browser: Browser) -> None:
    lesson = browser.get("/api/lessons/eko/move")
    assert lesson["marks"] == ["1,0"]
    assert set(lesson["words"]["cs"]) == {"title", "text", "done"}


def test_lesson_has_its_task_for_the_page(browser: Browser) -> None:
    lesson = browser.get("/api/lessons/eko/attack")
    assert lesson["task"]["goal"] == {"did": {"attack": 1}}
    assert ATTACK in lesson["task"]["solution"]
    assert lesson["position"]["players"] == 2


def played(browser: Browser, *decisions: dict[str, Any]) -> dict[str, Any]:
    value: dict[str, Any] = post(browser, "/api/lessons/ekko/late", 200, decisions=list(decisions))
    return value


def test_lesson_of_a_race_is_shown_as_a_table(browser: Browser) -> None:
    begun = played(browser)
    assert (begun["result"], begun["taken"]) == ("open", 0)
    table = begun["table"]
    assert (table["type"], table["game"], table["log"]) == ("table", "ekko", [])
    assert [seat["yours"] for seat in table["seats"]].count(True) == 1
    task = browser.get("/api/lessons/ekko/late")["task"]
    reached = played(browser, *task["solution"])
    assert (reached["result"], len(reached["table"]["log"])) == ("reached", 2)


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("/api/lessons/ekko/chess", {"decisions": []}, 404, "lesson/not-found"),
        ("/api/lessons/chess/move", {"decisions": []}, 422, "message/bad-type"),
        ("/api/lessons/ekko/late", {}, 422, "message/missing-key"),
        ("/api/lessons/ekko/late", {"decisions": [1]}, 422, "message/bad-type"),
        ("/api/lessons/eko/attack", {"decisions": [ATTACK]}, 422, "table/wrong-order"),
    ],
)
def test_invalid_lesson_requests_are_refused(
    browser: Browser, path: str, body: Any, status: int, code: str
) -> None:
    assert post(browser, path, status, **body)["code"] == code


def test_status_of_a_table(browser: Browser) -> None:
    assert browser.get(f"/api/tables/{browser.create('here', 'here')}/status") == {"status": "yours"}
    assert browser.get(f"/api/tables/{browser.create('here', 'open')}/status") == {"status": "waiting"}
    assert browser.http.get("/api/tables/0000/status").status_code == 404
