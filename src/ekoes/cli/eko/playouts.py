"""``ekoes eko playouts``: random games from a position to their end."""

from __future__ import annotations

from typing import Annotated

import typer

from ekoes.cli.console import emit, progress, read_position, write_json
from ekoes.cli.eko.arguments import PositionFile

__all__ = ["command"]

TURN_LIMIT = 400
"""A game that would begin a later turn ends without a winner (E11.5, E12.9)."""


def command(
    file: PositionFile,
    count: Annotated[
        int, typer.Option(min=1, max=1_000_000_000, help="Number of games.", show_default=False)
    ],
    seed: Annotated[int, typer.Option(help="Equal seeds give equal games.", show_default=False)],
    threads: Annotated[int, typer.Option(min=1, max=1024, help="Games played at the same time.")] = 1,
) -> None:
    """Play random games from a position to their end, and count who wins."""
    from ekoes.games.eko.engine import playouts

    position = read_position(file, "eko")
    with progress("playouts", count) as advance:
        result = playouts(position, count, seed, threads, TURN_LIMIT, advance)
    emit(
        [
            write_json(
                {
                    "games": result.games,
                    "decisions": result.decisions,
                    "seconds": result.seconds,
                    "wins": list(result.wins),
                    "drawn": result.drawn,
                }
            ),
        ]
    )
