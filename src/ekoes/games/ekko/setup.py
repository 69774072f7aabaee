"""The first position of a game: options and the first dealer from one seed (K1.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from ekoes.games.chance import Chance
from ekoes.games.ekko.rules.record import DEFAULT_TARGET, FEWEST_PLAYERS, MOST_PLAYERS, NOBODY, STATE, Phase
from ekoes.games.reading import read_options

__all__ = ["HIGHEST_TARGET", "EkkoOptions", "blank_states", "set_up"]

HIGHEST_TARGET = 1000
"""Far more than anybody wants to play."""


class EkkoOptions(BaseModel):
    """How a game of EKKO is set up.

    players: 2 to 8 (K1.1). target: the total that ends the game (K5.6). live: mirrors are played as
    their holders notice (K7.1) instead of being asked for (K6.1).
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    players: Annotated[int, Field(ge=FEWEST_PLAYERS, le=MOST_PLAYERS)] = FEWEST_PLAYERS
    target: Annotated[int, Field(ge=1, le=HIGHEST_TARGET)] = DEFAULT_TARGET
    live: bool = False

    @classmethod
    def read(cls, options: Mapping[str, Any]) -> EkkoOptions:
        """Check options. Raises PositionError naming the key."""
        return read_options(cls, options)


def set_up(options: Mapping[str, Any], seed: int) -> np.ndarray[Any, Any]:
    """Return STATE[1] before the first deal, its dealer drawn from the seed. Raises PositionError."""
    wanted = EkkoOptions.read(options)
    states = blank_states(wanted.players, wanted.target)
    states["dealer"] = Chance(seed).below(wanted.players)
    states["live"] = wanted.live
    return states


def blank_states(players: int, target: int) -> np.ndarray[Any, Any]:
    """Return STATE[1] of round 1 with no card dealt."""
    states = np.zeros(1, STATE)
    for field in ("player", "last", "asked", "leaving", "ended_by"):
        states[field] = NOBODY
    states["phase"] = Phase.DEAL
    states["players"] = players
    states["target"] = target
    states["number"] = 1
    return states
