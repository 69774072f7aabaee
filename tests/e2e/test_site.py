"""The page as a folder on a host that knows nothing of games."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.test_device import keep_page
from tests.e2e.webkit import webkit
from tests.kit.ekko_page import EkkoPlayer
from tests.kit.eko_page import Player, set_up_by_form
from tests.kit.page import KEPT, PHONE, NewPage, give_up
from tests.kit.server import ekoes


@pytest.mark.long
def test_a_game_is_won_on_a_host_without_a_server_of_ours(site: str, new_page: NewPage) -> None:
    page = new_page(f"{site}/eko/new/", preferences={"autoEnd": True}, **KEPT)
    set_up_by_form(page, "here", "here", variants=("beacon",))
    player = Player(page)
    for _ in range(6):
        player.decide()
    give_up(page)
    expect(page.locator("[data-ending]")).to_contain_text("wins by resignation")
    page.locator('[data-ending] [data-action="rematch"]').click()
    player.until_asked()
    page.context.set_offline(True)
    page.reload()
    player.decide()


def test_lessons_puzzles_and_analysis_need_no_server(site: str, new_page: NewPage) -> None:
    page = new_page(f"{site}/eko/", **PHONE, **KEPT)
    expect(
        page.locator('[data-action="account"], [data-action="lobby"], [data-door="invite"]')
    ).to_have_count(0)
    page.locator('[data-door="learn"]').click()
    page.locator("main a[href*='/learn/']").first.click()
    page.wait_for_selector("main [data-space]")
    page.goto(f"{site}/eko/puzzles/")
    page.locator('[data-theme="any"]').click()
    page.locator('[data-action="solution"]').click()
    expect(page.locator('[data-verdict="right"]')).to_be_visible()
    page.goto(f"{site}/eko/analysis/")
    page.wait_for_selector("main [data-space]")
    page.goto(f"{site}/eko/")
    page.locator('footer a[href$="/eko/editor"]').click()
    expect(page.locator("main[data-editor]")).to_have_attribute("data-faults", "0")
    page.locator('[data-take="T"]').focus()
    page.keyboard.press("Enter")
    page.locator('[data-mode="position"]').click()
    page.locator('[data-action="random-discs"]').click()
    expect(page.locator("main[data-editor]")).to_have_attribute("data-faults", "0")
    page.locator('[data-action="analyse"]').click()
    page.wait_for_selector("main[data-analysis] [data-space]")
    page.goto(f"{site}/ekko/")
    expect(page.locator("p[data-site]")).to_contain_text("Calm mode")
    page.locator('[data-door="learn"]').click()
    page.locator("main a[href*='/learn/']").first.click()
    page.locator('main[data-lesson="signs"] [data-card="61"]').click()
    expect(page.locator("main")).to_have_attribute("data-done", "1")
    page.goto(f"{site}/ekko/")
    page.locator('[data-action="quick"]').click()
    EkkoPlayer(page).until_stage("look")


DECIDES = """(() => {
  const shown = (...all) => all.map((one) => document.querySelector(`main ${one}:enabled`)).find((one) => one)
  const actions = ['ready', 'effect-draw', 'pass', 'close-sheet'].map((one) => `[data-action=${one}]`)
  shown(...actions, '[data-card].playable', '[data-action=draw]')?.click()
  return document.querySelector('[data-ending]') !== null
})()"""
"""Does what a game of EKKO asks for. Whether it is over."""
ONE_ROUND = """(() => {
  const field = document.querySelector('[data-option=target]')
  field.value = 1
  for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind, { bubbles: true }))
})()"""


@pytest.mark.long
def test_webkit_plays_to_the_end_and_learns_without_a_server(site: str) -> None:
    with webkit() as page:

        def press(target: str) -> None:
            page.wait(f"document.querySelector('{target}')")
            page.value(f"document.querySelector('{target}').click()")

        page.goto(f"{site}/ekko/new/")
        page.value("localStorage.setItem('ekoes.ekko', JSON.stringify({pace: 0}))")
        page.goto(f"{site}/ekko/new/")
        press('[data-option="hints"]:not(:checked)')
        page.value(ONE_ROUND)
        press('form [data-action="start"]')
        page.wait(DECIDES)
        assert "/t/device-ekko-" in page.value("location.href")
        page.goto(page.value("location.href"))
        page.wait("document.querySelector('main[data-stage=over]')")

        page.goto(f"{site}/eko/learn/attack/")
        page.wait("document.querySelector('[data-mark=pick]')")
        page.tap('[data-space="-1,0"]')
        page.wait("document.querySelector('[data-mark=attack]')")
        page.tap('[data-space="1,-1"]')
        page.wait("document.querySelector('main[data-result=reached]')")
        page.goto(f"{site}/ekko/learn/draw/")
        page.wait("document.querySelector('main[data-result=open] [data-action=draw]:enabled')")
        page.tap('[data-action="draw"]')
        page.wait("document.querySelector('main[data-result=reached]')")

        page.goto(f"{site}/eko/puzzles/")
        press('[data-theme="any"]')
        press('[data-action="solution"]')
        page.wait("document.querySelector('[data-verdict=right]')")
        page.goto(f"{site}/eko/analysis/")
        page.wait("document.querySelector('[data-engine=done]')")
        page.goto(f"{site}/eko/")
        press('[data-action="quick"]')
        page.wait("document.querySelector('main[data-phase][aria-busy=false] [data-space]')")


@pytest.mark.long
def test_what_the_host_has_anew_is_shown(site: str, site_folder: Path, new_page: NewPage) -> None:
    page = new_page(f"{site}/eko/learn/", **KEPT)
    file = site_folder / "api/lessons/eko.json"
    written = file.read_text("utf-8")
    first, *others = json.loads(written)
    last = page.locator(f"main a[href$='/learn/{others[-1]['name']}']")
    expect(last).to_be_visible()
    keep_page(page)
    file.write_text(json.dumps([first]), "utf-8")
    try:
        page.reload()
        expect(page.locator(f"main a[href$='/learn/{first['name']}']").first).to_be_visible()
        expect(last).to_have_count(0)
    finally:
        file.write_text(written, "utf-8")


def test_a_folder_with_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("kept")
    assert "is not an empty folder" in ekoes("site", tmp_path, status=2)
    assert list(tmp_path.iterdir()) == [tmp_path / "mine"]
