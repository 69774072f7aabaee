"""`ekoes warm`: compile the rules and the bots once, so that every later start is quick."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

__all__ = ["command", "play_some", "warm_once"]

_COMPLETE = "complete"
"""The file that says that everything has been compiled into the folder it lies in."""

_FIRST_DECISIONS = 4
"""Enough to come from the set-up into the first turn."""


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


def play_some() -> None:
    """Let each bot play a little, which loads what was compiled."""
    for _, step in _bot_steps():
        step()


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
    from ekoes.games.registry import game, games, load

    for name in games():
        warm = game(name).parts.warm
        if warm is not None:
            yield from load(warm).warm_steps()
    yield from _bot_steps()


def _bot_steps() -> Iterator[tuple[str, Callable[[], object]]]:
    from ekoes.bots import bots
    from ekoes.games.registry import games

    for name in games():
        yield from ((f"bot {each}", partial(_begin_game, name, each)) for each in bots(name))


def _begin_game(name: str, player: str) -> None:
    """Let a bot play the first decisions of a game."""
    from ekoes.bots import bot
    from ekoes.games.chance import Chance
    from ekoes.games.contract import CHANCE
    from ekoes.games.registry import game

    position, chance = game(name).new({"players": game(name).players.start}, seed=1), Chance(1)
    for _ in range(_FIRST_DECISIONS):
        (seat,) = position.actors()
        if seat == CHANCE:
            position = position.play(seat, position.chance_action(chance))
        else:
            position = position.play(seat, bot(name, player).choose(position, seat, chance))
