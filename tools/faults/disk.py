"""A small disk, which can be full: a file system in memory, else a bound on a server's files."""

from __future__ import annotations

import os
import resource
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["Disk", "small_disk"]

_SIZE = 256 << 20
_ROOM = 8192
"""Bytes of a file where its length is bounded: fewer than any database has."""
_PAGE = 4096


class Disk:
    """A disk at a folder."""

    def __init__(self, folder: Path, *, is_own: bool) -> None:
        """Begin empty. is_own: whether it is a file system of its own."""
        self.folder = folder
        self.is_own = is_own
        self._filler = folder / "filler"

    def fill(self, pids: Iterable[int]) -> None:
        """Leave no room. pids: of the servers that write there."""
        if self.is_own:
            self._fill_up()
        else:
            _bound(pids, _ROOM)

    def clear(self, pids: Iterable[int]) -> None:
        """Make room again."""
        if self.is_own:
            self._filler.unlink()
        else:
            _bound(pids, resource.RLIM_INFINITY)

    def _fill_up(self) -> None:
        """Take all the room, by smaller and smaller pieces.

        A piece is had whole or not at all, and servers write meanwhile: one as large as what was free a
        moment ago would often be refused, and the disk stay empty.
        """
        length, piece = 0, _SIZE
        with self._filler.open("wb") as file:
            while piece >= _PAGE:
                try:
                    os.posix_fallocate(file.fileno(), length, piece)
                except OSError:
                    piece //= 2
                else:
                    length += piece


def _bound(pids: Iterable[int], length: int) -> None:
    """Let no file that these processes write become longer."""
    for pid in pids:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (length, resource.RLIM_INFINITY))


@contextmanager
def small_disk(folder: Path) -> Iterator[Disk]:
    """Make a disk at a folder for a while; where none may be made its files can be bounded."""
    folder.mkdir(parents=True, exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={_SIZE}", "tmpfs", str(folder)]
    try:
        is_own = subprocess.run(mount, capture_output=True, check=False).returncode == 0  # noqa: S603
    except OSError:
        is_own = False
    try:
        yield Disk(folder, is_own=is_own)
    finally:
        if is_own:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)  # noqa: S603, S607
