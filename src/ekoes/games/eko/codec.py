"""Actions as the codes that the kernels read, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ekoes.games.eko.action import (
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
from ekoes.games.eko.rules.record import MOST_PLAYERS, NO_SPACE, TALLEST

if TYPE_CHECKING:
    from ekoes.games.eko.layout import Layout

__all__ = ["NO_CODE", "decode", "encode"]

NO_CODE = -1
"""Stands for an action that no position of the layout can allow; never legal."""


def decode(code: int, layout: Layout) -> Action:
    """Return the action that a code of this layout means. Source of the bits: rules/code.py."""
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
    """Return the code of an action, or NO_CODE if its contents lie outside the layout."""
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
