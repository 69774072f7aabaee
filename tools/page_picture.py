"""Make the pictures of the page in the README and the guide (`docs/images`).

`game.png`: a game of Ekö in its middle, one stack picked. `ekko.png`: a game of EKKO in a later round.
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
from ekoes.games.eko.game import EKO
from ekoes.tables.puzzles import puzzles_of
from tests.kit.client import Socket
from tests.kit.ekko_page import EkkoPlayer
from tests.kit.server import Server
from tests.services.programs import find_browser, launch_arguments

PICTURES: Final = Path(__file__).resolve().parents[1] / "docs" / "images"
SIZE: Final = ViewportSize(width=1280, height=800)
SEED: Final = 12
TURN: Final = 22
NAMES: Final = ("Amina", "Bruno", "Chloé", "Dana")
PREFERENCES: Final = '{"pace": 0, "hints": false}'
EKKO_ENTRIES: Final = 12
BLINK: Final = 400  # milliseconds until a page rests
MIDDLE: Final = 24  # decisions before the position that is analysed
THINKS: Final = 4000  # milliseconds of the engine before the picture is taken
BOTS: Final = {"eko": ("greedy", "beginner"), "ekko": ("casual", "beginner", "skilled")}


class Camera:
    """A person who plays at a server, with a browser whose pages are taken."""

    def __init__(self, server: Server, chromium: Chromium) -> None:
        self.person = server.browser()
        self._context = chromium.new_context(
            viewport=SIZE,
            device_scale_factor=1,
            locale="en-GB",
            reduced_motion="reduce",
            base_url=server.address,
        )
        name, _, value = self.person.cookie.partition("=")
        self._context.add_cookies([{"name": name, "value": value, "url": server.address}])
        self._context.add_init_script(f"localStorage.setItem('ekoes.preferences', '{PREFERENCES}')")

    def open(self, path: str) -> Page:
        """Open a page."""
        page = self._context.new_page()
        page.clock.install()
        page.goto(path)
        return page

    def take(self, page: Page, name: str) -> None:
        """Take a picture. name: a file; WebP is small enough for a page of the guide."""
        page.mouse.move(0, 0)
        page.wait_for_timeout(BLINK)
        Image.open(BytesIO(page.screenshot())).save(PICTURES / name, quality=82, method=6)

    def played_out(self, game: str, **options: Any) -> str:  # noqa: ANN401 - as the table takes them
        """Let bots play a whole game; return its table."""
        create = self.person.create if game == "eko" else self.person.create_race
        bots = [
            {"kind": "bot", "bot": level, "name": name}
            for level, name in zip(BOTS[game], NAMES, strict=False)
        ]
        table_id = create(*bots, **options)
        with self.person.open(table_id) as table:
            table.ask("pace", milliseconds=0)
            while table.state["outcome"] is None:
                table.receive()
        return table_id


def play_to_middle(table: Socket) -> None:
    """Let the greedy bot decide for every seat until a turn begins in the middle of the game."""
    table.ask("pace", milliseconds=0)
    chance = Chance(SEED)
    while (turn := table.state["position"]["turn"])["number"] < TURN or turn["phase"] != "action":
        position = EKO.from_json(table.state["position"])
        (seat,) = position.actors()
        action = bot("eko", "greedy").choose(position, seat, chance)
        table.act(seat, {"action": EKO.action_to_json(action)})


def pick_busiest(page: Page) -> None:
    """Pick the stack that may go to the most spaces."""
    starts = page.eval_on_selector_all('[data-mark="pick"]', "all => all.map(one => one.dataset.space)")
    targets = {}
    for start in starts:
        page.locator(f'[data-space="{start}"]').click()
        targets[start] = page.locator('[data-mark]:not([data-mark="pick"])').count()
        page.keyboard.press("Escape")
    page.locator(f'[data-space="{max(targets, key=targets.__getitem__)}"]').click()


def picture_of_eko(camera: Camera) -> None:
    """Play Ekö to its middle, open the page and pick a stack."""
    seats = [{"kind": "here", "name": name} for name in NAMES]
    table_id = camera.person.create(*seats, variants=["portals", "wind", "moon"], seed=SEED)
    with camera.person.open(table_id) as table:
        play_to_middle(table)
    page = camera.open(f"t/{table_id}")
    page.wait_for_selector('[data-mark="pick"]')
    pick_busiest(page)
    page.screenshot(path=PICTURES / "game.png")


def picture_of_ekko(camera: Camera) -> None:
    """Play EKKO against bots on the page until a turn of one's own, some cards into a later round."""
    first, *others = NAMES
    bots = [{"kind": "bot", "name": name} for name in others]
    page = camera.open(f"t/{camera.person.create_race({'kind': 'here', 'name': first}, *bots, hints=True)}")
    player = EkkoPlayer(page)
    entries = page.locator(f"li.deal ~ li.deal:nth-last-child(n + {EKKO_ENTRIES})")
    while not (entries.count() and page.locator(".call").count() and player.playable):
        player.decide()
    page.screenshot(path=PICTURES / "ekko.png")


def pictures_of_reviews(camera: Camera) -> None:
    """Review a game of each, at a moment that something is said about."""
    for game, options, file, about in (
        ("eko", {"seed": SEED}, "review.webp", "[data-mistake]"),
        ("ekko", {"target": 5}, "review-ekko.webp", '[data-fact="review/better"]'),
    ):
        page = camera.open(f"t/{camera.played_out(game, **options)}/review")
        page.locator('[data-review="done"]').wait_for(timeout=0)
        page.locator(about).first.click()
        camera.take(page, file)


def pictures_of_study(camera: Camera) -> None:
    """Open the analysis board and a puzzle."""
    table_id = camera.played_out("eko", seed=SEED)
    page = camera.open(f"eko/analysis?table={table_id}&n={MIDDLE}")
    page.wait_for_selector("[data-line]")
    page.wait_for_timeout(THINKS)
    camera.take(page, "analysis.webp")
    puzzle = next(name for name, about in puzzles_of("eko").items() if about.theme == "capture")
    page = camera.open(f"eko/puzzles/{puzzle}")
    page.wait_for_selector('[data-mark="pick"]')
    camera.take(page, "puzzle.webp")


TAKES: Final = {
    "eko": picture_of_eko,
    "ekko": picture_of_ekko,
    "reviews": pictures_of_reviews,
    "study": pictures_of_study,
}


def main() -> None:
    """Start a server and a browser and take the pictures."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder)).start()
        chromium = playwright.chromium.launch(executable_path=find_browser(), args=launch_arguments())
        camera = Camera(server, chromium)
        for name in sys.argv[1:] or TAKES:
            TAKES[name](camera)
        chromium.close()
        server.stop()
    print(f"made the pictures in {PICTURES}")


if __name__ == "__main__":
    main()
