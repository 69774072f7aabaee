"""EKKO's levels: each beats the one below it, in duels, by a sequential test of the same games each time."""

from __future__ import annotations

from itertools import chain, pairwise

import pytest

from ekoes.arena.plan import Entrant, Plan, Sprt
from ekoes.arena.pool import local_pool
from ekoes.arena.ratings import PairTest
from ekoes.arena.run import play_some
from ekoes.bots import levels
from ekoes.games.kernels import COMPILED

MOST = 300 if COMPILED else 1
"""Openings at most, each played from both seats."""
QUESTION = Sprt(elo0=-40, elo1=40)
"""Whether a level is better or worse than the one below; some fifty pairs of games tell."""


def verdict(stronger: str, weaker: str) -> int | None:
    """Return 1 if the first is the better one, 0 if it is not, None if too few games tell."""
    players = tuple(Entrant(name=name, bot=name) for name in (stronger, weaker))
    plan, test = Plan(game="ekko", players=players, seats=2, rounds=MOST, seed=137), PairTest(QUESTION)
    batches = play_some(plan, range(2 * MOST), local_pool(1))
    for result in chain.from_iterable(batches):
        if test.add(result.number, result.scores[result.seats.index(0)]):
            break
    batches.close()
    return test.verdict


FIRST, *OTHERS, LAST = pairwise(levels("ekko"))
LADDER = [FIRST, *OTHERS, pytest.param(*LAST, marks=pytest.mark.long)]


@pytest.mark.parametrize(("weaker", "stronger"), LADDER if COMPILED else LADDER[:1])
def test_each_level_beats_the_one_below(weaker: str, stronger: str) -> None:
    assert verdict(stronger, weaker) == (1 if COMPILED else None)


def test_a_level_does_not_beat_the_one_above() -> None:
    assert verdict("beginner", "skilled") == (0 if COMPILED else None)
