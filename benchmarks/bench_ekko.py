"""EKKO: random games, single positions from Python, the start of a process."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter_ns
from typing import Any

import pytest

from benchmarks.bench_eko import processor_time_of_children
from benchmarks.bench_peers import UNO_FROM_PYTHON
from ekoes.bots import bot
from ekoes.bots import bots as names_of
from ekoes.games.chance import Chance
from ekoes.games.contract import CHANCE
from ekoes.games.ekko.action import Deal
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.playouts import playouts
from ekoes.games.ekko.rules.record import CARDS, STATE

ROUNDS = 7


def play_from_python(players: int, games: int) -> int:
    """Play random games, each decision drawn evenly, as it is for others. Returns their number."""
    draw, cards, decisions = random.Random(1), range(1, CARDS + 1), 0
    for seed in range(games):
        position = EKKO.new({"players": players}, seed)
        while actors := position.actors():
            (seat,) = actors
            if seat == CHANCE:
                action: Any = Deal(tuple(draw.sample(cards, CARDS)))
            else:
                action = draw.choice(position.legal(seat))
            position = position.play(seat, action)
            decisions += 1
    return decisions


@pytest.mark.parametrize(("players", "games"), [(2, 10_000), (5, 10_000), (8, 10_000)])
def test_playouts(benchmark: Any, players: int, games: int) -> None:
    position = EKKO.new({"players": players}, 1)
    decisions = playouts(position, games, 1).decisions
    what = f"EKKO, {players} players: random games"
    benchmark.extra_info |= {"what": what, "unit": "decisions/s", "count": decisions}
    benchmark.extra_info["beside"] = UNO_FROM_PYTHON
    benchmark.pedantic(playouts, (position, games, 1), rounds=ROUNDS)


def test_games_from_python(benchmark: Any) -> None:
    count = play_from_python(2, 20)
    what = "EKKO, 2 players: random games, from Python"
    benchmark.extra_info |= {"what": what, "unit": "decisions/s", "count": count, "beside": UNO_FROM_PYTHON}
    benchmark.pedantic(play_from_python, (2, 20), rounds=ROUNDS)


def test_one_position_from_python(benchmark: Any) -> None:
    times: list[int] = []

    def play_game() -> None:
        chance, position = Chance(1), EKKO.new({"players": 2}, 1)
        while position.actors():
            (seat,) = position.actors()
            begun = perf_counter_ns()
            legal = position.legal(seat)
            looked = perf_counter_ns()
            action = position.chance_action(chance) if seat == CHANCE else chance.choice(legal)
            chosen = perf_counter_ns()
            position = position.play(seat, action)
            times.append(looked - begun + perf_counter_ns() - chosen)

    benchmark.pedantic(play_game, rounds=ROUNDS, warmup_rounds=1)
    what = "EKKO, 2 players: `position.legal(seat)` and `play`, median over a game"
    benchmark.extra_info |= {"what": what, "unit": "µs", "figure": median(times) / 1000}


def test_strongest_bot(benchmark: Any) -> None:
    times: list[int] = []
    name = names_of("ekko")[-1]
    strongest, fool = bot("ekko", name), bot("ekko", "random")

    def play_game() -> None:
        chance, position = Chance(1), EKKO.new({"players": 5}, 1)
        while position.actors():
            (seat,) = position.actors()
            if seat == CHANCE:
                position = position.play(seat, position.chance_action(chance))
                continue
            begun = perf_counter_ns()
            action = (strongest if seat == 0 else fool).choose(position, seat, chance)
            if seat == 0:
                times.append(perf_counter_ns() - begun)
            position = position.play(seat, action)

    benchmark.pedantic(play_game, rounds=ROUNDS, warmup_rounds=1)
    what = f"EKKO, 5 players: a decision of the bot {name}, median over a game"
    benchmark.extra_info |= {"what": what, "unit": "ms", "figure": median(times) / 1e6}


def test_process(benchmark: Any, tmp_path: Path) -> None:
    position = EKKO.new({"players": 5}, 1)
    file = tmp_path / "position.json"
    file.write_text(json.dumps(position.play(CHANCE, position.chance_action(Chance(1))).to_json()))
    command = [sys.executable, "-m", "ekoes", "ekko", "legal", str(file)]

    times: list[float] = []

    def run() -> None:
        begun = processor_time_of_children()
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - our own command
        times.append(processor_time_of_children() - begun)

    benchmark.pedantic(run, rounds=ROUNDS, warmup_rounds=1)
    benchmark.extra_info |= {"what": "`ekoes ekko legal FILE`, the whole process", "unit": "s"}
    benchmark.extra_info["figure"] = median(times)


def test_size(benchmark: Any) -> None:
    benchmark.pedantic(EKKO.new, ({"players": 2}, 1), rounds=ROUNDS)
    benchmark.extra_info |= {"what": "EKKO: one position", "unit": "bytes", "figure": STATE.itemsize}
