"""Positions of Ekö: actions as kernel codes, the interchange form (version 1), and the public class."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import cached_property
from typing import Any, overload

import numpy as np

from ekoes.errors import IllegalActionError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Game, Json, Outcome, Refusal
from ekoes.games.api.reading import not_an_action
from ekoes.games.api.registry import game
from ekoes.games.api.values import Written, plain_json
from ekoes.games.eko.position.action import (
    ACTION_TYPES,
    BUILDINGS,
    Action,
    Build,
    End,
    March,
    Moon,
    Move,
    Place,
    Ransom,
    Reinforce,
    SandTemple,
    Space,
    Swap,
)
from ekoes.games.eko.position.layout import THREAD, Layout
from ekoes.games.eko.position.refusal import explain
from ekoes.games.eko.position.state import SEATS, STACKS, EkoState, StateView, judge
from ekoes.games.eko.rules.code import (
    AMOUNT_MASK,
    AMOUNT_SHIFT,
    EMPEROR_SHIFT,
    SOURCE_SHIFT,
    SPACE_BITS,
    SPACE_MASK,
    TARGET_SHIFT,
    TYPE_MASK,
    ZONE_COUNT_MASK,
    ZONE_COUNT_SHIFT,
    ZONES_SHIFT,
    ActionType,
)
from ekoes.games.eko.rules.entry_points import is_legal, list_decisions, perform_decision
from ekoes.games.eko.rules.prospects import ANYWHERE, PROSPECTS, find_prospects
from ekoes.games.eko.rules.reading import LAST_TURN
from ekoes.games.eko.rules.record import DISCS, MOST_PLAYERS, NO_SPACE, STATE, TALLEST, Phase, Whereabouts
from ekoes.games.kernels.bits import WORDS, members

NO_CODE = -1
"""The code of actions that no position of the layout can allow; never legal."""
_CODES = {kind: ActionType[kind.type.upper()] for kind in ACTION_TYPES.values()}


def decode(code: int, layout: Layout) -> Action:
    """Return the action of a code, on this layout. The bits are defined in rules/code.py."""
    spaces = layout.spaces
    source, target = (code >> SOURCE_SHIFT) & SPACE_MASK, (code >> TARGET_SHIFT) & SPACE_MASK
    emperor = bool((code >> EMPEROR_SHIFT) & 1)
    amount = (code >> AMOUNT_SHIFT) & AMOUNT_MASK
    match code & TYPE_MASK:
        case ActionType.MOVE:
            zones = tuple([spaces[zone] for zone in zones_in(code)])
            return Move(spaces[source], spaces[target], zones, emperor)
        case ActionType.BUILD:
            return Build(spaces[source], spaces[target], BUILDINGS[amount - 1], emperor)
        case ActionType.REINFORCE:
            return Reinforce(spaces[target], amount, emperor)
        case ActionType.MOON:
            return Moon(spaces[target], emperor)
        case ActionType.SANDTEMPLE:
            return SandTemple(spaces[target])
        case ActionType.PLACE:
            return Place(spaces[target], emperor)
        case ActionType.SWAP:
            return Swap(None if target == NO_SPACE else spaces[target])
        case ActionType.RANSOM:
            return Ransom(target)
        case ActionType.MARCH:
            return March()
        case _:
            return End()


def zones_in(code: int) -> list[int]:
    """Return the first spaces of the zones that take a disc."""
    zones = code >> ZONES_SHIFT
    count = (code >> ZONE_COUNT_SHIFT) & ZONE_COUNT_MASK
    return [zones >> (SPACE_BITS * place) & SPACE_MASK for place in range(count)]


def encode(action: Action, layout: Layout) -> int:
    """Return the code of an action, or NO_CODE if it names spaces outside the layout or fits in no code.

    Raises: NotationError if it is no action.
    """
    index = layout.index
    source, target, amount, emperor, zones = 0, NO_SPACE, 0, False, list[int]()
    try:
        code: int = _CODES[type(action)]
        match action:
            case Move(start, end, heads, emperor):
                source, target, zones = index[start], index[end], [*map(index.__getitem__, heads)]
            case Build(start, site, kind, emperor):
                source, target, amount = index[start], index[site], kind.level
            case Reinforce(space, amount, emperor):
                target = index[space]
            case Place(space, emperor) | Moon(space, emperor):
                target = index[space]
            case SandTemple(space) | Swap(Space() as space):
                target = index[space]
            case Ransom(target):
                pass
    except KeyError:
        return _no_code(action)
    if len(zones) > TALLEST or zones != sorted(set(zones)) or amount > AMOUNT_MASK or target > SPACE_MASK:
        return NO_CODE
    for place, zone in enumerate(zones):
        code |= zone << (ZONES_SHIFT + SPACE_BITS * place)
    code |= source << SOURCE_SHIFT | target << TARGET_SHIFT | amount << AMOUNT_SHIFT
    return code | emperor << EMPEROR_SHIFT | len(zones) << ZONE_COUNT_SHIFT


def _no_code(action: Action) -> int:
    if type(action) not in _CODES:
        raise not_an_action(action)
    return NO_CODE


VERSION = 1
SETUP_PHASES = frozenset({Phase.PLACE, Phase.SWAP})
FLAGS = ("marched", "sandtemple_used", "moon_used")
_KINDS = [kind.value for kind in BUILDINGS]
PHASES = [phase.name.lower() for phase in Phase]

# Successive positions share almost all pieces, so all positions use one JSON object per kind of piece: this
# saves memory, and a diff finds equal objects by identity.
_STACKS: list[Json] = [asdict(stack) for stack in STACKS]
_BUILDINGS: list[Json] = [
    {"owner": owner, "kind": kind} for owner in range(MOST_PLAYERS) for kind in (None, *_KINDS)
]
"""Indexed by stack code and building code (rules/export.py)."""
_CAPTIVES = [list(seats) for seats in SEATS]
_RESERVES: list[tuple[Json, Json]] = [
    ({"discs": discs, "emperor": False}, {"discs": discs, "emperor": True}) for discs in range(DISCS + 1)
]


def position_to_json(position: EkoState) -> Json:
    """Return a position as JSON; equal positions give equal text (fixed order of keys, spaces ascending).

    Positions share the JSON of their pieces; callers must not change it.
    """
    layout, view = position.layout, position.plain
    names = layout.coordinates
    value: Json = {"game": "eko", "version": VERSION, **layout.json}
    for kind, pieces, known in (("stacks", view.stacks, _STACKS), ("buildings", view.buildings, _BUILDINGS)):
        spaces, codes = map(names.__getitem__, pieces), map(known.__getitem__, pieces.values())
        value[kind] = dict(zip(spaces, codes, strict=True))
    value["reserve"] = [
        _RESERVES[discs][where == Whereabouts.RESERVE]
        for discs, where in zip(view.reserve, view.whereabouts, strict=True)
    ]
    value["removed"] = list(view.removed)
    value["captives"] = [*map(_CAPTIVES.__getitem__, view.captives)]
    if view.phase == Phase.PLACE:
        value["unplaced"] = [
            {"discs": discs, "emperor": where == Whereabouts.UNPLACED}
            for discs, where in zip(view.unplaced, view.whereabouts, strict=True)
        ]
    value["turn"] = _turn_to_json(view, names)
    if view.phase == Phase.OVER:
        value["winners"] = list(view.winners)
    return value


def _turn_to_json(view: StateView, names: Sequence[str]) -> Json:
    turn: Json = {"number": view.number, "player": view.player}
    if view.phase in SETUP_PHASES and view.first:
        turn["first"] = view.first
    turn["phase"] = PHASES[view.phase]
    for flag in FLAGS:
        if getattr(view, flag):
            turn[flag] = True
    if view.paid:
        turn["paid"] = [names[head] for head in view.paid]
    if view.placed:
        turn["placed"] = [names[space] for space in view.placed]
    if view.phase == Phase.RANSOM:
        turn["ransom"] = view.chooser
        turn["resume"] = PHASES[view.resume]
    return turn


class LegalActions(Sequence[Action]):
    """The legal actions of a position, decoded on access."""

    __slots__ = ("_codes", "_layout")

    def __init__(self, codes: np.ndarray[Any, Any], layout: Layout) -> None:
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


class EkoPosition(EkoState):
    """A position of Ekö; immutable, ``play`` returns another one."""

    __slots__ = ()

    @property
    def game(self) -> Game:
        """The game of Ekö."""
        return game("eko")

    def legal(self, seat: int | None = None) -> Sequence[Action]:
        """Return all legal actions of a seat (None: of the seat to move), as a lazy sequence."""
        if seat is not None and (seat,) != self.actors():
            return ()
        return LegalActions(self.codes, self.layout)

    def seat_of(self, action: Action) -> int:  # noqa: ARG002 - there is one seat that decides
        """Return the seat to move, or the latest to move once the game is over (E12)."""
        return (*self.actors(), self.player)[0]

    def play(self, seat: int, action: Action) -> EkoPosition:
        """Return the position after an action. Raises IllegalActionError naming the rule."""
        code = encode(action, self.layout)
        if not self._allows(seat, code):
            refusal = explain(self, seat, action, self.codes)
            raise IllegalActionError(refusal.message, code=f"action/{refusal.code}", rule=refusal.rule)
        after = self.play_code(code)
        if after.turn_number > LAST_TURN:
            raise IllegalActionError(f"turns are counted to {LAST_TURN}", rule="E12.9")
        return after

    def why_not(self, seat: int, action: Action) -> Refusal | None:
        """Explain by rule why an action is illegal for a seat; None if it is legal."""
        if self._allows(seat, encode(action, self.layout)):
            return None
        return explain(self, seat, action, self.codes)

    def _allows(self, seat: int, code: int) -> bool:
        layout = self.layout
        return (seat,) == self.plain.actors and bool(is_legal(layout.record, self.states, THREAD.work, code))

    def prospects(self, seat: int) -> tuple[set[Space], set[Space]]:
        """Return the stacks that a player could attack if its turn began now, and the sites to build on."""
        layout, found = self.layout, np.zeros((PROSPECTS, WORDS), np.uint64)
        find_prospects(layout.record, self.states, THREAD.work, np.empty(1, STATE), seat, ANYWHERE, found)
        takes, sites = ({layout.spaces[space] for space in members(row.tolist())} for row in found[1:])
        return takes, sites

    def chance_action(self, chance: Chance) -> Action:  # noqa: ARG002
        """Raise IllegalActionError: no chance decisions after the set-up (E3)."""
        raise IllegalActionError("chance decides nothing after the set-up", rule="E3.1")

    def outcome(self) -> Outcome | None:
        """Return the outcome, None while the game goes on. Rule: E11."""
        return judge(self) if self._number("phase") == Phase.OVER else None

    def sight(self, seat: int) -> EkoPosition:  # noqa: ARG002 - all information is open (E1.6)
        """Return what a bot at a seat may know: the position itself (E1.6)."""
        return self

    def view(self, eye: int | None) -> Json:  # noqa: ARG002 - all information is open (E1.6)
        """Return what a seat or spectator may see: the whole position (E1.6)."""
        return self.shared_json

    def to_json(self) -> Json:
        """Return the position in the interchange form, as a copy that the caller may change."""
        return plain_json(position_to_json(self))

    def to_state(self) -> Json:
        """Return the interchange form, shared by all callers; it is complete."""
        return self.shared_json

    @cached_property
    def shared_json(self) -> Json:
        """The interchange form that all callers share, read-only."""
        return Written(position_to_json(self))

    @cached_property
    def codes(self) -> np.ndarray[Any, Any]:
        """The legal decisions as codes, int64[…] (rules/code.py)."""
        codes: np.ndarray[Any, Any] = list_decisions(self.layout.record, self.states, THREAD.work)
        return codes

    def play_code(self, code: int) -> EkoPosition:
        """Return the position after a decision that is known to be legal."""
        after = np.empty(1, STATE)
        perform_decision(self.layout.record, self.states, after, THREAD.work, code)
        return EkoPosition(self.layout, after)

    def __reduce__(self) -> tuple[Callable[..., EkoPosition], tuple[object, ...]]:
        return _position, (self.layout, self.states.tobytes())

    def __repr__(self) -> str:
        return (
            f"<EkoPosition: {self.players} players, turn {self.turn_number} of player"
            f" {self.player}, {self.phase.name.lower()}>"
        )


def _position(layout: Layout, state: bytes) -> EkoPosition:
    return EkoPosition(layout, np.frombuffer(state, STATE).copy())
