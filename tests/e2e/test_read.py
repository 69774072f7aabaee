"""Reading and hearing a game of Ekö: names of spaces, the log, looking back, points, how it ended, sounds."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.manners import too_wide, violations
from tests.kit.client import Browser, decide
from tests.kit.eko_page import MAIN, Player, next_of, set_up, set_up_by_form, started
from tests.kit.page import PHONE, NewPage, box_of, give_up, table_of
from tests.kit.server import Server

LISTEN = """
window.heard = []
window.AudioContext = class {
  state = 'running'
  currentTime = 0
  destination = {}
  createGain() {
    const gain = { setValueAtTime() {}, exponentialRampToValueAtTime() {} }
    return { gain, connect: (to) => to }
  }
  createOscillator() {
    const tone = { frequency: {}, connect: (to) => to, stop() {} }
    tone.start = () => window.heard.push(tone.frequency.value)
    return tone
  }
}
"""
"""Writes down what would be heard."""

SCREEN_READER = """() => {
  window.heard = []
  new MutationObserver((changes) => {
    const isLive = ({ target }) => (target.closest ? target : target.parentElement).closest('[aria-live]')
    for (const { type, target, addedNodes } of changes.filter(isLive)) {
      window.heard.push(...[...addedNodes].map((node) => node.textContent))
      if (type === 'characterData') window.heard.push(target.data)
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true })
}"""
"""Writes down what a screen reader says by itself."""

WATCH = """() => {
  window.travels = []
  const look = () => window.travels.push(document.querySelector('.history input').value)
  new MutationObserver((changes) => {
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes])
    if (added.some((node) => node.classList?.contains('traveller'))) look()
  }).observe(document.querySelector('.frame'), { childList: true, subtree: true })
}"""
"""Writes down after which decision the position stands each time that a stack begins to travel."""


def stacks(page: Page) -> list[str]:
    """What everybody who listens is told of the spaces."""
    names = page.eval_on_selector_all("[data-space]", "all => all.map(one => one.getAttribute('aria-label'))")
    return [name.removesuffix(", can act").removesuffix(", can be reinforced") for name in names]


def test_spaces_have_names_on_the_board_in_the_log_and_for_the_ear(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, visit=False)
    player = started(page, "here", "here")
    expect(page.locator(".rim text", has_text=re.compile("^a$"))).to_have_count(1)
    expect(page.locator(".rim text", has_text=re.compile("^1$"))).to_have_count(1)
    assert all(re.match(r"[a-i][1-9], ", name) for name in stacks(page))
    player.decide()
    player.until_asked()
    line = page.locator(".moves [data-n]").nth(2)
    assert re.search(r"\b[a-i][1-9]\b", line.inner_text())
    assert not re.search(r"-?\d,-?\d", page.locator(".moves").inner_text())
    page.locator('[data-action="long"]').click()
    expect(line).to_contain_text("Indigo" if "Indigo" in line.inner_text() else "Vermilion")
    page.get_by_role("button", name="Settings").click()
    page.locator('[data-setting="labels"]').uncheck()
    expect(page.locator(".rim text")).to_have_count(0)


def test_the_log_is_one_tab_stop_and_shows_on_the_board_what_it_tells(
    server: Server, new_page: NewPage
) -> None:
    page = new_page(server.address, visit=False)
    player = started(page, "here", "here")
    player.decide()
    player.until_asked()
    entries = page.locator(".moves [data-n]")
    assert page.locator('.moves [data-n][tabindex="0"]').count() == 1
    assert entries.count() > 2
    entries.first.hover()
    expect(page.locator(".last.pointed")).to_have_count(1)
    page.mouse.move(5, 5)
    page.locator('.moves [data-n][tabindex="0"]').focus()
    page.keyboard.press("ArrowUp")
    expect(entries.nth(entries.count() - 2)).to_be_focused()
    expect(page.locator(".last.pointed")).to_have_count(1)


@pytest.mark.long
def test_looking_back_goes_everywhere_and_by_itself(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, visit=False)
    player = started(page, "here", "here")
    player.decide()
    player.until_asked()
    now, all_of_them = stacks(page), page.locator(".moves [data-n]").count()
    page.locator('[data-action="history"]').click()
    slider = page.locator(".history input")
    expect(slider).to_have_value(str(all_of_them - 1))
    page.locator('[data-history="first"]').click()
    expect(slider).to_have_value("0")
    expect(page.locator('[data-history="previous"]')).to_be_disabled()
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_value("1")
    expect(page.locator("[data-past]")).to_contain_text(re.compile("Emperor"))
    page.keyboard.press("End")
    expect(slider).to_have_value(str(all_of_them))
    assert stacks(page) == now
    slider.fill("2")
    expect(page.locator(".moves [aria-current]")).to_have_attribute("data-n", "2")
    page.locator('[data-history="play"]').click()
    expect(page.locator("[data-past]")).to_have_count(0)
    assert player.until_asked()


@pytest.mark.long
def test_looking_back_moves_stacks_both_ways(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, reduced_motion="no-preference", visit=False)
    player = started(page, "here", "here")
    player.pick(player.marks("pick")[0])
    target = player.pick_for("attack", "move", "regroup")
    player.tap(target)
    player.first_variant()
    player.until_asked()
    page.evaluate(WATCH)
    n = page.locator(".moves [data-n]").count()
    page.locator('[data-action="history"]').click()
    page.wait_for_function("() => window.travels.length === 1")
    page.wait_for_selector(f"{MAIN}:not(:has(.traveller))")
    page.locator('[data-history="next"]').click()
    page.wait_for_function("() => window.travels.length === 2")
    assert page.evaluate("window.travels") == [str(n - 1), str(n)]


def test_points_are_told_where_they_change(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, visit=False)
    player = started(page, "here", "here")
    site = player.pick_for("build")
    player.tap(site)
    player.first_variant()
    expect(page.locator('.change[data-points="1"]')).to_have_count(1)
    entry = page.locator(".moves .points")
    expect(entry).to_contain_text(f"on {player.name(site)} · +1")
    expect(page.locator("[data-news]")).to_contain_text("+1")


@pytest.mark.long
def test_what_happens_twice_is_announced_twice(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, visit=False)
    player = started(page, "here", "here")
    while player.until_asked() != "after" or not player.button("march").count():
        player.decide()
    version = player.version
    player.press(player.button("march"))
    player.until_after(version)
    page.evaluate(SCREEN_READER)
    taken_back = "1 decision was taken back."
    version = player.version
    for number in range(2):
        page.locator('[data-action="undo"]').click()
        player.until_after(version + number)
    page.wait_for_function("text => heard.at(-1) === text", arg=taken_back)
    assert page.evaluate("heard") == [taken_back, taken_back]


def test_the_whole_last_turn_of_the_others_stays_marked(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, preferences={"autoEnd": True}, visit=False)
    player = started(page, "here", "here")
    mover = page.locator(MAIN).get_attribute("data-seat")
    while page.locator(MAIN).get_attribute("data-seat") == mover:
        player.decide()
        player.until_asked()
    decided = page.locator(".moves li").last.locator("[data-n]").count()
    expect(page.locator(".last")).to_have_count(decided)
    player.pick(player.marks("pick")[0])
    expect(page.locator(".last")).to_have_count(decided)


@pytest.mark.long
def test_winner_and_loser_are_told_differently_and_see_how_it_went(server: Server, new_page: NewPage) -> None:
    first = new_page(server.address, visit=False)
    set_up(first, "here", "open")
    second = new_page(first.url, **PHONE)
    second.locator('[data-action="sit"]').click()
    second.wait_for_selector(f"{MAIN} .always")
    next_of(first, second).decide()
    third = new_page(first.url)
    third.wait_for_selector(f"{MAIN} [data-space]")
    expect(third.locator(".always")).to_have_count(0)
    give_up(first)
    headings: tuple[str | re.Pattern[str], ...] = (
        "You lost.",
        "You won!",
        re.compile(r"wins by resignation\."),
    )
    for page, heading in zip((first, second, third), headings, strict=True):
        expect(page.locator("[data-ending] h2")).to_have_text(heading)
        expect(page.locator("[data-ending] figure svg[role=img]")).to_be_visible()
        expect(page.locator("[data-ending] [data-total]")).to_have_count(2)
        page.keyboard.press("Escape")
        expect(page.locator("[data-ending]")).to_have_count(0)
        expect(page.locator('[data-action="ending"]')).to_be_focused()
        expect(page.locator('[data-action="review"].primary')).to_be_visible()
        expect(page.locator(".always")).to_have_count(0)
    first.keyboard.press("Enter")
    assert violations(first) == []
    first.locator('[data-ending] [data-action="rematch"]').click()
    expect(second.locator('[data-action="rematch"]')).to_be_visible()
    expect(third.locator('[data-action="rematch"]')).to_have_count(0)


@pytest.mark.long
def test_a_game_that_is_over_is_watched_again(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, visit=False)
    player = started(page, "here", "bot random")
    player.decide()
    player.until_asked()
    give_up(page)
    page.locator('[data-action="review"]').click()
    expect(page.locator("[data-review]")).to_be_visible()
    expect(page.locator("[data-past]")).to_be_visible()
    page.locator('[data-history="first"]').click()
    expect(page.locator('[data-history="picture"]')).to_have_attribute("href", re.compile(r"decisions=0$"))
    page.locator('[data-history="back"]').click()
    page.locator('[data-action="ending"]').click()
    with page.expect_download() as saved:
        page.locator('[data-ending] [data-action="record"]').click()
    assert '[Game "eko"]' in saved.value.path().read_text("utf-8")


def test_a_finished_game_is_reviewed_and_its_mistakes_are_learned_from(
    server: Server, new_page: NewPage
) -> None:
    players = Browser(server.address)
    table = players.create("here", "here")
    with players.open(table) as socket:
        for _ in range(4):  # the third is a blunder
            decide(socket)
        socket.order("resign", seat=0)
    page = new_page(f"{server.address}/games/{table}", **PHONE)
    page.locator('[data-action="review"]').tap()
    expect(page.locator('[data-review="done"]')).to_be_visible()
    expect(page.locator("[data-accuracy]")).to_have_count(2)
    expect(page.locator('[data-mark="blunder"]')).to_have_count(1)
    position = page.locator(".curve input")
    page.locator("[data-fact]").tap()
    expect(page.locator("[data-better]")).to_be_visible()
    position.press("Home")
    expect(position).to_have_value("0")
    page.locator('[data-mistake="3"]').tap()
    expect(position).to_have_value("2")
    expect(page.locator("[data-better]")).to_be_visible()
    expect(page.locator(".last.pointed").first).to_be_attached()
    assert violations(page) == []
    page.locator('[data-action="learn"][data-seat="0"]').tap()
    expect(page.locator("[data-better]")).to_have_count(0)
    expect(page.locator(".now [data-phase], .board [data-mark]").first).to_be_attached()
    page.locator('[data-action="show-better"]').tap()
    expect(page.locator("[data-better]")).to_be_visible()
    page.locator('[data-action="next-mistake"]').tap()
    page.locator('[data-history="back"]').tap()
    expect(page.locator('[data-action="ending"]')).to_be_visible()


@pytest.mark.long
def test_the_third_game_leads_to_its_review_and_the_review_to_puzzles(
    server: Server, new_page: NewPage
) -> None:
    player = Browser(server.address)
    page = new_page(server.address, **PHONE)
    name, _, value = player.cookie.partition("=")
    page.context.add_cookies([{"name": name, "value": value, "url": server.address}])
    for _ in range(3):
        expect(page.locator('[data-action="look-back"]')).to_have_count(0)
        table = player.create("here", "random")
        with player.open(table) as socket:
            while not socket.choices:
                socket.until(socket.version + 1)
            decide(socket)
            while socket.order("resign", seat=0)["type"] != "ack":  # the bot was quicker
                socket.until(socket.version + 1)
        page.goto(f"{server.address}/t/{table}")
        page.locator('[data-action="ending"]').tap()
        page.locator("[data-ending]").wait_for()
        page.goto(f"{server.address}/eko")
        page.locator('[data-door="play"]').wait_for()
    page.locator('[data-action="look-back"]').tap()
    expect(page.locator('[data-review="done"]')).to_be_visible()
    page.locator('main [data-action="puzzles"]').tap()
    page.wait_for_url(re.compile(r"/eko/puzzles/[0-9a-z]+$"))


def saved_files(page: Page) -> dict[str, bytes]:
    """Save an analysis as a record and as pictures."""
    files = {}
    for kind in ("record", "png", "gif"):
        with page.expect_download() as saved:
            page.locator(f'[data-action="save-{kind}"]').tap()
        files[kind] = saved.value.path().read_bytes()
    return files


def play_opening(page: Page) -> None:
    """Play what was played most at the first moment of an analysis board, and go back."""
    page.locator('[data-action="openings"]').tap()
    page.locator("[data-opening]").first.tap()
    page.locator('main[data-analysis="1"][aria-busy="false"]').wait_for()
    assert violations(page) == []
    page.locator('[data-action="openings"]').tap()
    page.keyboard.press("Home")
    page.locator('main[data-analysis="0"][aria-busy="false"]').wait_for()


@pytest.mark.long
def test_a_position_of_a_finished_game_is_analysed_and_played_on(server: Server, new_page: NewPage) -> None:
    players = Browser(server.address)
    table = players.create("here", "here")
    with players.open(table) as socket:
        for _ in range(6):
            decide(socket)
        socket.order("resign", seat=0)
    page = new_page(f"{server.address}/t/{table}/review", **PHONE)
    page.locator(".curve input").press("Home")
    for _ in range(3):
        page.locator('[data-history="next"]').tap()
    page.locator('[data-action="analyse"]').tap()
    board = page.locator("main[data-analysis]")
    expect(board).to_have_attribute("data-analysis", "3")
    expect(page.locator("[data-chance]")).to_have_count(2)
    page.locator('[data-line="1"]').tap()
    expect(board).not_to_have_attribute("data-analysis", "3")
    page.keyboard.press("End")
    expect(page.locator('[data-depth="1"]').first).to_be_attached()
    page.keyboard.press("l")
    expect(page.locator('[data-engine="off"]')).to_be_visible()
    page.keyboard.press("Home")
    expect(board).to_have_attribute("data-analysis", "0")
    play_opening(page)
    page.keyboard.press("ArrowRight")
    expect(board).to_have_attribute("data-analysis", "1")
    page.keyboard.press("?")
    page.keyboard.press("!")
    page.keyboard.press("c")
    page.keyboard.type("Why?")
    page.keyboard.press("Escape")
    expect(page.locator('[data-sign="?!"]')).to_have_attribute("aria-pressed", "true")
    page.wait_for_url(re.compile(r"record=.*&at=1"))
    page.reload()
    expect(board).to_have_attribute("data-analysis", "1")
    expect(page.locator('[data-depth="1"]').first).to_be_attached()
    page.locator('[data-action="export"]').tap()
    files = saved_files(page)
    assert (files["png"][1:4], files["gif"][:3]) == (b"PNG", b"GIF")
    page.goto(f"{server.address}/eko/analysis?new")
    page.locator("textarea").fill(files["record"].decode())
    page.locator('[data-action="paste"]').tap()
    expect(board).to_have_attribute("data-analysis", "6")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(board).to_have_attribute("data-analysis", "1")
    expect(page.locator('[data-field="comment"]')).to_have_value("Why?")
    page.locator('[data-action="plays"]').tap()
    page.locator('[data-action="play-on"]').tap()
    page.wait_for_url(re.compile(r"/t/[0-9a-z]+$"))
    assert table_of(page)["log"][0]["n"] == 1


@pytest.mark.long
def test_sounds_come_after_the_first_touch_and_go_by_one_tap(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, visit=False)
    page.add_init_script(LISTEN)
    player = started(page, "here", "here")
    assert page.evaluate("window.heard") == []
    player.decide()
    page.wait_for_function("() => window.heard.length > 0")
    page.locator('[data-action="mute"]').click()
    page.evaluate("window.heard.length = 0")
    player.decide()
    player.until_asked()
    assert page.evaluate("window.heard") == []
    expect(page.locator('[data-action="mute"]')).to_have_attribute("aria-pressed", "false")


@pytest.mark.long
def test_a_turn_is_noticed_while_the_page_is_hidden(server: Server, new_page: NewPage) -> None:
    first = new_page(
        server.address,
        preferences={"notices": True, "autoEnd": True},
        permissions=["notifications"],
        visit=False,
    )
    first.add_init_script(
        """
        window.told = []
        window.Notification = class {
          static permission = 'granted'
          constructor(title, { body }) { window.told.push(body) }
        }
        """
    )
    set_up(first, "here", "open")
    second = new_page(first.url, preferences={"autoEnd": True})
    second.locator('[data-action="sit"]').click()
    players = [Player(first), Player(second)]
    while not (players[1].phase and players[1].phase != "swap"):
        awaited = next_of(first, second)
        if awaited.page is first or awaited.phase == "swap":
            awaited.decide()
    first.evaluate("Object.defineProperty(document, 'hidden', { value: true })")
    first.evaluate("window.told.length = 0")
    while players[1].phase:
        players[1].decide()
    first.wait_for_function("() => window.told.length > 0")
    assert "action" in first.evaluate("window.told[0]")


def test_a_tap_on_a_stack_that_could_be_joined_asks_which_is_meant(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, visit=False)
    player = started(page, "here", "here")
    other = player.pick_for("regroup")
    version = player.version
    player.tap(other)
    player.button("other").click()
    expect(player.space(other)).to_have_attribute("aria-pressed", "true")
    assert player.version == version
    other = player.pick_for("regroup")
    player.tap(other)
    player.first_variant()
    player.until_after(version)


def test_the_draft_tells_what_is_left_and_takes_the_last_placement_back(
    server: Server, new_page: NewPage
) -> None:
    page = new_page(server.address, visit=False)
    set_up(page, "here", "here", setup="draft")
    player = Player(page)
    player.until_asked()
    seat = page.locator(MAIN).get_attribute("data-seat")
    expect(page.locator("[data-left]")).to_have_text("15")
    player.decide()
    player.until_asked()
    expect(page.locator('[data-unplaced="15"]')).to_have_count(1)
    version = player.version
    player.button("undo").click()
    player.until_after(version)
    expect(page.locator(MAIN)).to_have_attribute("data-seat", str(seat))
    expect(page.locator('[data-unplaced="15"]')).to_have_count(0)


@pytest.mark.long
def test_a_telephones_board_stays_where_it_is(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, **PHONE, visit=False)
    set_up(page, "here", "bot random")
    player = Player(page, touch=True)
    boxes = set()
    for _ in range(6):
        player.until_asked()
        boxes.add(str(page.locator(".frame").bounding_box()))
        assert page.evaluate("document.documentElement.scrollHeight") == PHONE["viewport"]["height"]
        player.decide()
    page.locator(".top button").last.tap()
    page.locator("[data-n]").nth(1).tap()
    page.wait_for_selector(".history")
    boxes.add(str(page.locator(".frame").bounding_box()))
    assert len(boxes) == 1


@pytest.mark.long
@pytest.mark.parametrize(("width", "height"), [(320, 640), (320, 256)])
def test_the_board_keeps_its_size_in_a_tiny_window(
    server: Server, new_page: NewPage, width: int, height: int
) -> None:
    page = new_page(server.address, viewport={"width": width, "height": height}, visit=False)
    started(page, "here", "bot random")
    board = box_of(page.locator(".frame"))
    assert min(board["width"], board["height"]) >= 240
    assert too_wide(page) == []
    assert violations(page) == []


@pytest.mark.long
def test_four_players_leave_undo_and_end_turn_in_sight(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, viewport={"width": 1366, "height": 650}, visit=False)
    started(page, "here", "here", "here", "here")
    for action in ("take-back", "end"):
        box = box_of(page.locator(f'[data-action="{action}"]'))
        assert box["y"] + box["height"] <= 650
    assert page.evaluate("document.documentElement.scrollHeight") == 650
    assert violations(page) == []


def test_long_names_push_nothing_away(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, visit=False)
    started(page, "here", "here")
    page.get_by_role("button", name="Invite").click()
    page.locator(".game li input").first.wait_for()
    for field in page.locator(".game li input").all():
        field.fill("Wolfeschlegelsteinhausenbergerdorffwelch")
        field.press("Tab")
    page.keyboard.press("Escape")
    expect(page.locator(".head .name").first).to_contain_text("Wolfe")
    column = box_of(page.locator(".column"))
    for part in page.locator(".head .points, .sentence span, .always button").all():
        box = box_of(part)
        assert box["x"] + box["width"] <= column["x"] + column["width"]


def test_a_seed_that_is_none_does_not_stay_there_and_the_board_that_is_shown_is_played(
    server: Server, new_page: NewPage
) -> None:
    page = new_page(f"{server.address}/eko/new")
    box = page.get_by_label("Seed")
    page.wait_for_selector(".picture .ground")
    expect(box).not_to_have_value("")
    dealt = box.input_value()
    box.fill("abc")
    box.press("Tab")
    expect(box).to_have_value(dealt)
    expect(page.locator("#seed-help")).to_be_visible()
    box.fill("7")
    box.press("Tab")
    expect(page.locator("#seed-help")).to_have_count(0)
    places = "all => all.map(one => one.getAttribute('transform'))"
    shown = page.eval_on_selector_all(".picture .stack", places)
    page.locator('[data-action="start"]').click()
    expect(page.locator(f"{MAIN} .stack")).to_have_count(2 * 16)
    assert page.eval_on_selector_all(f"{MAIN} .stack", places) == shown


def test_who_watches_is_told_so(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, visit=False)
    started(page, "here", "here")
    watcher = new_page(page.url)
    watcher.wait_for_selector(f"{MAIN} [data-space]")
    watcher.locator("[data-space]").first.click()
    expect(watcher.locator(".notice")).to_contain_text("You are watching")


@pytest.mark.long
def test_forced_colours_keep_the_board_and_its_marks(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, forced_colors="active", visit=False)
    player = started(page, "here", "here")
    player.pick(player.marks("pick")[0])
    fills = page.eval_on_selector_all(
        ".stack .top", "all => [...new Set(all.map(one => getComputedStyle(one).fill))]"
    )
    assert len(fills) == 2


@pytest.mark.long
def test_bots_that_play_alone_rest_and_go_on(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, preferences={"pace": 1000})
    set_up_by_form(page, "bot random", "bot random")
    pause = page.locator('[data-action="pause"]')
    pause.click()
    expect(pause).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Settings").click()
    page.locator('[data-setting="pace"]').select_option("0")
    page.keyboard.press("Escape")
    page.reload()
    expect(pause).to_have_attribute("aria-pressed", "true")
    version = Player(page).version
    pause.click()
    expect(page.locator('[data-action="pause"][aria-pressed="true"]')).to_have_count(0)
    Player(page).until_after(version + 4)


@pytest.mark.long
def test_a_forced_march_says_what_it_costs(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, preferences={"autoEnd": True}, visit=False)
    player = started(page, "here", "here")
    while not player.button("march").count():
        if player.until_asked() in {"after", "reinforce"} and not player.button("march").count():
            player.reinforce()
        elif not player.button("march").count():
            player.decide()
    expect(player.button("march")).to_contain_text("−3")
