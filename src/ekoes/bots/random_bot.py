"""The bot ``random``: every legal action is as likely as the others."""

from __future__ import annotations

from typing import Any

from ekoes.games.chance import Chance
from ekoes.games.contract import Position

__all__ = ["RANDOM", "RandomBot"]


class RandomBot:
    """Draws from the legal actions."""

    name = "random"

    def choose(self, position: Position, seat: int, chance: Chance) -> Any:  # noqa: ANN401
        """Return one of the legal actions of a seat that is asked."""
        return chance.choice(position.legal(seat))


RANDOM = RandomBot()
