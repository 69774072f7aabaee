"""The page itself: lost lines, telephones, the keyboard, languages, and what axe-core finds."""

from __future__ import annotations

import json
import time

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.manners import THUMB
from tests.e2e.screens import archived
from tests.kit.eko_page import MAIN, Player, play_until, set_up, started
from tests.kit.examples import one_quick
from tests.kit.page import PHONE, NewPage, box_of, give_up
from tests.kit.server import ROOT, Server
from tests.languages import OTHERS

GROUND = "getComputedStyle(document.documentElement).backgroundColor"


def test_a_reload_and_a_restart_in_the_middle_of_a_turn(own_server: Server, new_page: NewPage) -> None:
    page = new_page(own_server.address, visit=False)
    player = started(page, "here", "bot greedy")
    while player.until_asked() == "action":
        player.decide()
    phase, version, moves = player.phase, player.version, page.locator(".moves ol").inner_text()
    assert moves
    page.reload()
    assert (player.until_asked(), player.version) == (phase, version)
    expect(page.locator(".moves ol")).to_have_text(moves, use_inner_text=True)  # some frames after the board

    play_until(player, "action")
    target = player.pick_for("attack", "regroup")
    own_server.kill()
    expect(page.locator(".bubble")).to_be_visible()
    player.tap(target)  # decided while the line is down: kept, sent as soon as it is back
    player.first_variant()
    expect(page.locator(MAIN)).to_have_attribute("aria-busy", "true")
    version = player.version
    own_server.start()
    player.until_after(version)
    expect(page.locator(".bubble")).to_have_count(0)
    assert player.until_asked() in {"held", "after", "reinforce"}
    page.locator('[data-action="undo"]').click()
    player.until_after(version + 1)
    assert player.until_asked() == "action"


def test_what_is_in_hand_stays_over_a_lost_line(own_server: Server, new_page: NewPage) -> None:
    page = new_page(own_server.address, visit=False)
    player = started(page, "here", "here")
    start = player.marks("pick")[0]
    player.pick(start)
    own_server.kill()
    expect(page.locator(".bubble")).to_be_visible()
    own_server.start()
    expect(page.locator(".bubble")).to_have_count(0)
    expect(player.space(start)).to_have_attribute("aria-pressed", "true")


def test_on_a_telephone(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, **PHONE, visit=False)
    set_up(page, "here", "bot greedy")
    player = Player(page, touch=True)
    play_until(player, "action")
    resting = page.locator(".always").bounding_box()
    player.decide()
    play_until(player, "action")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert box_of(page.locator(".frame"))["width"] == 390
    assert page.locator(".always").bounding_box() == resting
    for button in page.locator(".always button, .strip, .top button").all():
        box = box_of(button)
        assert min(box["width"], box["height"]) >= THUMB
    page.locator(".top > button").last.tap()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.locator("[data-tab=players]").tap()
    expect(page.get_by_role("dialog")).to_contain_text("Emperor")
    page.get_by_role("dialog").get_by_role("button", name="Close").tap()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_two_fingers_or_two_taps_enlarge_the_board(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, **PHONE, visit=False)
    set_up(page, "here", "here")
    before = box_of(page.locator("[data-space]").first)
    line = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float], at: float | None = None) -> None:
        fingers = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        when = {} if at is None else {"timestamp": at}
        line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers} | when)

    def tap_twice() -> None:
        box = box_of(page.locator('[data-terrain="capital"]').first)
        middle, at = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2), time.time()
        for begun in (at, at + 0.2):
            touch("touchStart", middle, at=begun)
            touch("touchEnd", at=begun + 0.05)

    touch("touchStart", (150, 400), (240, 400))
    touch("touchMove", (120, 400), (270, 400))
    touch("touchMove", (60, 400), (330, 400))
    touch("touchEnd")
    expect(page.locator(".fit")).to_be_visible()
    assert box_of(page.locator("[data-space]").first)["width"] > 2 * before["width"]
    page.locator(".fit").click()
    expect(page.locator(".fit")).to_have_count(0)
    tap_twice()
    expect(page.locator(".fit")).to_be_visible()
    tap_twice()
    expect(page.locator(".fit")).to_have_count(0)


def test_a_stack_can_be_dragged(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, visit=False)
    player = started(page, "here", "here")
    version = player.version
    target = player.pick_for("attack", "regroup")
    start = page.locator('[data-space][aria-pressed="true"]').get_attribute("data-space")
    assert start
    page.keyboard.press("Escape")
    player.space(start).drag_to(player.space(target))
    player.until_after(version)
    notation = f"{player.name(start)}>{player.name(target)}"
    expect(page.locator(f'.moves [data-notation="{notation}"]')).to_have_count(1)


def test_with_the_keyboard_alone(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/eko/new")
    start_button = page.locator('[data-action="start"]')
    expect(start_button).to_be_enabled()
    page.get_by_label("Seed").fill("7")  # on some boards the arrows from the first stack lead round a corner
    page.keyboard.press("Tab")
    for _ in range(30):
        if page.locator('[data-action="start"]:focus').count():
            break
        page.keyboard.press("Tab")
    expect(start_button).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{MAIN} [data-space]")
    player = Player(page)
    player.until_asked()
    while player.phase != "action":
        press_focused(page, "keep" if player.phase == "swap" else "end")
        player.until_asked()
    version = player.version
    page.keyboard.press("n")
    start = focused(page)
    assert start in player.marks("pick")
    page.keyboard.press("Enter")
    page.wait_for_selector(f'[data-space="{start}"][aria-pressed="true"]')
    page.keyboard.press("Escape")
    expect(page.locator('[aria-pressed="true"][data-space]')).to_have_count(0)
    walked = {start}
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp") * 3:
        page.keyboard.press(key)
        walked.add(focused(page))
    assert len(walked) > 3
    choose_by_keys(page, player)
    player.until_after(version)
    player.until_asked()
    moved = player.version
    page.keyboard.press("u")
    player.until_after(moved)
    assert player.until_asked() == "action"


def test_a_new_page_begins_at_its_heading(server: Server, new_page: NewPage) -> None:
    archived(server.address, "Somebody")  # else there is no search
    page = new_page(f"{server.address}/eko")
    heading = page.locator("h1")
    page.locator('[data-action="rules"]').press("Enter")
    expect(heading).to_have_text("Rules of Ekö")
    expect(heading).to_be_focused()
    page.go_back()
    expect(heading).to_have_text("Ekö")
    expect(heading).to_be_focused()
    page.locator('header [data-game="ekko"]').press("Enter")
    expect(heading).to_have_text("EKKO")
    expect(heading).to_be_focused()
    page.locator('header [data-action="archive"]').press("Enter")
    expect(heading).to_be_focused()
    page.locator('[data-field="player"]').fill("nobody")
    search = page.locator('[data-action="search"]')
    search.press("Enter")
    page.wait_for_url("**/archive?*")
    expect(search).to_be_focused()  # on the same page it stays where it was
    page.reload()
    search.wait_for()
    assert page.evaluate("document.activeElement === document.body")


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.dataset.space ?? ''"))


def press_focused(page: Page, action: str) -> None:
    """Reach a button with the Tab key and press it."""
    for _ in range(40):
        if page.locator(f'[data-action="{action}"]:focus').count():
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")


def choose_by_keys(page: Page, player: Player) -> None:
    """Pick stacks one after another until one has a target, and choose that."""
    tried: set[str] = set()
    for _ in player.marks("pick"):
        page.keyboard.press("n")
        while focused(page) in tried:
            page.keyboard.press("n")
        tried.add(focused(page))
        page.keyboard.press("Enter")
        for _ in player.marks():
            page.keyboard.press("n")
            if page.evaluate("document.activeElement.dataset.mark") in {"move", "attack", "regroup"}:
                page.keyboard.press("Enter")
                if page.locator(".palette").count():  # a tap on an own stack asks what is meant
                    press_focused(page, "variant")
                return
        page.keyboard.press("Escape")
    raise AssertionError("nothing to choose")


def test_what_cannot_be_done_says_why(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, visit=False)
    player = started(page, "here", "here")
    player.pick(player.marks("pick")[0])
    page.locator('[data-terrain="chasm"]').first.click()
    rule = page.locator(".notice .rule")
    expect(rule).to_have_text("Rule")
    name = rule.get_attribute("title") or ""
    rule.click()
    expect(page.locator("article.lit")).to_contain_text(name)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_click_on_a_move_shows_the_position_then(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, visit=False)
    player = started(page, "here", "here")
    player.decide()
    player.until_asked()
    page.locator(".moves [data-n]").first.click()
    expect(page.locator("[data-past]")).to_be_visible()
    assert player.marks() == []
    page.keyboard.press("Escape")
    expect(page.locator("[data-past]")).to_have_count(0)
    page.keyboard.press("r")
    expect(page.locator("[data-past]")).to_be_visible()
    expect(page.locator("[data-past]")).to_have_count(0)


def test_draw_and_resigning_are_in_reach_and_an_offer_is_asked_like_a_proposal(
    server: Server, new_page: NewPage
) -> None:
    first = new_page(server.address, visit=False)
    set_up(first, "here", "open")
    second = new_page(first.url, **PHONE)
    second.locator('[data-action="sit"]').click()
    second.wait_for_selector(f"{MAIN} .always")
    draw = '[data-action="draw"]'
    for page in (first, second):
        page.locator('[data-action="give-up"]').click()
        for action in ("draw", "resign"):
            expect(page.locator(f'[data-action="{action}"]')).to_be_in_viewport(ratio=1)
    second.keyboard.press("Escape")
    first.locator(draw).click()
    expect(first.locator('[data-agreement="draw"]')).to_contain_text("You offered a draw.")
    expect(second.locator('[data-agreement="draw"][role="status"]')).to_contain_text("offers a draw.")
    second.locator('[data-action="decline"]').click()
    first.locator('[data-action="give-up"]').click()
    expect(first.locator(draw)).to_be_disabled()
    expect(first.locator("[data-spent]")).to_contain_text("You have offered a draw in this turn.")
    second.locator('[data-action="give-up"]').click()
    second.locator(draw).click()
    first.locator('[data-action="agree"]').click()
    for page in (first, second):
        page.wait_for_selector(f'{MAIN}[data-phase="over"]')


@pytest.mark.long
def test_a_game_with_others_calls_from_every_other_page(server: Server, new_page: NewPage) -> None:
    first = new_page(server.address, visit=False)
    set_up(first, "here", "open")
    second = new_page(first.url, **PHONE)
    second.locator('[data-action="sit"]').click()
    first.wait_for_selector(f"{MAIN} .always")
    second.wait_for_selector(f"{MAIN} .always")
    awaited, other = (first, second) if first.locator(f"{MAIN}[data-seat]").count() else (second, first)
    table = first.url
    for page in (awaited, other):
        page.goto(f"{server.address}/eko")
    awaited.locator('[data-action="turns"]').click()
    expect(awaited).to_have_title("● Ekö · Ekoes")
    awaited.locator("[data-turn]").click()
    expect(awaited).to_have_url(table)
    expect(other.locator('[data-action="turns"]')).to_have_count(0)


def test_people_agree_on_the_pace_of_the_bots(server: Server, new_page: NewPage) -> None:
    """What a browser prefers is nobody else's; a vote is shown to all, and what all vote for counts."""
    first = new_page(server.address, preferences={"pace": 2500}, visit=False)
    set_up(first, "here", "open", "bot random")
    second = new_page(first.url, preferences={"pace": 0})
    second.locator('[data-action="sit"]').click()
    for page in (first, second):
        page.get_by_role("button", name="Settings").click()
        expect(page.locator('[data-setting="pace"]')).to_have_value("700")
        page.keyboard.press("Escape")
    first.get_by_role("button", name="Settings").click()
    first.locator('[data-setting="pace"]').select_option("1200")
    first.keyboard.press("Escape")
    expect(first.locator('[data-action="pace-back"]')).to_be_visible()
    second.locator('[data-pace-vote="1200"] [data-action="pace-agree"]').click()
    for page in (first, second):
        expect(page.locator("[data-pace-vote]")).to_have_count(0)
        page.get_by_role("button", name="Settings").click()
        expect(page.locator('[data-setting="pace"]')).to_have_value("1200")


@pytest.mark.parametrize(
    ("path", "words"), [("/t/nosuchtable", "No such table."), ("/nothing.html", "nothing at this address")]
)
def test_an_address_of_nothing_leads_home(server: Server, new_page: NewPage, path: str, words: str) -> None:
    page = new_page(f"{server.address}{path}")
    expect(page.locator("main")).to_contain_text(words)
    page.locator("[data-nav] a").first.click()
    expect(page).to_have_url(f"{server.address}/")
    expect(page.locator('[data-door="play"]').first).to_be_visible()


def test_a_construction_space_may_be_chosen_first(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, visit=False)
    player = started(page, "here", "here")
    site = player.pick_for("build")
    page.keyboard.press("Escape")
    version = player.version
    player.tap(site)
    if not player.button("variant").count():
        player.tap(player.marks("pick")[0])
    player.button("variant").first.click()
    player.until_after(version)
    expect(page.locator(f'.moves [data-notation*="^{player.name(site)}=camp"]')).to_have_count(1)


def test_resigning_ends_a_game_of_two_and_a_rematch_begins_another(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, reduced_motion="no-preference", visit=False)
    set_up(page, "here", "bot random")
    player = Player(page)
    player.until_asked()
    player.decide()
    player.until_asked()
    give_up(page)
    assert player.until_asked() == "over"
    expect(page.locator("[data-ending]")).to_contain_text("resignation")
    address = page.url
    page.locator('[data-action="rematch"]').click()
    page.wait_for_url(lambda url: url != address)
    assert Player(page).until_asked() != "over"


@pytest.mark.parametrize("language", one_quick("en", sorted(OTHERS)))
def test_the_first_tip_is_seen_as_a_whole(server: Server, new_page: NewPage, language: str) -> None:
    page = new_page(server.address, visit=False, locale=language, preferences={"hints": True})
    set_up(page, "here", "bot random")
    Player(page).until_asked()
    words = page.locator(".decide .words")
    expect(words.locator(".hint")).to_be_visible()
    assert words.evaluate("it => it.scrollHeight <= it.clientHeight")


@pytest.mark.parametrize("language", one_quick("fr", sorted({*OTHERS} - {"fr"})))
def test_the_page_speaks_the_browsers_language(server: Server, new_page: NewPage, language: str) -> None:
    words = json.loads((ROOT / f"web/src/i18n/{language}.json").read_text("utf-8"))["home.create"]
    page = new_page(f"{server.address}/eko", locale=language)
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.locator('[data-action="create"]')).to_have_text(words)
    page.locator("footer summary").click()
    page.locator('[data-setting="language"]').select_option("en")
    expect(page.locator('[data-action="create"]')).to_have_text("Create a game")


def test_light_and_dark_can_be_chosen(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, color_scheme="light")
    bright = page.evaluate(GROUND)
    page.locator("footer summary").click()
    page.locator('[data-setting="theme"]').select_option("dark")
    page.wait_for_function(f"bright => {GROUND} !== bright", arg=bright)
    dark = page.evaluate(GROUND)
    page.reload()
    page.locator('[data-door="play"]').first.wait_for()
    assert page.evaluate(GROUND) == dark
