"""Make the pictures of the page in the README and the guide (`docs/images`).

`game.webp`: a game of Ekö in its middle, one stack picked. `ekko.webp`: a game of EKKO in a later round.
`review.webp`, `review-ekko.webp`: a review of each game. `analysis.webp`: the engine on the analysis board.
`puzzle.webp`: a puzzle of Ekö. `web/src/eko/hero.json`: the game that is played on Ekö's front page.

    python -m tools.page_picture [eko] [ekko] [reviews] [study] [hero]

Needs the built page (`make page`) and what `make test` installs.
"""

from __future__ import annotations

import json
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
from ekoes.games.eko.position.position import EkoPosition
from ekoes.tables.puzzles import puzzles_of
from tests.kit.client import Socket
from tests.kit.ekko_page import EkkoPlayer
from tests.kit.server import Server
from tests.services.programs import find_browser, launch_arguments

ROOT: Final = Path(__file__).resolve().parents[1]
PICTURES: Final = ROOT / "docs" / "images"
HERO: Final = ROOT / "web" / "src" / "eko" / "hero.json"
SIZE: Final = ViewportSize(width=1280, height=800)
SEED: Final = 12
TURN: Final = 22
HERO_SEED, HERO_TURN, HERO_STEPS = 3, 12, 40  # a wide board; the turn before the steps that are shown
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
    camera.take(page, "game.webp")


def picture_of_ekko(camera: Camera) -> None:
    """Play EKKO against bots on the page until a turn of one's own, some cards into a later round."""
    first, *others = NAMES
    bots = [{"kind": "bot", "name": name} for name in others]
    page = camera.open(f"t/{camera.person.create_race({'kind': 'here', 'name': first}, *bots, hints=True)}")
    player = EkkoPlayer(page)
    entries = page.locator(f"li.deal ~ li.deal:nth-last-child(n + {EKKO_ENTRIES})")
    while not (entries.count() and page.locator(".call").count() and player.playable):
        player.decide()
    camera.take(page, "ekko.webp")


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


def hero(_: Camera) -> None:
    """Let bots play for the front page: the board, what stands there at first, and what each step changes."""
    chance = Chance(HERO_SEED)
    position = EKO.new({"players": 3, "variants": ["portals", "moon"]}, HERO_SEED)
    first: dict[str, Any] = {}
    steps: list[dict[str, Any]] = []
    while len(steps) < HERO_STEPS:
        before = _pieces(position)
        if not first and position.view(None)["turn"]["number"] == HERO_TURN:
            first = before
        (seat,) = position.actors()
        action = bot("eko", "skilled").choose(position, seat, chance)
        move = EKO.action_to_json(action)
        position = position.play(seat, action)
        after = _pieces(position)
        changed = {
            space: after.get(space)
            for space in before.keys() | after
            if before.get(space) != after.get(space)
        }
        if first and changed:
            steps.append(
                {"set": changed} | ({"go": [move["from"], move["to"]]} if move["type"] == "move" else {})
            )
    layout = position.layout
    board = [
        [q, r, terrain.word, tile]
        for (q, r), terrain, tile in zip(layout.spaces, layout.terrain, layout.tile_of, strict=True)
    ]
    portals = [[str(layout.spaces[place]), direction] for place, direction, _ in layout.portals]
    shown = {"board": board, "portals": portals, "first": first, "steps": steps}
    HERO.write_text(json.dumps(shown, separators=(",", ":")) + "\n", encoding="utf-8")


def _pieces(position: EkoPosition) -> dict[str, list[Any]]:
    """Return what stands on each space: [owner, height, whether with the Emperor] or [owner, building]."""
    value = position.view(None)
    stacks = {
        space: [one["owner"], one["height"], int(one["emperor"])] for space, one in value["stacks"].items()
    }
    return stacks | {space: [one["owner"], one["kind"]] for space, one in value["buildings"].items()}


TAKES: Final = {
    "eko": picture_of_eko,
    "ekko": picture_of_ekko,
    "reviews": pictures_of_reviews,
    "study": pictures_of_study,
    "hero": hero,
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
