"""The engines of others, playing random games in the same way: catanatron, open_spiel, rlcard, from PyPI.

open_spiel is written in C++: it is measured as people drive it from Python, and in the random games
of its own C++ tree search, whose tree is small beside the games.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

ROUNDS = 5

UNO_FROM_PYTHON = "rlcard (UNO), 2 players: random games, its game alone"


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


def play_uno(game: Any, games: int) -> int:
    """Play random games of UNO without what an environment adds. Returns the number of decisions."""
    numpy = pytest.importorskip("numpy")
    draw, decisions = random.Random(1), 0
    for seed in range(games):
        table = game(num_players=2)
        table.np_random = numpy.random.RandomState(seed)
        table.init_game()
        while not table.is_over():
            table.step(draw.choice(table.get_legal_actions()))
            decisions += 1
    return decisions


def test_rlcard(benchmark: Any) -> None:
    game = pytest.importorskip("rlcard.games.uno").Game
    benchmark.extra_info |= {"what": UNO_FROM_PYTHON, "unit": "decisions/s", "count": play_uno(game, 100)}
    benchmark.pedantic(play_uno, (game, 100), rounds=ROUNDS)


def play_in_environment(environment: Any, games: int) -> int:
    """Play random games in one of rlcard's environments. Returns the number of decisions."""
    draw, decisions = random.Random(1), 0
    for _ in range(games):
        state, _seat = environment.reset()
        while not environment.is_over():
            state, _seat = environment.step(draw.choice(list(state["legal_actions"])))
            decisions += 1
    return decisions


def test_rlcard_environment(benchmark: Any) -> None:
    rlcard = pytest.importorskip("rlcard")
    counted, measured = (rlcard.make("uno", {"seed": 1}) for _ in range(2))
    what = "rlcard (UNO), 2 players: random games, in its environment"
    # an environment goes on with its own chance, so that each round is another hundred games
    count = play_in_environment(counted, 100 * ROUNDS) / ROUNDS
    benchmark.extra_info |= {"what": what, "unit": "decisions/s", "count": count}
    benchmark.pedantic(play_in_environment, (measured, 100), rounds=ROUNDS)
