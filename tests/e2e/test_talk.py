"""Talk at a table with two browsers: phrases in two languages, mute, report, and what a moderator sees."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.e2e.manners import violations
from tests.kit.eko_page import MAIN
from tests.kit.page import PHONE, NewPage, account_of
from tests.kit.server import Server, ekoes


def admin(server: Server, *words: str) -> None:
    """Do a command beside the running server."""
    ekoes("admin", *words, "--data", server.data)


def say(page: Page, words: str) -> None:
    page.locator('[data-field="say"]').fill(words)
    page.locator('[data-action="say"]').click()


def lines(page: Page) -> list[str]:
    return page.locator("[data-said] p").all_inner_texts()


def moderated(server: Server, new_page: NewPage) -> None:
    """Let a moderator silence who was reported."""
    eve = new_page(server.address)
    account_of(eve, server.address, "Eve")
    admin(server, "moderator", "Eve")
    eve.goto(f"{server.address}/account")
    eve.locator('[data-action="moderation"]').click()
    card = eve.locator("[data-report]")
    expect(card).to_contain_text("not nice")
    expect(card.locator("li.about")).to_contain_text("you fool")
    assert violations(eve) == []
    card.locator('[data-field="verdict"]').fill("told to be kind")
    card.locator('[data-field="hours"]').select_option("24")
    card.locator('[data-action="resolve"]').click()
    expect(eve.locator("[data-none]")).to_be_visible()


def test_two_talk_one_is_muted_and_reported_and_a_moderator_sees_it(
    own_server: Server, new_page: NewPage
) -> None:
    ada = new_page(own_server.address)
    account_of(ada, own_server.address, "Ada")
    ada.goto(f"{own_server.address}/eko")
    ada.locator('[data-door="invite"]').click()
    ada.wait_for_selector(f"{MAIN} [data-space]")
    bo = new_page(ada.url, locale="de-DE", **PHONE)
    bo.locator('[data-field="name"]').fill("Bo")
    bo.locator('[data-action="sit"]').click()

    ada.locator('[data-action="chat"]').wait_for()
    ada.keyboard.press("c")
    ada.locator('[data-phrase="luck"]').click()
    expect(ada.locator("[data-said] p")).to_have_text("Good luck!")
    expect(bo.locator('[data-action="chat"]')).to_have_attribute("data-unread", "1")
    expect(bo.locator("[data-chat-news]")).to_contain_text("Viel Glück!")
    bo.locator('[data-action="chat"]').click()
    expect(bo.locator("[data-said] p")).to_have_text("Viel Glück!")
    expect(bo.locator('[data-action="chat"]')).to_have_attribute("data-unread", "0")
    say(bo, "<b>you fool</b> http://rude.example")
    insult = ada.locator("[data-said]", has_text="you fool")
    expect(insult.locator("p")).to_have_text("<b>you fool</b> http://rude.example")
    assert insult.locator("a").count() == 0
    expect(insult.locator("[data-who]")).to_have_text("guest")

    insult.locator("[data-person]").click()
    insult.locator('[data-action="report"]').click()
    insult.locator('[data-field="words"]').fill("not nice")
    assert violations(ada) == []
    insult.locator('[data-action="send-report"]').click()
    expect(insult.get_by_role("status")).to_contain_text("Thank you")
    insult.locator('[data-action="mute-person"]').click()
    expect(insult).to_have_count(0)
    say(bo, "are you there?")
    expect(bo.locator("[data-said]")).to_have_count(3)
    assert lines(ada) == ["Good luck!"]
    ada.locator('[data-action="unmute"]').click()
    expect(ada.locator("[data-said]")).to_have_count(3)

    moderated(own_server, new_page)
    say(bo, "and now?")
    expect(bo.locator("[data-silenced]")).to_contain_text("Du kannst bis")

    ada.locator('[data-tab="settings"]').click()
    ada.locator('[data-setting="chat"]').uncheck()
    expect(ada.locator('[data-action="chat"]')).to_have_count(0)
