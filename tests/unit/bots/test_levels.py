"""Levels of bots: each beats the one below it by a sequential test, of the same games each time."""

from __future__ import annotations

from itertools import chain, pairwise
from typing import Any

import numpy as np
import pytest

from ekoes.arena.plan import Entrant, Plan, Sprt
from ekoes.arena.pool import local_pool
from ekoes.arena.ratings import PairTest
from ekoes.arena.run import play_some
from ekoes.bots import levels
from ekoes.eko import Game
from ekoes.games.api.chance import Chance
from ekoes.games.eko.bots.levels import BEGINNER, Guard, choose_decision
from ekoes.games.eko.bots.tree import NODE, NONE, ROOT
from ekoes.games.eko.game import EKO
from ekoes.games.eko.position.layout import THREAD
from ekoes.games.kernels import COMPILED
from tests.kit.examples import one_quick

MOST = {"eko": 60, "ekko": 300} if COMPILED else {"eko": 1, "ekko": 1}
"""Openings at most, each played from both seats."""
OPTIONS: dict[str, dict[str, Any]] = {
    "eko": {"seed": 132, "turn_limit": 150 if COMPILED else 2},
    "ekko": {"seed": 137},
}
QUESTION = {"eko": Sprt(elo0=-80, elo1=80), "ekko": Sprt(elo0=-40, elo1=40)}
"""Whether a level is better or worse than the one below; some ten and some fifty pairs of games tell."""

SHORTENED = {"expert": 1_000, "master": 4_000}
"""Steps for a test, of levels of Ekö that think for longer."""

EKO_LADDER = [
    *pairwise(("beginner", "learner", "casual", "skilled", "strong", "expert", "master")),
    ("beginner", "greedy"),
    ("greedy", "casual"),
    ("greedy", "skilled"),
]
FIRST, *OTHERS = pairwise(levels("ekko"))
LADDER = [
    pytest.param("ekko", *FIRST),
    *(pytest.param("ekko", *pair, marks=pytest.mark.long) for pair in OTHERS if COMPILED),
    *(pytest.param("eko", *pair, marks=pytest.mark.long) for pair in EKO_LADDER[: None if COMPILED else 1]),
]


def verdict(game: str, stronger: str, weaker: str) -> int | None:
    """Return 1 if the first is the better one, 0 if it is not, None if too few games tell."""
    steps = SHORTENED if game == "eko" else {}
    players = tuple(Entrant(name=name, bot=name, iterations=steps.get(name)) for name in (stronger, weaker))
    plan = Plan(game=game, players=players, seats=2, rounds=MOST[game], **OPTIONS[game])
    test, batches = PairTest(QUESTION[game]), play_some(plan, range(2 * MOST[game]), local_pool(1))
    for result in chain.from_iterable(batches):
        if test.add(result.number, result.scores[result.seats.index(0)]):
            break
    batches.close()
    return test.verdict


@pytest.mark.parametrize(("game", "weaker", "stronger"), LADDER)
def test_each_level_beats_the_one_below(game: str, weaker: str, stronger: str) -> None:
    assert verdict(game, stronger, weaker) == (1 if COMPILED else None)


@pytest.mark.parametrize(("game", "above"), one_quick(("eko", "learner"), [("ekko", "skilled")]))
def test_a_level_does_not_beat_the_one_above(game: str, above: str) -> None:
    assert verdict(game, "beginner", above) == (0 if COMPILED else None)


def test_an_error_misses_a_small_advantage_and_not_a_large_one() -> None:
    position = EKO.new({"players": 2}, 1)
    board, work, scratch = position.layout.record, THREAD.work, Guard(position).scratch
    nodes = np.zeros(12, NODE)
    nodes["code"][1:] = range(11)
    nodes["child"][ROOT], nodes["sibling"][1:] = 1, [*range(2, 12), NONE]

    def finds(win: float) -> int:
        nodes["value"][1:, 0] = [win, *[0.5] * 10]
        words = [np.array([Chance(seed).bits() | 1], np.uint64) for seed in range(100)]
        error = BEGINNER.error
        chosen = [
            choose_decision(board, position.states, work, nodes, error, 0, 0, word, scratch) for word in words
        ]
        return chosen.count(0)

    assert finds(0.5) < 25
    assert 25 < finds(0.7) < 75
    assert finds(0.99) == 100


def captures_at_once(seed: int, level: str) -> bool:
    """Whether a bot captures an Emperor in the second turn of a game, in which both are left in place."""
    game = Game(seed=seed)
    while (turn := game.position.to_json()["turn"])["number"] <= 2:
        if turn["phase"] == "swap":
            game.push(next(action for action in game.legal() if getattr(action, "space", 0) is None))
        elif turn["number"] == 1:
            game.push(min(game.legal(), key=str))
        else:
            game.push_bot(level)
    return any(game.position.to_json()["captives"])


@pytest.mark.skipif(not COMPILED, reason="the same decisions, slowly")
def test_beginner_captures_no_emperor_that_nobody_has_warned_about() -> None:
    reached = [0, 25, 42, 44]
    assert all(captures_at_once(seed, "casual") for seed in reached)
    assert not any(captures_at_once(seed, "beginner") for seed in reached)
