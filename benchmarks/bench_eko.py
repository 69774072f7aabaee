"""Ekö: random games, counting, single positions from Python, the start of a process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter_ns
from typing import Any

import pytest

from ekoes.bots import bot
from ekoes.games.chance import Chance
from ekoes.games.eko.game import EKO
from ekoes.games.eko.perft import perft
from ekoes.games.eko.playouts import playouts
from ekoes.games.eko.position import EkoPosition

ALL_VARIANTS = ["portals", "labyrinth", "beacon", "moon", "sandtemple", "pyramids", "wind"]
ROUNDS = 7


def after_set_up(players: int = 2, seed: int = 1) -> EkoPosition:
    """Return a standard position at its first action; nobody has swapped."""
    position = EKO.new({"players": players}, seed)
    while position.turn_number == 0:
        position = position.play_code(int(position.codes[-1]))
    return position


@pytest.mark.parametrize(
    ("name", "options", "games"),
    [
        ("2 players", {"players": 2}, 2000),
        ("4 players", {"players": 4}, 800),
        ("2 players, all variants", {"players": 2, "variants": ALL_VARIANTS}, 500),
    ],
)
def test_playouts(benchmark: Any, name: str, options: dict[str, Any], games: int) -> None:
    position = EKO.new(options, 1)
    decisions = playouts(position, games, 1).decisions
    benchmark.extra_info |= {"what": f"Ekö, {name}: random games", "unit": "decisions/s", "count": decisions}
    benchmark.pedantic(playouts, (position, games, 1), rounds=ROUNDS)


def test_perft(benchmark: Any) -> None:
    position = after_set_up()
    leaves = perft(position, 5)
    benchmark.extra_info |= {"what": "Ekö, 2 players: perft of depth 5", "unit": "leaves/s", "count": leaves}
    benchmark.pedantic(perft, (position, 5), rounds=3)


def test_one_position_from_python(benchmark: Any) -> None:
    times: list[int] = []

    def play_game() -> None:
        chance, position = Chance(1), EKO.new({"players": 2}, 1)
        while position.actors():
            (seat,) = position.actors()
            begun = perf_counter_ns()
            legal = position.legal(seat)
            looked = perf_counter_ns()
            action = chance.choice(legal)
            chosen = perf_counter_ns()
            position = position.play(seat, action)
            times.append(looked - begun + perf_counter_ns() - chosen)

    benchmark.pedantic(play_game, rounds=ROUNDS, warmup_rounds=1)
    what = "Ekö, 2 players: position.legal(seat) and play, median over a game"
    benchmark.extra_info |= {"what": what, "unit": "µs", "figure": median(times) / 1000}


def test_greedy(benchmark: Any) -> None:
    times: list[int] = []
    greedy, fool = bot("eko", "greedy"), bot("eko", "random")

    def play_game() -> None:
        chance, position = Chance(1), EKO.new({"players": 2, "variants": ALL_VARIANTS}, 1)
        while position.actors():
            (seat,) = position.actors()
            begun = perf_counter_ns()
            action = (greedy if seat == 0 else fool).choose(position, seat, chance)
            if seat == 0:
                times.append(perf_counter_ns() - begun)
            position = position.play(seat, action)

    benchmark.pedantic(play_game, rounds=ROUNDS, warmup_rounds=1)
    what = "Ekö, 2 players, all variants: a decision of the bot greedy, median over a game"
    benchmark.extra_info |= {"what": what, "unit": "ms", "figure": median(times) / 1e6}


def processor_time_of_children() -> float:
    """Return the seconds that finished processes have computed: the wall clock's, but for what others did."""
    used = os.times()
    return used.children_user + used.children_system


def test_process(benchmark: Any, tmp_path: Path) -> None:
    file = tmp_path / "position.json"
    file.write_text(json.dumps(after_set_up().to_json()))
    command = [sys.executable, "-m", "ekoes", "eko", "legal", str(file)]

    times: list[float] = []

    def run() -> None:
        begun = processor_time_of_children()
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - our own command
        times.append(processor_time_of_children() - begun)

    benchmark.pedantic(run, rounds=ROUNDS, warmup_rounds=1)
    benchmark.extra_info |= {"what": "`ekoes eko legal FILE`, the whole process", "unit": "s"}
    benchmark.extra_info["figure"] = median(times)
