"""The sequential test: its bounds, its ratio, and how often it errs."""

from __future__ import annotations

import numpy as np
import pytest

from ekoes.arena.plan import Sprt
from ekoes.arena.sprt import PairTest, expected_score, log_likelihood_ratio

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)


def test_bounds_are_walds() -> None:
    assert PairTest(Sprt(alpha=0.05, beta=0.05)).bounds == pytest.approx((-2.944, 2.944), abs=1e-3)


def test_elo_is_the_logistic_one() -> None:
    assert expected_score(0) == 0.5
    assert expected_score(400) == pytest.approx(10 / 11)


@pytest.mark.parametrize("counts", [(10, 60, 200, 80, 20), (3, 40, 90, 45, 2)])
def test_ratio_is_near_its_normal_approximation(counts: tuple[int, ...]) -> None:
    # M. Van den Bergh, A practical introduction to the GSPRT: N (s1 - s0) (2 s - s0 - s1) / (2 variance)
    total = sum(counts)
    mean = sum(count * score for count, score in zip(counts, SCORES, strict=True)) / total
    variance = sum(count * (score - mean) ** 2 for count, score in zip(counts, SCORES, strict=True)) / total
    low, high = expected_score(0), expected_score(10)
    near = total * (high - low) * (2 * mean - low - high) / (2 * variance)
    assert log_likelihood_ratio(counts, SCORES, low, high) == pytest.approx(near, rel=0.01)


def test_ratio_of_two_possible_scores_is_the_ordinary_one() -> None:
    won, lost, low, high = 60, 40, 0.5, 0.6
    plain = won * np.log(high / low) + lost * np.log((1 - high) / (1 - low))
    assert log_likelihood_ratio((lost, won), (0.0, 1.0), low, high) == pytest.approx(plain, rel=1e-6)


def test_a_test_counts_pairs_by_number_whatever_comes_first() -> None:
    chance, games = np.random.default_rng(3), 400
    scores = chance.choice([0.0, 0.5, 1.0], games, p=[0.2, 0.2, 0.6]).tolist()
    ends = set()
    for order in (range(games), reversed(range(games)), chance.permutation(games).tolist()):
        test = PairTest(Sprt(elo0=0, elo1=50))
        for number in order:
            test.add(number, scores[number])
        ends.add((test.ended, test.verdict, tuple(test.counts)))
    assert len(ends) == 1
    ((ended, verdict, _),) = ends
    assert verdict == 1
    assert ended is not None
    assert 2 <= ended < games


@pytest.mark.parametrize(("elo", "right"), [(0.0, 0), (80.0, 1)])
def test_errors_are_as_seldom_as_promised(elo: float, right: int) -> None:
    """A hundred and fifty tests of two players whose difference is known."""
    chance, wrong, tests = np.random.default_rng(int(elo) + 7), 0, 150
    win = expected_score(elo) - 0.1
    for _ in range(tests):
        test, number = PairTest(Sprt(elo0=0, elo1=80, alpha=0.1, beta=0.1)), 0
        while not test.add(number, chance.choice([1.0, 0.5, 0.0], p=[win, 0.2, 0.8 - win])):
            number += 1
        wrong += test.verdict != right
    assert 2 <= wrong <= 25, "one in ten, and no worse than chance allows"
