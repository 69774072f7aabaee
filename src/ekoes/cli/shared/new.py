"""``ekoes GAME new``: a position at its first decision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from ekoes.cli.console import chosen_seed, emit, write_json
from ekoes.cli.shared.options import Option, read_options
from ekoes.games.registry import game

__all__ = ["command_for"]


def command_for(name: str) -> Callable[..., None]:
    """Return the command of a game."""
    least = game(name).players.start

    def command(
        players: Annotated[int, typer.Option(help="The number of players.")] = least,
        seed: Annotated[
            int | None, typer.Option(help="Equal seeds give equal positions; drawn if not given.")
        ] = None,
        option: Option = None,
    ) -> None:
        """Print a position at its first decision."""
        options = {"players": players, **read_options(option)}
        emit([write_json(game(name).new(options, chosen_seed(seed)).to_json())])

    return command
