"""``ekoes ekko match``: games between bots, and what they say about their strength."""

from __future__ import annotations

from typing import Annotated

import typer

from ekoes.cli.console import emit, words, write_json
from ekoes.cli.shared.contest import Games, Seed, Threads, contest, shared_wins, standings
from ekoes.errors import NotationError
from ekoes.games.ekko.rules.record import DEFAULT_TARGET
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
    threads: Threads,
    games: Games = 500,
    seed: Seed = 1,
    target: Annotated[int, typer.Option(help="The total that ends the game (K5.6).")] = DEFAULT_TARGET,
) -> None:
    """Let bots play against each other (K6) and print who won alone how often, with 95 % confidence."""
    names = words(bots)
    if len(names) not in game("ekko").players:
        raise NotationError(f"2 to 8 bots play, not {len(names)}", rule="K1.1", key="bots")
    tally = contest("ekko", names, games, seed, {"target": target}, workers=threads)
    lines, tied = standings(names, tally.players, alone=True), shared_wins(tally)
    emit([write_json({"games": games, "bots": lines, "tied": tied, "decisions": tally.decided})])
