"""A state of the kernels in plain numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ekoes.games.eko.rules.record import LEVELS, STATE
from ekoes.games.kernels.bits import WORDS, members
from ekoes.games.numbers import reader

__all__ = ["Plain", "plain"]

_WORD_BITS = 64


class Plain(NamedTuple):
    """Fields of a state (rules/record.py), rows of several dimensions in one; sets of spaces as words."""

    own: tuple[int, ...]
    built: tuple[int, ...]
    paid: tuple[int, ...]
    number: int
    height: tuple[int, ...]
    emperor: tuple[int, ...]
    whereabouts: tuple[int, ...]
    captor: tuple[int, ...]
    reserve: tuple[int, ...]
    removed: tuple[int, ...]
    unplaced: tuple[int, ...]
    points: tuple[int, ...]
    capitals: tuple[int, ...]
    placed: tuple[int, ...]
    n_placed: int
    player: int
    first: int
    phase: int
    chooser: int
    resume: int
    winners: int
    marched: int
    sandtemple_used: int
    moon_used: int

    def stacks_of(self, seat: int) -> Iterator[int]:
        """Yield the spaces of a seat's stacks, ascending."""
        return members(self.own[2 * seat : 2 * seat + 2])

    def sites_of(self, seat: int, level: int) -> Iterator[int]:
        """Yield the sites of a seat's buildings of a level, ascending."""
        return members(self._built(seat, level))

    def count_built(self, seat: int, level: int) -> int:
        """Return the number of a seat's buildings of a level."""
        low, high = self._built(seat, level)
        return low.bit_count() + high.bit_count()

    def owner_at(self, space: int) -> int | None:
        """Return whose stack stands on a space."""
        return _holder(self.own, 1, space)

    def builder_at(self, site: int) -> int | None:
        """Return whose building stands on a site."""
        return _holder(self.built, LEVELS + 1, site)

    def captives_of(self, seat: int) -> list[int]:
        """Return the owners of the Emperors that a seat holds, ascending. Rule: E5.6."""
        return [player for player, captor in enumerate(self.captor) if captor == seat]

    def _built(self, seat: int, level: int) -> tuple[int, ...]:
        row = 2 * (seat * (LEVELS + 1) + level)
        return self.built[row : row + 2]


def _holder(words: Sequence[int], rows: int, member: int) -> int | None:
    """Return the seat one of whose sets has a member. rows: how many sets each seat has."""
    word, place = divmod(member, _WORD_BITS)
    for number, content in enumerate(words[word::WORDS]):
        if content >> place & 1:
            return number // rows
    return None


plain = reader(STATE, Plain)
"""Returns the numbers of a state. It takes STATE[1], and reads it."""
