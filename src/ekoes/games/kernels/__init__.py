"""Small kernels that the rules of every game use; whether kernels are compiled, and where to.

This module does not import numba, which takes long. ``cache=True`` does not notice that an imported function
or constant was edited, so the name of the folder has a hash of all kernel sources.
"""

from __future__ import annotations

import hashlib
import os
import platform
from importlib.metadata import version
from pathlib import Path

from platformdirs import user_cache_path

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
"""Whether kernels are compiled; False with ``NUMBA_DISABLE_JIT=1``."""

_PACKAGE = Path(__file__).parents[2]
_SOURCES = ("games/kernels/*.py", "games/*/rules/*.py", "games/*/bots/**/*.py", "envs/kernels*.py")


def kernels_hash() -> str:
    """Return a hash of the kernel sources: where it is equal, positions and decisions are the same."""
    digest = hashlib.sha256()
    for pattern in _SOURCES:
        for path in sorted(_PACKAGE.glob(pattern)):
            digest.update(path.name.encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def source_hash() -> str:
    """Return a hash of the kernel sources with their location, and of the versions of Python and numba."""
    checks = os.environ.get("NUMBA_BOUNDSCHECK")
    # numba's cache depends on the path of the source, so another checkout needs another folder
    versions = f"{platform.python_version()} {version('numba')} {checks} {_PACKAGE} {kernels_hash()}"
    return hashlib.sha256(versions.encode()).hexdigest()[:16]


def cache_folder() -> Path:
    """Return the folder of compiled kernels; it may not exist yet."""
    base = os.environ.get("EKOES_CACHE_DIR")
    return (Path(base) if base else user_cache_path("ekoes")) / "kernels" / source_hash()
