"""``ekoes eko match``: games between bots, and what they say about their strength."""

from __future__ import annotations

from typing import Annotated

import typer

from ekoes.cli.console import emit, words, write_json
from ekoes.cli.eko.arguments import Setup, Variants
from ekoes.cli.shared.contest import Games, Seed, contest, nobody_won, standings
from ekoes.errors import NotationError
from ekoes.games.registry import game

__all__ = ["command"]


def command(
    bots: Annotated[
        str,
        typer.Option(
            metavar="A,B,…",
            help="A bot for each seat; they change seats after each game.",
            show_default=False,
        ),
    ],
    games: Games = 500,
    seed: Seed = 1,
    variants: Variants = "",
    setup: Setup = "standard",
    turn_limit: Annotated[int, typer.Option(min=1, help="A longer game has no winner (E11.5).")] = 400,
) -> None:
    """Let bots play against each other and print who won how often, with 95 % confidence."""
    names = words(bots)
    if len(names) not in game("eko").players:
        raise NotationError(f"2 to 4 bots play, not {len(names)}", rule="E1.1", key="bots")
    options = {"variants": words(variants), "setup": setup}
    tally = contest("eko", names, games, seed, options, turn_limit=turn_limit)
    lines, drawn = standings(names, tally.players), nobody_won(tally)
    emit([write_json({"games": games, "bots": lines, "drawn": drawn, "decisions": tally.decided})])
