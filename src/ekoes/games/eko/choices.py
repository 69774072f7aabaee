"""What a seat may do, in the few rows that the rules gather it in; and what each decision does.

A page knows no rules: what an action does, costs and which way it goes is told here. Rows stand under
the effect that they have. Spaces are named by their numbers in the order of the board (E2.6), and a
set of them is a hexadecimal number whose bit n is space n; docs/reference/protocol.md has the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ekoes.games.contract import Json
from ekoes.games.eko.action import Action, Build, Move, Swap
from ekoes.games.eko.notation import format_action
from ekoes.games.eko.rules.code import SPACE_BITS, SPACE_MASK, ZONE_COUNT_MASK, ZONE_COUNT_SHIFT, ZONES_SHIFT
from ekoes.games.eko.rules.entry_points import tell_decisions, trace_ways
from ekoes.games.eko.rules.record import NO_SPACE, TALLEST
from ekoes.games.eko.rules.told import COLUMNS, Effect
from ekoes.games.kernels.bits import words_of

if TYPE_CHECKING:
    from ekoes.games.eko.position import EkoPosition

__all__ = ["EFFECTS", "MOST_ROWS", "choices", "describe", "ways"]

MOST_ROWS = 512
"""More than a stack has on any board of the box; what costs the most discs is left out."""
FEW_ROWS = 12
"""What costs discs is told at once where it is no more than this; else by stack, when one is asked for."""

EFFECTS = tuple(effect.name.lower() for effect in Effect)
_ZONES = 5
_WORD = 64
_COUNT_BITS = ZONES_SHIFT - ZONE_COUNT_SHIFT


def choices(position: EkoPosition, seat: int) -> Json:
    """Return what a seat may do: rows by effect; nothing where another one is asked.

    ``more``: the set of stacks that can do more, at the cost of discs (``ways``).
    """
    if (seat,) != position.actors():
        return {}
    rows = _tell(position, NO_SPACE)
    plain_rows = len(rows) - int(np.count_nonzero(rows[:, _ZONES]))
    if len(rows) - plain_rows <= FEW_ROWS:
        return _by_effect(rows)
    stacks = {int(source) for source in rows[plain_rows:, 1]}
    return _by_effect(rows[:plain_rows]) | {"more": f"{sum(1 << stack for stack in stacks):x}"}


def _tell(position: EkoPosition, source: int) -> np.ndarray[Any, Any]:
    """Return rows (rules/told.py): all, or those that cost one stack discs."""
    rows = np.empty((MOST_ROWS, COLUMNS), np.uint64)
    board = position.board
    return rows[: tell_decisions(board.record, position.states, board.work, source, rows)]


def _by_effect(rows: np.ndarray[Any, Any]) -> Json:
    value: Json = {}
    for effect, source, amount, emperor, cost, zones, low, high in rows.tolist():
        word, write = _WRITERS[effect]
        row = write(source, f"{low | (high << _WORD):x}", amount, cost)
        if zones or (emperor and effect <= _LAST_MOVE):
            row.append(_zones(zones))
        if emperor:
            row.append(True)
        value.setdefault(word, []).append(row)
    return value


_LAST_MOVE = int(Effect.PERISH)
_WRITERS: list[tuple[str, Callable[[int, str, int, int], list[Any]]]] = [
    *((word, lambda source, targets, _amount, _cost: [source, targets]) for word in EFFECTS[:5]),
    *((word, lambda source, sites, level, cost: [source, sites, level, cost]) for word in EFFECTS[5:8]),
    ("reinforce", lambda _source, spaces, count, _cost: [spaces, count]),
    ("moon", lambda _source, spaces, _amount, cost: [spaces, cost]),
    ("sandtemple", lambda _source, spaces, _amount, cost: [spaces, cost]),
    ("place", lambda _source, spaces, _amount, _cost: [spaces]),
    ("swap", lambda _source, spaces, _amount, _cost: [spaces]),
    ("keep", lambda _source, _targets, _amount, _cost: []),
    ("march", lambda _source, _targets, _amount, cost: [cost]),
    ("ransom", lambda _source, seats, _amount, _cost: [seats]),
    ("end", lambda _source, _targets, _amount, _cost: []),
]
"""By effect: its word, and how a row of it is written; what is empty or false at its end is left out."""


def _zones(code: int) -> list[int]:
    """Return the first spaces of the zones that a code names, from the bit of their number on."""
    spaces = code >> _COUNT_BITS
    return [spaces >> (SPACE_BITS * place) & SPACE_MASK for place in range(code & ZONE_COUNT_MASK)]


def ways(position: EkoPosition, source: int) -> Json:
    """Tell of the stack on a space, named by its number, which ways it can go. Rule: E5.1, E10.2.

    ``nodes``, the nearest first: space, the number of the node before (-1: none), and the zone that takes
    a disc on entering, by its first space, if one does. ``choices``: what costs it discs.
    """
    nodes = _trace(position, source, NO_SPACE, ())
    return {
        "nodes": [node[:2] if node[2] == NO_SPACE else node for node in nodes],
        "choices": _by_effect(_tell(position, source)),
    }


def _trace(position: EkoPosition, source: int, target: int, zones: Sequence[int]) -> list[list[int]]:
    wanted = np.array([words_of(zones)], np.uint64)
    nodes: list[list[int]] = trace_ways(
        position.board.record, position.states, source, target, wanted
    ).tolist()
    return nodes


def describe(position: EkoPosition, action: Action) -> Json:
    """Describe one legal action for the log.

    Returns: ``notation``, ``effect`` (a key of ``choices``) and, of a move, ``path``: the spaces from its
    source to its target, by a shortest way that meets just its zones (E5.1).
    """
    value: Json = {"notation": format_action(action, position), "effect": _effect(position, action)}
    if isinstance(action, Move):
        value["path"] = _path(position, action)
    return value


def _effect(position: EkoPosition, action: Action) -> str:
    if isinstance(action, Move):
        return _effect_of_move(position, action)
    if isinstance(action, Build):
        owner = position.plain.builder_at(position.layout.index[action.site])
        if owner is None:
            return "build"
        return "upgrade" if owner == position.player else "replace"
    if isinstance(action, Swap) and action.space is None:
        return "keep"
    return action.type


def _effect_of_move(position: EkoPosition, move: Move) -> str:
    state, index = position.plain, position.layout.index
    left = state.height[index[move.source]] - len(move.zones)
    met = 0 if move.target == move.source else state.height[index[move.target]]
    if left == 0:
        return "perish"
    if not met:
        return "move"
    if state.owner_at(index[move.target]) == position.player:
        return "regroup"
    return "kamikaze" if left == 1 and met == TALLEST else "attack"


def _path(position: EkoPosition, move: Move) -> list[str]:
    index, names = position.layout.index, position.board.spaces
    source, target = index[move.source], index[move.target]
    nodes = _trace(position, source, target, [index[zone] for zone in move.zones])
    if nodes[-1][0] != target:
        return [names[source], names[target]]
    return [names[space] for space in _back(nodes)][::-1]


def _back(nodes: Sequence[Sequence[int]]) -> Iterator[int]:
    """Yield the spaces from the last node back to the start."""
    node = len(nodes) - 1
    while node >= 0:
        space, node, _ = nodes[node]
        yield space
