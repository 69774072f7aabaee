"""Commands about the bots: ``ekoes levels`` and ``ekoes warm``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from ekoes.cli.console import emit, write_json

if TYPE_CHECKING:
    from ekoes.server.workers.warmup import Step


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
_RULES = "rules"
"""Mark a cache folder with all kernels, and one with those that tables need."""


def warm() -> None:
    """Compile all kernels and cache the machine code for later starts."""
    _compile(_all_steps(), _COMPLETE)


def warm_once() -> None:
    """Compile all kernels unless the cache for these sources is complete."""
    if not _has(_COMPLETE):
        warm()


def compile_rules() -> None:
    """Compile the kernels that tables need, unless they are cached."""
    from ekoes.server.workers.warmup import rules_steps

    if not (_has(_COMPLETE) or _has(_RULES)):
        _compile(rules_steps(), _RULES)


def _has(mark: str) -> bool:
    from ekoes.games.kernels.jit import cache_folder

    return (cache_folder() / mark).exists()


def _compile(steps: Iterable[Step], mark: str) -> None:
    """Run steps with a progress bar, and mark the cache folder."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from ekoes.games.kernels.jit import COMPILED, cache_folder
    from ekoes.server.workers.warmup import shared_out

    if not COMPILED:
        return
    columns = (TextColumn("Compiling the rules"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, TextColumn("{task.description}"), console=Console(stderr=True)) as progress:
        found = list(steps)
        task = progress.add_task("", total=len(found))
        for name, step in shared_out(found):
            progress.update(task, description=name)
            step()
            progress.advance(task)
        progress.update(task, description="done")
    cache_folder().mkdir(parents=True, exist_ok=True)
    (cache_folder() / mark).touch()


def _all_steps() -> Iterator[Step]:
    """Yield the compilation steps: rules, simulations, bots."""
    from ekoes.bots import begin_game, bots
    from ekoes.games.api.registry import game, games, load
    from ekoes.server.workers.warmup import rules_steps

    yield from rules_steps()
    for name in games():
        position, parts = partial(game(name).new, {"players": game(name).players.start}, 1), game(name).parts
        if parts.playouts is not None:
            play_out = load(parts.playouts).playouts
            yield f"random games of {name}", partial(_on, play_out, position, 1, 1)
        if parts.perft is not None:
            yield f"counting sequences of {name}", partial(_on, load(parts.perft).perft, position, 2)
        yield from ((f"bot {each} of {name}", partial(begin_game, name, each)) for each in bots(name))


def _on(function: Callable[..., object], position: Callable[[], object], *arguments: int) -> None:
    function(position(), *arguments)
