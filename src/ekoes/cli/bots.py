"""Commands about the bots: ``ekoes levels`` and ``ekoes warm``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from ekoes.cli.console import emit, write_json


def levels() -> None:
    """Print the levels of the bots, weakest first, and the games that have them."""
    from ekoes.bots import LEVELS, levels
    from ekoes.games.api.registry import games

    emit(
        write_json(
            {"level": name, "description": text, "games": [game for game in games() if name in levels(game)]}
        )
        for name, text in LEVELS.items()
    )


_COMPLETE = "complete"
"""Marks a cache folder as complete."""


def warm() -> None:
    """Compile all kernels and cache the machine code for later starts."""
    from ekoes.games.kernels.jit import COMPILED

    if COMPILED:
        _compile()


def warm_once() -> None:
    """Compile all kernels unless the cache for these sources is complete."""
    from ekoes.games.kernels.jit import cache_folder

    if not (cache_folder() / _COMPLETE).exists():
        warm()


def _compile() -> None:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from ekoes.games.kernels.jit import cache_folder

    columns = (TextColumn("Compiling the rules"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, TextColumn("{task.description}"), console=Console(stderr=True)) as progress:
        steps = list(_steps())
        task = progress.add_task("", total=len(steps))
        for name, step in steps:
            progress.update(task, description=name)
            step()
            progress.advance(task)
        progress.update(task, description="done")
    cache_folder().mkdir(parents=True, exist_ok=True)
    (cache_folder() / _COMPLETE).touch()


def _steps() -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield the name and the function of each compilation step."""
    from ekoes.bots import begin_game, bots
    from ekoes.games.api.registry import games
    from ekoes.server.workers.warmup import rules_steps

    yield from rules_steps()
    for name in games():
        yield from ((f"bot {each}", partial(begin_game, name, each)) for each in bots(name))
