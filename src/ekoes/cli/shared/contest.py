"""Contests between bots: a small plan of the arena, and what it comes to in one line."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ekoes.cli.console import progress
from ekoes.games.contract import Json
from ekoes.games.registry import game as game_of

if TYPE_CHECKING:
    from ekoes.arena.plan import Plan
    from ekoes.arena.tally import Record, Tally

__all__ = ["Games", "Seed", "Threads", "contest", "nobody_won", "shared_wins", "standing", "standings"]

Games = Annotated[int, typer.Option(min=1, max=10_000_000, help="Number of games.")]
Seed = Annotated[int, typer.Option(min=0, max=2**64 - 1, help="Equal seeds give equal games.")]
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
) -> Tally:
    """Let bots play against each other, who change seats after each game. Raises EkoesError."""
    from ekoes.arena.run import hands_here, play_some
    from ekoes.arena.tally import Tally

    plan = _plan(game, bots, games, seed, options, turn_limit)
    game_of(game).new(plan.options(plan.layouts[0], plan.variants[0]), 0)
    tally = Tally(plan)
    with progress(title, games) as advance:
        for results in play_some(plan, range(games), hands_here(min(workers, games))):
            for result in results:
                tally.add(result)
            advance(len(results))
    return tally


def _plan(
    game: str,
    bots: Sequence[str],
    games: int,
    seed: int,
    options: Mapping[str, Any],
    turn_limit: int | None,
) -> Plan:
    """Return the plan: one line-up, each bot of its own name, as often as that many games need."""
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
    """Return how a bot did: its share of the games with the interval of 95 % confidence."""
    from ekoes.arena.report.summary import wilson_interval

    low, high = wilson_interval(wins, games)
    return {"bot": name, "wins": wins, "rate": wins / games, "interval": [round(low, 4), round(high, 4)]}


def standings(names: Sequence[str], records: Mapping[int, Record], *, alone: bool = False) -> list[Json]:
    """Return how each bot did, in the order in which they were named. alone: shared wins do not count."""
    rows = [records[place] for place in range(len(names))]
    return [
        standing(name, row.alone if alone else row.won, row.games)
        for name, row in zip(names, rows, strict=True)
    ]


def nobody_won(tally: Tally) -> int:
    """Return the number of games that nobody won."""
    return sum(games for (_, _, winners), games in tally.endings.items() if not winners)


def shared_wins(tally: Tally) -> int:
    """Return the number of games with several winners."""
    return sum(games for (_, _, winners), games in tally.endings.items() if winners > 1)
