"""A server before it lets anybody in: the rules are loaded, and what only a start needs is let go."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from ekoes.games.registry import game, games, load
from ekoes.kernel import COMPILED

__all__ = ["get_ready", "let_go_of_files", "load_rules", "rules_steps"]

_MAPS = Path("/proc/self/smaps")
_DONT_NEED = 4
"""The advice by which Linux takes pages out of a process; of a file they come back when they are touched."""


def get_ready() -> None:
    """Load the rules' kernels, so that no player waits for that, and let go of what was read for it.

    What was imported stays, and no later search for garbage goes through it.
    """
    load_rules()
    gc.collect()
    gc.freeze()
    let_go_of_files()


def load_rules(names: Iterable[str] | None = None) -> None:
    """Load the kernels of games' rules, compiled if need be. names: None: all games."""
    if COMPILED:
        for _, step in rules_steps(names):
            step()


def rules_steps(names: Iterable[str] | None = None) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield what loads the kernels of games' rules, compiled if need be: names for people, and calls."""
    for name in games() if names is None else names:
        warm = game(name).parts.warm
        if warm is not None:
            yield from load(warm).warm_steps()


class _Mapping(NamedTuple):
    """A part of a process's memory. is_clean: all of it is as in its file, and nothing writes there."""

    start: int
    end: int
    is_clean: bool


def let_go_of_files(maps: Path = _MAPS) -> int:
    """Take what is as in its file out of this process: the compiler, of which loading kernels reads 70 MB.

    What is used comes back by itself, page by page, from the system's memory of files. maps: as Linux
    tells them; where there are none, nothing is done. Returns: the bytes of the mappings.
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
    """Yield the mappings of files of code. Pages that were changed after they were read would be lost."""
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
