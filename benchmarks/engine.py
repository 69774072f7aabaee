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
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

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


@dataclass(frozen=True)
class Row:
    """A figure. wanted: at least, where more is better; else at most."""

    what: str
    figure: float
    unit: str
    wanted: float | None = None


def measure_engine(only: str) -> str:
    """Measure all rows with a text in their name; return the table."""
    return measure_rows((*EKO_ROWS, *EKKO_ROWS, *PEER_ROWS), only)


def measure_rows(rows: Iterable[tuple[str, Callable[[str], Row]]], only: str) -> str:
    """Measure the rows with a text in their name, but those that need what is not installed."""
    found = []
    for what, measure in rows:
        if only in what:
            try:
                row = measure(what)
            except ModuleNotFoundError as error:
                print(f"{what}: left out, {error}", flush=True)
                continue
            wanted = "" if row.wanted is None else format_figure(row.wanted)
            found.append((row.what, format_figure(row.figure), row.unit, wanted))
            print(*found[-1], sep="  ", flush=True)
    return format_table("what | median | unit | wanted", found)


def rate(
    count: Callable[[], int], unit: str = "decisions/s", wanted: float | None = None, rounds: int = ROUNDS
) -> Callable[[str], Row]:
    """Measure a function that returns how much it did. The first round, which loads kernels, is left out."""

    def measure(what: str) -> Row:
        rates = []
        for _ in range(rounds + 1):
            begun = time.process_time()
            number = count()
            rates.append(number / (time.process_time() - begun))
        return Row(what, median(rates[1:]), unit, wanted)

    return measure


# ---------------------------------------------------------------- our games


def _rate_of_playouts(
    game: Any,
    playouts: Callable[[Any, int, int], Any],
    options: Json,
    games: int,
    wanted: float,
) -> Callable[[str], Row]:
    """Measure random games from one position. To make it, with its board, is not measured."""

    def measure(what: str) -> Row:
        position = game.new(options, 1)
        return rate(lambda: int(playouts(position, games, 1).decisions), wanted=wanted)(what)

    return measure


def _eko_rate(options: Json, games: int, wanted: float) -> Callable[[str], Row]:
    return _rate_of_playouts(EKO, eko_playouts, options, games, wanted)


def _ekko_rate(players: int) -> Callable[[str], Row]:
    return _rate_of_playouts(EKKO, ekko_playouts, {"players": players}, 10_000, 2e6)


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


def _single(game: Any) -> Callable[[str], Row]:
    """Measure ``legal`` and ``play`` of one position after the other."""

    def measure(what: str) -> Row:
        times: list[int] = []
        chance = Chance(1)

        def choose(position: Any, seat: int) -> Any:
            begun = time.perf_counter_ns()
            legal = position.legal(seat)
            looked = time.perf_counter_ns()
            action = chance.choice(legal)
            chosen = time.perf_counter_ns()
            position.play(seat, action)
            times.append(looked - begun + time.perf_counter_ns() - chosen)
            return action

        for _ in range(ROUNDS):
            _play(game, {"players": 2}, choose)
        return Row(what, median(times) / 1000, "µs", 30)

    return measure


def _thinking(game: Any, name: str, options: Json) -> Callable[[str], Row]:
    """Measure a bot's decisions; the others draw."""

    def measure(what: str) -> Row:
        player, fool, chance = bot(game.name, name), bot(game.name, "random"), Chance(1)
        times: list[int] = []

        def choose(position: Any, seat: int) -> Any:
            if seat:
                return fool.choose(position, seat, chance)
            begun = time.perf_counter_ns()
            action = player.choose(position, seat, chance)
            times.append(time.perf_counter_ns() - begun)
            return action

        for _ in range(ROUNDS):
            _play(game, options, choose)
        return Row(what, median(times) / 1e6, "ms")

    return measure


def _first(game: Any) -> Any:
    """Return the first position of a game that asks a player."""
    if game is EKO:
        return _after_set_up()
    position = game.new({"players": 5}, 1)
    return position.play(CHANCE, position.chance_action(Chance(1)))


def _process(game: Any) -> Callable[[str], Row]:
    """Measure the whole process of a command."""

    def measure(what: str) -> Row:
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
        return Row(what, median(times[1:]), "s", 1)

    return measure


def _search(memory: int) -> int:
    """Search a standard position. memory: of the tree, in MiB."""
    search = Search(_after_set_up(), memory=memory)
    search.run(iterations=_STEPS)
    return search.iterations


_STEPS = 20_000

EKO_ROWS: tuple[tuple[str, Callable[[str], Row]], ...] = (
    ("Ekö, 2 players: random games", _eko_rate({"players": 2}, 2000, 2e6)),
    ("Ekö, 4 players: random games", _eko_rate({"players": 4}, 800, 1.3e6)),
    (
        "Ekö, 2 players, all variants: random games",
        _eko_rate({"players": 2, "variants": list(VARIANTS)}, 500, 5e5),
    ),
    ("Ekö, 2 players: perft of depth 5", rate(_perft, "leaves/s", 2e7, rounds=3)),
    ("Ekö, 2 players: `position.legal(seat)` and `play`, median over a game", _single(EKO)),
    (
        "Ekö, 2 players, all variants: a decision of the bot greedy, median over a game",
        _thinking(EKO, "greedy", {"players": 2, "variants": list(VARIANTS)}),
    ),
    ("Ekö, 2 players: 20,000 steps of the search", rate(partial(_search, 64), "steps/s")),
    ("Ekö, 2 players: so too in a tree of 1 MiB", rate(partial(_search, 1), "steps/s")),
    ("`ekoes eko legal FILE`, the whole process", _process(EKO)),
    ("Ekö: one position", lambda what: Row(what, EKO_STATE.itemsize, "bytes", 1024)),
)
EKKO_ROWS: tuple[tuple[str, Callable[[str], Row]], ...] = (
    *((f"EKKO, {players} players: random games", _ekko_rate(players)) for players in (2, 5, 8)),
    ("EKKO, 2 players: random games, from Python", rate(partial(_from_python, 20))),
    ("EKKO, 2 players: `position.legal(seat)` and `play`, median over a game", _single(EKKO)),
    (
        f"EKKO, 5 players: a decision of the bot {bots('ekko')[-1]}, median over a game",
        _thinking(EKKO, bots("ekko")[-1], {"players": 5}),
    ),
    ("`ekoes ekko legal FILE`, the whole process", _process(EKKO)),
    ("EKKO: one position", lambda what: Row(what, EKKO_STATE.itemsize, "bytes", 1024)),
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


def _open_spiel_search(name: str, games: int) -> Callable[[str], Row]:
    """Measure a search of so many random games; their length is that of games from Python."""

    def measure(what: str) -> Row:
        import pyspiel

        length = _open_spiel(name, 20) / 20
        game = pyspiel.load_game(name)

        def search() -> int:
            evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
            player = pyspiel.MCTSBot(game, evaluator, 1.0, games, 1000, False, 1, False)  # noqa: FBT003
            player.step(game.new_initial_state())
            return round(games * length)

        return rate(search, rounds=3)(what)

    return measure


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


PEER_ROWS: tuple[tuple[str, Callable[[str], Row]], ...] = (
    ("catanatron (Catan), 4 players: random games", rate(partial(_catanatron, 5))),
    *(
        (
            f"open_spiel ({name}), 2 players: random games, from Python",
            rate(partial(_open_spiel, name, games)),
        )
        for name, games in (("havannah", 300), ("hive", 3))
    ),
    *(
        (f"open_spiel ({name}), 2 players: random games, in its own search", _open_spiel_search(name, games))
        for name, games in (("havannah", 2000), ("hive", 40))
    ),
    ("rlcard (UNO), 2 players: random games, its game alone", rate(partial(_rlcard_game, 100))),
    ("rlcard (UNO), 2 players: random games, in its environment", rate(partial(rlcard_environment, 100))),
)
