"""``ekoes eko show``: a position as a board in the terminal."""

from __future__ import annotations

import shutil
import sys

from ekoes.cli.console import emit
from ekoes.cli.eko.arguments import PositionFile, read_eko

__all__ = ["command"]

_WIDEST_BOARD = 100


def command(file: PositionFile) -> None:
    """Show a position as a board in the terminal, with colours and a legend."""
    from rich.console import Console

    from ekoes.games.eko.show import show_position

    position = read_eko(file)
    width = max(_WIDEST_BOARD, shutil.get_terminal_size().columns)
    console = Console(file=sys.stdout, width=width)
    with console.capture() as shown:
        console.print(show_position(position))
    emit([shown.get().rstrip("\n")])
