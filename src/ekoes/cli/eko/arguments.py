"""Arguments that several commands of Ekö take."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["PositionFile", "Setup", "Variants", "words"]

PositionFile = Annotated[
    str,
    typer.Argument(metavar="FILE", help="A position as JSON; - is standard input.", show_default=False),
]
Variants = Annotated[str, typer.Option(metavar="A,B,…", help="portals, labyrinth, beacon, moon, … (E10).")]
Setup = Annotated[str, typer.Option(help="standard (E3.1) or draft (E3.4).")]


def words(text: str) -> list[str]:
    """Return the words of a list with commas."""
    return [word.strip() for word in text.split(",") if word.strip()]
