"""Ratings and the sequential test."""

from __future__ import annotations

from collections import Counter
from math import exp

import numpy as np
import pytest

from ekoes.arena.plan import Sprt
from ekoes.arena.ratings import ELO, PairTest, Showing, expected_score, fit_ratings, log_likelihood_ratio
from tests.kit.examples import one_quick

BASEBALL = """
- 7 9 7 7 9 11
6 - 7 5 11 9 9
4 6 - 7 7 8 12
6 8 6 - 6 7 10
6 2 6 7 - 7 12
4 4 5 6 6 - 6
2 4 1 3 1 7 -
"""
"""American League, 1987: won by the row from the column. Source: A. Agresti, Categorical Data Analysis."""

PUDDINGS = """
1 2 19 22 16
1 3 16 19 12
2 3 19 19 10
1 4 18 23 13
2 4 23 19 9
3 4 19 20 15
1 5 13 19 18
2 5 16 20 12
3 5 16 15 17
4 5 17 14 16
1 6 18 21 12
2 6 22 20 12
3 6 13 18 10
4 6 14 19 18
5 6 11 21 12
"""
"""Six puddings tasted two at a time: which, first better, second better, alike. Source: Davidson, 1970."""


def test_bradley_and_terrys_model_as_published() -> None:
    games: dict[Showing, float] = {
        (tuple(sorted((row, column))), (row,)): int(count)
        for row, line in enumerate(BASEBALL.split("\n")[1:-1])
        for column, count in enumerate(line.split())
        if count != "-"
    }
    found = fit_ratings(7, games, prior=0)
    cov = found.covariance
    beside_baltimore = [
        (found.elo[place] - found.elo[6], (cov[place, place] + cov[6, 6] - 2 * cov[place, 6]) ** 0.5)
        for place in range(6)
    ]
    published = [1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839]
    errors = [0.3433, 0.3396, 0.3367, 0.3359, 0.3339, 0.3319]
    assert [elo / ELO for elo, _ in beside_baltimore] == pytest.approx(published, abs=1e-4)
    assert [error / ELO for _, error in beside_baltimore] == pytest.approx(errors, abs=1e-4)
    assert found.ties == {}


def test_davidsons_draws_as_published() -> None:
    tasted: dict[Showing, float] = {}
    for line in PUDDINGS.split("\n")[1:-1]:
        one, other, better, worse, alike = (int(word) for word in line.split())
        both = (one - 1, other - 1)
        tasted |= {(both, both[:1]): better, (both, both[1:]): worse, (both, both): alike}
    found = fit_ratings(6, tasted, prior=0)
    worths = np.exp(np.array(found.elo) / ELO)
    published = [0.1388005, 0.1729985, 0.1617420, 0.1653930, 0.1586805, 0.2023855]
    assert worths / worths.sum() == pytest.approx(published, abs=1e-4)
    assert found.ties[2] == pytest.approx(0.7468, abs=1e-3)


def test_first_choices_are_plackett_and_luces_as_choix_fits_them() -> None:
    import choix  # with SciPy's statistics it takes longer than all tests of this file to collect

    chance = np.random.default_rng(1)
    shown: list[Showing] = []
    for _ in range(300):
        table = sorted(chance.choice(5, 4, replace=False).tolist())
        shown.append((tuple(table), (int(chance.choice(table)),)))
    found = fit_ratings(5, Counter(shown), prior=0)
    choices = [(won, tuple(seat for seat in table if seat != won)) for table, (won, *_) in shown]
    theirs = choix.opt_top1(5, choices)
    assert [elo / ELO for elo in found.elo] == pytest.approx(theirs - theirs.mean(), abs=1e-4)


@pytest.mark.parametrize("seats", one_quick(2, [4]))
def test_known_strengths_are_found_again_within_their_intervals(seats: int) -> None:
    true = np.array([150.0, 60, 0, -40, -170])
    chance, held = np.random.default_rng(seats), 0
    for _ in range(40):
        found = fit_ratings(5, simulated(true, seats, 600, chance))
        held += sum(
            low <= elo <= high for elo, (low, high) in zip(true, map(found.interval, range(5)), strict=True)
        )
    assert 178 <= held <= 199, "95 of 100 intervals hold the truth: 190 of 200"


def simulated(true: np.ndarray, seats: int, games: int, chance: np.random.Generator) -> Counter[Showing]:
    """Games of players of known strength, some of them won by two or by nobody."""
    shown: Counter[Showing] = Counter()
    worth = np.exp(true / ELO)
    for _ in range(games):
        table = tuple(sorted(chance.choice(len(true), seats, replace=False).tolist()))
        ends = [(seat,) for seat in table] + [(one, two) for one in table for two in table if one < two]
        weights = [
            exp(sum(np.log(worth[list(end)])) / len(end)) * (0.4 if len(end) == 2 else 1) for end in ends
        ]
        shown[table, ends[chance.choice(len(ends), p=np.array(weights) / sum(weights))]] += 1
    return shown


def test_a_player_that_won_every_game_is_not_infinitely_strong() -> None:
    found = fit_ratings(2, {((0, 1), (0,)): 50})
    assert 300 < found.elo[0] < 1000
    assert found.interval(0)[0] > 0


def test_a_player_with_two_seats_at_a_table_wins_it_twice_as_often() -> None:
    alike = fit_ratings(2, {((0, 0, 1), (0,)): 200, ((0, 0, 1), (1,)): 100}, prior=0)
    assert alike.elo == pytest.approx((0, 0), abs=1e-6)


def test_only_draws_say_that_both_are_alike() -> None:
    found = fit_ratings(2, {((0, 1), (0, 1)): 20})
    assert found.elo == pytest.approx((0, 0), abs=1e-6)


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
