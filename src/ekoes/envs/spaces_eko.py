"""The arrays and integers of Ekö (docs/reference/environment-eko.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import comb
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete

from ekoes.envs.kernels import NONE
from ekoes.envs.kernels_eko import (
    FIRST_PLANE,
    FIRST_SIGN_PLANE,
    MORE_PLANES,
    MORE_SCALARS,
    MOVE,
    PLAYER_PLANES,
    PLAYER_SCALARS,
    STATIC_PLANES,
    code_at,
    number_codes,
    observe,
)
from ekoes.envs.spaces import Observation, Spaces
from ekoes.errors import PositionError
from ekoes.games.eko.game import EKO
from ekoes.games.eko.position.action import Action
from ekoes.games.eko.position.layout import Layout
from ekoes.games.eko.position.position import EkoPosition, decode, encode
from ekoes.games.eko.position.tiles import connected_groups
from ekoes.games.eko.rules.board import Terrain
from ekoes.games.eko.rules.record import LEVELS, MAX_ZONES, TALLEST, Area
from ekoes.games.kernels.bits import members

_LAYOUTS = 256


class EkoSpaces(Spaces[EkoPosition, Action]):
    """The arrays and integers of Ekö. options: of ``EkoOptions``, and ``turn_limit`` (E11.5).

    Raises: PositionError or LayoutError naming the key.

    spaces: the number of spaces. zones: the most tempest zones that a board of these options can have.
    turn_limit: turns after which a game is cut off.
    """

    game = EKO

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.options = dict(options)
        limit = self.options.pop("turn_limit", EKO.table_ends.longest)
        if type(limit) is not int or limit < 1:
            raise PositionError("must be a whole number above 0", rule="E11.5", key="turn_limit")
        self.turn_limit = limit
        layout = self.new(0).layout
        self.players, self.spaces = layout.players, len(layout.spaces)
        tiles: dict[int, list[int]] = {}
        for space, terrain in enumerate(layout.terrain):
            if terrain is Terrain.TEMPEST:
                tiles.setdefault(layout.tile_of[space], []).append(space)
        zones = (connected_groups(tile, layout.neighbours.__getitem__) for tile in tiles.values())
        self.zones = min(sum(map(len, zones)), MAX_ZONES)
        losses = 2 * sum(comb(self.zones, size) for size in range(TALLEST + 1)) if self.zones else 0
        self.actions = Discrete(FIRST_PLANE + (MOVE + self.spaces) * self.spaces + losses)
        planes = PLAYER_PLANES * self.players + MORE_PLANES + STATIC_PLANES
        numbers = PLAYER_SCALARS * self.players + MORE_SCALARS
        self.observation = Dict(
            {
                "board": Box(-128, 127, (planes, self.spaces), np.int8),
                "scalars": Box(0, 2**31 - 1, (numbers,), np.int32),
            }
        )

    def is_cut_off(self, position: EkoPosition) -> bool:
        """Return whether a game goes on beyond the turn limit (E11.5)."""
        return bool(position.actors()) and position.turn_number > self.turn_limit

    def _fits(self, position: EkoPosition) -> bool:
        """Return whether players, spaces and tempest zones are as many as here."""
        layout = position.layout
        size = (layout.players, len(layout.spaces))
        return size == (self.players, self.spaces) and len(layout.zones) <= self.zones

    def observe(self, position: EkoPosition, seat: int, chosen: int = NONE) -> Observation:
        """Return ``board``, int8[planes, spaces], and ``scalars``, int32[…]."""
        seen = self.arrays()
        layout = position.layout
        planes = static_planes(layout)
        observe(layout.record, position.states, seat, planes, chosen, seen["board"], seen["scalars"])
        return seen

    def number(self, position: EkoPosition, chosen: int = NONE) -> np.ndarray[Any, Any]:
        """Return the integer of each of ``position.codes``."""
        layout, seats = position.layout, position.actors()
        numbers = np.empty(len(position.codes), np.int64)
        if seats:
            planes = static_planes(layout)
            number_codes(layout.record, position.codes, seats[0], planes, self.zones, chosen, numbers)
        return numbers

    def named(self, position: EkoPosition, integer: int) -> Action | None:
        """Return the action of an integer, of a move without what it loses."""
        layout = position.layout
        code = int(code_at(layout.record, integer, position.actors()[0], static_planes(layout)))
        return None if code == NONE else decode(code, layout)

    def code(self, position: EkoPosition, action: Action) -> int:
        """Return the code of an action."""
        return encode(action, position.layout)


@lru_cache(_LAYOUTS)
def static_planes(layout: Layout) -> np.ndarray[Any, np.dtype[np.int8]]:
    """Return what never changes on a board, int8[STATIC_PLANES, spaces], read-only.

    0, 1: q and r (E2.1), the middle of the board near 0; 2: sand; 3: tempest; 4: the level of the highest
    building that the space can carry; 5: capital; 6, 7, 8: temple of the moon, of the sand, of the wind;
    9: in front of a portal; from FIRST_SIGN_PLANE on: around a sign of each kind.
    """
    planes = np.zeros((STATIC_PLANES, len(layout.spaces)), np.int8)
    places = np.array(layout.spaces).T
    planes[:2] = places - ((places.min(axis=1) + places.max(axis=1)) // 2)[:, None]
    record = layout.record[0]
    areas = (Area.SAND, Area.TEMPEST, None, Area.CAPITALS, Area.MOON, Area.SANDTEMPLE, Area.WIND)
    for plane, area in enumerate(areas, 2):
        if area is not None:
            planes[plane, _members(record["sets"][area])] = 1
    for level in range(1, LEVELS + 1):
        planes[4, _members(record["carries"][level])] = level
    planes[9, list(layout.portal_link or ())] = 1
    for plane, found in enumerate(layout.signs.values(), FIRST_SIGN_PLANE):
        planes[plane, [space for spaces in found for space in spaces]] = 1
    planes.setflags(write=False)
    return planes


def _members(words: Iterable[Any]) -> list[int]:
    return list(members([int(word) for word in words]))


def grid(board: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return an observed board on a grid, for convolutions: int8[planes, rows, columns].

    board: int8[planes, spaces]. Rows are r and columns q, both ascending; outside the board all planes are 0.
    """
    q, r = (plane - plane.min() for plane in board[-STATIC_PLANES:][:2])
    out = np.zeros((len(board), r.max() + 1, q.max() + 1), board.dtype)
    out[:, r, q] = board
    return out
