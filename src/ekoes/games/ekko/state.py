"""What is where in a position of EKKO: a state of the kernels, read in words of the rules."""

from __future__ import annotations

from dataclasses import dataclass

from ekoes.games.ekko.plain import Plain, plain
from ekoes.games.ekko.rules.record import NOBODY, Ending, Phase, Why
from ekoes.games.kernels.bits import members
from ekoes.games.numbers import Readable

__all__ = ["Drew", "EkkoState", "RoundEnd"]

_PHASES = tuple(Phase)
_WHYS = tuple(Why)


@dataclass(frozen=True, slots=True)
class Drew:
    """A card that somebody drew. zone: how many cards lay in the play zone then. Rule: K6.4."""

    seat: int
    zone: int
    why: Why


@dataclass(frozen=True, slots=True)
class RoundEnd:
    """How a round ended: the points it brought and the cards left in hand, seat by seat. Rule: K5."""

    points: tuple[int, ...]
    sizes: tuple[int, ...]
    ending: Ending
    by: int


class EkkoState(Readable[Plain]):
    """A state and its reading. states: STATE[1], never written any more. Shared as one value."""

    __slots__ = ()
    _read = staticmethod(plain)

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
        """What is asked now (K6)."""
        return _PHASES[self._number("phase")]

    @property
    def round(self) -> int:
        """The number of the round, from 1."""
        return self._number("number")

    @property
    def dealer(self) -> int:
        """Who deals this round (K1.3, K5.5)."""
        return self._number("dealer")

    @property
    def player(self) -> int | None:
        """Whose turn it is; None before the deal."""
        return self._seat("player")

    @property
    def last(self) -> int | None:
        """Who put the top card (K1.4); None before the deal."""
        return self._seat("last")

    @property
    def asked(self) -> int | None:
        """Who is asked for the mirror of the top card (K6.1), if somebody is."""
        return self._seat("asked")

    @property
    def again(self) -> bool:
        """Whether the player in turn must play on the own multiple of 11 (K2.3)."""
        return bool(self._number("again"))

    @property
    def leaving(self) -> int | None:
        """Whose last card may still be mirrored (K5.1), if somebody's may."""
        return self._seat("leaving")

    @property
    def live(self) -> bool:
        """Whether mirrors are played as their holders notice (K7.1) instead of being asked for."""
        return bool(self._number("live"))

    @property
    def top(self) -> int | None:
        """The top card (K1.4); None before the deal."""
        return self.plain.zone[-1] if self.plain.zone else None

    @property
    def pile_size(self) -> int:
        """How many cards can still be drawn."""
        return self._number("pile_size")

    @property
    def zone_size(self) -> int:
        """How many cards lay in the play zone."""
        return self._number("zone_size")

    @property
    def pile(self) -> tuple[int, ...]:
        """The pile, the next card to draw first."""
        return self.plain.pile

    @property
    def zone(self) -> tuple[int, ...]:
        """The play zone in order, the top card last."""
        return self.plain.zone

    @property
    def hands(self) -> tuple[tuple[int, ...], ...]:
        """The hands, ascending, seat by seat."""
        return self.plain.hands

    @property
    def aside(self) -> tuple[tuple[int, ...], ...]:
        """The cards put aside face down, ascending, seat by seat (K3.2)."""
        return self.plain.aside

    @property
    def blocked(self) -> tuple[tuple[int, ...], ...]:
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
    def drew(self) -> tuple[Drew, ...]:
        """Who drew in this round, in order (K6.4)."""
        return tuple([Drew(seat, zone, _WHYS[why]) for seat, zone, why in self.plain.numbers.drew()])

    @property
    def round_end(self) -> RoundEnd | None:
        """How the latest finished round ended; None in the first one, or after reading a position."""
        numbers = self.plain.numbers
        if numbers.ending == Ending.NONE:
            return None
        points, sizes = (tuple(row[: numbers.players]) for row in (numbers.points, numbers.sizes))
        return RoundEnd(points, sizes, Ending(numbers.ending), numbers.ended_by)

    def _number(self, field: str) -> int:
        found = self._plain
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
