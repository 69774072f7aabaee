"""The bot ``random``, for any game without hidden information: every legal action is equally likely."""

from __future__ import annotations

from typing import Any

from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Position


class RandomBot:
    """Chooses uniformly from the legal actions."""

    name = "random"

    def choose(self, position: Position, seat: int, chance: Chance) -> Any:  # noqa: ANN401
        """Return one of the legal actions of a seat that is asked."""
        return chance.choice(position.legal(seat))


RANDOM = RandomBot()
