"""One that answers questions: a process beside the server, or the thread that asks."""

from __future__ import annotations

from typing import Protocol

from ekoes.bots.opening import warm_bots
from ekoes.errors import EkoesError
from ekoes.games.contract import Answer
from ekoes.match.question import Question, answer_to
from ekoes.server import process
from ekoes.server.process import WorkerDiedError

__all__ = ["BotFailedError", "Here", "Process", "Worker", "WorkerDiedError"]

_PATIENCE = 120.0
"""Seconds after which a bot that thinks about one decision is taken for one that never ends."""


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
        self._process = process.Process("ekoes bot", warm_bots)
        self.get_ready = self._process.get_ready
        self.kill = self._process.kill

    @property
    def pid(self) -> int | None:
        """The number of the process."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._process.is_alive

    def ask(self, question: Question) -> Answer:
        """Send a question and wait for the answer; one that never ends is ended."""
        answer = self._process.do(_PATIENCE, _answer, question)
        if not isinstance(answer, Answer):
            raise BotFailedError(str(answer))
        return answer


def _answer(question: Question) -> Answer | str:
    """Return the answer to a question, or in words why there is none: what a bot raises may be anything."""
    try:
        return answer_to(question)
    except Exception as error:  # noqa: BLE001 - a bot may fail in any way
        return f"{type(error).__name__}: {error}"
