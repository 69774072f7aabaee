"""Matches between bots, which change seats after each game."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

from ekoes.arena.plan import Entrant, Plan, Variant
from ekoes.arena.pool import local_pool
from ekoes.arena.run import play_some
from ekoes.arena.statistics import Statistics


def contest(game: str, bots: Sequence[str], games: int, seed: int, options: dict[str, Any]) -> Statistics:
    """Play a match and return its statistics."""
    plan = Plan(
        game=game,
        players=tuple(Entrant(name=f"{place}-{name}", bot=name) for place, name in enumerate(bots)),
        seats=len(bots),
        rounds=-(-games // len(bots)),
        seed=seed,
        variants=(Variant(options=options),),
    )
    stats = Statistics(plan)
    for result in chain.from_iterable(play_some(plan, range(games), local_pool(1))):
        stats.add(result)
    return stats
