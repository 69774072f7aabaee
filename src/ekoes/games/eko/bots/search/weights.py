"""The learned weights of the package, read and checked once."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np

from ekoes.errors import PositionError
from ekoes.games.eko.bots.search.features import FEATURES, Feature
from ekoes.games.eko.rules.record import FEWEST_PLAYERS, MOST_PLAYERS

__all__ = ["ROLES", "read_weights", "weights_for", "write_weights"]

ROLES = ("next", "others")
"""Rows of the weights: of the player whose action phase comes next, and of the others."""

_FILE = "weights.json"


def weights_for(players: int) -> np.ndarray[Any, Any]:
    """Return the weights for a number of players, float64[2, FEATURES]."""
    return _shipped()[players]


@lru_cache(1)
def _shipped() -> dict[int, np.ndarray[Any, Any]]:
    return read_weights(files(__package__).joinpath(_FILE).read_text("utf-8"))


def read_weights(text: str) -> dict[int, np.ndarray[Any, Any]]:
    """Read weights: number of players -> float64[2, FEATURES]. Raises PositionError naming the key."""
    value = json.loads(text)
    return {players: _table(value, players) for players in range(FEWEST_PLAYERS, MOST_PLAYERS + 1)}


def _table(value: Any, players: int) -> np.ndarray[Any, Any]:
    """Return the weights for a number of players."""
    table = np.zeros((len(ROLES), FEATURES))
    names = {feature.name.lower(): feature for feature in Feature}
    for row, role in enumerate(ROLES):
        try:
            named = value["weights"][str(players)][role]
            columns = [names[name] for name in named]
            numbers = np.array([float(number) for number in named.values()])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise PositionError(f"no weights: {error}", key=f"weights.{players}.{role}") from error
        if len(columns) != FEATURES or not np.isfinite(numbers).all():
            raise PositionError("a weight is missing or no number", key=f"weights.{players}.{role}")
        table[row, columns] = numbers
    return table


def write_weights(tables: dict[int, np.ndarray[Any, Any]], made: dict[str, Any]) -> str:
    """Write weights as JSON, with how they were made beside them."""
    weights = {
        str(players): {
            role: {feature.name.lower(): round(float(table[row, feature]), 5) for feature in Feature}
            for row, role in enumerate(ROLES)
        }
        for players, table in tables.items()
    }
    return json.dumps({"made": made, "weights": weights}, indent=1) + "\n"
