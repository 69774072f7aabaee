"""Actions as the codes that the kernels read, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ekoes.games.eko.action import (
    Action,
    Build,
    End,
    Kind,
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
from ekoes.games.eko.rules.code import Act
from ekoes.games.eko.rules.record import NO_SPACE

if TYPE_CHECKING:
    from ekoes.games.eko.layout import Layout

__all__ = ["NO_CODE", "decode", "encode"]

NO_CODE = -1
"""Stands for an action that no position of the layout can allow; never legal."""

_KINDS = (None, *Kind)
_MOST_AMOUNT = 7
_MOST_ZONES = 4
_MOST_PLAYERS = 4


def decode(code: int, layout: Layout) -> Action:
    """Return the action that a code of this layout means. Source of the bits: rules/code.py."""
    spaces = layout.spaces
    act = code & 15
    target = (code >> 11) & 127
    emperor = bool((code >> 21) & 1)
    amount = (code >> 18) & 7
    if act == Act.MOVE:
        zones = tuple(spaces[(code >> (25 + 7 * index)) & 127] for index in range((code >> 22) & 7))
        return Move(spaces[(code >> 4) & 127], spaces[target], zones, emperor)
    if act == Act.BUILD:
        kind = _KINDS[amount]
        if kind is not None:
            return Build(spaces[(code >> 4) & 127], spaces[target], kind, emperor)
    if act == Act.REINFORCE:
        return Reinforce(spaces[target], amount, emperor)
    if act == Act.MOON:
        return Moon(spaces[target], emperor)
    if act == Act.SANDTEMPLE:
        return SandTemple(spaces[target])
    if act == Act.PLACE:
        return Place(spaces[target], emperor)
    if act == Act.SWAP:
        return Swap(None if target == NO_SPACE else spaces[target])
    if act == Act.RANSOM:
        return Ransom(target)
    return March() if act == Act.MARCH else End()


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
        code = Act.BUILD | (index[action.source] << 4) | (index[action.site] << 11)
        return code | (action.kind.level << 18) | (action.emperor << 21)
    if isinstance(action, Reinforce | Moon | Place | SandTemple):
        return _encode_at_space(action, index)
    if isinstance(action, Ransom):
        return Act.RANSOM | (action.captive << 11) if action.captive < _MOST_PLAYERS else NO_CODE
    if isinstance(action, Swap):
        return Act.SWAP | ((NO_SPACE if action.space is None else index[action.space]) << 11)
    act = Act.MARCH if isinstance(action, March) else Act.END
    return act | (NO_SPACE << 11)


def _encode_move(move: Move, index: dict[Space, int]) -> int:
    if len(move.zones) > _MOST_ZONES:
        return NO_CODE
    code = Act.MOVE | (index[move.source] << 4) | (index[move.target] << 11)
    for place, zone in enumerate(sorted(index[space] for space in move.zones)):
        code |= zone << (25 + 7 * place)
    return code | (len(move.zones) << 22) | (move.emperor_lost << 21)


def _encode_at_space(action: Reinforce | Moon | Place | SandTemple, index: dict[Space, int]) -> int:
    target = index[action.space] << 11
    if isinstance(action, SandTemple):
        return Act.SANDTEMPLE | target
    target |= action.emperor << 21
    if isinstance(action, Reinforce):
        if not 0 < action.count <= _MOST_AMOUNT:
            return NO_CODE
        return Act.REINFORCE | target | (action.count << 18)
    return (Act.MOON if isinstance(action, Moon) else Act.PLACE) | target
