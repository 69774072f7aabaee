"""``ekoes eko new``: a position at its first decision."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ekoes.cli.console import chosen_seed, emit, label, read_data, words, write_json
from ekoes.cli.eko.arguments import Setup, Variants
from ekoes.errors import NotationError
from ekoes.games.registry import game

__all__ = ["command"]


def command(
    players: Annotated[int, typer.Option(help="2 to 4 (E1.1).", show_default=False)],
    seed: Annotated[
        int | None, typer.Option(help="Equal seeds give equal positions; drawn if not given.")
    ] = None,
    variants: Variants = "",
    setup: Setup = "standard",
    layout: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Placed tiles as JSON, [[tile, q, r, rot], …] (E2.2); - is standard input."
        ),
    ] = None,
    tileset: Annotated[
        str | None, typer.Option(metavar="FILE", help="A tile set of one's own, as TOML or JSON (E2.3).")
    ] = None,
) -> None:
    """Print a position at its first decision."""
    options: dict[str, Any] = {"players": players, "variants": words(variants), "setup": setup}
    for key, file in (("layout", layout), ("tileset", tileset)):
        if file is not None:
            options[key] = _content(file, key)
    emit([write_json(game("eko").new(options, chosen_seed(seed)).to_json())])


def _content(file: str, key: str) -> object:
    """Read a layout or a tile set. Raises NotationError for null, which as an option means: none."""
    value = read_data(file)
    if value is None:
        raise NotationError(f"{label(file)}: null is no {key}", key=key)
    return value
