"""A ransom with a choice is too rare to wait for: a recorded game leads to one, the page decides it."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.recorded import play_record
from tests.kit.eko_page import Player, set_up
from tests.kit.page import NewPage
from tests.kit.server import Server


def test_the_holder_of_two_emperors_chooses_which_to_give(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, visit=False)
    set_up(page, "here", "here", "here", "here", seed=3658)
    player = Player(page)
    play_record(page, "ransom")
    page.wait_for_selector('main.at-table[data-phase="ransom"]')
    expect(page.locator('[data-action="ransom"]')).to_have_count(2)
    names = page.locator('[data-action="ransom"]').all_inner_texts()
    assert "Vermilion" in names[0]
    assert "Sky blue" in names[1]
    version = player.version
    player.press(player.button("ransom").nth(1))
    player.until_after(version)
    assert player.until_asked() != "ransom"
    expect(page.locator('.moves [data-notation="ransom:2"]')).to_have_count(1)
