"""`ekoes warm`: compile the rules once, so that every later start is quick."""

from __future__ import annotations

__all__ = ["command", "warm_once"]


def command() -> None:
    """Compile all kernels and keep their machine code for later starts."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from ekoes.games.eko.warm import warm_steps
    from ekoes.kernel import cache_folder

    columns = (TextColumn("Compiling the rules"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, TextColumn("{task.description}"), console=Console(stderr=True)) as progress:
        steps = list(warm_steps())
        task = progress.add_task("", total=len(steps))
        for name, step in steps:
            progress.update(task, description=name)
            step()
            progress.advance(task)
        progress.update(task, description="done")
    cache_folder().mkdir(parents=True, exist_ok=True)
    (cache_folder() / "complete").touch()


def warm_once() -> None:
    """Compile all kernels unless that was done before with these sources."""
    from ekoes.kernel import COMPILED, cache_folder

    if COMPILED and not (cache_folder() / "complete").exists():
        command()
