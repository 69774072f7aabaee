"""Studies in the browser: made, shared by link, read on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.manners import too_wide, violations
from tests.kit.page import PHONE, NewPage
from tests.kit.server import Server

READY = 'main[aria-busy="false"]'


@contextmanager
def stored(page: Page) -> Iterator[None]:
    """Wait until a change of a chapter is stored."""
    with page.expect_response(lambda answer: answer.request.method == "PUT" and answer.status == 204):
        yield


def leave_the_emperor(page: Page) -> str:
    """Make the first decision; return whose it was."""
    page.locator(READY).wait_for()
    seat = page.locator("main").get_attribute("data-seat")
    page.get_by_role("button", name="Leave the Emperor").click()
    return str(seat)


def make_study(page: Page) -> str:
    """Make a study with a chapter to read and one with a task; return its link."""
    page.get_by_label("Title of the study").fill("Swaps")
    page.get_by_role("button", name="New study").click()
    page.wait_for_url("**/eko/study/*/*")
    for field, words in (("title", "To swap or not"), ("text", "The Emperor stands well here.")):
        with stored(page):
            page.locator(f'[data-field="{field}"]').fill(words)
            page.locator(f'[data-field="{field}"]').blur()
    with stored(page):
        leave_the_emperor(page)
    with stored(page):
        page.locator('[data-field="comment"]').fill("It can attack from here.")

    page.locator('[data-action="all-chapters"]').click()
    page.locator('[data-action="add-chapter"]').click()
    page.locator("[data-chapter]").nth(1).click()
    with stored(page):
        seat = leave_the_emperor(page)
    page.locator('[data-field="task"]').select_option(str(1 - int(seat)))
    expect(page.locator("main [role=alert]")).to_have_text("There are no moves of this player to find.")
    expect(page.locator('[data-field="task"]')).to_have_value("")
    with stored(page):
        page.locator('[data-field="task"]').select_option(seat)
    with stored(page):
        page.locator('[data-field="done"]').fill("Well seen.")
        page.locator('[data-field="done"]').blur()
    page.locator('[data-action="all-chapters"]').click()
    expect(page.locator("[data-chapter]")).to_have_count(2)
    return page.locator('[data-field="link"]').input_value()


def read_study(reader: Page) -> None:
    """Read it from the cover to the end of the task."""
    expect(reader.locator("h1")).to_have_text("Swaps")
    expect(reader.locator('[data-action="delete-study"]')).to_have_count(0)
    assert violations(reader) == []
    reader.locator('[data-action="read"]').click()
    expect(reader.locator("[data-text]")).to_have_text("The Emperor stands well here.")
    expect(reader.locator('[data-field="comment"]')).to_have_count(0)
    reader.locator(READY).wait_for()
    reader.locator('[data-history="next"]').click()
    expect(reader.locator("[data-comment]")).to_have_text("It can attack from here.")
    expect(reader.locator("[data-comment]")).to_be_in_viewport()
    assert too_wide(reader) == []
    assert violations(reader) == []
    reader.locator('[data-action="next-chapter"]').click()
    leave_the_emperor(reader)
    expect(reader.locator("[data-done-text]")).to_contain_text("Well seen.")
    expect(reader.locator("main")).to_have_attribute("data-result", "reached")
    assert too_wide(reader) == []


def at_rest(new_page: NewPage, address: str, **device: Any) -> Page:
    """Open a page whose engine is off: it would search each position for ten seconds."""
    page = new_page(address, visit=False, **device)
    page.add_init_script("localStorage.setItem('ekoes.engine', 'false')")
    page.goto(address)
    return page


def test_study_is_made_shared_and_read(server: Server, new_page: NewPage) -> None:
    page = at_rest(new_page, f"{server.address}/eko/study")
    reader = at_rest(new_page, make_study(page), **PHONE)
    read_study(reader)
    page.locator('[data-action="delete-study"]').click()
    page.locator('[data-action="delete-study"]').click()
    page.wait_for_url("**/eko/study")
    expect(page.locator("[data-study]")).to_have_count(0)
    reader.reload()
    expect(reader.locator("main")).to_contain_text("There is no such study.")
