"""Learning in the browser: the first screen, lessons by finger and by keyboard, hints against bots."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ekoes.games.eko.position.action import action_to_json, parse_action
from ekoes.tables.lessons import Lesson, lesson_of, lessons_of
from ekoes.tables.puzzles import puzzle_of, puzzles_of
from tests.e2e.manners import violations
from tests.kit.eko_page import MAIN, Player, set_up
from tests.kit.examples import IS_LONG, one_quick
from tests.kit.page import PHONE, NewPage, table_of
from tests.kit.server import Server

KINDS = {"camp": "Encampment", "tower": "Tower", "castle": "Castle"}


def space(page: Page, name: str) -> Any:
    return page.locator(f'[data-space="{name}"]')


def press_palette(page: Page, action: dict[str, Any]) -> None:
    """Choose in the palette, where one has opened."""
    wanted = page.locator('.palette [data-action="variant"]')
    if wanted.count():
        wanted.filter(has_text=KINDS.get(str(action.get("kind")), "")).first.click()


def do_on_board(page: Page, action: dict[str, Any]) -> None:
    """Do what a solution of Ekö says, as a person would."""
    places = [action[key] for key in ("from", "to", "site", "space") if key in action]
    if action["type"] in {"march", "moon", "sandtemple"}:
        page.locator(f'[data-action="{action["type"]}"]').click()
    for place in places * action.get("count", 1):
        space(page, place).click()
    if action["type"] == "reinforce":
        if action["count"] > 1:  # one disc alone comes back at once
            page.locator('[data-action="confirm"]').click()
    else:
        press_palette(page, action)


def do_with_cards(page: Page, action: dict[str, Any]) -> None:
    """Do what a solution of EKKO says."""
    if action["type"] == "draw":
        page.locator('[data-action="draw"]').click()
    if action["type"] == "effect":
        page.locator(f'[data-action="effect-{action["effect"]}"]').click()
    for card in (action[key] for key in ("card", "aside") if key in action):
        page.locator(f'button[data-card="{card}"]').click()


def play(page: Page, lesson: Lesson) -> None:
    """Play the solution; with cards the page's time goes on, for two taps at once are a trembling hand."""
    for count, action in enumerate(lesson.task.solution, 1):
        if lesson.game == "ekko":
            page.clock.run_for(2000)
        (do_on_board if lesson.game == "eko" else do_with_cards)(page, dict(action))
        expect(page.locator("main")).to_have_attribute(
            "data-result", "reached" if count == len(lesson.task.solution) else "open"
        )
        expect(page.locator("main")).to_have_attribute("data-done", str(count))


@pytest.mark.parametrize("game", ["eko", "ekko"])
def test_all_lessons_are_learned_one_after_the_other(server: Server, new_page: NewPage, game: str) -> None:
    """In `make test` the last two, by somebody who has learned the others."""
    lessons = list(lessons_of(game).values())
    left = lessons if IS_LONG else lessons[-2:]
    page = new_page(f"{server.address}/{game}", clock=game == "ekko")
    learned = json.dumps({game: [lesson.name for lesson in lessons if lesson not in left]})
    page.evaluate("learned => localStorage.setItem('ekoes.learned', learned)", learned)
    page.goto(f"{server.address}/{game}/learn")
    page.locator('[data-action="learn-on"]').click()
    for lesson in left:
        expect(page.locator("main")).to_have_attribute("data-lesson", lesson.name)
        expect(page.locator("[data-task]")).to_have_text(lesson.words["en"]["text"])
        play(page, lesson)
        expect(page.locator("[data-done-text]")).to_contain_text(lesson.words["en"]["done"])
        expect(page.locator('[data-action="next"]')).to_be_focused()
        page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")
    page.goto(f"{server.address}/{game}/learn")
    expect(page.locator(".learned")).to_have_count(len(lessons))


def test_wrong_try_says_why_and_changes_nothing(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/eko/learn/attack", **PHONE)
    space(page, "-1,0").click()
    space(page, "-2,3").click()
    expect(page.locator(".notice")).to_contain_text("too weak")
    expect(page.locator("main")).to_have_attribute("data-done", "0")
    page.locator(".notice .rule").click()
    expect(page.locator("#rule-E5\\.3")).to_be_visible()


def test_lesson_has_words_of_its_own_for_what_leads_elsewhere(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/eko/learn/march", locale="cs")
    space(page, "1,0").click()
    expect(page.locator("[data-says]")).to_have_text(lesson_of("eko", "march").words["cs"]["other"])
    expect(page.locator("main")).to_have_attribute("data-done", "0")


def test_taking_back_and_beginning_again(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/eko/learn/attack")
    space(page, "-1,0").click()
    space(page, "-1,1").click()
    expect(page.locator("main")).to_have_attribute("data-result", "missed")
    page.locator('[data-action="back"]').click()
    expect(page.locator("main")).to_have_attribute("data-result", "open")
    play(page, lesson_of("eko", "attack"))


def test_lesson_by_the_keyboard_alone(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/eko/learn/attack")
    expect(space(page, "-1,0")).to_be_visible()
    for wanted in ("-1,0", "1,-1"):
        for _ in range(60):
            if page.evaluate("document.activeElement?.dataset?.space") == wanted:
                break
            page.keyboard.press("n")
        page.keyboard.press("Enter")
    expect(page.locator("main")).to_have_attribute("data-result", "reached")
    assert violations(page) == []


@pytest.mark.parametrize("game", one_quick("ekko", ["eko"]))
def test_the_doors(server: Server, new_page: NewPage, game: str) -> None:
    page = new_page(f"{server.address}/{game}")
    page.locator('[data-door="learn"]').click()
    expect(page).to_have_url(f"{server.address}/{game}/learn")
    page.go_back()
    page.locator('[data-action="rules"]').click()
    expect(page.locator("article").first).to_be_visible()
    page.go_back()
    page.locator('[data-door="invite"]').click()
    page.wait_for_url("**/t/*")
    assert [seat["kind"] for seat in table_of(page)["seats"]] == ["here", "open"]
    page.wait_for_selector("main [data-space], main[data-stage=waiting]")
    page.goto(server.address)
    page.locator(f'header a[href="/{game}"]').click()
    expect(page.locator('[data-status="waiting"]')).to_be_visible()
    page.locator('[data-door="play"]').click()
    page.wait_for_url("**/t/*")
    page.wait_for_selector('main[data-phase="swap"], main[data-stage="deal"], main [data-action="ready"]')


def test_first_opponent_is_a_beginner_and_hints_help(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/eko", preferences={"pace": 0, "hints": True})
    page.locator('[data-door="play"]').click()
    player = Player(page)
    assert player.until_asked() == "swap"
    space(page, player.marks("swap")[0]).hover()
    expect(page.locator("[data-result]")).to_have_text("Swap the Emperor here")
    expect(page.locator("[data-tip]")).to_be_visible()  # beside the preview
    while player.until_asked() != "action":
        player.decide()
    board = page.locator(".board").bounding_box()
    made = table_of(page)
    assert [seat["bot"] for seat in made["seats"]] == [None, "beginner"]
    page.locator('[data-action="hint"]').click()
    expect(page.locator('[data-hint="advice"]')).to_contain_text("Why:")
    assert page.locator(".board").bounding_box() == board
    assert page.locator(".board [data-hint]").count() == 0
    mine = next(seat["seat"] for seat in made["seats"] if seat["yours"])
    stacks: dict[str, Any] = made["state"]["position"]["stacks"]
    place = next(name for name, stack in stacks.items() if stack["owner"] != mine)
    page.keyboard.press("Escape")
    space(page, place).click()
    expect(page.locator('[data-hint="threats"]')).to_be_visible()


def test_a_finger_previews_nothing_and_an_undo_is_announced(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, **PHONE, visit=False)
    set_up(page, "here", "here")
    player = Player(page)
    assert player.until_asked() == "swap"
    version = player.version
    space(page, player.marks("swap")[0]).tap()
    player.until_after(version)
    expect(page.locator("[data-news]")).to_contain_text("swaps the Emperor")
    page.locator('[data-action="undo"]').tap()
    player.until_after(version + 1)
    assert player.until_asked() == "swap"
    expect(page.locator("[data-news] p").last).to_have_text("1 decision was taken back.")
    expect(page.locator("[data-result]")).to_have_count(0)


def test_where_people_play_there_are_no_hints_and_no_second_seat(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/eko")
    page.locator('[data-door="invite"]').click()
    expect(page.locator(MAIN)).to_have_attribute("data-connection", "open")
    expect(page.locator('[data-action="fill-bot"]')).to_be_visible()
    expect(page.locator('[data-action="hint"]')).to_have_count(0)
    expect(page.locator('[data-action="sit"]')).to_have_count(0)


def test_what_lies_on_the_board_is_explained_with_its_rule(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/eko")
    page.locator('[data-door="invite"]').click()
    page.locator('[data-terrain="capital"]').first.click()
    expect(page.locator('[data-hint="explained"]')).to_contain_text("Capital")
    page.locator('[data-hint="explained"] .rule').first.click()
    expect(page.locator("#rule-E11\\.2")).to_be_visible()


@pytest.mark.long
def test_drawer_names_what_is_played(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/eko/new")
    page.locator('[data-open="variants"]').click()
    page.locator('[data-variant="moon"]').check()
    page.locator('[data-action="start"]').click()
    page.wait_for_url("**/t/*")
    page.get_by_label("Invite").click()
    expect(page.locator('[data-played="variants"]')).to_have_text("Temple of the Moon")
    expect(page.locator('[data-played="seed"]')).not_to_be_empty()


@pytest.mark.long
def test_progress_is_kept_in_this_browser(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/eko/learn/attack")
    play(page, lesson_of("eko", "attack"))
    assert json.loads(page.evaluate("localStorage.getItem('ekoes.learned')")) == {"eko": ["attack"]}
    refused: list[str] = []
    page.on("response", lambda answer: refused.append(answer.url) if answer.status >= 400 else None)
    page.locator('[data-action="all-lessons"]').click()
    page.locator('header a[href="/lobby"]').click()
    page.locator('header a[href="/eko"]').click()
    expect(page.locator('[data-door="learn"]')).to_contain_text("1 learned")
    assert refused == []


def march_to_win() -> tuple[str, list[dict[str, Any]]]:
    """Return a puzzle that is won by two moves and the march between them, and its solution."""
    for name, about in puzzles_of("eko").items():
        now, actions = puzzle_of("eko", name).position, []
        for text in puzzle_of("eko", name).solution:
            actions.append(action_to_json(parse_action(text, now)))
            now = now.play(now.player, parse_action(text, now))
        plain = all(set(action) <= {"type", "from", "to"} for action in actions)
        if about.theme == "win" and len(actions) > 1 and plain:
            return name, actions
    raise AssertionError("there is none")


def test_puzzles_are_tried_shown_and_solved(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/eko", **PHONE)
    page.locator('[data-action="daily"]').click()
    expect(page.locator("[data-puzzle] [data-task]")).to_contain_text("to play and")
    page.locator('[data-action="solution"]').click()
    expect(page.locator('[data-verdict="right"]')).to_be_visible()
    page.locator('[data-action="all-puzzles"]').click()
    expect(page.locator("[data-solved]")).to_have_count(0)
    name, solution = march_to_win()
    page.goto(f"{server.address}/eko/puzzles/{name}")
    moves = map(action_to_json, puzzle_of("eko", name).position.legal())
    wrong = next(move for move in moves if move != solution[0] and set(move) == {"type", "from", "to"})
    do_on_board(page, wrong)
    expect(page.locator('[data-verdict="wrong"]')).to_be_visible()
    expect(page.locator("main")).to_have_attribute("data-done", "0")
    page.context.set_offline(True)
    for count, action in enumerate(solution, 1):
        do_on_board(page, action)
        expect(page.locator("main")).to_have_attribute("data-done", str(count))
    expect(page.locator('[data-verdict="right"]')).to_contain_text("Right!")
    page.context.set_offline(False)
    page.wait_for_function("fetch('/api/meta').then(() => true, () => false)")  # a browser takes a moment
    expect(page.locator('[data-action="next"]')).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).not_to_have_attribute("data-puzzle", name)
    page.locator('[data-action="all-puzzles"]').click()
    expect(page.locator("[data-solved]")).to_have_text("1 solved")


@pytest.mark.long
def test_a_rush_goes_on_after_right_and_wrong_answers_until_the_third_mistake(
    server: Server, new_page: NewPage
) -> None:
    page = new_page(f"{server.address}/eko/puzzles")
    page.locator('[data-action="rush"]').click()
    page.locator('[data-action="start"]').click()
    for solves in (True, True, False, False, False):
        shown = page.locator("main[data-rush]").get_attribute("data-rush")
        assert shown
        puzzle = puzzle_of("eko", shown)
        if solves:
            now = puzzle.position
            for text in puzzle.solution:
                action = parse_action(text, now)
                now = now.play(puzzle.seat, action)
                do_on_board(page, action_to_json(action))
        else:
            actions = map(action_to_json, puzzle.position.legal())
            wrong = (one for one in actions if one["type"] == "move" and not is_first(one, shown))
            do_on_board(page, next(wrong))
        expect(page.locator(f'main[data-rush="{shown}"]')).to_have_count(0)
    expect(page.locator('main[data-status="over"] [data-right="true"]')).to_have_count(2)
    expect(page.locator('[data-right="false"]')).to_have_count(3)
    expect(page.locator("[data-best]")).to_have_attribute("data-best", "2")
    page.locator('[data-right="false"] a').first.click()
    expect(page.locator("main[data-puzzle]")).to_be_visible()


def is_first(action: dict[str, Any], name: str) -> bool:
    """Tell whether an action begins the solution of a puzzle."""
    puzzle = puzzle_of("eko", name)
    return action == action_to_json(parse_action(puzzle.solution[0], puzzle.position))


@pytest.mark.long
def test_a_rush_of_mirrors_ends_with_the_third_mistake(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/ekko/train")
    page.locator('[data-exercise="rush"]').click()
    page.locator('[data-action="start"]').click()
    for mistakes in (1, 2, 3):
        top = page.locator("button[data-card]").first
        card = top.get_attribute("data-card")
        zone = page.locator("[data-zone]").get_attribute("data-zone")
        assert card != (zone or "")[::-1]
        top.click()
        if mistakes < 3:
            expect(page.locator("[data-mistakes]")).to_have_attribute("data-mistakes", str(mistakes))
    expect(page.locator("main")).to_have_attribute("data-phase", "done")
    expect(page.locator("[data-best]")).to_have_attribute("data-best", "0")
