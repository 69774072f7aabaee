"""A search of one position, as plain Python holds it: begin, wait or stop, and read what was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from time import monotonic

import numpy as np

from ekoes.games.eko.action import Action
from ekoes.games.eko.bots.search.grow import TRIALS, Taste, grow
from ekoes.games.eko.bots.search.tree import NODE, ROOT, Control
from ekoes.games.eko.bots.search.weights import weights_for
from ekoes.games.eko.codec import decode
from ekoes.games.eko.position import EkoPosition
from ekoes.games.eko.rules.record import STATE

__all__ = ["MEMORY", "TASTE", "Line", "Search"]

MEMORY = 128
"""MiB that a tree may take; they are taken as far as it grows."""

TASTE = np.zeros(len(Taste))
TASTE[[Taste.CURIOSITY, Taste.WARMTH, Taste.BEST]] = 1.0, 0.1, 0.5
"""How the search walks; docs/decisions/0130 tells how it was found."""

_FOR_EVER = 2**62
_BETWEEN_LOOKS = 0.002
"""Seconds from one look at the clock to the next; a step takes between 10 and some 1,000 microseconds."""
_INSTANT = 1e-6
_ROOM = 4096  # nodes: more than can be decided anywhere


@dataclass(frozen=True, slots=True)
class Line:
    """What may follow, and the chance of each player to win after it.

    iterations: how often the search came through the first action. proven: the value is certain.
    """

    actions: tuple[Action, ...]
    value: tuple[float, ...]
    iterations: int
    proven: bool


class Search:
    """A tree of decisions from a position that asks somebody.

    seen: the positions that began a turn before, as ``EkoState.digest`` names them (E11.6).
    memory: MiB. One thread may run it; any other may look at it and stop it.
    """

    def __init__(self, position: EkoPosition, seen: Iterable[bytes] = (), memory: int = MEMORY) -> None:
        """Make room; nothing is looked at yet."""
        self.position = position
        self._drawn = np.array(_drawing(position, seen), np.int64)
        self._trials = np.zeros(TRIALS, STATE)
        self._nodes = np.zeros(max(_ROOM, memory * 2**20 // NODE.itemsize), NODE)
        self._control = np.zeros(len(Control), np.int64)

    def run(self, seconds: float | None = None, iterations: int | None = None) -> None:
        """Search until a limit is reached, all is known or it is stopped: once stopped it stays so.

        With a limit of time the clock is looked at after some steps, as many as go by the time that the last
        ones took. A timer would be one more thread, and its stack more memory than a referee may have left.
        """
        last = _FOR_EVER if iterations is None else iterations
        if seconds is None:
            self._grow(last)
            return
        now = monotonic()
        ends, steps, goes_on = now + seconds, 1, True
        while goes_on:
            looked, limit = now, min(last, self.iterations + steps)
            self._grow(limit)
            now = monotonic()
            goes_on = limit <= self.iterations < last and now < ends
            steps = max(1, min(2 * steps, int(steps * _BETWEEN_LOOKS / max(now - looked, _INSTANT))))

    def _grow(self, limit: int) -> None:
        self._control[Control.LIMIT] = limit
        board, states = self.position.board, self.position.states
        weights = weights_for(self.position.players)
        grow(
            board.record,
            states,
            board.work,
            self._trials,
            weights,
            TASTE,
            self._drawn,
            self._nodes,
            self._control,
        )

    def stop(self) -> None:
        """End the search after the step at work; from any thread."""
        self._control[Control.STOP] = 1

    @property
    def iterations(self) -> int:
        """How many steps it has done."""
        return int(self._control[Control.DONE])

    @property
    def depth(self) -> int:
        """How many decisions the longest line has."""
        return int(self._control[Control.DEPTH])

    @property
    def value(self) -> tuple[float, ...]:
        """The chance of each player to win."""
        return self._value(ROOT)

    def lines(self, count: int) -> list[Line]:
        """Return the best lines, the best first."""
        return [self._line(node) for node in self._ranked(ROOT)[:count]]

    def ranking(self) -> list[Action]:
        """Return all that may be decided, the best first."""
        return [self._action(node) for node in self._ranked(ROOT)]

    def _value(self, node: int) -> tuple[float, ...]:
        return tuple(map(float, self._nodes[node]["value"][: self.position.players]))

    def _ranked(self, node: int) -> Sequence[int]:
        """Return what may follow a node, the best first: certain wins, then what was looked at most."""
        nodes = self._nodes[node]
        first, count, seat = int(nodes["first"]), int(nodes["count"]), int(nodes["seat"])
        followers = self._nodes[first : first + count]
        values, proven = followers["value"][:, seat], followers["proven"] == 1
        known = np.where(proven, np.where(values > 0, values, -1.0), 0.0)
        order = np.lexsort((np.arange(count), -values, -followers["visits"], -known))
        return [first + int(place) for place in order]

    def _line(self, node: int) -> Line:
        return Line(
            actions=tuple(self._actions(node)),
            value=self._value(node),
            iterations=int(self._nodes[node]["visits"]),
            proven=bool(self._nodes[node]["proven"]),
        )

    def _actions(self, node: int) -> Iterator[Action]:
        """Yield the actions of the best line through a node."""
        yield self._action(node)
        while self._nodes[node]["count"]:
            node = self._ranked(node)[0]
            yield self._action(node)

    def _action(self, node: int) -> Action:
        return decode(int(self._nodes[node]["code"]), self.position.layout)


def _drawing(position: EkoPosition, seen: Iterable[bytes]) -> list[int]:
    """Return the decisions that begin a turn with a position that has been there twice (E11.6)."""
    twice = {digest for digest, times in Counter(seen).items() if times > 1}
    if not twice:
        return []
    played = ((int(code), position.play_code(int(code))) for code in position.codes)
    number = position.turn_number
    return [code for code, after in played if after.turn_number != number and after.digest() in twice]
