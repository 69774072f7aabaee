"""Lessons, hints and how tables stand, over HTTP."""

from __future__ import annotations

import pytest

from tests.kit.client import Browser
from tests.kit.server import Server

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


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/api/lessons/ekko/chess", 404, "lesson/not-found"),
        ("/api/lessons/chess/move", 422, "message/bad-type"),
    ],
)
def test_unknown_lessons_are_refused(browser: Browser, path: str, status: int, code: str) -> None:
    answer = browser.http.get(path)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_status_of_a_table(server: Server, browser: Browser) -> None:
    shared, lone = browser.create("here", "here"), browser.create("here", "open")
    made = browser.get(f"/api/tables/{shared}/status")
    assert (made["status"], made["won"]) == ("yours", None)
    assert browser.get(f"/api/tables/{lone}/status")["status"] == "waiting"
    other = server.browser()
    with other.open(lone) as socket:
        socket.ask("sit", seat=1)
        socket.order("resign", seat=1)
    stands = [one.get(f"/api/tables/{lone}/status") for one in (browser, other, server.browser())]
    assert [(one["status"], one["won"]) for one in stands] == [
        ("over", True),
        ("over", False),
        ("over", None),
    ]
    assert stands[0]["at"] == stands[1]["at"] > made["at"]
    assert browser.http.get("/api/tables/0000/status").status_code == 404
