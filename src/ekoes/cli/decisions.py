"""What several commands do with the decision that a position asks for."""

from __future__ import annotations

from typing import Any

from ekoes.errors import IllegalActionError
from ekoes.games.contract import Position

__all__ = ["LARGEST_DEPTH", "legal_actions", "play_next"]

LARGEST_DEPTH = 100
"""Of a perft: far beyond what anybody can wait for."""


def legal_actions(position: Position) -> list[Any]:
    """Return the legal actions of whoever is asked; none once the game is over."""
    return [action for seat in position.actors() for action in position.legal(seat)]


def play_next(position: Position, action: object) -> Position:
    """Let whoever is asked play an action. Raises IllegalActionError, E11.1 if the game is over."""
    for seat in position.actors():
        return position.play(seat, action)
    raise IllegalActionError("the game is over", rule="E11.1")
