"""The argument with which most commands begin."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["PositionFile"]

PositionFile = Annotated[
    str,
    typer.Argument(metavar="FILE", help="A position as JSON; - is standard input.", show_default=False),
]
