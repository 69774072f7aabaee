"""What several commands do with the decision that a position asks for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ekoes.cli.console import within
from ekoes.errors import NotationError
from ekoes.games.contract import Position

__all__ = ["LARGEST_DEPTH", "legal_actions", "play_all", "play_each", "play_next"]

LARGEST_DEPTH = 100
"""Of a perft: far beyond what anybody can wait for."""


def legal_actions(position: Position) -> list[Any]:
    """Return the legal actions of whoever is asked; none once the game is over."""
    return [action for seat in position.actors() for action in position.legal(seat)]


def play_next(position: Position, action: object) -> Position:
    """Let whoever's action this is play it. Raises IllegalActionError, also if the game is over."""
    return position.play(position.seat_of(action), action)


def play_all(position: Position, actions: object) -> Position:
    """Play a list of actions in JSON. Raises an error that names the action by its number."""
    for after in play_each(position, actions):
        position = after
    return position


def play_each(position: Position, actions: object) -> Iterator[Position]:
    """Yield the position after each of a list of actions in JSON. Raises as ``play_all`` does."""
    if not isinstance(actions, list):
        raise NotationError("must be a list of actions", key="actions")
    for number, value in enumerate(actions, start=1):
        with within(f"action {number}"):
            position = play_next(position, position.game.parse_action(value))
        yield position
