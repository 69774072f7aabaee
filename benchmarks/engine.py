"""The engine on one thread: random games, single decisions, the start of a process; and engines of others.

catanatron, open_spiel and rlcard come from PyPI and play random games in the same way. open_spiel is written
in C++: it is measured as people drive it from Python, and in the random games of its own tree search. Times
are processor time, medians of some rounds, so that other programs on the machine change little.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from benchmarks.report import format_figure, format_table
from ekoes.bots import bot, bots
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE, Json
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.game import playouts as ekko_playouts
from ekoes.games.ekko.rules.record import STATE as EKKO_STATE
from ekoes.games.eko.bots.search import Search
from ekoes.games.eko.game import EKO, perft
from ekoes.games.eko.game import playouts as eko_playouts
from ekoes.games.eko.position.tiles import VARIANTS
from ekoes.games.eko.rules.record import STATE as EKO_STATE

ROUNDS = 7


class Row(NamedTuple):
    """A figure, the median of some samples. wanted: at least, where more is better; else at most."""

    what: str
    unit: str
    samples: Callable[[], Sequence[float]]
    wanted: float | None = None


def measure_engine(only: str) -> str:
    """Measure all rows with a text in their name; return the table."""
    return measure_rows((*EKO_ROWS, *EKKO_ROWS, *PEER_ROWS), only)


def measure_rows(rows: Iterable[Row], only: str) -> str:
    """Measure the rows with a text in their name, but those that need what is not installed."""
    found = []
    for what, unit, samples, wanted in rows:
        if only in what:
            try:
                figure = format_figure(median(samples()))
            except ModuleNotFoundError as error:
                print(f"{what}: left out, {error}", flush=True)
                continue
            found.append((what, figure, unit, "" if wanted is None else format_figure(wanted)))
            print(*found[-1], sep="  ", flush=True)
    return format_table("what | median | unit | wanted", found)


def rates(count: Callable[[], int], rounds: int = ROUNDS) -> list[float]:
    """Return how much a function does in a second, as it returns it, after a first call that loads."""
    found = []
    for _ in range(rounds + 1):
        begun = time.process_time()
        number = count()
        found.append(number / (time.process_time() - begun))
    return found[1:]


# ---------------------------------------------------------------- our games


def _playouts(game: Any, playouts: Callable[[Any, int, int], Any], games: int, **options: Any) -> list[float]:
    """Measure random games from one position. To make it, with its board, is not measured."""
    position = game.new(options, 1)
    return rates(lambda: int(playouts(position, games, 1).decisions))


def _perft() -> int:
    return perft(_after_set_up(), 5)


def _after_set_up() -> Any:
    """Return a standard position of Ekö at its first action."""
    position = EKO.new({"players": 2}, 1)
    while position.turn_number == 0:
        position = position.play_code(int(position.codes[-1]))
    return position


def _from_python(games: int) -> int:
    """Play random games of EKKO, each decision drawn evenly, as it is for others."""
    draw = random.Random(1)
    return sum(
        _play(EKKO, {"players": 2}, lambda position, seat: draw.choice(position.legal(seat)), seed)
        for seed in range(games)
    )


def _play(game: Any, options: Json, choose: Callable[[Any, int], Any], seed: int = 1) -> int:
    """Play a game and return the number of decisions. choose: takes all but chance's decisions."""
    position, chance, decisions = game.new(options, seed), Chance(seed), 0
    while position.actors():
        (seat, *_) = position.actors()
        is_chance = seat == CHANCE
        action = position.chance_action(chance) if is_chance else choose(position, seat)
        position = position.play(seat, action)
        decisions += 1
    return decisions


def _single(game: Any) -> list[float]:
    """Measure ``legal`` and ``play`` of one position after the other, in microseconds."""
    times: list[float] = []
    chance = Chance(1)

    def choose(position: Any, seat: int) -> Any:
        begun = time.perf_counter_ns()
        legal = position.legal(seat)
        looked = time.perf_counter_ns()
        action = chance.choice(legal)
        chosen = time.perf_counter_ns()
        position.play(seat, action)
        times.append((looked - begun + time.perf_counter_ns() - chosen) / 1e3)
        return action

    for _ in range(ROUNDS):
        _play(game, {"players": 2}, choose)
    return times


def _thinking(game: Any, name: str, **options: Any) -> list[float]:
    """Measure a bot's decisions, in milliseconds; the others draw."""
    player, fool, chance = bot(game.name, name), bot(game.name, "random"), Chance(1)
    times: list[float] = []

    def choose(position: Any, seat: int) -> Any:
        if seat:
            return fool.choose(position, seat, chance)
        begun = time.perf_counter_ns()
        action = player.choose(position, seat, chance)
        times.append((time.perf_counter_ns() - begun) / 1e6)
        return action

    for _ in range(ROUNDS):
        _play(game, options, choose)
    return times


def _first(game: Any) -> Any:
    """Return the first position of a game that asks a player."""
    if game is EKO:
        return _after_set_up()
    position = game.new({"players": 5}, 1)
    return position.play(CHANCE, position.chance_action(Chance(1)))


def _process(game: Any) -> list[float]:
    """Measure the whole process of a command, in seconds."""
    times: list[float] = []
    with TemporaryDirectory() as folder:
        file = Path(folder) / "position.json"
        file.write_text(json.dumps(_first(game).to_json()), encoding="utf-8")
        command = [sys.executable, "-m", "ekoes", game.name, "legal", str(file)]
        for _ in range(ROUNDS + 1):
            begun = os.times()
            subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - our own command
            ended = os.times()
            times.append(sum(ended[2:4]) - sum(begun[2:4]))
    return times[1:]


def _search(memory: int) -> int:
    """Search a standard position. memory: of the tree, in MiB."""
    search = Search(_after_set_up(), memory=memory)
    search.run(iterations=_STEPS)
    return search.iterations


_STEPS = 20_000

PACE = "decisions/s"
_ALL = {"players": 2, "variants": list(VARIANTS)}
_EKO = partial(_playouts, EKO, eko_playouts)
_EKKO = partial(_playouts, EKKO, ekko_playouts)
_BEST = bots("ekko")[-1]
EKO_ROWS = (
    Row("Ekö, 2 players: random games", PACE, partial(_EKO, 2000, players=2), 2e6),
    Row("Ekö, 4 players: random games", PACE, partial(_EKO, 800, players=4), 1.3e6),
    Row("Ekö, 2 players, all variants: random games", PACE, partial(_EKO, 500, **_ALL), 5e5),
    Row("Ekö, 2 players: perft of depth 5", "leaves/s", partial(rates, _perft, rounds=3), 2e7),
    Row(
        "Ekö, 2 players: `position.legal(seat)` and `play`, median over a game",
        "µs",
        partial(_single, EKO),
        30,
    ),
    Row(
        "Ekö, 2 players, all variants: a decision of the bot greedy, median over a game",
        "ms",
        partial(_thinking, EKO, "greedy", **_ALL),
    ),
    Row("Ekö, 2 players: 20,000 steps of the search", "steps/s", partial(rates, partial(_search, 64))),
    Row("Ekö, 2 players: so too in a tree of 1 MiB", "steps/s", partial(rates, partial(_search, 1))),
    Row("`ekoes eko legal FILE`, the whole process", "s", partial(_process, EKO), 1),
    Row("Ekö: one position", "bytes", lambda: [EKO_STATE.itemsize], 1024),
)
EKKO_ROWS = (
    *(
        Row(f"EKKO, {players} players: random games", PACE, partial(_EKKO, 10_000, players=players), 2e6)
        for players in (2, 5, 8)
    ),
    Row("EKKO, 2 players: random games, from Python", PACE, partial(rates, partial(_from_python, 20))),
    Row(
        "EKKO, 2 players: `position.legal(seat)` and `play`, median over a game",
        "µs",
        partial(_single, EKKO),
        30,
    ),
    Row(
        f"EKKO, 5 players: a decision of the bot {_BEST}, median over a game",
        "ms",
        partial(_thinking, EKKO, _BEST, players=5),
    ),
    Row("`ekoes ekko legal FILE`, the whole process", "s", partial(_process, EKKO), 1),
    Row("EKKO: one position", "bytes", lambda: [EKKO_STATE.itemsize], 1024),
)


# ---------------------------------------------------------------- engines of others


def _catanatron(games: int) -> int:
    import catanatron

    decisions = 0
    for seed in range(games):
        random.seed(seed)
        players = [catanatron.RandomPlayer(colour) for colour in list(catanatron.Color)[:4]]
        game = catanatron.Game(players, seed=seed)
        game.play()
        decisions += len(game.state.actions)
    return decisions


def _open_spiel(name: str, games: int) -> int:
    import pyspiel

    game, draw, decisions = pyspiel.load_game(name), random.Random(1), 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(draw.choice(state.legal_actions()))
            decisions += 1
    return decisions


def _open_spiel_search(name: str, games: int) -> list[float]:
    """Measure a search of so many random games; their length is that of games from Python."""
    import pyspiel

    length = _open_spiel(name, 20) / 20
    game = pyspiel.load_game(name)

    def search() -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        player = pyspiel.MCTSBot(game, evaluator, 1.0, games, 1000, False, 1, False)  # noqa: FBT003
        player.step(game.new_initial_state())
        return round(games * length)

    return rates(search, rounds=3)


def _rlcard_game(games: int) -> int:
    """Play random games of UNO without what an environment adds."""
    from rlcard.games.uno import Game

    draw, decisions = random.Random(1), 0
    for seed in range(games):
        game = Game(num_players=2)
        game.np_random = np.random.RandomState(seed)
        game.init_game()
        while not game.is_over():
            game.step(draw.choice(game.get_legal_actions()))
            decisions += 1
    return decisions


def rlcard_environment(games: int) -> int:
    """Play random games of UNO in rlcard's environment."""
    import rlcard

    environment, draw, decisions = rlcard.make("uno", {"seed": 1}), random.Random(1), 0
    for _ in range(games):
        state, _seat = environment.reset()
        while not environment.is_over():
            state, _seat = environment.step(draw.choice(list(state["legal_actions"])))
            decisions += 1
    return decisions


PEER_ROWS = (
    Row("catanatron (Catan), 4 players: random games", PACE, partial(rates, partial(_catanatron, 5))),
    *(
        Row(
            f"open_spiel ({name}), 2 players: random games, from Python",
            PACE,
            partial(rates, partial(_open_spiel, name, games)),
        )
        for name, games in (("havannah", 300), ("hive", 3))
    ),
    *(
        Row(
            f"open_spiel ({name}), 2 players: random games, in its own search",
            PACE,
            partial(_open_spiel_search, name, games),
        )
        for name, games in (("havannah", 2000), ("hive", 40))
    ),
    Row(
        "rlcard (UNO), 2 players: random games, its game alone",
        PACE,
        partial(rates, partial(_rlcard_game, 100)),
    ),
    Row(
        "rlcard (UNO), 2 players: random games, in its environment",
        PACE,
        partial(rates, partial(rlcard_environment, 100)),
    ),
)
