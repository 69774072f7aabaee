"""What a page makes of the choices of Ekö that a table sends: actions in the interchange form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ekoes.games.eko.position.action import BUILDINGS
from ekoes.games.kernels.bits import members

Json = dict[str, Any]

_MOVES = frozenset({"move", "regroup", "attack", "kamikaze", "perish"})
_BUILDINGS = frozenset({"build", "upgrade", "replace"})
_COST = {**dict.fromkeys(_BUILDINGS, 3), "moon": 1, "sandtemple": 1, "march": 0}
"""The column with the number of discs spent."""


def offered(choices: Mapping[str, Any], spaces: Sequence[str]) -> Iterator[Json]:
    """Yield each action of a seat's choices, with its ``effect`` and any ``cost``.

    spaces: the names of the board's spaces, in its order. Stacks in ``more`` have further actions, which
    their ways have.
    """
    for effect, rows in choices.items():
        for row in () if effect == "more" else rows:
            cost = {"cost": row[_COST[effect]]} if effect in _COST else {}
            for action in _actions(effect, row, spaces):
                yield {"action": action, "effect": effect, **cost}


def _actions(effect: str, row: Sequence[Any], spaces: Sequence[str]) -> Iterator[Json]:
    """Yield the actions of a row."""
    emperor = {"emperor": True} if row and row[-1] is True else {}
    if effect in _MOVES:
        source, targets, *more = row
        rest: Json = {"zones": [spaces[zone] for zone in more[0]]} if more and more[0] else {}
        rest |= {"emperor_lost": True} if emperor else {}
        common = {"type": "move", "from": spaces[source]}
        return ({**common, "to": spaces[to], **rest} for to in members_of(targets))
    if effect in _BUILDINGS:
        kind = BUILDINGS[row[2] - 1].value
        common = {"type": "build", "from": spaces[row[0]]}
        return ({**common, "site": spaces[site], "kind": kind, **emperor} for site in members_of(row[1]))
    if effect == "reinforce":
        rest = {"count": row[1], **emperor}
        return ({"type": effect, "space": spaces[space], **rest} for space in members_of(row[0]))
    if effect == "ransom":
        return ({"type": effect, "captive": seat} for seat in members_of(row[0]))
    if effect in {"march", "end", "keep"}:
        return iter([{"type": "swap" if effect == "keep" else effect}])
    return ({"type": effect, "space": spaces[space], **emperor} for space in members_of(row[0]))


def members_of(text: str) -> Iterator[int]:
    """Yield the members of a set, ascending: the bits of a hexadecimal number."""
    return members((int(text, 16), 0))
