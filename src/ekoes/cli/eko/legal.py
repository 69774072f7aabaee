"""``ekoes eko legal``: the legal actions of a position."""

from __future__ import annotations

from ekoes.cli.console import emit, write_json
from ekoes.cli.decisions import legal_actions
from ekoes.cli.eko.arguments import PositionFile, read_eko

__all__ = ["command"]


def command(file: PositionFile) -> None:
    """Print the legal actions of a position, one per line."""
    position = read_eko(file)
    emit(write_json(position.game.action_to_json(action)) for action in legal_actions(position))
