"""Arguments that several commands of Ekö take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import typer

from ekoes.cli.console import read_position

if TYPE_CHECKING:
    from ekoes.games.eko.position import EkoPosition

__all__ = ["Setup", "Variants", "read_eko"]

Variants = Annotated[str, typer.Option(metavar="A,B,…", help="portals, labyrinth, beacon, moon, … (E10).")]
Setup = Annotated[str, typer.Option(help="standard (E3.1) or draft (E3.4).")]


def read_eko(file: str) -> EkoPosition:
    """Read a position of Ekö from a file. Raises an error that names the file."""
    return cast("EkoPosition", read_position(file, "eko"))
