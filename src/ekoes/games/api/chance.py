"""Seeded random numbers, equal on every machine and in every version, playouts in batches, intervals."""

from __future__ import annotations

import hmac
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ekoes.errors import PositionError

if TYPE_CHECKING:
    from collections.abc import MutableSequence, Sequence


_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15

T = TypeVar("T")


class Chance:
    """A stream of random choices. seed: any whole number; equal seeds give equal streams.

    Raises: PositionError unless it is a whole number.
    """

    def __init__(self, seed: int) -> None:
        """Start the stream."""
        if not isinstance(seed, int | np.integer):
            raise PositionError("must be a whole number", key="seed")
        self.state = int(seed) & _MASK
        """The state of the stream, for kernels that go on with it."""

    def bits(self) -> int:
        """Return the next 64 random bits as a whole number 0 … 2**64 - 1."""
        self.state = (self.state + _GOLDEN) & _MASK
        word = self.state
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _MASK
        return word ^ (word >> 31)

    def below(self, bound: int) -> int:
        """Return a whole number 0 … bound - 1, each as likely as the others (1 ≤ bound ≤ 2**64)."""
        limit = (1 << 64) - (1 << 64) % bound
        word = self.bits()
        while word >= limit:
            word = self.bits()
        return word % bound

    def choice(self, items: Sequence[T]) -> T:
        """Return one of the items (at least one), each as likely as the others."""
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Put the items in a random order, in place (Fisher-Yates)."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

    def split(self) -> Chance:
        """Return a new stream that is independent of what this one yields later."""
        return Chance(self.bits())


class KeyedChance(Chance):
    """A stream that nobody can predict without its key: HMAC-SHA-256 of a label and a counter.

    Each digest gives four numbers of 64 bits, most significant byte first. label: names the stream: one key
    has many.
    """

    def __init__(self, key: bytes, label: str) -> None:
        self._key, self._label = key, label
        self._digests = 0
        self._words: list[int] = []

    def bits(self) -> int:
        """Return the next 64 bits."""
        if not self._words:
            digest = hmac.digest(self._key, f"{self._label} {self._digests}".encode(), "sha256")
            self._words = [int.from_bytes(digest[at : at + 8]) for at in (24, 16, 8, 0)]
            self._digests += 1
        return self._words.pop()


_GAMES_PER_BATCH = 256


@dataclass
class Playouts:
    """The results of random games: wins by player, and drawn games as the game defines them."""

    games: int = 0
    decisions: int = 0
    seconds: float = 0.0
    wins: list[int] = field(default_factory=list)
    drawn: int = 0


def play_batches(
    play_batch: Callable[[np.ndarray[Any, Any], np.ndarray[Any, Any]], int],
    most_players: int,
    players: int,
    count: int,
    seed: int,
    threads: int,
    progress: Callable[[int], None] | None,
) -> Playouts:
    """Play games from seeds in threads and add up the results.

    play_batch: plays a game for each of its seeds (uint64[…], written), adds to wins
    (int64[most_players + 1], the last for games drawn) and returns the number of decisions. progress: called
    with the number of games that were just finished. Both are called from any thread.
    """
    chance = Chance(seed)
    seeds = np.array([chance.bits() | 1 for _ in range(count)], np.uint64)
    result = Playouts(games=count, wins=[0] * players)
    lock = threading.Lock()

    def play(begin: int) -> None:
        wins = np.zeros(most_players + 1, np.int64)
        batch = seeds[begin : begin + _GAMES_PER_BATCH]
        decisions = play_batch(batch, wins)
        with lock:
            result.decisions += decisions
            result.wins = [won + int(more) for won, more in zip(result.wins, wins, strict=False)]
            result.drawn += int(wins[most_players])
        if progress is not None:
            progress(len(batch))

    play(count)  # no games: compiles before the clock starts
    begun = time.perf_counter()
    with ThreadPoolExecutor(max_workers=max(threads, 1)) as pool:
        list(pool.map(play, range(0, count, _GAMES_PER_BATCH)))
    result.seconds = time.perf_counter() - begun
    return result


CONFIDENCE = 1.959963984540054
"""Standard deviations around the mean that hold 95 % of a normal distribution."""


def wilson_interval(wins: float, games: int) -> tuple[float, float]:
    """Return the interval in which the true winning rate lies with 95 % confidence.

    Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference, 1927.
    """
    square = CONFIDENCE**2
    rate = wins / games
    middle = (rate + square / (2 * games)) / (1 + square / games)
    spread = CONFIDENCE / (1 + square / games) * sqrt(rate * (1 - rate) / games + square / (4 * games**2))
    return max(0.0, middle - spread), min(1.0, middle + spread)
