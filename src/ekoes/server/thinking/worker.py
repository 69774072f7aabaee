"""One that answers questions: a process beside the server, or the thread that asks.

A worker process is started afresh (spawned), has compiled code at hand before it is ready, is nicer to
others than the server from then on, and ends with the server, however that ends. It gets questions and
nothing else.
"""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import pickle
import signal
from collections.abc import Iterator
from multiprocessing.connection import Connection
from threading import Thread
from typing import Protocol

from ekoes.bots.opening import warm_bots
from ekoes.errors import EkoesError
from ekoes.games.contract import Answer
from ekoes.match.question import Question, answer_to

__all__ = ["BotFailedError", "Here", "Process", "Worker", "WorkerDiedError"]

_LOG = logging.getLogger("ekoes.server")
_SPAWN = multiprocessing.get_context("spawn")
_NICENESS = 5
_PATIENCE = 120.0
"""Seconds after which a bot that thinks about one decision is taken for one that never ends."""
_LAST_MOMENT = 0.5
"""Seconds within which a killed process is gone, at most."""


class WorkerDiedError(EkoesError):
    """A worker ended before it had answered."""

    default_code = "bot/worker-died"


class BotFailedError(EkoesError):
    """A bot could not answer a question."""

    default_code = "bot/failed"


class Worker(Protocol):
    """One that answers one question at a time. Its methods block, but for ``kill``."""

    @property
    def is_alive(self) -> bool:
        """Whether it can still be asked."""

    def get_ready(self) -> None:
        """Wait until it can be asked. Raises WorkerDiedError."""

    def ask(self, question: Question) -> Answer:
        """Return the answer. Raises WorkerDiedError, or anything that the bot raises."""

    def kill(self) -> None:
        """End it at once."""


class Here:
    """The thread that asks: no process, no limit, and no end before the bot has thought."""

    is_alive = True

    def get_ready(self) -> None:
        """Need nothing."""

    def ask(self, question: Question) -> Answer:
        """Let the bot think here."""
        return answer_to(question)

    def kill(self) -> None:
        """Leave the thread alone: nothing can end it but itself."""


class Process:
    """A process beside the server."""

    def __init__(self) -> None:
        """Start it; ``get_ready`` waits for it. Raises OSError where no process can be started."""
        self._line, theirs = _SPAWN.Pipe()
        self._process = _SPAWN.Process(target=_work, args=(theirs,), name="ekoes bot", daemon=True)
        with _no_interrupt():
            self._process.start()
        theirs.close()

    @property
    def pid(self) -> int | None:
        """The number of the process."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._process.is_alive()

    def get_ready(self) -> None:
        """Wait until it has compiled code at hand."""
        self._receive(None)

    def ask(self, question: Question) -> Answer:
        """Send a question and wait for the answer; one that never ends is ended."""
        text = pickle.dumps(question)
        try:
            self._line.send_bytes(text)
        except OSError as error:
            raise WorkerDiedError(f"worker {self.pid} does not listen") from error
        answer = self._receive(_PATIENCE)
        if not isinstance(answer, Answer):
            raise BotFailedError(str(answer))
        return answer

    def kill(self) -> None:
        """End the process; who waits for its answer is told at once."""
        self._process.kill()
        self._process.join(_LAST_MOMENT)

    def _receive(self, patience: float | None) -> object:
        try:
            if not self._line.poll(patience):
                self.kill()
            return pickle.loads(self._line.recv_bytes())  # noqa: S301 - our own process wrote it
        except (EOFError, OSError) as error:
            self._process.join()
            raise WorkerDiedError(f"worker {self.pid} ended ({self._process.exitcode})") from error


@contextlib.contextmanager
def _no_interrupt() -> Iterator[None]:
    """Start a process that Ctrl-C does not reach: the server alone decides when it ends."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# ---------------------------------------------------------------- in the process


def _work(line: Connection) -> None:
    """Answer questions as long as the server lives."""
    Thread(target=_end_with_server, daemon=True).start()
    warm_bots()
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    with contextlib.suppress(EOFError, OSError):
        line.send_bytes(pickle.dumps(None))
        while True:
            line.send_bytes(_answer(line.recv_bytes()))


def _answer(question: bytes) -> bytes:
    """Return the answer to a question, or in words why there is none."""
    try:
        return pickle.dumps(answer_to(pickle.loads(question)))  # noqa: S301 - the server wrote it
    except Exception as error:  # noqa: BLE001 - a bot may fail in any way; the worker goes on
        return pickle.dumps(f"{type(error).__name__}: {error}")


def _end_with_server() -> None:
    """End in the midst of a thought where the server is gone."""
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
        os._exit(0)
