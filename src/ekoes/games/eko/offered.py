"""The rows of ``choices`` as actions again: what a program at a table does with what it is sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ekoes.games.contract import Json
from ekoes.games.eko.action import BUILDINGS

__all__ = ["members_of", "offered"]

_MOVES = frozenset({"move", "regroup", "attack", "kamikaze", "perish"})
_BUILDINGS = frozenset({"build", "upgrade", "replace"})
_COST = {**dict.fromkeys(_BUILDINGS, 3), "moon": 1, "sandtemple": 1, "march": 0}
"""Where a row says how many discs are spent."""


def offered(choices: Mapping[str, Any], spaces: Sequence[str]) -> Iterator[Json]:
    """Yield each action of a seat's choices in the interchange form, with its ``effect`` and maybe ``cost``.

    spaces: of the board, in its order; so a row's numbers become their names. Of the stacks in ``more``
    there are others, which ``ways`` tells.
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
        return _moves(row, spaces)
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


def _moves(row: Sequence[Any], spaces: Sequence[str]) -> Iterator[Json]:
    source, targets, *more = row
    rest: Json = {"zones": [spaces[zone] for zone in more[0]]} if more and more[0] else {}
    if row[-1] is True:
        rest["emperor_lost"] = True
    return ({"type": "move", "from": spaces[source], "to": spaces[to], **rest} for to in members_of(targets))


def members_of(text: str) -> Iterator[int]:
    """Yield the members of a set, ascending: the bits of a hexadecimal number."""
    number = int(text, 16)
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low
