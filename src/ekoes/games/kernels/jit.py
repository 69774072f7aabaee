"""The numba options of all kernels, and their cache folder.

``cache=True`` does not notice that an imported function or constant was edited, so the name of the folder
has a hash of all kernel sources.
"""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core.registry import CPUDispatcher
from numba.core.types import IntegerLiteral
from numba.core.types.misc import unliteral
from numba.extending import register_jitable
from platformdirs import user_cache_path

COMPILED = not numba.config.DISABLE_JIT
"""Whether kernels are compiled; False with ``NUMBA_DISABLE_JIT=1``."""

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
_PACKAGE = Path(__file__).parents[2]
_SOURCES = ("games/kernels/*.py", "games/*/rules/*.py", "games/*/bots/**/*.py")

F = TypeVar("F", bound=Callable[..., Any])


def source_hash() -> str:
    """Return a hash of the kernel sources with their location, and of the versions of Python and numba."""
    checks = numba.config.BOUNDSCHECK
    # numba's cache depends on the path of the source, so another checkout needs another folder
    digest = hashlib.sha256(f"{platform.python_version()} {numba.__version__} {checks} {_PACKAGE}".encode())
    for pattern in _SOURCES:
        for path in sorted(_PACKAGE.glob(pattern)):
            digest.update(path.name.encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Return the folder of compiled kernels; it may not exist yet."""
    base = os.environ.get("EKOES_CACHE_DIR")
    return (Path(base) if base else user_cache_path("ekoes")) / "kernels" / source_hash()


if not os.environ.get("NUMBA_CACHE_DIR"):
    numba.config.CACHE_DIR = str(cache_folder())


def entry(function: F) -> F:
    """Compile a kernel that Python calls; its machine code is cached on disk."""
    return cast("F", numba.njit(cache=True, **_OPTIONS)(function))


class _HelperDispatcher(CPUDispatcher):  # type: ignore[misc] # numba has no types
    """Compiles a function once for all whole numbers of a type, not again for each number in a call."""

    def get_call_template(self, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        return super().get_call_template(tuple(map(_any_number, args)), kws)


def _any_number(value: Any) -> Any:
    return unliteral(value) if isinstance(value, IntegerLiteral) else value


def helper(function: F) -> F:
    """Compile a kernel that other kernels call."""
    if not COMPILED:
        return function
    options = {"nopython": True, "boundscheck": None, "no_cfunc_wrapper": True}
    return cast("F", _HelperDispatcher(function, targetoptions=_OPTIONS | options))


def shared(function: F) -> F:
    """Let kernels call a Python function; it stays a Python function elsewhere."""
    return cast("F", register_jitable(**_OPTIONS)(function))
