"""Rates players by the results of games: ratings with intervals, and a sequential test of two.

Ratings are one model for two at a table and for more. A set of winners T out of those at a table S is as
likely as delta(|T|) times the geometric mean of the strengths in T (Davidson-Luce). For two that is Bradley
and Terry's model with Davidson's draws, for more it is Plackett and Luce's first choice, with shared wins.
Sources: R. R. Davidson, On extending the Bradley-Terry model to accommodate ties, 1970; D. Firth, I.
Kosmidis, H. Turner, Davidson-Luce model for multi-item choice with ties, 2019. The likelihood is concave, so
that Newton's method finds its only maximum.

The test ends as soon as the games have said enough. The games of one opening, with the seats exchanged, are
one observation with five possible scores (pentanomial), so that an opening that is good for one seat does no
harm. The likelihood ratio is the generalised one: of the likeliest distributions of scores with the means
that both hypotheses ask for. Source: M. Van den Bergh, Comments on the normalized Elo and GSPRT, as in
fishtest and fastchess.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import log
from typing import Any

import numpy as np

from ekoes.arena.plan import Sprt
from ekoes.games.api.chance import CONFIDENCE

Array = np.ndarray[Any, Any]
Showing = tuple[tuple[int, ...], tuple[int, ...]]
"""The players of a game and its winners, as sorted indices of players; without a winner, all of them."""

ELO = 400 / log(10)
"""Elo points of one natural logarithm of strength."""


@dataclass(frozen=True)
class Ratings:
    """Strengths in Elo, their mean 0. covariance: of them. ties: delta of each number of winners but 1."""

    elo: tuple[float, ...]
    covariance: Array
    ties: Mapping[int, float]

    def interval(self, player: int) -> tuple[float, float]:
        """Return the interval of 95 % confidence around a player's strength, beside the mean of all."""
        spread = CONFIDENCE * float(np.sqrt(self.covariance[player, player]))
        return self.elo[player] - spread, self.elo[player] + spread

    def beside(self, players: Sequence[int]) -> Ratings:
        """Return the same strengths with the mean of some players 0."""
        centre = np.eye(len(self.elo))
        centre[:, list(players)] -= 1 / len(players)
        elo = tuple(map(float, centre @ np.array(self.elo)))
        return Ratings(elo, centre @ self.covariance @ centre.T, self.ties)


@dataclass(frozen=True)
class _Table:
    """All outcomes of a table, as rows of a log-linear model. counts: of each outcome."""

    rows: Array
    counts: Array

    def likelihood(self, worths: Array) -> tuple[float, Array, Array]:
        """Return minus the logarithm of the likelihood, its gradient and its Hessian."""
        heights = self.rows @ worths
        top = heights.max()
        chances = np.exp(heights - top)
        whole = top + float(np.log(chances.sum()))
        chances /= np.exp(whole - top)
        games, mean = self.counts.sum(), chances @ self.rows
        spread = (self.rows * chances[:, None]).T @ self.rows - np.outer(mean, mean)
        return (
            float(games * whole - self.counts @ heights),
            games * mean - self.counts @ self.rows,
            games * spread,
        )


def fit_ratings(players: int, showings: Mapping[Showing, float], *, prior: float = 0.5) -> Ratings:
    """Fit ratings to results.

    showings: how often each occurred. prior: games won, and as many lost, of each player against a
    virtual one of average strength, so that a player who won everything is not infinitely strong.
    """
    sizes = sorted({len(winners) for _, winners in showings} - {1})
    tables = [*_tables(players, showings, sizes), *_virtual_games(players, len(sizes), prior)]

    def total(worths: Array) -> tuple[float, Array, Array]:
        parts = [table.likelihood(worths) for table in tables]
        return sum(part[0] for part in parts), sum(part[1] for part in parts), sum(part[2] for part in parts)  # type: ignore[return-value]

    worths, hessian = _minimum(total, np.zeros(players + len(sizes)))
    inverse = np.linalg.pinv(hessian, hermitian=True)[:players, :players]
    ties = {size: float(np.exp(worths[players + place])) for place, size in enumerate(sizes)}
    found = Ratings(tuple(map(float, ELO * worths[:players])), ELO**2 * inverse, ties)
    return found.beside(range(players))


_STEPS, _FLAT = 100, 1e-8
"""Where no derivative is larger, or a step would be smaller, the minimum is found."""


def _minimum(function: Callable[[Array], tuple[float, Array, Array]], at: Array) -> tuple[Array, Array]:
    """Return where a convex function has its minimum, and its Hessian there.

    function: returns the value, the gradient and the Hessian.
    """
    value, gradient, hessian = function(at)
    for _ in range(_STEPS):
        step = np.linalg.pinv(hessian, hermitian=True) @ gradient
        while (found := function(at - step))[0] > value and np.abs(step).max() > _FLAT:
            step = step / 2
        at, (value, gradient, hessian) = at - step, found
        if min(np.abs(gradient).max(), np.abs(step).max()) < _FLAT:
            break
    return at, hessian


def _tables(players: int, showings: Mapping[Showing, float], sizes: Sequence[int]) -> Iterable[_Table]:
    for seated in sorted({seated for seated, _ in showings}):
        ends: dict[tuple[int, ...], float] = defaultdict(float)
        rows: dict[tuple[int, ...], list[Array]] = {}
        for size in {1, *sizes}:
            for winners in combinations(seated, size):
                rows.setdefault(winners, []).append(_row(players, winners, sizes))
        for (where, winners), count in showings.items():
            if where == seated:
                ends[winners] += count
        # Seats of one player are alike: what they can do together is one row, with its share of the chance.
        yield _Table(
            np.array([row for winners in rows for row in rows[winners]]),
            np.array([ends[winners] / len(rows[winners]) for winners in rows for _ in rows[winners]]),
        )


def _row(players: int, winners: tuple[int, ...], sizes: Sequence[int]) -> Array:
    row = np.zeros(players + len(sizes))
    for winner in winners:
        row[winner] += 1 / len(winners)
    if len(winners) in sizes:
        row[players + sizes.index(len(winners))] = 1
    return row


def _virtual_games(players: int, ties: int, prior: float) -> Iterable[_Table]:
    if prior > 0:
        for player in range(players):
            rows = np.zeros((2, players + ties))
            rows[0, player] = 1
            yield _Table(rows, np.array([prior, prior]))


# ---------------------------------------------------------------- the sequential test

_UNSEEN = 1e-3
"""Stands for a score that has not been seen, as fishtest and fastchess have it."""
_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)


def expected_score(elo: float) -> float:
    """Return the score that a difference in strength promises (logistic)."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def log_likelihood_ratio(
    counts: Sequence[float], scores: Sequence[float], score0: float, score1: float
) -> float:
    """Return how much likelier observations are with a mean of score1 than of score0, as a logarithm.

    counts: how often each of the scores was seen.
    """
    seen = np.maximum(np.asarray(counts, float), _UNSEEN)
    total, values = float(seen.sum()), np.asarray(scores, float)
    frequencies = seen / total
    likeliest = [_likeliest(frequencies, values - mean) for mean in (score0, score1)]
    return float(total * (frequencies * np.log(likeliest[1] / likeliest[0])).sum())


def _likeliest(frequencies: np.ndarray[Any, Any], away: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the likeliest probabilities with a mean of zero. away: of each value from that mean."""
    from scipy.optimize import brentq

    low, high = -1 / away.max(), -1 / away.min()
    inside = 1e-9 * (high - low)
    tilt: float = brentq(
        lambda x: float((frequencies * away / (1 + x * away)).sum()), low + inside, high - inside, xtol=1e-12
    )
    found: np.ndarray[Any, Any] = frequencies / (1 + tilt * away)
    return found


@dataclass
class PairTest:
    """The test while games come in, in any order: games with successive numbers form pairs.

    counts: pairs by the first player's score in both games, 0, ½ … 2. ended: the number of games after
    which it was decided. verdict: the hypothesis that is taken, 0 or 1.
    """

    settings: Sprt
    counts: list[int] = field(default_factory=lambda: [0] * len(_SCORES))
    ended: int | None = None
    verdict: int | None = None
    _waiting: dict[int, float] = field(default_factory=dict)

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the test ends: elo0 is taken, elo1 is taken. Source: A. Wald, Sequential Analysis, 1947."""
        alpha, beta = self.settings.alpha, self.settings.beta
        return log(beta / (1 - alpha)), log((1 - beta) / alpha)

    @property
    def llr(self) -> float:
        """How much likelier elo1 is than elo0, as a logarithm."""
        if not any(self.counts):
            return 0.0
        score0, score1 = expected_score(self.settings.elo0), expected_score(self.settings.elo1)
        return log_likelihood_ratio(self.counts, _SCORES, score0, score1)

    def add(self, number: int, score: float) -> bool:
        """Count a game. score: of the first player. Returns: whether the test is over."""
        self._waiting[number] = score
        begin = 2 * sum(self.counts)
        while self.ended is None and {begin, begin + 1} <= self._waiting.keys():
            both = self._waiting.pop(begin) + self._waiting.pop(begin + 1)
            self.counts[round(2 * both)] += 1
            begin += 2
            self._judge(begin)
        return self.ended is not None

    def _judge(self, games: int) -> None:
        low, high = self.bounds
        llr = self.llr
        if llr <= low or llr >= high:
            self.ended, self.verdict = games, int(llr >= high)
