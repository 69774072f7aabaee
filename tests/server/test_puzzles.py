"""Puzzles over HTTP: the daily one, the next one, right and wrong answers."""

from __future__ import annotations

from typing import Any

import pytest

from ekoes.games.eko.position.action import action_to_json, parse_action
from ekoes.tables.puzzles import puzzle_of, puzzles_of
from tests.kit.client import Browser, post
from tests.kit.server import Server


def answer(browser: Browser, name: str, *decisions: Any, **more: Any) -> dict[str, Any]:
    value: dict[str, Any] = post(browser, f"/api/eko/puzzles/{name}", 200, decisions=list(decisions), **more)
    return value


def test_daily_puzzle_is_the_same_for_everybody(browser: Browser, server: Server) -> None:
    daily = browser.get("/api/eko/puzzles/daily")
    assert daily == server.browser().get("/api/eko/puzzles/daily")
    assert daily == browser.get(f"/api/eko/puzzles/{daily['id']}")
    assert daily["seat"] == daily["position"]["turn"]["player"]


def test_a_rush_is_the_same_for_everybody_and_each_of_a_day_another(browser: Browser, server: Server) -> None:
    first, second = (browser.get(f"/api/eko/puzzles/rush?run={run}")["puzzles"] for run in (1, 2))
    assert first == server.browser().get("/api/eko/puzzles/rush")["puzzles"]
    assert len(set(first)) == len(first) == 36
    assert set(first) != set(second)
    difficulties = [puzzles_of("eko")[name].difficulty for name in first]
    assert difficulties == sorted(difficulties)
    assert browser.get("/api/eko/puzzles/rush?run=0", 422)["code"] == "message/bad-type"
    assert browser.get("/api/ekko/puzzles/rush", 404)["code"] == "puzzle/not-found"


def test_picture_shows_the_position(browser: Browser) -> None:
    name = next(iter(puzzles_of("eko")))
    picture = browser.http.get(f"/api/eko/puzzles/{name}/picture.svg")
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert picture.text.startswith("<svg")


def test_themes_are_announced(browser: Browser) -> None:
    about = {game["name"]: game.get("puzzles") for game in browser.get("/api/meta")["games"]}
    assert about == {"eko": ["win", "stop", "capture", "save"], "ekko": None}


def test_next_puzzle_is_of_the_theme_and_none_that_a_guest_has_solved(browser: Browser) -> None:
    stops = [name for name, about in puzzles_of("eko").items() if about.theme == "stop"]
    wanted = post(browser, "/api/eko/puzzles/next", 200, theme="stop", solved=stops[1:])
    assert (wanted["id"], wanted["theme"]) == (stops[0], "stop")
    refused = post(browser, "/api/eko/puzzles/next", 404, theme="stop", solved=stops)
    assert refused["code"] == "puzzle/none-left"


def solution(name: str) -> list[dict[str, Any]]:
    """Return the actions of a solution."""
    puzzle, steps = puzzle_of("eko", name), []
    now = puzzle.position
    for text in puzzle.solution:
        action = parse_action(text, now)
        steps.append(action_to_json(action))
        now = now.play(puzzle.seat, action)
    return steps


def test_answer_is_not_rated_where_a_guest_of_the_same_address_was_told_the_solution(server: Server) -> None:
    names = list(puzzles_of("eko"))[20:24]
    member, _ = server.member()
    for name in names:
        told = answer(server.browser(), name, gives_up=True)["solution"]
        found = answer(member, name, *(step["action"] for step in told))
        assert (found["verdict"], found["rated"]) == ("right", None)
    elsewhere = Browser(server.address, "203.0.113.77")
    assert answer(elsewhere, names[0], gives_up=True)["rated"] is None
    progress = member.get("/api/eko/puzzles/progress")
    assert (progress["rating"], progress["answers"], progress["solved"]) == (1500, 0, len(names))


def wrong_decision(name: str, right: dict[str, Any]) -> dict[str, Any]:
    legal = map(action_to_json, puzzle_of("eko", name).position.legal())
    return next(action for action in legal if action != right)


def test_first_answer_of_an_account_is_rated_and_none_after_it(server: Server) -> None:
    browser, own = server.member()
    one, other = list(puzzles_of("eko"))[10:12]
    before = browser.get(f"/api/eko/puzzles/{one}")["rating"]["rating"]
    steps = solution(one)
    for count in range(1, len(steps)):
        assert answer(browser, one, *steps[:count])["rated"] is None
    rated = answer(browser, one, *steps)["rated"]
    assert rated["before"]["rating"] == 1500 < rated["after"]["rating"]
    assert browser.get(f"/api/eko/puzzles/{one}")["rating"]["rating"] < before
    assert answer(browser, one, *steps)["rated"] is None
    assert answer(browser, one, wrong_decision(one, steps[0]))["rated"] is None

    steps = solution(other)
    wrong = answer(browser, other, wrong_decision(other, steps[0]), steps[0])
    assert wrong["verdict"] == "wrong"
    assert wrong["rated"]["after"]["rating"] < wrong["rated"]["before"]["rating"]
    assert answer(browser, other, *steps)["rated"] is None
    progress = browser.get("/api/eko/puzzles/progress")
    assert (progress["answers"], progress["solved"]) == (2, 2)
    (shown,) = server.browser().get(f"/api/profile?name={own}")["puzzles"]
    assert (shown["game"], shown["answers"], shown["right"]) == ("eko", 2, 1)
    assert shown["rating"] == progress["rating"]


def test_solution_that_is_shown_counts_as_a_wrong_answer_and_solves_nothing(server: Server) -> None:
    browser, _ = server.member()
    daily = browser.get("/api/eko/puzzles/daily")["id"]
    steps = answer(browser, daily, gives_up=True)
    assert steps["rated"]["after"]["rating"] < 1500
    answer(browser, daily, *(step["action"] for step in steps["solution"]), gives_up=True)
    progress = browser.get("/api/eko/puzzles/progress")
    assert (progress["solved"], progress["streak"], progress["daily"]) == (0, 0, False)
    answer(browser, daily, *(step["action"] for step in steps["solution"]))
    progress = browser.get("/api/eko/puzzles/progress")
    assert (progress["solved"], progress["streak"], progress["daily"]) == (1, 1, True)


def test_account_takes_over_what_its_guest_has_solved_unrated(server: Server) -> None:
    browser, _ = server.member()
    stops = [name for name, about in puzzles_of("eko").items() if about.theme == "stop"]
    progress = post(browser, "/api/eko/puzzles/solved", 200, solved=[*stops[1:], "none"])
    assert (progress["solved"], progress["answers"], progress["streak"]) == (len(stops) - 1, 0, 0)
    assert post(browser, "/api/eko/puzzles/next", 200, theme="stop")["id"] == stops[0]
    assert answer(browser, stops[1], *solution(stops[1]))["rated"] is None
    post(server.browser(), "/api/eko/puzzles/solved", 401, solved=[])


@pytest.mark.parametrize(("claimed", "streak"), [(999_999, 4), (3, 3)])
def test_streak_of_a_guest_is_as_long_as_its_daily_puzzles_are_solved(
    server: Server, claimed: int, streak: int
) -> None:
    browser, _ = server.member()
    names = list(puzzles_of("eko"))
    today = names.index(browser.get("/api/eko/puzzles/daily")["id"])
    solved = [names[today - ago] for ago in (1, 2, 3, 4, 6)]
    progress = post(browser, "/api/eko/puzzles/solved", 200, solved=solved, streak=claimed)
    assert progress["streak"] == streak


def test_answer_is_open_until_it_is_right_and_what_follows_is_ignored(browser: Browser) -> None:
    name = next(
        name for name, about in puzzles_of("eko").items() if (about.theme, about.difficulty) == ("win", 4)
    )
    steps = solution(name)
    for count in range(len(steps)):
        assert answer(browser, name, *steps[:count]) == {"verdict": "open", "solution": None, "rated": None}
    solved = answer(browser, name, *steps, {"type": "march"})
    assert (solved["verdict"], [step["action"] for step in solved["solution"]]) == ("right", steps)
    assert answer(browser, name, gives_up=True)["solution"] == solved["solution"]


def test_wrong_answer_shows_no_solution_and_an_illegal_one_is_refused(browser: Browser) -> None:
    name = next(iter(puzzles_of("eko")))
    right = solution(name)[0]
    wrong = answer(browser, name, wrong_decision(name, right), right)
    assert wrong == {"verdict": "wrong", "solution": None, "rated": None}
    illegal = post(browser, f"/api/eko/puzzles/{name}", 422, decisions=[{"type": "march"}])
    assert (illegal["code"], illegal["rule"]) == ("action/wrong-phase", "E12.2")


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
    assert post(browser, path, status, **body)["code"] == code


def test_games_without_puzzles_have_no_daily_one(browser: Browser) -> None:
    assert browser.get("/api/ekko/puzzles/daily", 404)["code"] == "puzzle/not-found"
