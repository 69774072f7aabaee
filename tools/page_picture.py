"""Make the README's picture of the page (`docs/images/game.png`): a game in its middle, one stack picked.

    python -m tools.page_picture

Needs the built page (`make page`) and what `make test` installs.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page, ViewportSize, sync_playwright

from ekoes.bots import bot
from ekoes.games.chance import Chance
from ekoes.games.registry import game
from tests.browser import find_browser, launch_arguments
from tests.server.browser import Browser, Socket
from tests.server.conftest import Server

PICTURE: Final = Path(__file__).resolve().parents[1] / "docs" / "images" / "game.png"
SIZE: Final = ViewportSize(width=1280, height=800)
SEED: Final = 12
TURN: Final = 22
NAMES: Final = ("Amina", "Bruno", "Chloé", "Dana")
PREFERENCES: Final = '{"pace": 0, "hints": false}'


def play_to_middle(table: Socket) -> None:
    """Let the greedy bot decide for every seat until a turn begins in the middle of the game."""
    table.ask("pace", milliseconds=0)
    chance = Chance(SEED)
    while not in_middle(table.state):
        position = game("eko").from_json(table.state["position"])
        (seat,) = position.actors()
        action = game("eko").action_to_json(bot("greedy").choose(position, seat, chance))
        answer = table.order("act", seat=seat, action=action, hold=False)
        if answer["type"] != "ack":
            raise SystemExit(f"the table did not take {action}: {answer}")


def in_middle(state: dict[str, Any]) -> bool:
    """Tell whether this is the moment to take the picture."""
    turn = state["position"]["turn"]
    return bool(turn["number"] >= TURN and turn["phase"] == "action")


def pick_busiest(page: Page) -> None:
    """Pick the stack that may go to the most spaces."""
    starts = page.eval_on_selector_all('[data-mark="pick"]', "all => all.map(one => one.dataset.space)")
    targets = {}
    for start in starts:
        page.locator(f'[data-space="{start}"]').click()
        targets[start] = page.locator('[data-mark]:not([data-mark="pick"])').count()
        page.keyboard.press("Escape")
    page.locator(f'[data-space="{max(targets, key=targets.__getitem__)}"]').click()


def main() -> None:
    """Play, open the page with the cookie of who played, and take the picture."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder)).start()
        person = Browser(server.address)
        seats = [{"kind": "here", "name": name} for name in NAMES]
        address = person.create(*seats, variants=["portals", "wind", "moon"], seed=SEED)
        with person.open(address) as table:
            play_to_middle(table)
        browser = playwright.chromium.launch(executable_path=find_browser(), args=launch_arguments())
        context = browser.new_context(
            viewport=SIZE, device_scale_factor=1, locale="en-GB", reduced_motion="reduce"
        )
        name, _, value = person.cookie.partition("=")
        context.add_cookies([{"name": name, "value": value, "url": server.address}])
        context.add_init_script(f"localStorage.setItem('ekoes.preferences', '{PREFERENCES}')")
        page = context.new_page()
        page.goto(f"{server.address.rstrip('/')}/t/{address}")
        page.wait_for_selector('[data-mark="pick"]')
        pick_busiest(page)
        PICTURE.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=PICTURE)
        browser.close()
        server.stop()
    print(f"made {PICTURE}")


if __name__ == "__main__":
    main()
