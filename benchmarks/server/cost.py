"""What processes cost, as the kernel counts it (Linux: /proc)."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Cost", "of_family", "of_process"]

_TICKS = os.sysconf("SC_CLK_TCK")
_PARENT, _OWN, _OF_ENDED = 1, slice(11, 13), slice(13, 15)
"""Where /proc/PID/stat has them, counted behind the name of the program; times as user's and system's."""


@dataclass(frozen=True)
class Cost:
    """What something has cost so far.

    cpu: seconds of processor time. written: bytes for the disk. memory: bytes that it holds.
    """

    cpu: float = 0.0
    written: int = 0
    memory: int = 0

    def __add__(self, other: Cost) -> Cost:
        """Return what both cost together."""
        return Cost(self.cpu + other.cpu, self.written + other.written, self.memory + other.memory)

    def __sub__(self, before: Cost) -> Cost:
        """Return what came since, and how much more memory is held."""
        return Cost(self.cpu - before.cpu, self.written - before.written, self.memory - before.memory)


def of_process(pid: int) -> Cost:
    """Return what a process costs, all its threads, without its children."""
    held = _found(pid, "status", r"VmRSS:\s+(\d+) kB") * 1024
    return Cost(_seconds(_stat(pid)[_OWN]), _written(pid), held)


def of_family(pid: int) -> Cost:
    """Return what a process and its children cost, those that have ended too.

    memory: what they share counts once. Written is counted of those that are there.
    """
    family = [pid, *_children(pid)]
    return Cost(
        sum(_seconds(_stat(one)[_OWN]) for one in family) + _seconds(_stat(pid)[_OF_ENDED]),
        sum(map(_written, family)),
        sum(_found(one, "smaps_rollup", r"^Pss:\s+(\d+) kB") for one in family) * 1024,
    )


def _children(pid: int) -> list[int]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if int(_stat(int(folder.name))[_PARENT]) == pid:
                found.append(int(folder.name))
        except FileNotFoundError:  # it has just ended
            continue
    return found


def _written(pid: int) -> int:
    return _found(pid, "io", r"^write_bytes: (\d+)")


def _stat(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(") ")[2].split()


def _seconds(ticks: list[str]) -> float:
    return sum(map(int, ticks)) / _TICKS


def _found(pid: int, file: str, pattern: str) -> int:
    found = re.search(pattern, Path(f"/proc/{pid}/{file}").read_text(encoding="ascii"), re.MULTILINE)
    assert found is not None
    return int(found[1])
