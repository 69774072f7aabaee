"""``ekoes eko svg``: a position as a picture."""

from __future__ import annotations

from typing import Annotated

import typer

from ekoes.cli.console import emit
from ekoes.cli.eko.arguments import read_eko
from ekoes.cli.shared.position import PositionFile

__all__ = ["command"]


def command(
    file: PositionFile,
    coordinates: Annotated[
        bool, typer.Option("--coordinates", help="Write each space's name on it.")
    ] = False,
) -> None:
    """Print a position as an SVG picture."""
    from ekoes.games.eko.svg import position_svg

    position = read_eko(file)
    emit([position_svg(position, coordinates=coordinates).rstrip("\n")])
