"""A sequential test of two players: it ends as soon as the games have said enough.

The games of one opening, with the seats exchanged, are one observation with five possible scores
(pentanomial), so that an opening that is good for one seat does no harm. The likelihood ratio is the
generalised one: of the likeliest distributions of scores with the means that both hypotheses ask for.
Source: M. Van den Bergh, Comments on the normalized Elo and GSPRT, as in fishtest and fastchess.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log
from typing import Any

import numpy as np

from ekoes.arena.plan import Sprt

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
    """The test as games come in, in any order; they count by their numbers, two and two.

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
