"""Loads the rules before the server accepts connections, and frees memory that only the start needed."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from ekoes.games.api.registry import game, games, load
from ekoes.games.kernels.jit import COMPILED, cache_folder

if sys.platform != "win32":
    import fcntl

Step = tuple[str, Callable[[], object]]
"""A display name, and a function that loads or compiles kernels."""

_MAPS = Path("/proc/self/smaps")
_DONT_NEED = 4
"""The ``madvise`` value of Linux that drops pages; they are read from their file again when needed."""


def get_ready() -> None:
    """Load the rules' kernels, free the compiler's memory, and freeze the garbage collector."""
    load_rules()
    gc.collect()
    gc.freeze()
    let_go_of_files()


def load_rules(names: Iterable[str] | None = None) -> None:
    """Load the kernels of games' rules, compiling them if needed. names: None: all games."""
    if COMPILED:
        for _, step in shared_out(rules_steps(names)):
            step()


def shared_out(steps: Iterable[Step]) -> Iterator[Step]:
    """Yield steps, last those that another process is compiling: afterwards they are read from the cache."""
    busy = []
    for step in steps:
        with _lock(step, waits=False) as is_ours:
            if is_ours:
                yield step
            else:
                busy.append(step)
    for step in busy:
        with _lock(step, waits=True):
            yield step


@contextlib.contextmanager
def _lock(step: Step, *, waits: bool) -> Iterator[bool]:
    """Hold the lock of a step among processes, where the system has such locks; yield whether it is held."""
    if sys.platform == "win32":
        yield True
        return
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{step[0].replace(' ', '-')}.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))
        except BlockingIOError:
            yield False
        else:
            yield True


def rules_steps(names: Iterable[str] | None = None) -> Iterator[Step]:
    """Yield the steps that load the kernels of games' rules, as far as tables need them."""
    for name in games() if names is None else names:
        warm = game(name).parts.warm
        if warm is not None:
            yield from load(warm).warm_steps()


class _Mapping(NamedTuple):
    """A memory mapping of a process. is_clean: no page differs from its file."""

    start: int
    end: int
    is_clean: bool


def let_go_of_files(maps: Path = _MAPS) -> int:
    """Drop clean pages of shared libraries: loading kernels reads 70 MB of the compiler.

    Used pages return from the page cache. maps: Linux's smaps; on other systems nothing is done. Returns: the
    bytes of the mappings.
    """
    if not maps.exists():
        return 0
    advise = ctypes.CDLL(None).madvise
    advise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    clean = [one for one in _mappings(maps.read_text(encoding="utf-8")) if one.is_clean]
    for one in clean:
        advise(one.start, one.end - one.start, _DONT_NEED)
    return sum(one.end - one.start for one in clean)


def _mappings(maps: str) -> Iterator[_Mapping]:
    """Yield the mappings of shared libraries. Changed pages must not be dropped."""
    start = end = 0
    is_code = False
    for line in maps.splitlines():
        word, *rest = line.split(maxsplit=5)
        if word == "Anonymous:" and is_code:
            yield _Mapping(start, end, is_clean=rest[0] == "0")
        elif not word.endswith(":"):
            start, end = (int(number, 16) for number in word.split("-"))
            access, name = rest[0], rest[4] if len(rest) > 4 else ""
            is_code = "w" not in access and "p" in access and ".so" in name
