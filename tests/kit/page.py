"""What tests do on every page: open leaves, give a game up, make accounts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.kit.client import PASSWORD, Browser

NewPage = Callable[..., Page]
"""Opens a page in a browser session of its own: the fixture ``new_page``."""
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}

KEPT: dict[str, Any] = {"service_workers": "allow"}
"""A browser that keeps the page, so that it needs no server."""


class TablePage:
    """A table's page as a person uses it. main: selects the table; touch: by fingers, not by a mouse."""

    main: str

    def __init__(self, page: Page, *, touch: bool = False) -> None:
        self.page = page
        self.touch = touch

    def _told(self, name: str) -> str | None:
        return self.page.locator(self.main).get_attribute(f"data-{name}")

    @property
    def version(self) -> int:
        return int(self._told("version") or 0)

    def button(self, action: str) -> Locator:
        return self.page.locator(f'[data-action="{action}"]')

    def press(self, target: Locator) -> None:
        if self.touch:
            target.tap()
        else:
            target.click()

    def until_after(self, version: int) -> None:
        """Wait until the table is past a version."""
        self.page.wait_for_function(
            "version => Number(document.querySelector('main').dataset.version) > version", arg=version
        )


def box_of(target: Locator) -> FloatRect:
    """Return where an element is on the screen, and how large."""
    box = target.bounding_box()
    assert box
    return box


def origin(page: Page) -> str:
    return "/".join(page.url.split("/")[:3])


def make_table(page: Page, game: str, *kinds: str, **options: Any) -> str:
    """Make a table as a page's user; return its address. kinds: ``here``, ``open``, ``bot greedy`` …"""
    seats = [dict(zip(("kind", "bot"), kind.split(), strict=False)) for kind in kinds]
    plan = {"game": game, "options": {"players": len(kinds)} | options, "seats": seats}
    answer = page.request.post("/api/tables", data=plan)
    assert answer.status == 201, answer.text()
    return answer.url.replace("/api/tables", f"/t/{answer.json()['id']}")


def table_of(page: Page) -> Any:
    """The table that a page shows, as the server sends it to the page's user."""
    return page.request.get(page.url.replace("/t/", "/api/tables/")).json()


def client_of(page: Page, address: str) -> Browser:
    """Return a client of a server with the session of a page."""
    client = Browser(address)
    client.http.cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}
    return client


def open_form(page: Page, game: str) -> None:
    """Open the form that creates a game, by way of the front page, and everything folded in it."""
    if not page.url.endswith(f"/{game}/new"):
        page.locator(f'header [data-game="{game}"]').click()
        page.locator('[data-action="create"]').click()
    page.locator("form.newgame").wait_for()
    page.eval_on_selector_all("form.newgame details", "all => all.forEach(one => one.open = true)")


def open_leaf(page: Page, leaf: str) -> None:
    """Open a leaf beside the table, wherever the button for that is."""
    page.locator('.menu button[aria-label="Settings"], .top > button:last-child').click()
    page.locator(f'[data-tab="{leaf}"]').click()


def give_up(page: Page, how: str = "resign") -> None:
    """End a game, whose result is shown then."""
    page.locator('[data-action="give-up"]').click()
    page.locator(f'[data-action="{how}"]').first.click()
    page.locator(f'[data-action="{how}-sure"]').click()
    page.locator("[data-ending]").wait_for()


def fill_in(page: Page, name: str, password: str, fills: str, action: str) -> None:
    page.locator('[data-field="username"]').fill(name)
    page.locator(f'[data-field="{fills}"]').fill(password)
    page.locator(f'button[data-action="{action}"]').click()


def account_of(page: Page, address: str, name: str) -> list[str]:
    """Make an account and return its recovery codes, which the page goes on showing."""
    page.goto(f"{address}/account")
    page.locator('[data-mode="sign-up"]').click()
    fill_in(page, name, PASSWORD, "new-password", "sign-up")
    expect(page.locator(".codes li")).to_have_count(8)
    return page.locator(".codes li").all_inner_texts()


def sign_up(page: Page, address: str, name: str) -> None:
    page.wait_for_load_state("networkidle")  # a late answer to the page could replace the account's cookie
    wish = {"name": name, "password": "a tower by the sea"}
    assert page.request.post(f"{address}/api/account", data=wish).status == 201


def members(new_page: NewPage, address: str, *names: str) -> list[Page]:
    """Open a page with a new account for each name, all but the first on a telephone."""
    pages = [new_page(address, **(PHONE if at else {})) for at in range(len(names))]
    for page, name in zip(pages, names, strict=True):
        sign_up(page, address, name)
    return pages
