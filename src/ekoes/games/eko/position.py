"""A position of Ekö as people and programs hold it, and the game itself."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ekoes.errors import IllegalActionError
from ekoes.games.contract import Json, Outcome, Refusal
from ekoes.games.eko.action import Action, action_from_json, action_to_json
from ekoes.games.eko.board import build_board
from ekoes.games.eko.codec import decode, encode
from ekoes.games.eko.rules.bits import NO_SPACE
from ekoes.games.eko.rules.engine import list_decisions, perform_decision
from ekoes.games.eko.rules.record import STATE, Phase, Whereabouts
from ekoes.games.eko.rules.workspace import make_workspace

if TYPE_CHECKING:
    from ekoes.games.eko.action import Space
    from ekoes.games.eko.layout import Layout

__all__ = ["EKO", "Board", "Eko", "EkoPosition", "LegalActions", "Points", "Stack"]

_FEW_CODES = 4096
_SETUP = (Phase.PLACE, Phase.SWAP)


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


class Board:
    """A layout with what the kernels need; shared by all positions on it."""

    def __init__(self, layout: Layout) -> None:
        """Build the kernels' record of a layout."""
        self.layout = layout
        self.record = build_board(layout)
        self._local = threading.local()

    @property
    def work(self) -> np.ndarray[Any, Any]:
        """Scratch memory of the thread that asks, WORK[1]."""
        try:
            return self._local.work  # type: ignore[no-any-return]
        except AttributeError:
            self._local.work = make_workspace()
            self._local.codes = np.zeros(_FEW_CODES, np.int64)
            return self._local.work  # type: ignore[no-any-return]

    def list_codes(self, states: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Return the codes of all legal decisions in a state. states: STATE[1]. Returns: int64[…]."""
        work = self.work
        out = self._local.codes
        count = list_decisions(self.record, states, work, out)
        if count > len(out):
            out = self._local.codes = np.zeros(2 * count, np.int64)
            count = list_decisions(self.record, states, work, out)
        return out[:count].copy()  # type: ignore[no-any-return]


class LegalActions(Sequence[Action]):
    """The legal actions of a position, made one by one when they are looked at."""

    __slots__ = ("_codes", "_layout")

    def __init__(self, codes: np.ndarray[Any, Any], layout: Layout) -> None:
        """Keep the codes. codes: int64[…]."""
        self._codes = codes
        self._layout = layout

    def __len__(self) -> int:
        return len(self._codes)

    def __iter__(self) -> Iterator[Action]:
        layout = self._layout
        return (decode(code, layout) for code in self._codes.tolist())

    def __contains__(self, action: object) -> bool:
        code = encode(action, self._layout)  # type: ignore[arg-type]
        return code in self._codes.tolist()

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> LegalActions: ...
    def __getitem__(self, index: int | slice) -> Action | LegalActions:
        if isinstance(index, slice):
            return LegalActions(self._codes[index], self._layout)
        return decode(int(self._codes[index]), self._layout)

    def __repr__(self) -> str:
        return f"LegalActions({list(self)!r})"


class EkoPosition:
    """A position of Ekö; it never changes, ``play`` returns another one."""

    __slots__ = ("_codes", "board", "states")

    def __init__(self, board: Board, states: np.ndarray[Any, Any]) -> None:
        """Hold a state. states: STATE[1], not to be written any more."""
        self.board = board
        self.states = states
        self._codes: np.ndarray[Any, Any] | None = None

    # -- the contract ---------------------------------------------------------------------------

    @property
    def game(self) -> Eko:
        """The game of Ekö."""
        return EKO

    @property
    def players(self) -> int:
        """The number of players, 2 to 4 (E1.1)."""
        return self.board.layout.players

    def actors(self) -> tuple[int, ...]:
        """Return the seat that decides now: the player in turn, or who owes a ransom (E5.7)."""
        phase = self._number("phase")
        if phase == Phase.OVER:
            return ()
        return (self._number("chooser" if phase == Phase.RANSOM else "player"),)

    def legal(self, seat: int | None = None) -> Sequence[Action]:
        """Return all legal actions of a seat (None: of whoever is asked), as a lazy sequence."""
        if seat is not None and (seat,) != self.actors():
            return ()
        return LegalActions(self.codes, self.board.layout)

    def play(self, seat: int, action: Action) -> EkoPosition:
        """Return the position after an action. Raises IllegalActionError naming the rule."""
        code = encode(action, self.board.layout)
        if (seat,) != self.actors() or code not in self.codes.tolist():
            self._refuse(seat, action)
        return self.play_code(code)

    def why_not(self, seat: int, action: Action) -> Refusal | None:
        """Explain by rule why an action is illegal for a seat; None if it is legal."""
        if (seat,) == self.actors() and action in LegalActions(self.codes, self.board.layout):
            return None
        from ekoes.games.eko.refusal import explain  # noqa: PLC0415 - only mistakes need it

        return explain(self, seat, action)

    def outcome(self) -> Outcome | None:
        """Return who won and by which rule, or None while the game goes on. Rule: E11."""
        from ekoes.games.eko.outcome import judge  # noqa: PLC0415 - once a game

        return judge(self) if self.phase == Phase.OVER else None

    def view(self, eye: int | None) -> Json:  # noqa: ARG002 - all information is open (E1.6)
        """Return what a seat or spectator sees: everything (E1.6)."""
        return self.to_json()

    def to_json(self) -> Json:
        """Return the position in the interchange form; equal positions give equal text."""
        from ekoes.games.eko.position_json import position_to_json  # noqa: PLC0415

        return position_to_json(self)

    # -- more than the contract -----------------------------------------------------------------

    @property
    def layout(self) -> Layout:
        """The board's layout."""
        return self.board.layout

    @property
    def record(self) -> Any:  # noqa: ANN401 - a numpy record
        """The state as the kernels see it (rules/record.py); only to be read."""
        return self.states[0]

    @property
    def codes(self) -> np.ndarray[Any, Any]:
        """The legal decisions as codes, int64[…] (rules/code.py)."""
        if self._codes is None:
            self._codes = self.board.list_codes(self.states)
        return self._codes

    def play_code(self, code: int) -> EkoPosition:
        """Return the position after a decision that is known to be legal."""
        after = np.empty(1, STATE)
        perform_decision(self.board.record, self.states, after, self.board.work, code)
        return EkoPosition(self.board, after)

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

    def stack(self, space: Space) -> Stack | None:
        """Return the stack on a space, or None."""
        return self.stacks().get(space)

    def stacks(self) -> dict[Space, Stack]:
        """Return all stacks by space, ascending by space index."""
        record = self.record
        spaces = self.layout.spaces
        owners: dict[int, int] = {}
        for player, words in enumerate(record.own.tolist()):
            owners.update(dict.fromkeys(_members(words), player))
        kings = set(record.emperor.tolist()) - {NO_SPACE}
        heights = record.height.tolist()
        return {
            spaces[space]: Stack(owners[space], heights[space], space in kings) for space in sorted(owners)
        }

    def buildings(self) -> dict[Space, tuple[int, int]]:
        """Return all buildings by site, ascending: owner and level (1 camp … 3 castle)."""
        found = {
            site: (row >> 2, row & 3)
            for row, words in enumerate(self.record.built.tolist())
            for site in _members(words)
        }
        return {self.layout.spaces[site]: found[site] for site in sorted(found)}

    def captives(self, seat: int) -> tuple[int, ...]:
        """Return the owners of the Emperors that a seat holds, ascending. Rule: E5.6."""
        return tuple(p for p, captor in enumerate(self.record.captor.tolist()) if captor == seat)

    def points(self, seat: int) -> Points:
        """Return a seat's points by source. Rule: E11.1."""
        levels = [level for owner, level in self.buildings().values() if owner == seat]
        return Points(
            camps=levels.count(1),
            towers=2 * levels.count(2),
            castles=3 * levels.count(3),
            captives=3 * len(self.captives(seat)),
            pyramids=2 * sum(self._holds(spaces, seat) for spaces in self.layout.pyramids),
        )

    def identity(self) -> bytes:
        """Return what the repetition rule compares. Rule: E11.6."""
        record = self.record
        parts = (record.own, record.height, record.emperor, record.built, record.reserve)
        more = (record.whereabouts, record.captor, record.removed, record.player)
        return b"".join(part.tobytes() for part in parts + more)

    def paid_zones(self) -> frozenset[int]:
        """Return the first spaces of the zones that have taken their disc this turn. Rule: E10.2."""
        return frozenset(_members(self.record.paid[0].tolist())) & {zone[0] for zone in self.layout.zones}

    @property
    def ignores_tempests(self) -> bool:
        """Whether the player in turn holds the Beacon of Eon. Rule: E10.3."""
        return any(self._holds(spaces, self.player) for spaces in self.layout.beacons)

    def emperor_in_reserve(self, seat: int) -> bool:
        """Whether a seat's Emperor is in its reserve."""
        return bool(self.record.whereabouts[seat] == Whereabouts.RESERVE)

    def _number(self, field: str) -> int:
        # reading a whole column is ten times faster than an attribute of a numpy record
        return int(self.states[field][0])

    def _holds(self, spaces: tuple[int, ...], seat: int) -> bool:
        rows = [set(_members(words)) & set(spaces) for words in self.record.own.tolist()]
        return all(len(rows[seat]) > len(row) for other, row in enumerate(rows) if other != seat)

    def _refuse(self, seat: int, action: Action) -> None:
        refusal = self.why_not(seat, action)
        if refusal is not None:
            raise IllegalActionError(refusal.message, code=f"action/{refusal.code}", rule=refusal.rule)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, EkoPosition):
            return NotImplemented
        same_board = self.board is other.board or self.layout == other.layout
        return same_board and self.states.tobytes() == other.states.tobytes()

    def __hash__(self) -> int:
        return hash(self.states.tobytes())

    def __repr__(self) -> str:
        return (
            f"<EkoPosition: {self.players} players, turn {self.turn_number} of player"
            f" {self.player}, {self.phase.name.lower()}>"
        )


class Eko:
    """The board game Ekö, for 2 to 4. Rules: docs/rules."""

    name = "eko"
    players = range(2, 5)

    def new(self, options: Mapping[str, Any], seed: int) -> EkoPosition:
        """Return the first position; equal options and seed give equal positions. Rule: E3."""
        from ekoes.games.eko.setup import set_up  # noqa: PLC0415

        return set_up(options, seed)

    def from_json(self, value: object) -> EkoPosition:
        """Read a position. Raises PositionError, LayoutError or NotationError naming rule and key."""
        from ekoes.games.eko.position_json import position_from_json  # noqa: PLC0415

        return position_from_json(value)

    def parse_action(self, value: object) -> Action:
        """Read an action from JSON. Raises NotationError naming the key."""
        return action_from_json(value)

    def action_to_json(self, action: Action) -> Json:
        """Write an action as JSON."""
        return action_to_json(action)


EKO = Eko()


def _members(words: Sequence[int]) -> Iterator[int]:
    """Yield the spaces of a set given by its two words, ascending."""
    number = words[0] | (words[1] << 64)
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low
