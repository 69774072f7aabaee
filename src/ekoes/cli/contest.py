"""Matches between bots on the command line: a small arena plan and its result in one line."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ekoes.cli.console import emit, progress, words, write_json
from ekoes.errors import NotationError
from ekoes.games.api.contract import Json
from ekoes.games.api.registry import game as game_of

if TYPE_CHECKING:
    from ekoes.arena.statistics import Statistics


def per_core(about: str) -> Any:  # noqa: ANN401 - as typer.Option returns
    """Return an option for a number of workers, by default one for each of the processor's cores."""
    default: Any = {"default_factory": lambda: os.cpu_count() or 1, "show_default": "the processor's cores"}
    return typer.Option(min=1, max=1024, help=about, **default)


Bots = Annotated[
    str,
    typer.Option(
        metavar="A,B,…", help="A bot for each seat; they change seats after each game.", show_default=False
    ),
]
Games = Annotated[int, typer.Option(min=1, max=10_000_000, help="Number of games.")]
Seed = Annotated[int, typer.Option(min=0, max=2**64 - 1, help="Equal seeds give equal games.")]
Threads = Annotated[int, per_core("Games played in parallel.")]


def play_match(
    name: str,
    bots: str,
    games: int,
    seed: int,
    options: Mapping[str, Any],
    *,
    rule: str | None = None,
    alone: bool = False,
    turn_limit: int | None = None,
    workers: int = 1,
) -> None:
    """Play a match and print its result. rule: of the number of players. alone: shared wins do not count."""
    names, played = words(bots), game_of(name)
    if len(names) not in played.players:
        least, most = played.players.start, played.players.stop - 1
        raise NotationError(f"{least} to {most} bots play, not {len(names)}", rule=rule, key="bots")
    stats = contest(name, names, games, seed, options, turn_limit=turn_limit, workers=workers)
    others = {"tied": stats.shared} if alone else {"drawn": stats.drawn}
    rows = standings(names, stats, alone=alone)
    emit([write_json({"games": games, "bots": rows, **others, "decisions": stats.decided})])


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
    from ekoes.arena.plan import Entrant, Plan, Variant
    from ekoes.arena.pool import local_pool
    from ekoes.arena.run import play_some
    from ekoes.arena.statistics import Statistics
    from ekoes.bots import bot

    plan = Plan(
        game=game,
        players=tuple(
            Entrant(name=f"{place}-{name}", bot=bot(game, name).name) for place, name in enumerate(bots)
        ),
        seats=len(bots),
        rounds=-(-games // len(bots)),
        seed=seed,
        turn_limit=turn_limit,
        variants=(Variant(options=dict(options)),),
    )
    game_of(game).new(plan.options(plan.layouts[0], plan.variants[0]), 0)
    stats = Statistics(plan)
    with progress(title, games) as advance:
        for results in play_some(plan, range(games), local_pool(min(workers, games))):
            for result in results:
                stats.add(result)
            advance(len(results))
    return stats


def standings(names: Sequence[str], stats: Statistics, *, alone: bool = False) -> list[Json]:
    """Return each bot's winning rate with a 95 % confidence interval, in the given order."""
    from ekoes.arena.statistics import wilson_interval

    rows: list[Json] = []
    for place, name in enumerate(names):
        record = stats.players[place]
        wins = record.alone if alone else record.won
        low, high = wilson_interval(wins, record.games)
        interval = [round(low, 4), round(high, 4)]
        rows.append({"bot": name, "wins": wins, "rate": wins / record.games, "interval": interval})
    return rows
