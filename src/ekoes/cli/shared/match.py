"""``ekoes GAME match``: games between bots, and what they say about their strength."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from ekoes.cli.console import emit, words, write_json
from ekoes.cli.shared.contest import Games, Seed, Threads, contest, nobody_won, standings
from ekoes.cli.shared.options import Option, read_options
from ekoes.errors import NotationError
from ekoes.games.registry import game

__all__ = ["command_for"]


def command_for(name: str) -> Callable[..., None]:
    """Return the command of a game."""

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
        option: Option = None,
    ) -> None:
        """Let bots play against each other and print who won how often, with 95 % confidence."""
        names, played = words(bots), game(name)
        if len(names) not in played.players:
            least, most = played.players.start, played.players.stop - 1
            raise NotationError(f"{least} to {most} bots play, not {len(names)}", key="bots")
        tally = contest(name, names, games, seed, read_options(option), workers=threads)
        lines, drawn = standings(names, tally.players), nobody_won(tally)
        emit([write_json({"games": games, "bots": lines, "drawn": drawn, "decisions": tally.decided})])

    return command
