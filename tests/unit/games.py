"""Games for tests: first positions of Ekö, and random play from a seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE
from ekoes.games.eko.game import EKO
from ekoes.games.eko.position.position import EkoPosition
from ekoes.games.eko.position.tiles import VARIANTS

ALL_VARIANTS = VARIANTS


def random_game(seed: int, most: int, **options: Any) -> Iterator[tuple[EkoPosition, int, Any]]:
    """Yield (position, seat, action) of a random game, ``most`` decisions of it at most."""
    return random_steps(EKO.new({"players": 2} | options, seed), Chance(seed), most)


def random_steps(position: Any, chance: Chance, most: int) -> Iterator[tuple[Any, int, Any]]:
    """Yield position, seat and action of random play from a position on."""
    for _ in range(most):
        if not position.actors():
            return
        (seat,) = position.actors()
        action = position.chance_action(chance) if seat == CHANCE else chance.choice(position.legal(seat))
        yield position, seat, action
        position = position.play(seat, action)


def played(
    players: int, decisions: int, *, seed: int = 1, variants: Sequence[str] = ALL_VARIANTS
) -> EkoPosition:
    """Return the position after so many random decisions, or at the end of the game."""
    *_, (position, seat, action) = random_game(seed, decisions, players=players, variants=list(variants))
    return position.play(seat, action)
