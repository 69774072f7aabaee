"""``ekoes GAME legal``: the legal actions of a position."""

from __future__ import annotations

from collections.abc import Callable

from ekoes.cli.console import emit, read_position, write_json
from ekoes.cli.decisions import legal_actions
from ekoes.cli.shared.position import PositionFile

__all__ = ["command_for"]


def command_for(game: str) -> Callable[..., None]:
    """Return the command of a game."""

    def command(file: PositionFile) -> None:
        """Print the legal actions of a position, one per line."""
        position = read_position(file, game)
        emit(write_json(position.game.action_to_json(action)) for action in legal_actions(position))

    return command
