"""``ekoes eko match``: games between bots, and what they say about their strength."""

from __future__ import annotations

from typing import Annotated

import typer

from ekoes.cli.console import emit, progress, words, write_json
from ekoes.cli.eko.arguments import Setup, Variants
from ekoes.cli.shared.contest import Games, Seed, standings
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
    from ekoes.bots import bot
    from ekoes.bots.contest import play_contest

    names = words(bots)
    eko = game("eko")
    if len(names) not in eko.players:
        raise NotationError(f"2 to 4 bots play, not {len(names)}", rule="E1.1", key="bots")
    players = [bot("eko", name) for name in names]
    options = {"players": len(names), "variants": words(variants), "setup": setup}
    with progress("match", games) as advance:
        tally = play_contest(eko, options, players, games, seed, turn_limit, advance)
    lines = standings(names, tally.wins, games)
    emit([write_json({"games": games, "bots": lines, "drawn": tally.drawn, "decisions": tally.decisions})])
