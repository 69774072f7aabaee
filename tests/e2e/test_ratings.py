"""Rated games and tournaments on the page: made by one, joined by another, to their end."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.manners import violations
from tests.kit.eko_page import MAIN, next_of
from tests.kit.page import NewPage, client_of, give_up, members, table_of
from tests.kit.server import Server
from tests.kit.tournaments import join, make, start


@pytest.fixture
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server at which all play from one address."""
    with Server(tmp_path_factory.mktemp("club"), "--one-house") as server:
        yield server


@pytest.mark.long
def test_a_rated_game_changes_both_ratings_and_leads_to_profiles(club: Server, new_page: NewPage) -> None:
    ada, bo = members(new_page, club.address, "Ada", "Bo")
    ada.goto(f"{club.address}/eko/new")
    ada.locator('[data-option="rated"]').check()
    expect(ada.locator('[data-seat="1"] select')).to_have_value("open")
    ada.locator('[data-action="start"]').click()
    ada.wait_for_selector(f"{MAIN} [data-space]")
    first = ada.url
    bo.goto(first)
    bo.locator('[data-action="sit"]').tap()
    expect(bo.locator('[data-action="sit"]')).to_have_count(0)
    expect(ada.locator('.sources [data-who="account"]')).to_have_text([re.compile(r"1500\?")] * 2)
    expect(ada.locator("[data-plan]")).to_have_text("Rated")
    expect(ada.locator(".name a")).to_have_text(["Ada", "Bo"])
    expect(bo.locator('.strip [data-who="account"]')).to_have_text([re.compile(r"1500\?")] * 2)
    expect(bo.locator('[data-action="goal"]')).to_contain_text("Rated")
    give_up(bo, "abort")
    for page in (ada, bo):
        expect(page.locator(MAIN)).to_contain_text("The game was aborted. It has no result.")
        page.locator('[data-action="rematch"]').click()
    for page in (ada, bo):
        page.wait_for_url(lambda url: url != first)
    while table_of(ada)["options"]["deal"] == "open":
        pass  # their parts are on the way
    while "abort" in table_of(ada)["state"]:
        next_of(ada, bo).decide()
    give_up(bo)
    for page in (ada, bo):
        told = page.locator("[data-rated] li")
        expect(told).to_have_count(2)
        expect(told.filter(has_text="Bo")).to_contain_text(re.compile(r"1[34]\d\d\? \u2212\d+"))
        expect(told.filter(has_text="Ada")).to_contain_text(re.compile(r"1[5-6]\d\d\? \+\d+"))
    bo.locator("[data-rated] a", has_text="Ada").tap()
    expect(bo.locator("h1")).to_have_text("Ada")
    expect(bo.locator("[data-between]")).to_contain_text("Your score against Ada: 0 won, 1 lost, 0 drawn.")
    bo.locator("[data-pool] summary").tap()
    expect(bo.locator("[data-pool] svg[role=img]")).to_be_visible()
    expect(bo.locator("main [data-game]")).to_contain_text("Won")
    assert violations(bo) == []
    held: list[Route] = []
    bo.route("**/api/profile?name=Bo", lambda route: held.append(route))  # noqa: PLW0108 (playwright marks a handler)
    with bo.expect_request("**/api/profile?name=Bo"):
        bo.locator("main [data-game] a", has_text="Bo").tap()
    bo.go_back()
    expect(bo.locator("[data-between]")).to_be_visible()
    with bo.expect_response("**/api/profile?name=Bo"):
        held[0].continue_()
    bo.evaluate("new Promise(requestAnimationFrame)")
    expect(bo.locator("h1")).to_have_text("Ada")  # the late answer is not shown
    bo.goto(f"{club.address}/ratings")
    expect(bo.locator("main")).to_contain_text("Nobody has played enough rated games yet.")


@pytest.mark.long
def test_three_play_a_rated_game_when_all_have_accepted_an_invitation(
    club: Server, new_page: NewPage
) -> None:
    """Two by telephone; one of them goes back on it at first, and a name that nobody has is told at once."""
    names = ("Ada", "Bo", "Cy the third")
    pages = members(new_page, club.address, *names)
    for page in pages:
        page.goto(f"{club.address}/lobby")
    ada, bo, cy = pages
    for answer in ("decline", "accept"):
        ada.get_by_role("button", name="Invite Bo").click()
        inviting = ada.locator("[data-inviting]")
        for called in ("nobody", "cy THE third"):
            inviting.locator('[data-field="another"]').fill(called)
            inviting.locator('[data-action="add"]').click()
            if called == "nobody":
                expect(inviting.locator('[role="alert"]')).to_have_text("No such player.")
        expect(inviting.locator("h2")).to_have_text("Invite Bo and Cy the third")
        inviting.locator('[data-option="rated"]').check()
        assert violations(ada) == []
        inviting.locator('[data-action="invite"][data-game="eko"]').click()
        expect(bo.locator('[data-invitation="other"]')).to_contain_text("with Cy the third · rated")
        bo.locator('[data-action="accept"]').tap()
        expect(bo.locator('[data-invitation="other"]')).to_contain_text("waiting for Cy the third")
        expect(ada.locator('[data-invitation="own"]')).to_contain_text("waiting for Cy the third")
        (bo if answer == "decline" else cy).locator(f'[data-action="{answer}"]').tap()
        expect(ada.locator("[data-invitation]")).to_have_count(0)
    for page in pages:
        page.wait_for_url("**/t/*")
        for name in names:
            expect(page.locator("main")).to_contain_text(name)


@pytest.mark.long
def test_a_guest_is_told_that_rated_games_need_an_account(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/eko/new")
    expect(page.locator("form")).to_contain_text("Rated games need an account")
    page.goto(f"{server.address}/people/Nobody%20at%20all")
    expect(page.locator("main")).to_contain_text("No such player.")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of this file's own: its list of tournaments is known."""
    with Server(tmp_path_factory.mktemp("tournaments")) as server:
        yield server


def points(page: Page, entrant: int) -> str:
    return page.locator(f'[data-entrant="{entrant}"] [data-points]').inner_text()


@pytest.mark.long
def test_a_tournament_from_its_making_to_its_standings(server: Server, new_page: NewPage) -> None:
    """Everybody against everybody, at a table and on a telephone; an onlooker sees it in the lobby."""
    ada, bo = members(new_page, server.address, "Ada", "Bo")
    eve = new_page(f"{server.address}/lobby")
    ada.goto(f"{server.address}/lobby")
    ada.locator('[data-action="tournaments"]').click()
    ada.locator('[data-open="new-tournament"]').click()
    ada.locator('[data-field="tournament-name"]').fill("Spring cup")
    ada.locator('[data-variant="robin"]').check()
    ada.locator('[data-action="make-tournament"]').click()
    ada.locator('[data-action="join"]').click()
    expect(ada.locator('[data-entrant="1"]')).to_contain_text("Ada")
    expect(ada.locator('[data-action="begin"]')).to_be_disabled()

    expect(eve.locator('[data-list="tournaments"]')).to_contain_text("1 player")
    eve.get_by_role("link", name="Spring cup").click()
    expect(eve.locator('[data-entrant="1"]')).to_contain_text("Ada")
    bo.goto(ada.url)
    bo.locator('[data-action="join"]').tap()
    expect(bo.locator('[data-entrant="2"]')).to_contain_text("Bo")
    tournament = ada.url

    ada.locator('[data-action="begin"]').click()
    for page in (ada, bo):
        page.wait_for_url("**/t/*")
        page.wait_for_selector(f"{MAIN} [data-space]")
        expect(page.locator("p:has([data-tournament])")).to_have_text("Spring cup · Round 1")
    assert ada.url == bo.url
    expect(eve.locator('[data-round="1"] [data-game]')).to_contain_text("Bo")
    give_up(bo)
    expect(ada.locator('[data-deal="fair"]')).to_be_visible()
    expect(eve.locator("[data-now]")).to_contain_text("Ada")
    for page in (ada, bo):
        page.locator('[data-action="tournament"]').click()
        page.wait_for_url(tournament)
        expect(page.locator("main")).to_have_attribute("data-status", "over")
        assert [points(page, entrant) for entrant in (1, 2)] == ["1", "0"]
        expect(page.locator("[data-now]")).to_contain_text("Winner: Ada")
        expect(page.locator("dl dt")).to_have_text(["SB", "Wins"])
        expect(page.locator("[data-podium] li")).to_have_text([re.compile("Ada"), re.compile("Bo")])
    assert violations(bo) == []
    ada.locator('[data-action="repeat"]').click()
    expect(ada.locator('main[data-status="open"] h1')).to_have_text("Spring cup")
    assert ada.url != tournament


@pytest.mark.long
def test_next_round_is_announced_on_every_page_with_the_time_that_is_left(
    server: Server, new_page: NewPage
) -> None:
    """Ada is on a page of texts, Bo and Cy still look at the result of their game, on a phone."""
    ada, bo, cy = pages = members(
        new_page, server.address, "Ada the second", "Bo the second", "Cy the second"
    )
    clients = [client_of(page, server.address) for page in pages]
    tournament = make(clients[0], form="robin", name="Autumn cup")
    for client in clients:
        join(client, tournament)
    for page in pages:
        page.goto(f"{server.address}/archive")
    start(clients[0], tournament)
    for page in (bo, cy):
        expect(page.locator("[data-call]")).to_contain_text("Your game is ready")
        page.locator('[data-action="called"]').tap()
        page.wait_for_selector(f"{MAIN} [data-space]")
        expect(page.locator("[data-call]")).to_have_count(0)
        expect(page).not_to_have_title(re.compile("Your game is ready"))
    assert ada.locator("[data-call]").count() == 0
    give_up(cy)
    for page in pages:
        expect(page.locator("[data-call]")).to_contain_text("Round 2 is about to start")
    expect(bo.locator('[data-ending] [data-action="tournament"]')).to_be_visible()
    expect(bo.locator('[data-action="rematch"]')).to_have_count(0)
    clients[0].http.post(f"/api/tournaments/{tournament}/start")  # too late if the break has just ended
    says = "Your game is ready, "
    expect(ada.locator("[data-call]")).to_contain_text(re.compile(rf"{says}(10:00|9:\d\d) left"))
    expect(ada).to_have_title(re.compile(rf"^● {says}(10:00|9:\d\d) left · Ekoes$"))
    expect(bo.locator("[data-ending] [data-call]")).to_contain_text(says)
    assert violations(ada) == violations(bo) == []
    bo.locator('[data-action="called"]').tap()
    ada.locator('[data-action="called"]').click()
    for page in (ada, bo):
        expect(page.locator("[data-call]")).to_have_count(0)
        page.wait_for_selector(f"{MAIN} [data-space]")
    assert ada.url == bo.url


@pytest.mark.long
def test_withdrawal_from_a_running_game_is_asked_about_first(server: Server, new_page: NewPage) -> None:
    ada, bo = pages = members(new_page, server.address, "Ada the third", "Bo the third")
    clients = [client_of(page, server.address) for page in pages]
    tournament = make(clients[0], form="robin", name="Winter cup")
    for client in clients:
        join(client, tournament)
    for page in pages:
        page.goto(f"{server.address}/tournaments/{tournament}")
        expect(page.locator('[data-field="link"]')).to_have_value(re.compile(f"/tournaments/{tournament}$"))
    bo.locator('[data-action="code"]').tap()
    expect(bo.locator('[data-part="code"]')).to_be_visible()
    start(clients[0], tournament)
    for page in pages:
        page.wait_for_url("**/t/*")
        page.goto(f"{server.address}/tournaments/{tournament}")
    bo.locator('[data-open="more"]').tap()
    bo.locator('[data-action="leave"]').tap()
    expect(bo.locator("#question")).to_contain_text("You will lose your running game.")
    bo.locator('[data-action="not-sure"]').tap()
    expect(ada.locator("[data-now]")).to_contain_text("Your game is ready")
    bo.locator('[data-action="leave"]').tap()
    assert violations(bo) == []
    bo.locator('[data-action="leave-sure"]').tap()
    expect(ada.locator("[data-now]")).to_contain_text("Winner: Ada the third")


@pytest.mark.long
def test_an_arena_begins_game_after_game_and_takes_berserk_and_pauses(
    server: Server, new_page: NewPage
) -> None:
    ada, bo, cy = pages = members(
        new_page, server.address, "Ada the fourth", "Bo the fourth", "Cy the fourth"
    )
    ada.goto(f"{server.address}/tournaments")
    ada.locator('[data-open="new-tournament"]').click()
    ada.locator('[data-field="tournament-name"]').fill("Evening arena")
    ada.locator('[data-variant="arena"]').check()
    tomorrow = ada.evaluate("new Date(Date.now() + 30 * 3600e3).toISOString().slice(0, 16)")
    ada.locator('[data-option="starts_at"]').fill(tomorrow)
    ada.locator('[data-action="make-tournament"]').click()
    expect(ada.locator("[data-now]")).to_contain_text("Starts in 1d")
    for page in pages:
        page.goto(ada.url)
        page.locator('[data-action="join"]').click()
    arena = ada.url
    ada.locator('[data-action="begin"]').click()
    for page in (ada, bo):
        page.wait_for_url("**/t/*")
    ada.locator('[data-action="berserk"]').click()
    expect(bo.locator('[data-berserk="0"], [data-berserk="1"]')).to_have_count(1)
    expect(ada.locator('[data-action="berserk"]')).to_have_count(0)
    assert violations(bo) == []
    give_up(bo)
    cy.wait_for_url("**/t/*")
    bo.goto(arena)
    expect(bo.locator("[data-entrant]")).to_have_count(3)
    bo.locator('[data-action="pause"]').tap()
    expect(bo.locator('[data-action="join"]')).to_be_visible()
    assert violations(bo) == []
