"""Ekö's levels: each beats the one below it by a sequential test, of the same games each time."""

from __future__ import annotations

from itertools import chain, pairwise

import pytest

from ekoes.arena.plan import Entrant, Plan, Sprt
from ekoes.arena.pool import local_pool
from ekoes.arena.ratings import PairTest
from ekoes.arena.run import play_some
from ekoes.games.api.chance import Chance
from ekoes.games.eko.bots.levels import _misjudged
from ekoes.games.eko.game import EKO
from ekoes.games.kernels import COMPILED

MOST = 60 if COMPILED else 1
"""Openings at most, each played from both seats."""
TURNS = 150 if COMPILED else 2
QUESTION = Sprt(elo0=-80, elo1=80)
"""Whether a level is better or worse than the one below; some ten pairs of games tell."""

SHORTENED = {"expert": 1_000, "master": 4_000}
"""Steps for a test, of levels that think for longer."""

LADDER = [
    *pairwise(("beginner", "learner", "casual", "skilled", "strong", "expert", "master")),
    ("beginner", "greedy"),
    ("greedy", "casual"),
    ("greedy", "skilled"),
]


def verdict(stronger: str, weaker: str) -> int | None:
    """Return 1 if the first is the better one, 0 if it is not, None if too few games tell."""
    players = tuple(
        Entrant(name=name, bot=name, iterations=SHORTENED.get(name)) for name in (stronger, weaker)
    )
    plan = Plan(game="eko", players=players, seats=2, rounds=MOST, seed=132, turn_limit=TURNS)
    test, batches = PairTest(QUESTION), play_some(plan, range(2 * MOST), local_pool(1))
    for result in chain.from_iterable(batches):
        if test.add(result.number, result.scores[result.seats.index(0)]):
            break
    batches.close()
    return test.verdict


@pytest.mark.long
@pytest.mark.parametrize(("weaker", "stronger"), LADDER if COMPILED else LADDER[:1])
def test_each_level_beats_the_one_below(weaker: str, stronger: str) -> None:
    assert verdict(stronger, weaker) == (1 if COMPILED else None)


def test_an_error_misses_a_small_advantage_and_not_a_large_one() -> None:
    actions = EKO.new({"players": 2}, 1).legal()[:11]
    assert len(actions) == 11

    def finds(win: float) -> int:
        chances = [(action, 0.5) for action in actions[1:]] + [(actions[0], win)]
        return sum(_misjudged(chances, 0.6, Chance(seed))[0] == actions[0] for seed in range(100))

    assert finds(0.5) < 25
    assert 25 < finds(0.7) < 75
    assert finds(0.99) == 100


def test_a_level_does_not_beat_the_one_above() -> None:
    assert verdict("beginner", "learner") == (0 if COMPILED else None)
