"""``ekoes ekko strength``: how often the strongest bot beats players who take any card."""

from __future__ import annotations

import time

from ekoes.cli.console import emit, write_json
from ekoes.cli.shared.contest import Games, Seed, Threads, contest, shared_wins, standing

__all__ = ["command"]

_RIVAL = "random"
_SIZES = (5, 2)
"""A table of five, and a duel."""


def command(threads: Threads, games: Games = 2000, seed: Seed = 1) -> None:
    """Let the strongest bot play against ``random``, four of them and one; ties count as lost (K5.6).

    One line per number of players: games, share won alone with 95 % confidence, ties, seconds.
    """
    from ekoes.bots import bots as names_of

    strongest = names_of("ekko")[-1]
    for players in _SIZES:
        bots = [strongest, *[_RIVAL] * (players - 1)]
        begun = time.perf_counter()
        tally = contest("ekko", bots, games, seed, {}, workers=threads, title=f"{players} players")
        line = {"players": players, "games": games, **standing(strongest, tally.players[0].alone, games)}
        seconds = round(time.perf_counter() - begun, 1)
        emit([write_json(line | {"tied": shared_wins(tally), "seconds": seconds})])
