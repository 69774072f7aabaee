"""The board editor: the broken checks of a layout (E2.8) and of a position on it, and the tiles."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from ekoes.errors import EkoesError, LayoutError
from ekoes.games.api.contract import Json
from ekoes.games.api.parts import Examined
from ekoes.games.api.reading import Strict, read_options
from ekoes.games.eko.position.action import BUILDINGS, Space
from ekoes.games.eko.position.layout import MAX_SPACES, Fault, Layout, PlacedTile
from ekoes.games.eko.position.position import VERSION, EkoPosition
from ekoes.games.eko.position.position_reader import position_from_json
from ekoes.games.eko.position.tiles import TileSet, default_tileset
from ekoes.games.eko.presenter import PRESENTER, board_of
from ekoes.games.eko.rules.board import Terrain
from ekoes.games.eko.rules.record import (
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    ORDINARY_DISCS,
    SUPPLY,
    TALLEST,
)


class Draft(Strict):
    """The content of the editor.

    tiles: placed tiles ``[tile, q, r, rot]``. tileset: the content of a tile file; none: the project's own
    box. position: the further keys of a position on this layout.
    """

    players: Annotated[int, Field(ge=FEWEST_PLAYERS, le=MOST_PLAYERS)]
    tiles: Annotated[list[Any], Field(max_length=MAX_SPACES)]
    tileset: Json | None = None
    position: Json | None = None


class EkoEditor:
    """Judges layouts and positions."""

    def examine(self, content: Json) -> Examined:
        """Judge a layout, and a position on it if the layout is playable.

        The answer: ``box`` (the tiles and figures that an editor shows), ``faults`` (``code``, ``message``,
        ``rule``, ``key``, ``tiles`` by number, ``spaces``, ``values``), ``board`` (of a playable layout),
        ``position`` and ``players`` (of a position without faults). Raises LayoutError or PositionError for a
        draft that can't be read.
        """
        draft = read_options(Draft, content)
        tileset = default_tileset() if draft.tileset is None else TileSet.from_json(draft.tileset)
        faults = Layout.faults(draft.players, draft.tiles, tileset) if draft.tiles else [_EMPTY]
        placed = [PlacedTile.from_json(tile) for tile in draft.tiles]
        answer: Json = {
            "box": _box(draft.players, tileset, {tile.tile for tile in placed}),
            "faults": [_fault(fault) for fault in faults],
            "board": None,
            "position": None,
            "players": None,
        }
        if faults:
            return Examined(answer, None)
        answer["board"] = board_of(Layout(draft.players, draft.tiles, tileset))
        position = None if draft.position is None else _read(draft, answer["faults"])
        if position is not None:
            answer |= {"position": position.to_json(), "players": PRESENTER.players(position)}
        return Examined(answer, position)


EDITOR = EkoEditor()
_EMPTY = Fault("empty", "there are no tiles yet")
_PLACE = re.compile(r"(?:stacks|buildings)\.(-?[0-9]+,-?[0-9]+)(?:\.|$)")


def _read(draft: Draft, faults: list[Json]) -> EkoPosition | None:
    """Return the position of a draft; None if it has a fault, which is added."""
    layout = draft.model_dump(exclude={"position"}, exclude_none=True)
    position = {key: value for key, value in (draft.position or {}).items() if key not in Draft.model_fields}
    try:
        return position_from_json({"game": "eko", "version": VERSION, **layout, **position})
    except EkoesError as error:
        place = _PLACE.match(error.key or "")
        spaces = (Space.parse(place[1]),) if place else ()
        faults.append(_fault(Fault("position", error.message, (), spaces, key=error.key, rule=error.rule)))
        return None


def _fault(fault: Fault) -> Json:
    return fault._asdict() | {"spaces": [str(space) for space in fault.spaces], "values": dict(fault.values)}


def _box(players: int, tileset: TileSet, used: set[str]) -> Json:
    """Return the tiles and the figures of the game. used: the tiles of the layout."""
    try:
        stand_ins = tileset.stand_ins(used)
        needed = tileset.large_tiles(players, stand_ins)
    except LayoutError:
        stand_ins, needed = {}, set()
    return {
        "discs": ORDINARY_DISCS,
        "tallest": TALLEST,
        "supply": dict(zip(BUILDINGS, SUPPLY[1:], strict=True)),
        "tiles": [_tile(tileset, name, stand_ins, name in needed) for name in tileset.tiles],
    }


def _tile(tileset: TileSet, name: str, stand_ins: Mapping[str, tuple[str, str]], is_needed: bool) -> Json:  # noqa: FBT001
    """Describe a tile, unturned. Of a temple tile not in use, the terrain of its first choice.

    offered: it is one of the tiles that this number of players may use.
    """
    tile = tileset.tiles[name]
    letters = tile.terrain or stand_ins.get(name, tile.replaces[0] if tile.replaces else ("", ""))[1]
    return {
        "name": name,
        "cells": [
            [q, r, Terrain.from_letter(letter).word]
            for (q, r), letter in zip(tile.cells, letters, strict=True)
        ],
        "copies": tile.copies,
        "offered": tile.group is None or is_needed,
        "variant": tile.variant,
        "sign": tile.sign,
        "open": tile.open,
    }
