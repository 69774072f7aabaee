"""``ekoes GAME show``: a position as text in the terminal."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable

from ekoes.cli.console import emit, read_position
from ekoes.cli.shared.position import PositionFile
from ekoes.games.registry import load

__all__ = ["command_for"]

_WIDEST_BOARD = 100


def command_for(game: str) -> Callable[..., None]:
    """Return the command of a game."""

    def command(file: PositionFile) -> None:
        """Show a position in the terminal, with colours where it has them."""
        from rich.console import Console

        position = read_position(file, game)
        width = max(_WIDEST_BOARD, shutil.get_terminal_size().columns)
        console = Console(file=sys.stdout, width=width)
        with console.capture() as shown:
            console.print(load(position.game.parts.show or "").show_position(position))
        emit([shown.get().rstrip("\n")])

    return command
