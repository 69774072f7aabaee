"""Matches between bots on the command line: a small arena plan and its result in one line."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ekoes.cli.console import progress
from ekoes.games.api.contract import Json
from ekoes.games.api.registry import game as game_of

if TYPE_CHECKING:
    from ekoes.arena.plan import Plan
    from ekoes.arena.statistics import Record, Statistics

Games = Annotated[int, typer.Option(min=1, max=10_000_000, help="Number of games.")]
Seed = Annotated[int, typer.Option(min=0, max=2**64 - 1, help="Equal seeds give equal games.")]
Threads = Annotated[
    int,
    typer.Option(
        min=1,
        max=1024,
        help="Games played in parallel.",
        default_factory=lambda: os.cpu_count() or 1,
        show_default="the processor's cores",
    ),
]


def contest(
    game: str,
    bots: Sequence[str],
    games: int,
    seed: int,
    options: Mapping[str, Any],
    *,
    turn_limit: int | None = None,
    workers: int = 1,
    title: str = "match",
) -> Statistics:
    """Play a match between bots, which change seats after each game. Raises EkoesError."""
    from ekoes.arena.pool import local_pool
    from ekoes.arena.run import play_some
    from ekoes.arena.statistics import Statistics

    plan = _plan(game, bots, games, seed, options, turn_limit)
    game_of(game).new(plan.options(plan.layouts[0], plan.variants[0]), 0)
    stats = Statistics(plan)
    with progress(title, games) as advance:
        for results in play_some(plan, range(games), local_pool(min(workers, games))):
            for result in results:
                stats.add(result)
            advance(len(results))
    return stats


def _plan(
    game: str,
    bots: Sequence[str],
    games: int,
    seed: int,
    options: Mapping[str, Any],
    turn_limit: int | None,
) -> Plan:
    """Return the plan of a match: one line-up, with enough rounds for the games."""
    from ekoes.arena.plan import Entrant, Plan, Variant
    from ekoes.bots import bot

    entrants = tuple(
        Entrant(name=f"{place}-{name}", bot=bot(game, name).name) for place, name in enumerate(bots)
    )
    return Plan(
        game=game,
        players=entrants,
        seats=len(bots),
        rounds=-(-games // len(bots)),
        seed=seed,
        turn_limit=turn_limit,
        variants=(Variant(options=dict(options)),),
    )


def standing(name: str, wins: int, games: int) -> Json:
    """Return the result of a bot: its winning rate with a 95 % confidence interval."""
    from ekoes.arena.statistics import wilson_interval

    low, high = wilson_interval(wins, games)
    return {"bot": name, "wins": wins, "rate": wins / games, "interval": [round(low, 4), round(high, 4)]}


def standings(names: Sequence[str], records: Mapping[int, Record], *, alone: bool = False) -> list[Json]:
    """Return the result of each bot, in the given order. alone: shared wins do not count."""
    rows = [records[place] for place in range(len(names))]
    return [
        standing(name, row.alone if alone else row.won, row.games)
        for name, row in zip(names, rows, strict=True)
    ]


def drawn_games(stats: Statistics) -> int:
    """Return the number of games without a winner."""
    return sum(games for (_, _, winners), games in stats.endings.items() if not winners)


def shared_wins(stats: Statistics) -> int:
    """Return the number of games with several winners."""
    return sum(games for (_, _, winners), games in stats.endings.items() if winners > 1)
