"""Programs on the page: a bot's account gets a token, is listed and plays among people, and is ended."""

from __future__ import annotations

import httpx
from playwright.sync_api import expect

from tests.kit.eko_page import set_up
from tests.kit.page import NewPage, account_of, open_leaf, sign_up
from tests.kit.server import Server


def test_a_bot_gets_a_token_sits_down_among_people_and_is_ended(
    own_server: Server, new_page: NewPage
) -> None:
    owner = new_page(own_server.address)
    account_of(owner, own_server.address, "Deep Sand")
    owner.locator('[data-action="saved"]').click()
    owner.locator('[data-open="tokens"]').click()
    owner.locator('button[data-action="mark-bot"]').click()
    expect(owner.locator("[data-bot]")).to_be_visible()
    owner.locator('[data-field="off"]').fill("my engine")
    for scope in ("table:read", "table:play", "challenge"):
        owner.get_by_role("checkbox", name=scope).check()
    owner.locator('button[data-action="make-token"]').click()
    token = owner.locator("[data-token]").inner_text()
    owner.locator('[data-action="saved-token"]').click()
    expect(owner.locator("[data-token]")).to_have_count(0)
    expect(owner.locator("[data-token-id]")).to_contain_text("my engine")
    expect(owner.locator("[data-token-id]")).to_contain_text("challenge · table:play · table:read")

    person = new_page(own_server.address, visit=False)
    sign_up(person, own_server.address, "Ada")
    set_up(person, "here", "open")
    table = person.url.rpartition("/")[2]
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(base_url=own_server.address, headers=headers, timeout=60) as bot:
        order = {"type": "sit", "key": "sit", "seat": 1}
        assert bot.post(f"/api/tables/{table}/orders", json=order).status_code == 200
        open_leaf(person, "game")
        expect(person.locator('.drawer [data-badge="bot"]')).to_be_visible()
        expect(person.locator(".drawer")).to_contain_text("Deep Sand")
        person.goto(f"{own_server.address}/lobby")
        with bot.stream("GET", "/api/bot/stream"):
            listed = person.locator('[data-bot="Deep Sand"]')
            expect(listed).to_contain_text("No rated games yet.")
            listed.get_by_role("link", name="Deep Sand").click()
        expect(person.locator('[data-badge="bot"]')).to_be_visible()
        for action, done in (("follow", "Following."), ("block", "Blocked.")):
            person.locator(f'[data-action="{action}"]').click()
            expect(person.get_by_role("status")).to_contain_text(done)
        person.locator('[data-action="report"]').click()
        person.locator('[data-action="send-report"]').click()
        expect(person.get_by_role("status")).to_contain_text("Thank you.")

        owner.locator('[data-action="end-token"]').click()
        expect(owner.locator("[data-token-id]")).to_have_count(0)
        assert bot.get(f"/api/tables/{table}").status_code == 401
