"""What contests between bots come to, in words of the commands."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Annotated

import typer

from ekoes.games.contract import Json

__all__ = ["Games", "Seed", "Threads", "standing", "standings"]

Games = Annotated[int, typer.Option(min=1, max=10_000_000, help="Number of games.")]
Seed = Annotated[int, typer.Option(help="Equal seeds give equal games.")]
Threads = Annotated[
    int,
    typer.Option(
        min=1,
        max=1024,
        help="Games played at the same time.",
        default_factory=lambda: os.cpu_count() or 1,
        show_default="the processor's cores",
    ),
]


def standing(name: str, wins: int, games: int) -> Json:
    """Return how a bot did: its share of the games with the interval of 95 % confidence."""
    from ekoes.bots.contest import wilson_interval

    low, high = wilson_interval(wins, games)
    return {"bot": name, "wins": wins, "rate": wins / games, "interval": [round(low, 4), round(high, 4)]}


def standings(names: Sequence[str], wins: Sequence[int], games: int) -> list[Json]:
    """Return how each bot did, seat by seat of the first game."""
    return [standing(name, won, games) for name, won in zip(names, wins, strict=True)]
