"""The engines of others, playing random games in the same way: catanatron and open_spiel, from PyPI.

open_spiel is written in C++: it is measured as people drive it from Python, and in the random games
of its own C++ tree search, whose tree is small beside the games.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

ROUNDS = 5


def test_catanatron(benchmark: Any) -> None:
    catanatron = pytest.importorskip("catanatron")
    colours = list(catanatron.Color)[:4]

    def play_games(games: int) -> int:
        decisions = 0
        for seed in range(games):
            random.seed(seed)
            game = catanatron.Game([catanatron.RandomPlayer(colour) for colour in colours], seed=seed)
            game.play()
            decisions += len(game.state.actions)
        return decisions

    benchmark.extra_info |= {"what": "catanatron (Catan), 4 players: random games", "unit": "decisions/s"}
    benchmark.extra_info["count"] = play_games(5)
    benchmark.pedantic(play_games, (5,), rounds=ROUNDS)


def play_from_python(game: Any, games: int) -> int:
    """Play random games, each decision drawn evenly. Returns the number of decisions."""
    decisions = 0
    draw = random.Random(1)
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(draw.choice(state.legal_actions()))
            decisions += 1
    return decisions


@pytest.mark.parametrize(("name", "games"), [("havannah", 300), ("hive", 3)])
def test_open_spiel_from_python(benchmark: Any, name: str, games: int) -> None:
    game = pytest.importorskip("pyspiel").load_game(name)
    what = f"open_spiel ({name}), 2 players: random games, from Python"
    count = play_from_python(game, games)
    benchmark.extra_info |= {"what": what, "unit": "decisions/s", "count": count}
    benchmark.pedantic(play_from_python, (game, games), rounds=ROUNDS)


@pytest.mark.parametrize(("name", "games"), [("havannah", 2000), ("hive", 40)])
def test_open_spiel_in_its_search(benchmark: Any, name: str, games: int) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game(name)
    length = play_from_python(game, 20) / 20

    def search() -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        bot = pyspiel.MCTSBot(game, evaluator, 1.0, games, 1000, False, 1, False)  # noqa: FBT003
        bot.step(game.new_initial_state())

    what = f"open_spiel ({name}), 2 players: random games, in its own search"
    benchmark.extra_info |= {"what": what, "unit": "decisions/s", "count": games * length}
    benchmark.pedantic(search, rounds=3)
