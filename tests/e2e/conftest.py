"""A server and browsers for the tests of the page."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.kit.app import DEALER, DRAWN, LEFT, TURNED, order_of
from tests.kit.page import NewPage
from tests.kit.server import ROOT, ControlledServer, Server, ekoes
from tests.services.programs import find, launch_arguments

PATIENCE = 60_000
"""Milliseconds that a condition may take on a busy machine before a test fails."""


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for all tests of a process that leave it running."""
    assert (ROOT / "src/ekoes/server/static/index.html").is_file(), "the page is not built: `make page`"
    with Server(tmp_path_factory.mktemp("games")) as server:
        yield server


@pytest.fixture(scope="session")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server at which two players of EKKO always get the same hands."""
    folder, deal = tmp_path_factory.mktemp("dealt"), order_of(LEFT, DEALER, TURNED, DRAWN)
    with ControlledServer(folder, deals=[deal]) as server:
        yield server


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server for one test alone, to be ended and started again."""
    with Server(tmp_path) as server:
        yield server


@pytest.fixture
def timed(tmp_path: Path) -> Iterator[ControlledServer]:
    """A server for one test, which puts its clock forward."""
    with ControlledServer(tmp_path) as server:
        yield server


@pytest.fixture(scope="session")
def site_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `ekoes site` writes."""
    folder = tmp_path_factory.mktemp("host") / "site"
    ekoes("site", folder)
    return folder


@pytest.fixture(scope="session")
def site(site_folder: Path) -> Iterator[str]:
    """The address of a host that shows it and knows nothing of games."""
    server = [sys.executable, "-u", "-m", "http.server", "--bind", "127.0.0.1", "0"]
    with subprocess.Popen(
        server, cwd=site_folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as host:
        assert host.stdout
        port = host.stdout.readline().split("port ")[1].split()[0]
        yield f"http://127.0.0.1:{port}"
        host.terminate()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = find("chromium")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=launch_arguments())
        yield browser
        browser.close()


class Sessions:
    """Browser sessions for one test after the other: what the page is made of is in their cache by then."""

    MOST = 12
    """Idle ones; each takes memory."""
    STORED = "local_storage,indexeddb,service_workers,cache_storage"

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._idle: list[tuple[dict[str, Any], BrowserContext]] = []

    def take(self, options: dict[str, Any]) -> BrowserContext:
        """Return a session in which nothing is stored. options: of `browser.new_context`."""
        for at, (made_with, context) in enumerate(self._idle):
            if made_with == options:
                del self._idle[at]
                return context
        return self._browser.new_context(**options)

    def give_back(self, options: dict[str, Any], context: BrowserContext) -> None:
        """Close a session's pages and clear all that it stores but the cache."""
        page = context.new_page()
        for other in context.pages[:-1]:
            other.close()
        context.set_offline(False)
        context.clear_cookies()
        storage = {"origin": options["base_url"], "storageTypes": self.STORED}
        context.new_cdp_session(page).send("Storage.clearDataForOrigin", storage)
        page.close()
        self._idle.append((options, context))
        if len(self._idle) > self.MOST:
            self._idle.pop(0)[1].close()


@pytest.fixture(scope="session")
def sessions(browser: Browser) -> Sessions:
    return Sessions(browser)


@pytest.fixture
def new_page(browser: Browser, sessions: Sessions) -> Iterator[NewPage]:
    """Open a page in a browser session of its own.

    Fails the test if the page reports an error, or does what its content security policy forbids.
    """
    used: list[tuple[dict[str, Any], BrowserContext]] = []
    errors: list[str] = []

    def open_page(
        address: str,
        *,
        preferences: dict[str, Any] | None = None,
        clock: bool = False,
        visit: bool = True,
        **wishes: Any,
    ) -> Page:
        """clock: the page's time can be put forward (`page.clock`); visit: go there, else `set_up` does."""
        standard = {"reduced_motion": "reduce", "locale": "en-GB", "viewport": {"width": 1280, "height": 800}}
        # a page that is shown for some seconds is kept: its two hundred files take as long as a short story
        standard["service_workers"] = "block"
        options = standard | wishes | {"base_url": "/".join(address.split("/")[:3])}
        if clock or "storage_state" in options:  # which stay with a session
            context = browser.new_context(**options)
        else:
            context = sessions.take(options)
            used.append((options, context))
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        at_once = {"pace": 0, "hints": False} | (preferences or {})
        for name in ("ekoes.preferences", "ekoes.eko", "ekoes.ekko"):
            arguments = f"{name!r}, {json.dumps(at_once)!r}"
            page.add_init_script(f"localStorage.getItem({name!r}) || localStorage.setItem({arguments})")
        if clock:
            page.clock.install()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.extend(_forbidden(message.text)))
        if visit:
            page.goto(address)
        return page

    yield open_page
    for options, context in used:
        sessions.give_back(options, context)
    for context in browser.contexts:
        if context.pages:
            context.close()
    assert errors == []


def _forbidden(told: str) -> list[str]:
    """Return what a page's console tells, if it is that the page's policy has refused something."""
    return [told] if "Content Security Policy" in told else []
