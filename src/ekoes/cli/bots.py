"""Commands about the bots: ``ekoes levels`` and ``ekoes warm``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ekoes.cli.console import emit, write_json

if TYPE_CHECKING:
    from subprocess import Popen


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


def warm() -> None:
    """Compile all kernels and cache the machine code for later starts."""
    from ekoes.games.kernels import COMPILED
    from ekoes.server.workers.warmup import COMPLETE, all_steps, is_marked, mark, start_compiling

    if COMPILED:
        steps, processes = list(all_steps()), start_compiling()
        watch(processes, [step.name for step in steps])
        for process in processes:
            process.wait()
        for step in steps:
            if not is_marked(step.name):
                step.run()  # the error is the same as that of the process that failed
        mark(COMPLETE)


def warm_once() -> None:
    """Compile all kernels unless the cache for these sources is complete."""
    from ekoes.server.workers.warmup import COMPLETE, is_marked

    if not is_marked(COMPLETE):
        warm()


def watch(
    processes: Sequence[Popen[bytes]], names: Sequence[str], report: Callable[[int, int], None] | None = None
) -> None:
    """Show progress until some steps are compiled or the processes have ended.

    report: called with the number of steps done and of all steps.
    """
    from time import sleep

    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from ekoes.server.workers.warmup import is_marked

    columns = (TextColumn("Compiling the rules"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, TextColumn("{task.description}"), console=Console(stderr=True)) as progress:
        task = progress.add_task("", total=len(names))
        while missing := [name for name in names if not is_marked(name)]:
            done = len(names) - len(missing)
            progress.update(task, completed=done, description=missing[0])
            if report is not None:
                report(done, len(names))
            if all(process.poll() is not None for process in processes):
                break
            sleep(0.1)
        progress.update(task, completed=len(names), description="done")
