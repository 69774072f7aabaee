"""How long a person waits for an answer while bots compute: ``python -m benchmarks.bots_beside_people``.

A server of `ekoes play` serves one table of people and, later, 20 tables of bots that compute without
pause: those of tests/ponder in plain Python, which keeps its process busy, and Ekö's `master`, which searches
in a kernel that lets go of the interpreter. A person gives orders one after the other and waits for each
acknowledgement; printed are median and 99th percentile, idle and beside the bots, with worker processes and,
to compare, with bots in threads of the server. `--orders N`: how many are given.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.server.browser import Browser, Socket

PLAY = (sys.executable, "-c", "from ekoes.cli.main import run; run()", "play")
ROOT = Path(__file__).parents[1]
BOTS = 20
RIVALS = {"plain Python": ("ponder", "ponderer"), "a search": ("eko", "master")}
"""What the bots compute -> their game and name."""
SECONDS = "2"
"""How long a bot in plain Python computes before each decision."""
PLACES = {"worker processes": (), "threads of the server": ("--bot-workers", "0")}
ORDERS = 300
WARM_UP = 20

Figures = tuple[float, float]
"""Median and 99th percentile, in milliseconds."""


def main() -> None:
    """Measure and print."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--orders", type=int, default=ORDERS)
    orders: int = parser.parse_args().orders
    print(f"a person's order until it is acknowledged, {orders} times: median, 99th percentile, ms\n")
    print(f"| bots think in | by | idle | beside {BOTS} tables | ratio of medians | of 99th percentiles |")
    print("|---|---|---:|---:|---:|---:|")
    for (where, options), by in product(PLACES.items(), RIVALS):
        with TemporaryDirectory() as folder, server(Path(folder), *options) as address:
            idle, busy = measured(address, *RIVALS[by], orders)
            ratios = [f"{there / here:.2f}" for here, there in zip(idle, busy, strict=True)]
            print(
                f"| {where} | {by} | {shown(idle)} | {shown(busy)} | {ratios[0]} | {ratios[1]} |", flush=True
            )


@contextmanager
def server(folder: Path, *options: str) -> Iterator[str]:
    """Run `ekoes play` with the game of tests/ponder; yield its address."""
    path = os.pathsep.join(filter(None, (str(ROOT / "tests" / "ponder"), os.environ.get("PYTHONPATH"))))
    process = subprocess.Popen(  # noqa: S603 - our own command
        [*PLAY, "--no-browser", "--port", "0", "--data", str(folder), *options],
        env=os.environ | {"PYTHONPATH": path, "EKOES_PONDER": SECONDS},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found is not None
        yield found[0]
    finally:
        process.kill()
        process.communicate()


def measured(address: str, game: str, bot: str, orders: int) -> tuple[Figures, Figures]:
    """Measure idle, then beside the bots of a game."""
    person = Browser(address)
    wait_for_bots(person)
    table = person.create("here", "here")
    with person.open(table) as socket:
        give(socket, WARM_UP)
        idle = give(socket, orders)
        for _ in range(BOTS):
            start_bots(person, game, bot)
        give(socket, WARM_UP)
        return idle, give(socket, orders)


def wait_for_bots(person: Browser) -> None:
    """Let a bot decide once: from then on no worker is about to start."""
    with person.open(person.create("random", "random", turn_limit=1)) as socket:
        while not socket.log:
            socket.receive()


def start_bots(person: Browser, game: str, bot: str) -> None:
    """Open a table of bots alone, which begin at once."""
    seats = [{"kind": "bot", "bot": bot}] * 2
    plan = {"game": game, "options": {"players": 2}, "seats": seats}
    assert person.http.post("/api/tables", json=plan).status_code == 201


def give(socket: Socket, number: int) -> Figures:
    """Give orders and wait for each acknowledgement."""
    waits = []
    for count in range(number):
        begin = time.perf_counter()
        answer = socket.ask("rename", seat=0, name=f"Ada {count}")
        waits.append(1000 * (time.perf_counter() - begin))
        assert answer["type"] == "ack"
        time.sleep(0.01)
    return statistics.median(waits), statistics.quantiles(waits, n=100)[-1]


def shown(figures: Figures) -> str:
    """Write figures."""
    return ", ".join(f"{figure:.1f}" for figure in figures)


if __name__ == "__main__":
    main()
