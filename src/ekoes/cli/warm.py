"""`ekoes warm`: compile the rules and the bots once, so that every later start is quick."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

__all__ = ["command", "warm_once"]

_COMPLETE = "complete"
"""The file that says that everything has been compiled into the folder it lies in."""


def command() -> None:
    """Compile all kernels and keep their machine code for later starts."""
    from ekoes.kernel import COMPILED

    if COMPILED:
        _compile()


def warm_once() -> None:
    """Compile all kernels unless that was done before with these sources."""
    from ekoes.kernel import cache_folder

    if not (cache_folder() / _COMPLETE).exists():
        command()


def _compile() -> None:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from ekoes.kernel import cache_folder

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
    """Yield the names and the calls of what is to be compiled."""
    from ekoes.bots import bots
    from ekoes.bots.opening import begin_game
    from ekoes.games.registry import games
    from ekoes.server.readied import rules_steps

    yield from rules_steps()
    for name in games():
        yield from ((f"bot {each}", partial(begin_game, name, each)) for each in bots(name))
