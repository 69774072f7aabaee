"""A state of the kernels in plain numbers, read in one go: far quicker than field by field."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from struct import Struct
from typing import TYPE_CHECKING, Any, NamedTuple

from ekoes.games.eko.rules.record import LEVELS, STATE
from ekoes.games.kernels.bits import WORDS, members

if TYPE_CHECKING:
    import numpy as np

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


_LETTERS = {"uint64": "Q", "int32": "i", "int8": "b"}


def _places() -> Iterator[tuple[str, int, int]]:
    """Yield each field's letter and where its numbers begin and end, in the order in which they lie."""
    end = 0
    for name in STATE.names or ():
        field = STATE[name]
        start, end = end, end + field.itemsize // field.base.itemsize
        yield _LETTERS[field.base.name], start, end


_PLACES = dict(zip(STATE.names or (), _places(), strict=True))
_STATE = Struct("=" + "".join(f"{end - start}{letter}" for letter, start, end in _PLACES.values()))
_ROWS = [
    slice(start, end) if STATE[name].shape else start
    for name, (_, start, end) in ((name, _PLACES[name]) for name in Plain._fields)
]


def plain(states: np.ndarray[Any, Any]) -> Plain:
    """Return the numbers of a state. states: STATE[1], read."""
    numbers = _STATE.unpack(states.tobytes())
    return Plain(*[numbers[row] for row in _ROWS])  # type: ignore[arg-type] # rows and single numbers
