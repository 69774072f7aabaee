"""What is being thought about for another program, so that a stop reaches it."""

from __future__ import annotations

from threading import Lock
from typing import Protocol, TypeVar

__all__ = ["AT_WORK", "AtWork"]


class Stoppable(Protocol):
    """What ends early when it is told to, from any thread."""

    def stop(self) -> None:
        """End as soon as can be."""


S = TypeVar("S", bound=Stoppable)


class AtWork:
    """The request at work, of which one thread thinks and another may say that it is enough."""

    def __init__(self) -> None:
        """Nothing is at work."""
        self._lock = Lock()
        self._halted = False
        self._thought: Stoppable | None = None

    def on(self, thought: S) -> S:
        """Think about something now; if it was stopped before, it ends at once."""
        with self._lock:
            self._thought = thought
            if self._halted:
                thought.stop()
        return thought

    def halt(self) -> None:
        """End what is at work, or what its request is about to begin."""
        with self._lock:
            self._halted = True
            if self._thought is not None:
                self._thought.stop()

    def clear(self) -> None:
        """The request has been answered."""
        with self._lock:
            self._halted, self._thought = False, None


AT_WORK = AtWork()
