"""Options of a game on the command line, whatever they are called: ``--option target=25``."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ekoes.errors import NotationError
from ekoes.games.strict_json import parse_json

__all__ = ["Option", "read_options"]

Option = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=JSON", help="An option of the game; may be given several times."),
]


def read_options(texts: list[str] | None) -> dict[str, Any]:
    """Read options. Raises NotationError naming the option."""
    options: dict[str, Any] = {}
    for text in texts or ():
        name, is_given, value = text.partition("=")
        if not is_given or not name:
            raise NotationError(f"an option is written NAME=JSON, not {text!r:.40}", key="option")
        if name in options:
            raise NotationError("is given twice", key=name[:40])
        options[name] = parse_json(value)
    return options
