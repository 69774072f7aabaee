"""``ekoes GAME playouts``: random games from a position to their end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from ekoes.cli.console import emit, progress, read_position, write_json
from ekoes.cli.shared.position import PositionFile
from ekoes.games.registry import load

__all__ = ["command_for"]

LARGEST_COUNT = 10_000_000


def command_for(game: str) -> Callable[..., None]:
    """Return the command of a game."""

    def command(
        file: PositionFile,
        count: Annotated[
            int, typer.Option(min=1, max=LARGEST_COUNT, help="Number of games.", show_default=False)
        ],
        seed: Annotated[int, typer.Option(help="Equal seeds give equal games.", show_default=False)],
        threads: Annotated[int, typer.Option(min=1, max=1024, help="Games played at the same time.")] = 1,
    ) -> None:
        """Play random games from a position to their end, and count who wins."""
        position = read_position(file, game)
        playouts = load(position.game.parts.playouts or "").playouts
        with progress("playouts", count) as advance:
            result = playouts(position, count, seed, threads=threads, progress=advance)
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

    return command
