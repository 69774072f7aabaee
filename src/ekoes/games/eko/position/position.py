"""Positions of Ekö: actions as kernel codes, the interchange form (version 1), and the public class."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import cached_property, lru_cache
from typing import Any, overload

import numpy as np

from ekoes.errors import IllegalActionError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Game, Json, Outcome, Refusal
from ekoes.games.api.registry import game
from ekoes.games.api.values import Written, copied
from ekoes.games.eko.position.action import (
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
from ekoes.games.eko.position.layout import Layout
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
from ekoes.games.eko.rules.record import DISCS, MOST_PLAYERS, NO_SPACE, STATE, TALLEST, Phase, Whereabouts

NO_CODE = -1
"""The code of actions that no position of the layout can allow; never legal."""


def decode(code: int, layout: Layout) -> Action:
    """Return the action of a code, on this layout. The bits are defined in rules/code.py."""
    spaces = layout.spaces
    action_type = code & TYPE_MASK
    target = (code >> TARGET_SHIFT) & SPACE_MASK
    emperor = bool((code >> EMPEROR_SHIFT) & 1)
    amount = (code >> AMOUNT_SHIFT) & AMOUNT_MASK
    if action_type == ActionType.MOVE:
        source = spaces[(code >> SOURCE_SHIFT) & SPACE_MASK]
        return Move(source, spaces[target], _decode_zones(code, spaces), emperor)
    if action_type == ActionType.BUILD:
        source = spaces[(code >> SOURCE_SHIFT) & SPACE_MASK]
        return Build(source, spaces[target], BUILDINGS[amount - 1], emperor)
    if action_type == ActionType.REINFORCE:
        return Reinforce(spaces[target], amount, emperor)
    if action_type == ActionType.MOON:
        return Moon(spaces[target], emperor)
    if action_type == ActionType.SANDTEMPLE:
        return SandTemple(spaces[target])
    if action_type == ActionType.PLACE:
        return Place(spaces[target], emperor)
    if action_type == ActionType.SWAP:
        return Swap(None if target == NO_SPACE else spaces[target])
    if action_type == ActionType.RANSOM:
        return Ransom(target)
    return March() if action_type == ActionType.MARCH else End()


def _decode_zones(code: int, spaces: tuple[Space, ...]) -> tuple[Space, ...]:
    count = (code >> ZONE_COUNT_SHIFT) & ZONE_COUNT_MASK
    if count == 0:
        return ()
    zones = code >> ZONES_SHIFT
    return tuple([spaces[(zones >> (SPACE_BITS * place)) & SPACE_MASK] for place in range(count)])


def encode(action: Action, layout: Layout) -> int:
    """Return the code of an action, or NO_CODE if it refers to spaces outside the layout."""
    try:
        return _encode(action, layout.index)
    except KeyError:
        return NO_CODE


def _encode(action: Action, index: dict[Space, int]) -> int:
    if isinstance(action, Move):
        return _encode_move(action, index)
    if isinstance(action, Build):
        source, site = index[action.source], index[action.site]
        code = ActionType.BUILD | (source << SOURCE_SHIFT) | (site << TARGET_SHIFT)
        return code | (action.kind.level << AMOUNT_SHIFT) | (action.emperor << EMPEROR_SHIFT)
    if isinstance(action, Reinforce | Moon | Place | SandTemple):
        return _encode_at_space(action, index)
    if isinstance(action, Ransom):
        known = action.captive < MOST_PLAYERS
        return ActionType.RANSOM | (action.captive << TARGET_SHIFT) if known else NO_CODE
    if isinstance(action, Swap):
        target = NO_SPACE if action.space is None else index[action.space]
        return ActionType.SWAP | (target << TARGET_SHIFT)
    action_type = ActionType.MARCH if isinstance(action, March) else ActionType.END
    return action_type | (NO_SPACE << TARGET_SHIFT)


def _encode_move(move: Move, index: dict[Space, int]) -> int:
    zones = [index[space] for space in move.zones]
    if len(zones) > TALLEST or zones != sorted(set(zones)):
        return NO_CODE
    code = ActionType.MOVE | (index[move.source] << SOURCE_SHIFT) | (index[move.target] << TARGET_SHIFT)
    for place, zone in enumerate(zones):
        code |= zone << (ZONES_SHIFT + SPACE_BITS * place)
    return code | (len(move.zones) << ZONE_COUNT_SHIFT) | (move.emperor_lost << EMPEROR_SHIFT)


def _encode_at_space(action: Reinforce | Moon | Place | SandTemple, index: dict[Space, int]) -> int:
    target = index[action.space] << TARGET_SHIFT
    if isinstance(action, SandTemple):
        return ActionType.SANDTEMPLE | target
    target |= action.emperor << EMPEROR_SHIFT
    if isinstance(action, Reinforce):
        if not 0 < action.count <= AMOUNT_MASK:
            return NO_CODE
        return ActionType.REINFORCE | target | (action.count << AMOUNT_SHIFT)
    return (ActionType.MOON if isinstance(action, Moon) else ActionType.PLACE) | target


VERSION = 1
LAST_TURN = 999_999_999
"""The highest turn number that can be written and read."""
SETUP_PHASES = frozenset({Phase.PLACE, Phase.SWAP})
FLAGS = ("marched", "sandtemple_used", "moon_used")
_MOST_JSON = 512
"""The maximum number of positions with cached JSON."""
_KINDS = [kind.value for kind in BUILDINGS]
PHASES = [phase.name.lower() for phase in Phase]

# Successive positions share almost all pieces, so all positions use one JSON object per kind of piece: this
# saves memory, and a diff finds equal objects by identity.
_STACKS: list[Json] = [asdict(stack) for stack in STACKS]
_BUILDINGS: list[Json] = [
    {"owner": owner, "kind": kind} for owner in range(MOST_PLAYERS) for kind in (None, *_KINDS)
]
"""Indexed by stack code and building code (rules/export.py)."""
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
    value["stacks"] = {names[space]: _STACKS[code] for space, code in view.stacks.items()}
    value["buildings"] = {names[site]: _BUILDINGS[code] for site, code in view.buildings.items()}
    value["reserve"] = [
        _RESERVES[discs][where == Whereabouts.RESERVE]
        for discs, where in zip(view.reserve, view.whereabouts, strict=True)
    ]
    value["removed"] = list(view.removed)
    value["captives"] = [list(SEATS[captives]) for captives in view.captives]
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
    turn.update({flag: True for flag in FLAGS if getattr(view, flag)})
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
            refusal = explain(self, seat, action, self.legal(seat))
            raise IllegalActionError(refusal.message, code=f"action/{refusal.code}", rule=refusal.rule)
        after = self.play_code(code)
        if after.turn_number > LAST_TURN:
            raise IllegalActionError(f"turns are counted to {LAST_TURN}", rule="E12.9")
        return after

    def why_not(self, seat: int, action: Action) -> Refusal | None:
        """Explain by rule why an action is illegal for a seat; None if it is legal."""
        if self._allows(seat, encode(action, self.layout)):
            return None
        return explain(self, seat, action, self.legal(seat))

    def _allows(self, seat: int, code: int) -> bool:
        layout = self.layout
        return (seat,) == self.plain.actors and bool(is_legal(layout.record, self.states, layout.work, code))

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
        return _shared_json(self)

    def to_json(self) -> Json:
        """Return the position in the interchange form, as a copy that the caller may change."""
        own: Json = copied(position_to_json(self))
        return own

    def to_state(self) -> Json:
        """Return the interchange form, shared by all callers; it is complete."""
        return _shared_json(self)

    @cached_property
    def codes(self) -> np.ndarray[Any, Any]:
        """The legal decisions as codes, int64[…] (rules/code.py)."""
        codes: np.ndarray[Any, Any] = list_decisions(self.layout.record, self.states, self.layout.work)
        return codes

    def play_code(self, code: int) -> EkoPosition:
        """Return the position after a decision that is known to be legal."""
        after = np.empty(1, STATE)
        perform_decision(self.layout.record, self.states, after, self.layout.work, code)
        return EkoPosition(self.layout, after)

    def __reduce__(self) -> tuple[Callable[..., EkoPosition], tuple[object, ...]]:
        return _position, (self.layout, self.states.tobytes())

    def __repr__(self) -> str:
        return (
            f"<EkoPosition: {self.players} players, turn {self.turn_number} of player"
            f" {self.player}, {self.phase.name.lower()}>"
        )


@lru_cache(_MOST_JSON)
def _shared_json(position: EkoPosition) -> Json:
    """Return the JSON that all callers share; equal positions share it too."""
    return Written(position_to_json(position))


def _position(layout: Layout, state: bytes) -> EkoPosition:
    return EkoPosition(layout, np.frombuffer(state, STATE).copy())
