"""What is where in a position of Ekö: a state of the kernels, read in words of the rules."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from ekoes.games.eko.board import Board
from ekoes.games.eko.plain import Plain, plain
from ekoes.games.eko.rules.entry_points import count_pyramids, holds_beacon
from ekoes.games.eko.rules.record import (
    CAPTIVE_POINTS,
    LEVELS,
    PYRAMID_POINTS,
    Phase,
    Whereabouts,
)
from ekoes.games.kernels.bits import members
from ekoes.games.numbers import Readable

if TYPE_CHECKING:
    from ekoes.games.eko.action import Space
    from ekoes.games.eko.layout import Layout

__all__ = ["EkoState", "Points", "Stack"]

_IDENTITY = (
    "own",
    "height",
    "emperor",
    "built",
    "reserve",
    "whereabouts",
    "captor",
    "removed",
    "player",
)
"""The fields that the rule of repetition compares (E11.6)."""


@dataclass(frozen=True, slots=True)
class Points:
    """A player's points by source. Rule: E11.1, E10.6."""

    camps: int
    towers: int
    castles: int
    captives: int
    pyramids: int

    @property
    def total(self) -> int:
        """The sum; 12 with a capital win."""
        return self.camps + self.towers + self.castles + self.captives + self.pyramids


@dataclass(frozen=True, slots=True)
class Stack:
    """What stands on a space: 1 to 4 discs of one player, the Emperor among them or not. Rule: E1.6."""

    owner: int
    height: int
    emperor: bool


class EkoState(Readable[Plain]):
    """A state on a board, to be read only."""

    __slots__ = ("board",)
    _read = staticmethod(plain)

    def __init__(self, board: Board, states: np.ndarray[Any, Any]) -> None:
        """Hold a state. states: STATE[1], not to be written any more."""
        super().__init__(states)
        self.board = board

    @property
    def layout(self) -> Layout:
        """The board's layout."""
        return self.board.layout

    @property
    def record(self) -> Any:  # noqa: ANN401 - a numpy record
        """The state as the kernels see it (rules/record.py); only to be read."""
        return self.states[0]

    @property
    def players(self) -> int:
        """The number of players, 2 to 4 (E1.1)."""
        return self.board.layout.players

    @property
    def phase(self) -> Phase:
        """What is asked now (E12)."""
        return Phase(self._number("phase"))

    @property
    def player(self) -> int:
        """Whose turn it is; the last mover when the game is over."""
        return self._number("player")

    @property
    def turn_number(self) -> int:
        """The number of the turn, from 1; 0 in the set-up."""
        return self._number("number")

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has won, ascending, when the game is over. Rule: E11."""
        return tuple(members((self._number("winners"), 0)))

    def actors(self) -> tuple[int, ...]:
        """Return the seat that decides now: the player in turn, or who owes a ransom (E5.7)."""
        phase = self._number("phase")
        if phase == Phase.OVER:
            return ()
        return (self._number("chooser" if phase == Phase.RANSOM else "player"),)

    def stack(self, space: Space) -> Stack | None:
        """Return the stack on a space, or None."""
        return self.stacks().get(space)

    def stacks(self) -> dict[Space, Stack]:
        """Return all stacks by space, ascending by space index."""
        state, spaces = self.plain, self.layout.spaces
        owners = {space: seat for seat in range(self.players) for space in state.stacks_of(seat)}
        return {
            spaces[space]: Stack(owners[space], state.height[space], state.emperor[owners[space]] == space)
            for space in sorted(owners)
        }

    def buildings(self) -> dict[Space, tuple[int, int]]:
        """Return all buildings by site, ascending: owner and level (1 camp … 3 castle)."""
        state = self.plain
        found = {
            site: (owner, level)
            for owner in range(self.players)
            for level in range(1, LEVELS + 1)
            for site in state.sites_of(owner, level)
        }
        return {self.layout.spaces[site]: found[site] for site in sorted(found)}

    def captives(self, seat: int) -> tuple[int, ...]:
        """Return the owners of the Emperors that a seat holds, ascending. Rule: E5.6."""
        return tuple(self.plain.captives_of(seat))

    def points(self, seat: int) -> Points:
        """Return a seat's points by source. Rule: E11.1."""
        levels = [level for owner, level in self.buildings().values() if owner == seat]
        camps, towers, castles = (level * levels.count(level) for level in range(1, LEVELS + 1))
        captives = CAPTIVE_POINTS * len(self.captives(seat))
        return Points(camps, towers, castles, captives, PYRAMID_POINTS * self.pyramids(seat))

    def height(self, space: Space) -> int:
        """Return how many discs stand on a space."""
        return self.plain.height[self.layout.index[space]]

    def total(self, seat: int) -> int:
        """Return a seat's points in all. Rule: E11.1."""
        return self.plain.points[seat] + PYRAMID_POINTS * self.pyramids(seat)

    def pyramids(self, seat: int) -> int:
        """Return how many pyramids a seat holds. Rule: E10.6."""
        if not self.layout.pyramids:
            return 0
        return int(count_pyramids(self.board.record, self.states, seat))

    def paid_zones(self) -> frozenset[int]:
        """Return the first spaces of the zones that have taken their disc this turn. Rule: E10.2."""
        return frozenset(members(self.plain.paid)) & {zone[0] for zone in self.layout.zones}

    @property
    def ignores_tempests(self) -> bool:
        """Whether the player in turn holds the Beacon of Eon. Rule: E10.3."""
        return bool(holds_beacon(self.board.record, self.states, self.player))

    def emperor_in_reserve(self, seat: int) -> bool:
        """Whether a seat's Emperor is in its reserve."""
        return self.plain.whereabouts[seat] == Whereabouts.RESERVE

    def identity(self) -> bytes:
        """Return what the repetition rule compares. Rule: E11.6."""
        return b"".join(self.states[field].tobytes() for field in _IDENTITY)

    def digest(self) -> bytes:
        """Return a short name for what the repetition rule compares: a table keeps one for each turn."""
        return blake2b(self.identity(), digest_size=12).digest()

    def _number(self, field: str) -> int:
        # reading a whole column is ten times faster than an attribute of a numpy record
        found = self._plain
        number: int = int(self.states[field][0]) if found is None else getattr(found, field)
        return number

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, EkoState):
            return NotImplemented
        same_board = self.board is other.board or self.layout == other.layout
        return same_board and self.states.tobytes() == other.states.tobytes()

    def __hash__(self) -> int:
        return hash(self.states.tobytes())
