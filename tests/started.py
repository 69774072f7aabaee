"""Servers in processes of their own.

Nine tenths of what a start costs are imports and the loading of kernels, and the tests start hundreds of
servers: most are forked from a process that has done that. How people start one is what
``tests/server/test_play.py`` looks at.
"""

from __future__ import annotations

import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
from abc import ABC, abstractmethod
from multiprocessing import forkserver, resource_tracker
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO

from ekoes.server.workers import worker_process

__all__ = ["Afresh", "Forked", "Started"]

_CONTEXT = worker_process._CONTEXT if sys.platform == "linux" else multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["tests.loaded"])  # which is all that the server's own would load, and more
_LONGEST_END = 60.0


class Started(ABC):
    """What `python -m MODULE ARGUMENTS` does, in a process of its own.

    told: what it prints. log: the file to which its errors are added.
    """

    told: IO[str]

    @abstractmethod
    def __init__(self, log: Path, module: str, *arguments: str) -> None: ...

    @abstractmethod
    def send_signal(self, what: signal.Signals) -> None:
        """Tell it something, and do not wait for what comes of it."""

    @abstractmethod
    def end(self, what: signal.Signals) -> None:
        """Tell it to end, also if it stands still, and wait until it has."""


class Afresh(Started):
    """A process that imports all by itself, and so sees the environment that a test has made."""

    def __init__(self, log: Path, module: str, *arguments: str) -> None:
        command = [sys.executable, "-m", module, *arguments]
        with log.open("a", encoding="utf-8") as errors:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, text=True
            )
        assert self._process.stdout
        self.told = self._process.stdout

    def send_signal(self, what: signal.Signals) -> None:
        self._process.send_signal(what)

    def end(self, what: signal.Signals) -> None:
        self.send_signal(signal.SIGCONT)
        self.send_signal(what)
        self._process.communicate(timeout=_LONGEST_END)


class Forked(Started):
    """A process that begins with all imported, and the rules loaded."""

    def __init__(self, log: Path, module: str, *arguments: str) -> None:
        hears, tells = _CONTEXT.Pipe(duplex=False)
        with hears, tells:
            self._process = _CONTEXT.Process(target=_run, args=(tells, log, module, arguments))
            self._process.start()
            self.told = os.fdopen(os.dup(hears.fileno()), encoding="utf-8")

    def send_signal(self, what: signal.Signals) -> None:
        assert self._process.pid
        os.kill(self._process.pid, what)

    def end(self, what: signal.Signals) -> None:
        self.send_signal(signal.SIGCONT)
        self.send_signal(what)
        self._process.join(_LONGEST_END)
        runs_on = self._process.is_alive()
        self._process.kill()
        self._process.join()
        self._process.close()
        self.told.close()
        assert not runs_on, f"it runs on after {what.name}"


def _run(tells: Connection, log: Path, module: str, arguments: tuple[str, ...]) -> None:
    with tells, log.open("a", encoding="utf-8") as errors:
        os.dup2(tells.fileno(), 1)
        os.dup2(errors.fileno(), 2)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, encoding="utf-8", closefd=False)
    assert "tests.loaded" in sys.modules, "the fork server passes over modules that it can't import"
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # which bots' processes are kept from
    _fork_from_the_same()
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def _fork_from_the_same() -> None:
    """Have what the server starts be forked from the fork server that it comes from itself.

    Python says that this is so ("a child process will just reuse the forkserver started by its parent"), but
    such a child starts one of its own.
    """
    forkserver.ensure_running = resource_tracker.ensure_running
    forkserver._forkserver.ensure_running = resource_tracker.ensure_running  # type: ignore[method-assign]
