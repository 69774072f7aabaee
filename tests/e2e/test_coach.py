"""The coach, as the page asks for the reviews that are missing."""

from __future__ import annotations

from playwright.sync_api import Route, expect

from tests.e2e.screens import SLIPS
from tests.kit.client import Json
from tests.kit.page import NewPage
from tests.kit.server import Server


def test_coach_goes_on_after_reviews_that_are_refused_or_lost(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/eko/rules")
    about = {"ended_at": "2026-11-30T12:00:00+00:00", "players": 2, "won": False, "seats": [0], "people": [0]}
    done: set[str] = set()

    def look_back(route: Route) -> None:
        names = (*(f"refused {number}" for number in range(5)), "lost", "one", "two", "three")
        games = [about | {"table": name, "review": SLIPS if name in done else None} for name in names]
        route.fulfill(json={"games": games})

    def review(route: Route) -> None:
        table = route.request.url.split("/")[-2]
        answer: Json = {"place": None, "examined": 0, "questions": 4, "chances": [], "review": None}
        if table.startswith("refused"):
            return route.fulfill(status=429, json={"code": "limit/busy", "message": "later"})
        if table == "lost":
            state = "running" if route.request.method == "POST" else "none"
        else:
            state = "done"
            done.add(table)
        return route.fulfill(json=answer | {"state": state})

    page.route("**/api/eko/coach", look_back)
    page.route("**/review", review)
    page.goto(f"{server.address}/eko/coach")
    expect(page.locator("main")).to_contain_text("9 of your latest games are not reviewed yet.")
    page.locator('[data-action="review-all"]').click()
    expect(page.locator("main")).to_contain_text("6 of your latest games are not reviewed yet.")
    expect(page.locator("main [role=alert]")).to_be_visible()
    expect(page.locator("main")).to_contain_text("From the reviews of 3 of your latest games.")
    expect(page.locator("[data-group]")).to_have_count(2)
