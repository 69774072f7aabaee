"""What one process says to another: a word, and what carries it there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple, Protocol

__all__ = ["Bus", "Either", "Hear", "Word"]


class Word(NamedTuple):
    """Something that one process says to another. It holds names alone, and nothing that is hidden.

    to, by: members. back: the address at which ``by`` is reached. number: ``by`` says no two of the same.
    topic: what it is about. text: what is said.
    """

    to: str
    by: str
    back: str
    number: int
    topic: str
    text: str


Hear = Callable[[Word], Awaitable[bool]]
"""Takes a word in. Returns: whether it was meant for this process, and is done."""


class Bus(Protocol):
    """Carries words, sealed: whoever stands between reads none, alters none and makes up none."""

    async def start(self, hear: Hear) -> None:
        """Have somebody hear what comes for this process, from now on."""

    async def say(self, word: Word, address: str) -> bool:
        """Carry a word to an address. Returns: whether it was heard there, and done."""

    async def stop(self) -> None:
        """Carry nothing any more."""


class Either:
    """Two ways: what the first one does not carry goes by the other. A word may come by both."""

    def __init__(self, first: Bus, second: Bus) -> None:
        """Take the first one where it goes."""
        self._ways = first, second

    async def start(self, hear: Hear) -> None:
        """Have somebody hear what comes either way."""
        for way in self._ways:
            await way.start(hear)

    async def say(self, word: Word, address: str) -> bool:
        """Carry a word to an address. Returns: whether it was heard there, and done."""
        first, second = self._ways
        return await first.say(word, address) or await second.say(word, address)

    async def stop(self) -> None:
        """Carry nothing any more."""
        for way in self._ways:
            await way.stop()
