"""From what games have told to weights: a logistic regression over the players of each position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ekoes.games.eko.bots.search.features import FEATURES, Feature
from ekoes.games.eko.bots.training.play import Rows

__all__ = ["Fit", "first_weights", "fit"]

_TENTH = 10  # one game of so many is kept to judge the fit by
_STEADY = 2e-4  # how much large weights cost
_STEPS = 300
_TRUST = 0.7  # in how the game ended; the rest is what the search thought
_TINY = 1e-9


@dataclass(frozen=True, slots=True)
class Fit:
    """What came of it, as positions show that were not learned from.

    loss: in nats; thought: that of the search's own chances; hits: how many of 1 it foretold.
    """

    weights: np.ndarray[Any, Any]
    positions: int
    loss: float
    hits: float
    thought: float


def fit(rows: Rows) -> Fit:
    """Find the weights that foretell best who wins."""
    from scipy.optimize import minimize

    kept = rows.game % _TENTH == 0
    scale = np.maximum(rows.features.reshape(-1, FEATURES).std(axis=0), 1e-2)
    columns = _by_role(rows.features, scale)
    goal = _TRUST * rows.won + (1 - _TRUST) * rows.thought
    learned, wanted = columns[~kept], goal[~kept]

    def loss(weights: np.ndarray[Any, Any]) -> tuple[float, np.ndarray[Any, Any]]:
        chances = _chances(learned, weights)
        missed = np.einsum("np,npf->f", chances - wanted, learned, optimize=True) / len(learned)
        cost = _surprise(chances, wanted) + _STEADY * float(weights @ weights)
        return cost, missed + 2 * _STEADY * weights

    found = minimize(loss, np.zeros(2 * FEATURES), jac=True, method="L-BFGS-B", options={"maxiter": _STEPS}).x
    chances, won = _chances(columns[kept], found), rows.won[kept]
    return Fit(
        weights=found.reshape(2, FEATURES) / scale,
        positions=len(learned),
        loss=_surprise(chances, won),
        hits=float(np.take_along_axis(won, chances.argmax(axis=1)[:, None], 1).mean()),
        thought=_surprise(rows.thought[kept], won),
    )


def _by_role(features: np.ndarray[Any, Any], scale: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the features twice, once for each role: of the other role they are 0."""
    scaled = (features / scale).astype(np.float32)
    is_next = features[:, :, Feature.NEXT : Feature.NEXT + 1] > 0
    return np.concatenate([scaled * is_next, scaled * ~is_next], axis=2)


def _chances(columns: np.ndarray[Any, Any], weights: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    strength = (columns @ weights.astype(np.float32)).astype(np.float64)
    powers = np.exp(strength - strength.max(axis=1, keepdims=True))
    shares: np.ndarray[Any, Any] = powers / powers.sum(axis=1, keepdims=True)
    return shares


def _surprise(chances: np.ndarray[Any, Any], wanted: np.ndarray[Any, Any]) -> float:
    return float(-(wanted * np.log(chances + _TINY)).sum(axis=1).mean())


_FIRST = {
    Feature.POINTS: 0.3,
    Feature.CAPITAL: 0.4,
    Feature.HEIGHT_1: 0.1,
    Feature.HEIGHT_2: 0.22,
    Feature.HEIGHT_3: 0.34,
    Feature.HEIGHT_4: 0.45,
    Feature.RESERVE: 0.06,
    Feature.FEW_STACKS: -0.3,
    Feature.EMPEROR_CAPTIVE: -0.3,
    Feature.GAIN: 0.2,
    Feature.WINS: 2.0,
}


def first_weights() -> np.ndarray[Any, Any]:
    """Return weights by which the very first games are played: points and discs are good."""
    weights = np.zeros((2, FEATURES))
    for feature, weight in _FIRST.items():
        weights[:, feature] = weight
    weights[1, Feature.EXPOSED_EMPEROR] = -1.0
    weights[1, Feature.EXPOSED_DISCS] = -0.05
    return weights
