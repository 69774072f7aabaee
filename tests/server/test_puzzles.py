"""Puzzles over HTTP: the daily one, the next one, right and wrong answers."""

from __future__ import annotations

from typing import Any

import pytest

from ekoes.games.eko.position.action import action_to_json
from ekoes.tables.puzzles import puzzle_of, puzzles_of
from tests.kit.client import Browser
from tests.kit.server import Server


def tried(browser: Browser, name: str, *decisions: Any, **more: Any) -> dict[str, Any]:
    answer = browser.http.post(f"/api/eko/puzzles/{name}", json={"decisions": list(decisions), **more})
    assert answer.status_code == 200, answer.text
    value: dict[str, Any] = answer.json()
    return value


def test_daily_puzzle_is_the_same_for_everybody(browser: Browser, server: Server) -> None:
    daily = browser.get("/api/eko/puzzles/daily")
    assert daily == server.browser().get("/api/eko/puzzles/daily")
    assert daily == browser.get(f"/api/eko/puzzles/{daily['id']}")
    assert daily["seat"] == daily["position"]["turn"]["player"]


def test_picture_shows_the_position(browser: Browser) -> None:
    name = next(iter(puzzles_of("eko")))
    picture = browser.http.get(f"/api/eko/puzzles/{name}/picture.svg")
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert picture.text.startswith("<svg")


def test_themes_are_announced(browser: Browser) -> None:
    about = {game["name"]: game.get("puzzles") for game in browser.get("/api/meta")["games"]}
    assert about == {"eko": ["win", "stop", "capture", "save"], "ekko": None}


def test_next_puzzles_of_a_theme_come_in_turn_and_begin_again(browser: Browser) -> None:
    wanted = [
        name for name, about in puzzles_of("eko").items() if (about.theme, about.difficulty) == ("win", 2)
    ]
    first = browser.get("/api/eko/puzzles/next?theme=win&difficulty=2")
    assert (first["id"], first["theme"], first["difficulty"]) == (wanted[0], "win", 2)
    second = browser.get(f"/api/eko/puzzles/next?theme=win&difficulty=2&after={wanted[0]}")
    assert second["id"] == wanted[1]
    last = browser.get(f"/api/eko/puzzles/next?theme=win&difficulty=2&after={wanted[-1]}")
    assert last["id"] == wanted[0]


def test_puzzle_is_solved_decision_by_decision(browser: Browser) -> None:
    name = next(
        name for name, about in puzzles_of("eko").items() if (about.theme, about.difficulty) == ("win", 4)
    )
    begun = tried(browser, name)
    assert (begun["verdict"], begun["solution"], begun["table"]["log"]) == ("open", None, [])
    given_up = tried(browser, name, gives_up=True)
    steps = [step["action"] for step in given_up["solution"]]
    for count in range(1, len(steps)):
        assert tried(browser, name, *steps[:count])["verdict"] == "open"
    solved = tried(browser, name, *steps)
    assert (solved["verdict"], solved["solution"]) == ("right", given_up["solution"])
    assert [entry["action"] for entry in solved["table"]["log"]] == steps


def test_wrong_and_illegal_decisions_are_not_carried_out(browser: Browser) -> None:
    name = next(iter(puzzles_of("eko")))
    right = tried(browser, name, gives_up=True)["solution"][0]["action"]
    legal = map(action_to_json, puzzle_of("eko", name).position.legal())
    wrong = tried(browser, name, next(action for action in legal if action != right))
    assert (wrong["verdict"], wrong["refusal"], wrong["solution"]) == ("wrong", None, None)
    illegal = tried(browser, name, {"type": "march"})
    assert (illegal["verdict"], illegal["refusal"]["rule"]) == ("open", "E12.2")
    assert wrong["table"]["log"] == illegal["table"]["log"] == []


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("/api/eko/puzzles/none", {"decisions": []}, 404, "puzzle/not-found"),
        ("/api/ekko/puzzles/none", {"decisions": []}, 404, "puzzle/not-found"),
        ("/api/chess/puzzles/none", {"decisions": []}, 422, "message/bad-type"),
        ("/api/eko/puzzles/none", {}, 422, "message/missing-key"),
    ],
)
def test_invalid_requests_are_refused(browser: Browser, path: str, body: Any, status: int, code: str) -> None:
    answer = browser.http.post(path, json=body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_games_without_puzzles_have_no_daily_one(browser: Browser) -> None:
    refused = browser.http.get("/api/ekko/puzzles/daily")
    assert (refused.status_code, refused.json()["code"]) == (404, "puzzle/not-found")
