"""How good somebody is, as far as games tell: ratings of the Bradley-Terry model, and how they are shown.

Source: Weng and Lin, *A Bayesian Approximation Method for Online Ranking*, JMLR 12 (2011), algorithm 1, as
the package ``openskill`` has it, with its parameters. A game of several is every pair's duel; who shares a
rank has drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from openskill.models import BradleyTerryFull

from ekoes.games.contract import Json

__all__ = ["NEW", "UNCERTAIN", "Rating", "after_game"]

_BASE = 1500
_SCALE = 30
"""Points that are shown for one of the model: between two who are well known 400 are about ten to one."""


class Rating(NamedTuple):
    """What is known of somebody's strength. mean and deviation: of the model's normal distribution."""

    mean: float
    deviation: float

    @property
    def shown(self) -> int:
        """The number that people see."""
        return round(_BASE + _SCALE * (self.mean - NEW.mean))

    @property
    def give_or_take(self) -> int:
        """Its standard deviation, in the same points."""
        return round(_SCALE * self.deviation)

    @property
    def is_provisional(self) -> bool:
        """Whether there were too few games to tell."""
        return self.deviation > UNCERTAIN

    def to_json(self) -> Json:
        """Write it as pages get it."""
        return {
            "rating": self.shown,
            "deviation": self.give_or_take,
            "provisional": self.is_provisional,
        }


NEW = Rating(25.0, 25.0 / 3)
"""Of somebody who has not played yet."""
UNCERTAIN = 5.5
"""Deviation above which a rating is provisional: that of some sixteen games for two."""


def after_game(players: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """Return the ratings of players after a game. ranks: how many came before each of them."""
    model = _model()
    teams = [[model.rating(mu=player.mean, sigma=player.deviation)] for player in players]
    rated = model.rate(teams, ranks=[float(rank) for rank in ranks])
    return [Rating(player.mu, player.sigma) for (player,) in rated]


@cache
def _model() -> BradleyTerryFull:
    return BradleyTerryFull()
