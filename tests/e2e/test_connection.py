"""Connections that are lost without being closed, servers that restart, and links that reach friends."""

from __future__ import annotations

import re
import secrets
import socket
import socketserver
import threading
from collections.abc import Iterator
from signal import SIGTERM
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.kit.eko_page import MAIN, Player, next_of, set_up, set_up_by_form, started
from tests.kit.page import PHONE, NewPage, box_of, give_up, make_table, sign_up
from tests.kit.server import Server

DEAD = 30_000
"""Milliseconds in which a line is reported as lost, a silent one too; TCP alone would take minutes."""


REFUSED = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class Hole(socketserver.ThreadingTCPServer):
    """Forwards a port to a server, until it is told to drop what comes: no one closes the connection then.

    refuses: lets no WebSocket through, as networks of schools and companies do.
    """

    daemon_threads = True
    block_on_close = False

    def __init__(self, server_port: int) -> None:
        super().__init__(("127.0.0.1", 0), _Passing)
        self.swallows = self.refuses = False
        self.server_port = server_port
        self.port: int = self.socket.getsockname()[1]
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.shutdown()
        self.server_close()


class _Passing(socketserver.BaseRequestHandler):
    """One connection, both ways."""

    server: Hole

    is_dead = False
    """Whether bytes were dropped: later ones are of no use then."""

    def handle(self) -> None:
        with socket.create_connection(("127.0.0.1", self.server.server_port)) as there:
            back = threading.Thread(target=self._pump, args=(there, self.request), daemon=True)
            back.start()
            self._pump(self.request, there)
            back.join()

    def _pump(self, source: Any, sink: Any) -> None:
        try:
            while data := source.recv(65536):
                if self.server.refuses and b"upgrade: websocket" in data.lower():
                    self.request.sendall(REFUSED)
                    self.request.shutdown(socket.SHUT_RDWR)
                    return
                self.is_dead |= self.server.swallows
                if not self.is_dead:
                    sink.sendall(data)
            if not self.is_dead:
                sink.shutdown(socket.SHUT_WR)
        except OSError:
            return  # the other side has gone


@pytest.fixture
def hole(server: Server) -> Iterator[Hole]:
    hole = Hole(server.port)
    yield hole
    hole.close()


@pytest.mark.long
def test_a_line_that_drops_packets_is_told_lost_and_what_was_chosen_is_sent_once(
    hole: Hole, new_page: NewPage
) -> None:
    page = new_page(f"http://127.0.0.1:{hole.port}", visit=False)
    player = started(page, "here", "here")
    target = player.pick_for("attack", "regroup")
    version = player.version
    hole.swallows = True
    player.tap(target)  # it goes into the hole
    player.first_variant()
    expect(page.locator(MAIN)).to_have_attribute("aria-busy", "true")
    expect(page.get_by_role("alert")).to_contain_text("connection", ignore_case=True, timeout=DEAD)
    hole.swallows = False
    player.until_after(version)
    expect(page.locator(".bubble")).to_have_count(0)
    assert player.version == version + 1


@pytest.mark.long
def test_where_no_websocket_gets_through_everything_goes_over_http(hole: Hole, new_page: NewPage) -> None:
    hole.refuses = True
    address = f"http://127.0.0.1:{hole.port}"
    ada = new_page(address, visit=False, preferences={"autoEnd": True})
    set_up(ada, "here", "open")
    bo = new_page(ada.url, preferences={"autoEnd": True}, **PHONE)
    bo.locator('[data-action="sit"]').click()
    expect(ada.locator('[data-action="sit"]')).to_have_count(0)
    for _ in range(4):
        next_of(ada, bo).decide()
    assert next_of(ada, bo).version > 3
    ada.locator('[data-action="chat"]').click()
    ada.locator('[data-phrase="luck"]').click()
    expect(bo.locator('[data-action="chat"]')).to_have_attribute("data-unread", "1")
    assert ada.locator(".bubble").count() == bo.locator(".bubble").count() == 0

    for page, name in ((ada, "Ada"), (bo, "Bo")):
        page.goto(f"{address}/lobby")
        page.locator('[data-field="name"]').fill(name)
        page.locator('[data-action="players"][data-number="2"]').click()
        page.locator('[data-action="seek"]').first.click()
    for page in (ada, bo):
        page.wait_for_selector(f"{MAIN}[data-connection=open]")


def test_a_browser_that_goes_offline_says_so_and_what_waits_to_be_sent(
    server: Server, new_page: NewPage
) -> None:
    page = new_page(server.address, visit=False)
    set_up(page, "here", "here")
    player = Player(page)
    player.until_asked()
    version = player.version
    page.context.set_offline(True)
    expect(page.locator(".bubble")).to_be_visible()
    player.button("keep").click()
    expect(page.locator(".sentence")).to_have_text("Your decision is waiting for the connection.")
    page.context.set_offline(False)
    expect(page.locator(".bubble")).to_have_count(0)
    player.until_after(version)


@pytest.mark.long
def test_what_is_loaded_on_demand_says_so_and_has_a_way_back(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, visit=False, **PHONE)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/assets/EkoConditionalMoves*.js", hold)
    other = new_page(server.address)
    page.goto(make_table(other, "eko", "here", "open", seed=1, clock={"days": 3, "up": "lose"}))
    page.locator('[data-action="sit"]').click()
    page.locator(f'{MAIN}[data-phase], [data-action="conditional-moves"]').first.wait_for()
    if Player(page).phase:
        Player(page).decide()
    prepare, leave = (
        page.locator('[data-action="conditional-moves"]'),
        page.locator('[data-action="leave-part"]'),
    )
    prepare.click()
    expect(page.locator("main[data-loading=true]")).to_contain_text("Connecting")
    leave.click()
    held.pop().continue_()
    page.unroute("**/assets/EkoConditionalMoves*.js")
    prepare.click()
    page.locator("main[data-conditional-moves]").wait_for()
    page.locator('[data-action="leave-conditional-moves"]').click()
    expect(prepare).to_be_visible()


def test_a_page_that_cannot_be_loaded_says_so_and_comes_by_itself(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/eko")
    play = page.locator('[data-door="play"]')
    play.wait_for()
    page.evaluate("window.old = true")
    page.route("**/*", lambda route: route.abort())
    page.locator('[data-action="rules"]').click()
    lost = page.get_by_role("alert")
    expect(lost).to_contain_text("The server can’t be reached.")
    page.go_back()
    expect(play).to_be_visible()
    assert page.evaluate("window.old")
    page.go_forward()
    expect(lost).to_be_visible()
    page.unroute("**/*")
    expect(page.locator("article").first).to_be_visible()


@pytest.mark.long
def test_a_drawer_that_cannot_be_loaded_comes_with_the_page(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, visit=False)
    set_up(page, "here", "here")
    Player(page).until_asked()
    page.route("**/*", lambda route: route.abort())
    settings = page.get_by_role("button", name="Settings")
    settings.click()
    retry = page.locator('[data-action="retry"]')
    expect(retry).to_be_visible()
    page.unroute("**/*")
    with page.expect_navigation():
        retry.click()
    settings.click()
    expect(page.get_by_role("dialog")).to_be_visible()


def test_what_fails_says_so_and_can_be_tried_again(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/eko")
    page.locator('[data-door="play"]').wait_for()
    page.route("**/api/meta", lambda route: route.abort())
    page.goto(f"{server.address}/lobby")
    retry = page.locator('[data-action="retry"]')
    expect(page.get_by_role("alert")).to_contain_text("The server can’t be reached.")
    page.unroute("**/api/meta")
    page.route("**/api/archive", lambda route: route.abort())
    retry.click()
    expect(page.locator('[data-action="seek"]')).not_to_have_count(0)
    again = page.locator(".recent").locator(retry)
    expect(again).to_be_visible()  # it was refused before the way is open again
    page.unroute("**/api/archive")
    again.click()
    expect(retry).to_have_count(0)
    expect(page.locator(".recent")).not_to_contain_text("…")

    sign_up(page, server.address, secrets.token_hex(8))
    page.route("**/api/account/sign-out", lambda route: route.abort())
    page.goto(f"{server.address}/account")
    page.locator('[data-action="sign-out"]').click()
    expect(page.get_by_role("alert")).to_contain_text("The server can’t be reached.")


def test_a_server_that_restarts_alarms_nobody_and_what_was_chosen_meanwhile_is_sent(
    own_server: Server, new_page: NewPage
) -> None:
    page = new_page(own_server.address, visit=False)
    player = started(page, "here", "here")
    target = player.pick_for("attack", "regroup")
    version = player.version
    with page.expect_websocket():
        own_server.stop(SIGTERM)
    with page.expect_websocket():
        pass  # it has tried in vain, and tries again
    player.tap(target)
    player.first_variant()
    expect(page.get_by_role("alert")).to_have_count(0)
    own_server.start()
    player.until_after(version)
    assert player.version == version + 1


def test_the_status_of_own_tables_is_asked_for_once_and_unknown_without_an_answer(
    server: Server, new_page: NewPage
) -> None:
    page = new_page(f"{server.address}/eko")
    waiting = make_table(page, "eko", "here", "open").rpartition("/")[2]
    lost, *gone = "lost", "gone1", "gone2", "gone3"
    visited = [
        {"id": table, "game": "eko", "at": "2026-11-01T12:00:00+00:00", "names": [table]}
        for table in (waiting, lost, *gone)
    ]
    page.evaluate("all => localStorage.setItem('ekoes.tables', JSON.stringify(all))", visited)
    page.route(f"**/{lost}/status", lambda route: route.abort())
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/status" in request.url else None)
    page.reload()
    page.get_by_role("button", name="All 5").click()
    expect(page.locator('[data-status="gone"]')).to_have_count(len(gone))
    expect(page.locator('[data-status="waiting"]')).to_have_count(1)
    expect(page.locator("[data-status]")).to_have_count(1 + len(gone))
    assert len(asked) == len(visited)


@pytest.fixture
def insecure(browser: Browser, server: Server) -> Iterator[Page]:
    """A page over plain http at a name of its own: no secure context, as friends in a network have it."""
    from tests.services.programs import find_browser, launch_arguments

    rules = "--host-resolver-rules=MAP friends.test 127.0.0.1"
    other = browser.browser_type.launch(executable_path=find_browser(), args=[*launch_arguments(), rules])
    page = other.new_page()
    page.goto(f"http://friends.test:{server.port}")
    yield page
    other.close()


@pytest.mark.long
def test_the_link_is_copied_over_plain_http_too(insecure: Page) -> None:
    assert insecure.evaluate("[isSecureContext, 'clipboard' in navigator]") == [False, False]
    set_up_by_form(insecure, "here", "open")
    expect(insecure.locator("[data-here]")).to_have_count(0)
    insecure.locator('[data-action="copy"]').first.click()
    expect(insecure.locator('[data-action="copy"]').first).to_have_text("Copied")
    link = insecure.locator('[data-field="link"]').first.input_value()
    insecure.evaluate("document.body.append(document.createElement('textarea'))")
    pasted = insecure.locator("textarea")
    pasted.focus()
    insecure.keyboard.press("ControlOrMeta+V")
    assert pasted.input_value() == link == insecure.url


def test_a_link_that_opens_on_this_computer_alone_says_so(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, visit=False)
    set_up(page, "here", "open")
    expect(page.locator("[data-here]").first).to_contain_text("ekoes play --host 0.0.0.0")


@pytest.mark.long
def test_a_finished_game_is_shared_over_plain_http_too(insecure: Page) -> None:
    set_up_by_form(insecure, "here", "here")
    give_up(insecure)
    share = insecure.locator('[data-ending] [data-action="share"]')
    share.click()
    expect(share).to_have_text("Copied")
    insecure.evaluate("document.execCommand = () => false")
    share.click()
    link = insecure.locator('[data-ending] [data-field="link"]')
    expect(link).to_have_value(re.compile("/games/"))


@pytest.mark.long
def test_where_nothing_can_be_copied_the_link_is_shown_selected(insecure: Page) -> None:
    set_up_by_form(insecure, "here", "open")
    insecure.evaluate("document.execCommand = () => false")
    insecure.locator('[data-action="copy"]').first.click()
    expect(insecure.locator('[data-action="copy"]').first).to_have_text("Selected: copy it")
    field = insecure.locator('[data-field="link"]').first
    assert insecure.evaluate("getSelection().toString()") in {field.input_value(), ""}
    assert field.evaluate("one => one.selectionEnd - one.selectionStart") == len(field.input_value())


@pytest.mark.long
def test_the_link_as_a_code_for_a_camera(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, visit=False)
    set_up(page, "here", "open")
    page.locator('[data-action="code"]').first.click()
    code = page.locator('[data-part="code"]').first
    expect(code).to_have_attribute("aria-label", f"QR code of {page.url}")
    assert box_of(code)["width"] > 150
    page.keyboard.press("Escape")
    expect(code).to_have_count(0)
