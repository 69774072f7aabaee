"""Who sits together."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement

from ekoes.arena.plan import Plan

__all__ = ["line_ups"]


def line_ups(plan: Plan) -> tuple[tuple[int, ...], ...]:
    """Return who sits together, each line-up as places in the list of players.

    Everybody with everybody; where there are fewer players than seats, all of them at every table, some
    more than once.
    """
    count = len(plan.players)
    if plan.lineups is not None:
        places = {entrant.name: place for place, entrant in enumerate(plan.players)}
        return tuple(tuple(places[name] for name in lineup) for lineup in plan.lineups)
    if count >= plan.table:
        return tuple(combinations(range(count), plan.table))
    tables = combinations_with_replacement(range(count), plan.table)
    return tuple(table for table in tables if len(set(table)) == count)
