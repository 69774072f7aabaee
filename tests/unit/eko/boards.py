"""Positions to draw: random games stopped on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ekoes.games.api.chance import Chance
from ekoes.games.eko.game import EKO
from ekoes.games.eko.position.tiles import VARIANTS

if TYPE_CHECKING:
    from ekoes.games.eko.position.position import EkoPosition


def played(
    players: int, decisions: int, *, seed: int = 1, variants: tuple[str, ...] = VARIANTS
) -> EkoPosition:
    """Return the position after so many random decisions, or at the end of the game."""
    position = EKO.new({"players": players, "variants": list(variants)}, seed)
    chance = Chance(seed)
    for _ in range(decisions):
        if position.outcome() is not None:
            break
        seat = position.actors()[0]
        position = position.play(seat, chance.choice(position.legal(seat)))
    return position
