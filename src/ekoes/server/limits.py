"""How much a connection may send."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["LARGEST_MESSAGE", "Bucket"]

LARGEST_MESSAGE = 64 * 1024
"""Bytes of a message on the socket, and of the body of a request."""


class Bucket:
    """A token bucket: ``burst`` messages at once, ``rate`` each second in the long run."""

    def __init__(self, rate: float, burst: int, clock: Callable[[], float]) -> None:
        """Begin full. clock: seconds, never going back."""
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._tokens = float(burst)
        self._filled_at = clock()

    def wait(self) -> float:
        """Take a token and return the seconds to wait before using it, 0 while there are some."""
        now = self._clock()
        self._tokens = min(self._burst, self._tokens + (now - self._filled_at) * self._rate) - 1
        self._filled_at = now
        return max(0.0, -self._tokens / self._rate)
