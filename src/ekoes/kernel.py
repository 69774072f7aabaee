"""How kernels are compiled: the numba options, said once, and where compiled code is kept.

``cache=True`` alone does not notice that an imported function or constant was edited, so the cache
lies in a folder named by a hash of all kernel sources: another source is another folder.
"""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.extending import register_jitable
from platformdirs import user_cache_path

__all__ = ["COMPILED", "cache_folder", "entry", "helper", "shared"]

COMPILED = not numba.config.DISABLE_JIT
"""Whether kernels are compiled; not so with ``NUMBA_DISABLE_JIT=1``."""

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
_PACKAGE = Path(__file__).parent
_SOURCES = ("kernel.py", "games/kernels/*.py", "games/*/rules/*.py", "games/*/bots/**/*.py")

F = TypeVar("F", bound=Callable[..., Any])


def source_hash() -> str:
    """Return a short name for the kernel sources as they are and lie, this Python, this numba, its checks."""
    checks = numba.config.BOUNDSCHECK
    # numba keeps machine code by the path of its source: what is compiled here is not for another checkout
    digest = hashlib.sha256(f"{platform.python_version()} {numba.__version__} {checks} {_PACKAGE}".encode())
    for pattern in _SOURCES:
        for path in sorted(_PACKAGE.glob(pattern)):
            digest.update(path.name.encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Return the folder in which compiled kernels are kept (not made here)."""
    base = os.environ.get("EKOES_CACHE_DIR")
    return (Path(base) if base else user_cache_path("ekoes")) / "kernels" / source_hash()


if not os.environ.get("NUMBA_CACHE_DIR"):
    numba.config.CACHE_DIR = str(cache_folder())


def entry(function: F) -> F:
    """Compile a kernel that plain Python calls; its machine code is kept for the next start."""
    return cast("F", numba.njit(cache=True, **_OPTIONS)(function))


def helper(function: F) -> F:
    """Compile a kernel that only other kernels call; it becomes part of their machine code."""
    return cast("F", numba.njit(**_OPTIONS)(function))


def shared(function: F) -> F:
    """Let kernels call a function of plain Python as a helper; elsewhere it stays what it is."""
    return cast("F", register_jitable(**_OPTIONS)(function))
