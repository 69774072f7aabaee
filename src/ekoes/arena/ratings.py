"""Strengths from results, with intervals: one model for two at a table and for more.

A set of winners T out of those at a table S is as likely as delta(|T|) times the geometric mean of the
strengths in T (Davidson-Luce). For two that is Bradley and Terry's model with Davidson's draws, for
more it is Plackett and Luce's first choice, with shared wins. Sources: R. R. Davidson, On extending the
Bradley-Terry model to accommodate ties, 1970; D. Firth, I. Kosmidis, H. Turner, Davidson-Luce model for
multi-item choice with ties, 2019. The fit is scipy's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Showing = tuple[tuple[int, ...], tuple[int, ...]]
"""The players of a game and its winners, as sorted indices of players; without a winner, all of them."""

ELO = 400 / log(10)
"""Elo points of one natural logarithm of strength."""
CONFIDENCE = 1.959963984540054
"""Standard deviations around the mean that hold 95 % of a normal distribution."""


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

    def difference(self, player: int, other: int) -> tuple[float, float]:
        """Return how much stronger a player is than another, and the standard error of that."""
        cov = self.covariance
        variance = cov[player, player] + cov[other, other] - 2 * cov[player, other]
        return self.elo[player] - self.elo[other], float(np.sqrt(max(0.0, variance)))


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
    from scipy.optimize import minimize

    sizes = sorted({len(winners) for _, winners in showings} - {1})
    tables = [*_tables(players, showings, sizes), *_virtual_games(players, len(sizes), prior)]

    def total(worths: Array) -> tuple[float, Array, Array]:
        parts = [table.likelihood(worths) for table in tables]
        return sum(part[0] for part in parts), sum(part[1] for part in parts), sum(part[2] for part in parts)  # type: ignore[return-value]

    found = minimize(
        lambda worths: total(worths)[:2],
        np.zeros(players + len(sizes)),
        jac=True,
        hess=lambda worths: total(worths)[2],
        method="trust-exact",
        options={"gtol": 1e-8},
    )
    centre = np.eye(players) - 1 / players
    inverse = np.linalg.pinv(total(found.x)[2], hermitian=True)[:players, :players]
    return Ratings(
        elo=tuple(float(elo) for elo in ELO * (centre @ found.x[:players])),
        covariance=ELO**2 * (centre @ inverse @ centre),
        ties={size: float(np.exp(found.x[players + place])) for place, size in enumerate(sizes)},
    )


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
