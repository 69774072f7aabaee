"""A state of the kernels in plain numbers and rows of cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from ekoes.games.ekko.rules.record import STATE
from ekoes.games.kernels.bits import WORDS, members
from ekoes.games.numbers import reader

if TYPE_CHECKING:
    import numpy as np

__all__ = ["Numbers", "Plain", "plain"]

_HANDS = 4096
"""Sets of cards that are remembered: from one decision to the next nearly all stay as they are."""

Cards = tuple[int, ...]
"""Cards of one player, or of the table."""


class Numbers(NamedTuple):
    """Fields of a state (rules/record.py); sets of cards as words."""

    hands: tuple[int, ...]
    aside: tuple[int, ...]
    blocked: tuple[int, ...]
    scores: tuple[int, ...]
    target: int
    number: int
    pile: bytes
    zone: bytes
    pile_size: int
    zone_size: int
    players: int
    dealer: int
    player: int
    last: int
    phase: int
    asked: int
    again: int
    leaving: int
    live: int
    ending: int
    ended_by: int
    winners: int
    points: bytes
    sizes: bytes
    n_drew: int
    drew_seat: bytes
    drew_at: bytes
    drew_why: bytes

    def drew(self) -> Iterator[tuple[int, int, int]]:
        """Yield each card that was drawn in this round: by whom, at how many in the play zone, and why."""
        rows = zip(self.drew_seat, self.drew_at, self.drew_why, strict=True)
        return islice(rows, self.n_drew)


_numbers = reader(STATE, Numbers)


class Plain(NamedTuple):
    """Numbers of a state, and its cards: the pile with the next card to draw first, sets ascending."""

    numbers: Numbers
    hands: tuple[Cards, ...]
    aside: tuple[Cards, ...]
    blocked: tuple[Cards, ...]
    pile: Cards
    zone: Cards


def plain(states: np.ndarray[Any, Any]) -> Plain:
    """Return what a state says. states: STATE[1], read."""
    numbers = _numbers(states)
    hands, aside, blocked = (
        _rows(words, numbers.players) for words in (numbers.hands, numbers.aside, numbers.blocked)
    )
    pile, zone = numbers.pile[: numbers.pile_size][::-1], numbers.zone[: numbers.zone_size]
    return Plain(numbers, hands, aside, blocked, tuple(pile), tuple(zone))


def _rows(words: Sequence[int], players: int) -> tuple[Cards, ...]:
    return tuple([_cards(*words[WORDS * seat : WORDS * seat + WORDS]) for seat in range(players)])


@lru_cache(_HANDS)
def _cards(low: int, high: int) -> Cards:
    return tuple(members((low, high)))
