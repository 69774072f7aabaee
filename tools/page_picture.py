"""Make the pictures of the page in the README and the guide (`docs/images`).

`game.png`: a game of Ekö in its middle, one stack picked. `ekko.png`: a game of EKKO in its second round.
`review.webp`, `review-ekko.webp`: a review of each game. `analysis.webp`: the engine on the analysis board.
`puzzle.webp`: a puzzle of Ekö.

    python -m tools.page_picture [eko] [ekko] [reviews] [study]

Needs the built page (`make page`) and what `make test` installs.
"""

from __future__ import annotations

import sys
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from PIL import Image
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Page, ViewportSize, sync_playwright

from ekoes.bots import bot
from ekoes.games.api.chance import Chance
from ekoes.games.api.registry import game
from ekoes.tables.puzzles import puzzles_of
from tests.kit.client import Browser, Socket
from tests.kit.server import Server
from tests.services.programs import find_browser, launch_arguments

PICTURES: Final = Path(__file__).resolve().parents[1] / "docs" / "images"
SIZE: Final = ViewportSize(width=1280, height=800)
SEED: Final = 12
TURN: Final = 22
NAMES: Final = ("Amina", "Bruno", "Chloé", "Dana")
PREFERENCES: Final = '{"pace": 0, "hints": false}'
EKKO_ENTRIES: Final = 12
BLINK: Final = 400  # milliseconds from one look at the page to the next
MIDDLE: Final = 24  # decisions before the position that is analysed
THINKS: Final = 4000  # milliseconds of the engine before the picture is taken
QUALITY: Final = 82
BOTS: Final = {"eko": ("greedy", "beginner"), "ekko": ("casual", "beginner", "skilled")}


def play_to_middle(table: Socket) -> None:
    """Let the greedy bot decide for every seat until a turn begins in the middle of the game."""
    table.ask("pace", milliseconds=0)
    chance = Chance(SEED)
    while not in_middle(table.state):
        position = game("eko").from_json(table.state["position"])
        (seat,) = position.actors()
        action = game("eko").action_to_json(bot("eko", "greedy").choose(position, seat, chance))
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


def picture_of_eko(chromium: Chromium, person: Browser, server: str) -> None:
    """Play Ekö to its middle, open the page and pick a stack."""
    seats = [{"kind": "here", "name": name} for name in NAMES]
    table_id = person.create(*seats, variants=["portals", "wind", "moon"], seed=SEED)
    with person.open(table_id) as table:
        play_to_middle(table)
    page = open_page(chromium, person, server, f"t/{table_id}")
    page.wait_for_selector('[data-mark="pick"]')
    pick_busiest(page)
    page.screenshot(path=PICTURES / "game.png")


def picture_of_ekko(chromium: Chromium, person: Browser, server: str) -> None:
    """Play EKKO against bots on the page until a turn of one's own in the second round."""
    first, *others = NAMES
    seats = [{"kind": "here", "name": first}, *({"kind": "bot", "name": name} for name in others)]
    plan = {"game": "ekko", "options": {"players": len(seats), "hints": True}, "seats": seats}
    answer = person.http.post("/api/tables", json=plan)
    page = open_page(chromium, person, server, f"t/{answer.json()['id']}")
    page.wait_for_selector("[data-action=ready]")
    while not (is_second_round(page) and page.locator("main:has(.call) button.playable").count()):
        for move in (
            "[data-action=close-sheet]",
            "[data-action=ready]",
            "[data-action=effect-draw]",
            "[data-action=pass]",
            "button.playable",
            "[data-action=draw]:enabled",
        ):
            if page.locator(move).count():
                page.locator(move).first.click()
                break
        page.wait_for_timeout(BLINK)
    page.screenshot(path=PICTURES / "ekko.png")


def is_second_round(page: Page) -> bool:
    """Tell whether some cards of the second round have been played."""
    return page.locator(f"li.deal ~ li.deal:nth-last-child(n + {EKKO_ENTRIES})").count() > 0


def played_out(person: Browser, name: str, **options: object) -> str:
    """Let bots play a whole game; return its table."""
    seats = [
        {"kind": "bot", "bot": bot, "name": called} for bot, called in zip(BOTS[name], NAMES, strict=False)
    ]
    plan = {"game": name, "options": {"players": len(seats), **options}, "seats": seats}
    table_id = str(person.http.post("/api/tables", json=plan).json()["id"])
    with person.open(table_id) as table:
        table.ask("pace", milliseconds=0)
        while table.state["outcome"] is None:
            table.receive()
    return table_id


def pictures_of_reviews(chromium: Chromium, person: Browser, server: str) -> None:
    """Review a game of each, at a moment that something is said about."""
    for name, file, fact in (
        ("eko", "review", "review/largest-miss"),
        ("ekko", "review-ekko", "review/better"),
    ):
        options = {"seed": SEED} if name == "eko" else {"target": 5}
        page = open_page(chromium, person, server, f"t/{played_out(person, name, **options)}/review")
        page.locator('[data-review="done"]').wait_for(timeout=0)
        page.locator(f'[data-fact="{fact}"]').first.click()
        save(page, file)


def pictures_of_study(chromium: Chromium, person: Browser, server: str) -> None:
    """Open the analysis board and a puzzle."""
    table_id = played_out(person, "eko", seed=SEED)
    page = open_page(chromium, person, server, f"eko/analysis?table={table_id}&n={MIDDLE}")
    page.wait_for_selector("[data-line]")
    page.wait_for_timeout(THINKS)
    save(page, "analysis")
    puzzle = next(name for name, about in puzzles_of("eko").items() if about.theme == "capture")
    page = open_page(chromium, person, server, f"eko/puzzles/{puzzle}")
    page.wait_for_selector('[data-mark="pick"]')
    save(page, "puzzle")


def save(page: Page, name: str) -> None:
    """Take a picture that is small enough for a page of the guide."""
    page.mouse.move(0, 0)
    page.wait_for_timeout(BLINK)
    Image.open(BytesIO(page.screenshot())).save(PICTURES / f"{name}.webp", quality=QUALITY, method=6)


def open_page(chromium: Chromium, person: Browser, server: str, path: str) -> Page:
    """Open a page with the cookie of the player."""
    context = chromium.new_context(
        viewport=SIZE, device_scale_factor=1, locale="en-GB", reduced_motion="reduce"
    )
    name, _, value = person.cookie.partition("=")
    context.add_cookies([{"name": name, "value": value, "url": server}])
    context.add_init_script(f"localStorage.setItem('ekoes.preferences', '{PREFERENCES}')")
    page = context.new_page()
    page.goto(f"{server}/{path}")
    return page


def main() -> None:
    """Start a server and a browser and take the pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder)).start()
        person = Browser(server.address)
        chromium = playwright.chromium.launch(executable_path=find_browser(), args=launch_arguments())
        takes = {
            "eko": picture_of_eko,
            "ekko": picture_of_ekko,
            "reviews": pictures_of_reviews,
            "study": pictures_of_study,
        }
        for name in sys.argv[1:] or takes:
            takes[name](chromium, person, server.address)
        chromium.close()
        server.stop()
    print(f"made the pictures in {PICTURES}")


if __name__ == "__main__":
    main()
