"""Compiles and loads the kernels of rules and bots.

``python -m ekoes.server.workers.warmup`` compiles what is missing beside a server that has just been started.
Processes share the steps by file locks: none compiles what another one is compiling.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from importlib.util import find_spec
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from ekoes.bots import LEVELS, begin_game, bots
from ekoes.games import kernels
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE
from ekoes.games.api.parts import Puzzles
from ekoes.games.api.registry import game, games, load, own_games
from ekoes.games.api.table import Decision
from ekoes.games.kernels import COMPILED
from ekoes.records import GameRecord
from ekoes.records.review import Effort, ReviewedGame
from ekoes.server.workers.worker_process import be_nice, cores

if sys.platform != "win32":
    import fcntl

_PROCESSES = 4
"""Most processes that compile; each needs half a gigabyte."""
_REVIEWED = 4
"""Decisions of a game that is reviewed."""
_GARBAGE = 100_000
"""Objects between two searches for garbage: compiling makes millions that stay. An eighth less time."""
_YOUNG = 2_000
"""Objects between two searches in a server: a search looks at all of them while everybody waits."""
COMPLETE = "complete"
"""Marks a cache folder with all kernels."""


class Step(NamedTuple):
    """A call that compiles or loads kernels, with a name for people."""

    name: str
    run: Callable[[], object]


def get_ready() -> None:
    """Load the rules' kernels; no later search for garbage looks at anything that the start has made."""
    load_rules()
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG)


def load_rules(names: Iterable[str] | None = None) -> None:
    """Load the kernels of games' rules, compiling them if needed. names: None: all games."""
    if COMPILED:
        for step in shared_out(rules_steps(names)):
            step.run()


def load_bots() -> None:
    """Load the kernels of the bots that are compiled already; the others load when they are first asked."""
    for name in own_games():
        for player in bots(name):
            if is_marked(_bot_step(name, player).name):
                load_bot(name, player)


@cache
def load_bot(name: str, player: str) -> None:
    """Load a bot's kernels once; waits if another process is compiling them."""
    if COMPILED and game(name).parts.warm is not None:
        for step in shared_out([_bot_step(name, player)]):
            with contextlib.suppress(Exception):  # a bot may fail in any way, and does so again when asked
                step.run()


def preparing() -> list[str]:
    """Return the levels of bots that are not compiled for every game yet, weakest first."""
    if not COMPILED or is_marked(COMPLETE):
        return []
    return [
        level
        for level in LEVELS
        if not all(is_marked(_bot_step(name, level).name) for name in own_games() if level in bots(name))
    ]


def is_marked(name: str) -> bool:
    """Return whether the cache folder has the mark of a step, or of a set of steps."""
    return _mark(name).exists()


def mark(name: str) -> None:
    """Note in the cache folder that a step is done."""
    _mark(name).parent.mkdir(parents=True, exist_ok=True)
    _mark(name).touch()


@cache
def cache_folder() -> Path:
    """Return the folder of compiled kernels; to know its name all sources are read: not for each request."""
    return kernels.cache_folder()


def _mark(name: str) -> Path:
    return cache_folder() / f"{name.replace(' ', '-')}.done"


def shared_out(steps: Iterable[Step]) -> Iterator[Step]:
    """Yield steps, last those that another process is compiling: afterwards they are read from the cache.

    A step counts as done when the next one is asked for.
    """
    busy = []
    for step in steps:
        with _lock(step.name, waits=False) as is_ours:
            if is_ours:
                yield step
                mark(step.name)
            else:
                busy.append(step)
    for step in busy:
        with _lock(step.name, waits=True):
            yield step


@contextlib.contextmanager
def _lock(name: str, *, waits: bool) -> Iterator[bool]:
    """Hold the lock of a step among processes, where the system has such locks; yield whether it is held."""
    if sys.platform == "win32" or is_marked(name):
        yield True
        return
    path = _mark(name).with_suffix(".lock")
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))
        except BlockingIOError:
            yield False
        else:
            yield True


def rules_steps(names: Iterable[str] | None = None) -> Iterator[Step]:
    """Yield the steps that load the kernels of games' rules, as far as tables need them.

    The games take turns, as the first step of each takes the longest.
    """
    warm = [game(name).parts.warm for name in (games() if names is None else names)]
    for steps in zip_longest(*(load(one).warm_steps() for one in warm if one is not None)):
        yield from (Step(*step) for step in steps if step is not None)


def all_steps() -> Iterator[Step]:
    """Yield all steps in the order in which a visitor needs them: rules, bots, simulations.

    Environments for learning, only where their package is installed.
    """
    yield from rules_steps()
    yield from (_bot_step(name, player) for player in LEVELS for name in games() if player in bots(name))
    for name in games():
        warm = game(name).parts.warm
        if warm is not None and (later := getattr(load(warm), "later_steps", None)) is not None:
            yield from (Step(*step) for step in later())
        yield from (_bot_step(name, player) for player in bots(name) if player not in LEVELS)
        position, parts = partial(game(name).new, {"players": game(name).players.start}, 1), game(name).parts
        if parts.playouts is not None:
            play_out = load(parts.playouts).playouts
            yield Step(f"random games of {name}", partial(_on, play_out, position, 1, 1))
        if parts.perft is not None:
            yield Step(f"counting sequences of {name}", partial(_on, load(parts.perft).perft, position, 2))
        if parts.review is not None:
            yield Step(f"reviews of {name}", partial(_review, name))
        if parts.puzzles is not None:
            yield Step(f"puzzles of {name}", partial(_judge, load(parts.puzzles)))
    if find_spec("gymnasium") is not None:
        yield from (Step(f"environments of {name}", partial(_learn, name)) for name in own_games())


def _bot_step(name: str, player: str) -> Step:
    return Step(f"bot {player} of {name}", partial(begin_game, name, player))


def _on(function: Callable[..., object], position: Callable[[], object], *arguments: int) -> None:
    function(position(), *arguments)


def _judge(puzzles: Puzzles[Any]) -> None:
    puzzle = puzzles.puzzle(next(iter(puzzles.listed())))
    puzzle.judge(puzzle.position)


def _learn(name: str) -> None:
    """Take a step in one environment, and in a batch of them."""
    from ekoes.envs.batch import BatchEnv  # noqa: PLC0415 - their package may be missing
    from ekoes.envs.single import BotEnv  # noqa: PLC0415

    env = BotEnv(name)
    _, about = env.reset(seed=1)
    env.step(about["action_mask"].argmax())
    batch = BatchEnv(name, 2)
    batch.reset(seed=1)
    batch.step(batch.draw())


def _review(name: str) -> None:
    """Review the first decisions of a game, a deal among them if there is one."""
    position = start = game(name).new({"players": game(name).players.start}, 1)
    decisions = []
    for _ in range(_REVIEWED):
        (seat,) = position.actors()
        action = position.chance_action(Chance(1)) if seat == CHANCE else position.legal(seat)[0]
        decisions.append(Decision(seat, action))
        position = position.play(seat, action)
    reviewed = ReviewedGame(GameRecord(name, start, tuple(decisions)))
    for n in reviewed.questions:
        reviewed.examine(n, Effort(iterations=4))


def start_compiling() -> list[subprocess.Popen[bytes]]:
    """Start processes that compile all that is missing, the rules first."""
    command = [sys.executable, "-m", __name__]
    number = min(_PROCESSES, cores())
    return [subprocess.Popen(command, stdin=subprocess.DEVNULL) for _ in range(number)]  # noqa: S603 - ourselves


def _compile_all() -> None:
    """Compile all steps that are missing, the bots at low priority; ends with the parent process."""
    gc.set_threshold(_GARBAGE)
    parent, has_rules = os.getppid(), False
    for step in shared_out(all_steps()):
        if not has_rules and step.name.startswith("bot "):
            has_rules = True
            be_nice()
        if os.getppid() != parent:
            return
        if is_marked(step.name):
            continue
        step.run()
        if has_rules:
            sys.stderr.write(f"Ready: {step.name}\n")
    mark(COMPLETE)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Python prints what interrupts a destructor
    _compile_all()
