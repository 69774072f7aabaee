"""A state of the kernels, readable by the words of the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from ekoes.games.api.values import CachedJson, Readable, reader
from ekoes.games.ekko.rules.record import NOBODY, STATE, Ending, Phase, mirror_of
from ekoes.games.kernels.bits import WORDS, members

_HANDS = 4096
"""Cached sets of cards; most stay the same from one decision to the next."""

Cards = tuple[int, ...]
"""The cards of one player, or of the table."""


class Numbers(NamedTuple):
    """Fields of a state (rules/record.py); sets of cards as words of bits."""

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
        """Yield (seat, cards in the play zone, ``Why``) of each draw of this round."""
        rows = zip(self.drew_seat, self.drew_at, self.drew_why, strict=True)
        return islice(rows, self.n_drew)


_numbers = reader(STATE, Numbers)


class Plain(NamedTuple):
    """The fields of a state, and its cards: the pile from the next card on, sets ascending."""

    numbers: Numbers
    hands: tuple[Cards, ...]
    aside: tuple[Cards, ...]
    blocked: tuple[Cards, ...]
    pile: Cards
    zone: Cards


def _plain(states: np.ndarray[Any, Any]) -> Plain:
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


_PHASES = tuple(Phase)


@dataclass(frozen=True, slots=True)
class RoundEnd:
    """The result of a round: points and cards left in hand, by seat. Rule: K5."""

    points: tuple[int, ...]
    sizes: tuple[int, ...]
    ending: Ending
    by: int


@dataclass(frozen=True, slots=True)
class Shown(CachedJson):
    """The part of a position that decides which cards are valid for a player who saw it. Rule: K4.1, K7.2."""

    top: int
    player: int | None
    last: int | None
    again: bool
    leaving: int | None
    blocked: tuple[Cards, ...]

    @property
    def mirror(self) -> int:
        """The mirror of the top card, 0 if it has none. Rule: K3.1."""
        return mirror_of(self.top)


class EkkoState(Readable[Plain]):
    """A state, readable by the words of the rules. states: STATE[1], read-only."""

    __slots__ = ()
    _read = staticmethod(_plain)

    @property
    def players(self) -> int:
        """The number of players, 2 to 8 (K1.1)."""
        return self._number("players")

    @property
    def target(self) -> int:
        """The total that ends the game (K5.6)."""
        return self._number("target")

    @property
    def phase(self) -> Phase:
        """The phase (K6)."""
        return _PHASES[self._number("phase")]

    @property
    def is_in_round(self) -> bool:
        """Whether cards are played: a round has been dealt and goes on."""
        return self._number("phase") in (Phase.MIRROR, Phase.PLAY)

    @property
    def round(self) -> int:
        """The number of the round, from 1."""
        return self._number("number")

    @property
    def dealer(self) -> int:
        """The dealer of this round (K1.3, K5.5)."""
        return self._number("dealer")

    @property
    def player(self) -> int | None:
        """The player in turn; None before the deal."""
        return self._seat("player")

    @property
    def last(self) -> int | None:
        """The player of the top card (K1.4); None before the deal."""
        return self._seat("last")

    @property
    def asked(self) -> int | None:
        """The seat asked for the mirror of the top card (K6.1), if any."""
        return self._seat("asked")

    @property
    def again(self) -> bool:
        """Whether the player in turn plays again on an own multiple of 11 (K2.3)."""
        return bool(self._number("again"))

    @property
    def leaving(self) -> int | None:
        """The seat whose last card may still be mirrored (K5.1), if any."""
        return self._seat("leaving")

    @property
    def live(self) -> bool:
        """Whether holders play mirrors when they notice them (K7.1) instead of being asked."""
        return bool(self._number("live"))

    @property
    def top(self) -> int | None:
        """The top card (K1.4); None before the deal."""
        return self.plain.zone[-1] if self.plain.zone else None

    @property
    def mirror(self) -> int:
        """The mirror of the top card, 0 if there is none. Rule: K3.1."""
        return mirror_of(self.top or 0)

    @property
    def mirror_holder(self) -> int | None:
        """The seat that may play the mirror of the top card, if any. Rule: K3.2, K4.1."""
        held = (seat for seat, hand in enumerate(self.hands) if self.mirror in hand)
        return next((seat for seat in held if self.mirror not in self.blocked[seat]), None)

    def shown(self) -> Shown | None:
        """Return what decides which cards are valid; None before the deal."""
        if self.top is None:
            return None
        return Shown(self.top, self.player, self.last, self.again, self.leaving, self.blocked)

    @property
    def pile_size(self) -> int:
        """The number of cards in the pile."""
        return self._number("pile_size")

    @property
    def pile(self) -> tuple[int, ...]:
        """The pile, the next card to draw first."""
        return self.plain.pile

    @property
    def zone(self) -> tuple[int, ...]:
        """The play zone in order, the top card last."""
        return self.plain.zone

    @property
    def hands(self) -> tuple[Cards, ...]:
        """The hands, ascending, seat by seat."""
        return self.plain.hands

    @property
    def aside(self) -> tuple[Cards, ...]:
        """The cards put aside face down, ascending, seat by seat (K3.2)."""
        return self.plain.aside

    @property
    def blocked(self) -> tuple[Cards, ...]:
        """The blocked cards, ascending, seat by seat (K4.1)."""
        return self.plain.blocked

    @property
    def scores(self) -> tuple[int, ...]:
        """The totals (K5.4)."""
        return self.plain.numbers.scores[: self.players]

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats of the lowest total once the game is over; several on a tie (K5.6)."""
        return tuple(members((self._number("winners"), 0)))

    @property
    def round_end(self) -> RoundEnd | None:
        """The result of the latest finished round; None in the first one, or after reading a position."""
        numbers = self.plain.numbers
        if numbers.ending == Ending.NONE:
            return None
        points, sizes = (tuple(row[: numbers.players]) for row in (numbers.points, numbers.sizes))
        return RoundEnd(points, sizes, Ending(numbers.ending), numbers.ended_by)

    def _number(self, field: str) -> int:
        found = self.__dict__.get("plain")
        if found is None:  # a whole column is read ten times faster than an attribute of a record
            return int(self.states[field][0])
        number: int = getattr(found.numbers, field)
        return number

    def _seat(self, field: str) -> int | None:
        seat = self._number(field)
        return None if seat == NOBODY else seat

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, EkkoState):
            return NotImplemented
        return self is other or self.states.tobytes() == other.states.tobytes()

    def __hash__(self) -> int:
        return hash(self.states.tobytes())
