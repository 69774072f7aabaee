"""A state of the kernels, readable by the words of the rules, and the outcome of a game (E4.2, E11)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from ekoes.games.api.contract import Outcome, Turn
from ekoes.games.api.values import Readable
from ekoes.games.eko.position.layout import Layout
from ekoes.games.eko.rules.ending import Reason
from ekoes.games.eko.rules.entry_points import export_state
from ekoes.games.eko.rules.export import SEAT_FIELDS, SINGLE_NUMBERS
from ekoes.games.eko.rules.record import (
    CAPTIVE_POINTS,
    LEVELS,
    MOST_PLAYERS,
    STATE,
    Phase,
)
from ekoes.games.eko.rules.signs import SCORING, Sign

if TYPE_CHECKING:
    from ekoes.games.eko.position.action import Space


SEATS = tuple(
    tuple(seat for seat in range(MOST_PLAYERS) if bits >> seat & 1) for bits in range(1 << MOST_PLAYERS)
)
"""The seats of each bit set, ascending."""


@dataclass(slots=True, init=False, eq=False, repr=False)
class StateView:
    """The exported numbers of a state by name (rules/export.py); tuples have one number per seat.

    actors: the seat to move, or none. reason: a Reason, or NOBODY. stacks: space -> stack code; buildings:
    site -> building code; both ascending. placed: spaces, in their order. paid: the first spaces of the
    zones, ascending. signs: the points by each of SCORING.
    """

    turn: Turn
    number: int
    player: int
    phase: int
    actors: tuple[int, ...]
    chooser: int
    resume: int
    winners: tuple[int, ...]
    reason: int
    first: int
    marched: int
    sandtemple_used: int
    moon_used: int
    points: tuple[int, ...]
    camps: tuple[int, ...]
    towers: tuple[int, ...]
    castles: tuple[int, ...]
    captives: tuple[int, ...]
    capitals: tuple[int, ...]
    reserve: tuple[int, ...]
    removed: tuple[int, ...]
    unplaced: tuple[int, ...]
    whereabouts: tuple[int, ...]
    emperor: tuple[int, ...]
    captor: tuple[int, ...]
    discs: tuple[int, ...]
    signs: list[tuple[int, ...]]
    placed: list[int]
    paid: list[int]
    stacks: dict[int, int]
    buildings: dict[int, int]

    def __init__(self, layout: Layout, states: np.ndarray[Any, Any]) -> None:
        """Export a state. states: STATE[1], read-only."""
        numbers: list[int] = export_state(layout.record, states).tolist()
        self.number, self.player, self.phase, actor, self.chooser, self.resume, winners = numbers[:7]
        self.turn = Turn(self.number, self.player)
        self.first, self.marched, self.sandtemple_used, self.moon_used = numbers[7:11]
        n_placed, n_paid, n_stacks, n_buildings, self.reason = numbers[11:SINGLE_NUMBERS]
        self.actors = () if actor < 0 else (actor,)
        self.winners = SEATS[winners]
        players = layout.players
        end = SINGLE_NUMBERS + SEAT_FIELDS * players
        # one iterator; each row takes as many numbers as there are players
        rows = zip(*[iter(numbers[SINGLE_NUMBERS:end])] * players, strict=True)
        self.points, self.camps, self.towers, self.castles, self.captives, *others = rows
        self.capitals, self.reserve, self.removed, self.unplaced, *others = others
        self.whereabouts, self.emperor, self.captor, self.discs, *self.signs = others
        self.placed = numbers[end : end + n_placed]
        end += n_placed
        self.paid = numbers[end : end + n_paid]
        end += n_paid
        codes = end + n_stacks
        self.stacks = dict(zip(numbers[end:codes], numbers[codes : codes + n_stacks], strict=True))
        end += 2 * n_stacks
        codes = end + n_buildings
        self.buildings = dict(zip(numbers[end:codes], numbers[codes:], strict=True))


IDENTITY = (
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
"""The fields of a state that the repetition rule compares (E11.6)."""
_FIELDS: Mapping[str, Any] = STATE.fields or {}
_identity_bytes = itemgetter(
    *[slice(start, start + dtype.itemsize) for dtype, start, *_ in (_FIELDS[name] for name in IDENTITY)]
)


SOURCES = ("camps", "towers", "castles", "captives", *(Sign(sign).plural for sign in SCORING))


@dataclass(frozen=True, slots=True)
class Stack:
    """A stack of 1 to 4 discs of one player. emperor: whether the Emperor is among them. Rule: E1.6."""

    owner: int
    height: int
    emperor: bool


STACKS = [
    Stack(owner, height, bool(emperor))
    for owner in range(MOST_PLAYERS)
    for height in range(1 << 3)
    for emperor in range(2)
]
"""Indexed by stack code (rules/export.py)."""


class EkoState(Readable[StateView]):
    """A state on a board, read-only."""

    __slots__ = ("layout",)

    def __init__(self, layout: Layout, states: np.ndarray[Any, Any]) -> None:
        """states: STATE[1], read-only from now on."""
        super().__init__(states)
        self.layout = layout

    def _read(self, states: np.ndarray[Any, Any]) -> StateView:
        return StateView(self.layout, states)

    @property
    def players(self) -> int:
        """The number of players, 2 to 4 (E1.1)."""
        return self.layout.players

    @property
    def phase(self) -> Phase:
        """The phase (E12)."""
        return Phase(self._number("phase"))

    @property
    def player(self) -> int:
        """The player in turn; the last one to move once the game is over."""
        return self._number("player")

    @property
    def turn_number(self) -> int:
        """The number of the turn, from 1; 0 in the set-up."""
        return self._number("number")

    @property
    def winners(self) -> tuple[int, ...]:
        """The winners, ascending, once the game is over. Rule: E11."""
        return self.plain.winners

    def actors(self) -> tuple[int, ...]:
        """Return the seat to move: the player in turn, or a player who owes a ransom (E5.7)."""
        return self.plain.actors

    def stack(self, space: Space) -> Stack | None:
        """Return the stack on a space, or None."""
        code = self.plain.stacks.get(self.layout.index.get(space, -1))
        return None if code is None else STACKS[code]

    def stacks(self) -> dict[Space, Stack]:
        """Return all stacks by space, ascending by space index."""
        spaces = self.layout.spaces
        return {spaces[space]: STACKS[code] for space, code in self.plain.stacks.items()}

    def buildings(self) -> dict[Space, tuple[int, int]]:
        """Return all buildings by site, ascending: owner and level (1 camp … 3 castle)."""
        spaces = self.layout.spaces
        return {spaces[site]: divmod(code, LEVELS + 1) for site, code in self.plain.buildings.items()}

    def captives(self, seat: int) -> tuple[int, ...]:
        """Return the owners of the Emperors that a seat holds captive, ascending. Rule: E5.6."""
        return SEATS[self.plain.captives[seat]]

    def points(self, seat: int) -> dict[str, int]:
        """Return a seat's points by source, such as ``camps``. Rule: E11.1."""
        view = self.plain
        captives = CAPTIVE_POINTS * view.captives[seat].bit_count()
        points = view.camps[seat], 2 * view.towers[seat], 3 * view.castles[seat], captives
        return dict(zip(SOURCES, (*points, *map(itemgetter(seat), view.signs)), strict=True))

    def total(self, seat: int) -> int:
        """Return a seat's total points. Rule: E11.1."""
        return self.plain.points[seat]

    def identity(self) -> bytes:
        """Return the bytes that the repetition rule compares. Rule: E11.6."""
        return b"".join(_identity_bytes(self.states.tobytes()))

    def digest(self) -> bytes:
        """Return a hash of ``identity``; a table stores one for each turn."""
        return blake2b(self.identity(), digest_size=12).digest()

    def _number(self, field: str) -> int:
        # bots read only a few numbers of a position; exporting all of them would slow them down
        view = self.__dict__.get("plain")
        number: int = int(self.states[field][0]) if view is None else getattr(view, field)
        return number

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, EkoState):
            return NotImplemented
        same_layout = self.layout is other.layout or self.layout == other.layout
        return same_layout and self.states.tobytes() == other.states.tobytes()

    def __hash__(self) -> int:
        return hash(self.states.tobytes())


REASON_RULES = {
    Reason.POINTS: "E11.2",
    Reason.LAST_ON_BOARD: "E11.3",
    Reason.BOTH: "E11.4",
    Reason.NOBODY: "E11.4",
    Reason.NO_MOVES: "E4.2",
}
"""The rule behind each reason for an end."""


def judge(position: EkoState) -> Outcome:
    """Return the outcome of a finished game; its reason is a ``Reason`` as a word, such as ``no-moves``."""
    reason = Reason(position.plain.reason)
    return Outcome(position.winners, reason.name.lower().replace("_", "-"), REASON_RULES[reason])
