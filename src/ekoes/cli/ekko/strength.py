"""``ekoes ekko strength``: how often the strongest bot beats players who take any card."""

from __future__ import annotations

import time

from ekoes.cli.console import emit, progress, write_json
from ekoes.cli.shared.contest import Games, Seed, Threads, standing
from ekoes.games.registry import game

__all__ = ["command"]

_RIVAL = "random"
_SIZES = (5, 2)
"""A table of five, and a duel."""


def command(threads: Threads, games: Games = 2000, seed: Seed = 1) -> None:
    """Let the strongest bot play against ``random``, four of them and one; ties count as lost (K5.6).

    One line per number of players: games, share won alone with 95 % confidence, ties, seconds.
    """
    from ekoes.bots import bot
    from ekoes.bots import bots as names_of
    from ekoes.bots.contest import play_contest

    ekko, strongest = game("ekko"), names_of("ekko")[-1]
    for players in _SIZES:
        bots = [bot("ekko", strongest), *[bot("ekko", _RIVAL)] * (players - 1)]
        begun = time.perf_counter()
        with progress(f"{players} players", games) as advance:
            tally = play_contest(
                ekko, {"players": players}, bots, games, seed, None, advance, threads=threads
            )
        line = {"players": players, "games": games, **standing(strongest, tally.alone[0], games)}
        seconds = round(time.perf_counter() - begun, 1)
        emit([write_json(line | {"tied": tally.shared, "seconds": seconds})])
