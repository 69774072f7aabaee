"""Atomic file writes: a file appears under its name only when it is complete."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield another name to write to; the file appears under its own name when it is whole."""
    other = path.with_name(f".{path.name}.part")
    try:
        yield other
        other.replace(path)
    finally:
        other.unlink(missing_ok=True)


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file that is safe on its disk before it appears."""
    with replacing(path) as other, other.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
