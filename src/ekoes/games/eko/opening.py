"""How a game record writes the beginning of a game of Ekö: as tags that people can read.

``Tiles`` lists the placed tiles as ``tile,q,r,rot`` (E2.2), ``Discs0`` … the discs that the set-up
placed (E3.1), the Emperor's with an ``E`` behind; ``First`` is the first player. Without ``Tiles`` the
whole beginning is dealt from ``Players``, ``Variants``, ``Setup`` and ``Seed`` (E3.2). A game that
begins anywhere else, or with a custom tile set, has it in ``Position`` as JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from ekoes.errors import EkoesError, NotationError
from ekoes.games.contract import Json
from ekoes.games.eko.action import Space
from ekoes.games.eko.game import EKO
from ekoes.games.eko.layout import Layout
from ekoes.games.eko.names import Names
from ekoes.games.eko.position import EkoPosition
from ekoes.games.eko.rules.record import MOST_PLAYERS, ORDINARY_DISCS
from ekoes.games.tags import json_tag, whole_tag

__all__ = ["OPENING_TAGS", "opening_from_tags", "opening_tags"]

OPENING_TAGS = (
    "Players",
    "Variants",
    "Setup",
    "Tiles",
    "First",
    *(f"Discs{seat}" for seat in range(MOST_PLAYERS)),
    "Position",
)
_TILE = re.compile(r"([^\s,]+),(-?[0-9]{1,4}),(-?[0-9]{1,4}),([0-5])", re.ASCII)


def opening_tags(position: EkoPosition) -> dict[str, str]:
    """Write the first position of a game as tags."""
    value = position.to_json()
    if "tileset" not in value and value["turn"]["number"] == 0:
        tags = _set_up_tags(value, position.layout.names)
        if _set_up(tags) == value:
            return tags
    return {"Position": json.dumps(value, separators=(",", ":"))}


def opening_from_tags(tags: Mapping[str, str]) -> EkoPosition:
    """Read the first position of a game from its tags, the inverse of ``opening_tags``.

    Raises NotationError, LayoutError or PositionError that names the tag or the key at fault.
    """
    if "Position" in tags:
        return EKO.from_json(json_tag(tags, "Position"))
    if "Tiles" in tags:
        value = _set_up(tags)
        try:
            return EKO.from_json(value)
        except EkoesError as error:
            raise NotationError(str(error), key=_tag_of(error.key or "")) from error
    return EKO.new(
        {
            "players": _whole(tags, "Players"),
            "variants": tags.get("Variants", "").split(),
            "setup": tags.get("Setup", "standard"),
        },
        _whole(tags, "Seed"),
    )


def _set_up_tags(value: Json, names: Names) -> dict[str, str]:
    """Write the JSON of a position in the set-up as tags."""
    tags = {"Players": str(value["players"])}
    tags["Setup"] = "draft" if value["turn"]["phase"] == "place" else "standard"
    tags["Tiles"] = " ".join(",".join(map(str, tile)) for tile in value["tiles"])
    for seat in range(value["players"]):
        discs = [
            names.write(Space.parse(space)) + "E" * stack["emperor"]
            for space, stack in value["stacks"].items()
            if stack["owner"] == seat
        ]
        if discs:
            tags[f"Discs{seat}"] = " ".join(discs)
    tags["First"] = str(value["turn"].get("first", 0))
    return tags


def _set_up(tags: Mapping[str, str]) -> Json:
    """Return the JSON of the position in the set-up that the tags tell of."""
    players = _whole(tags, "Players")
    first = _whole(tags, "First") if "First" in tags else 0
    is_draft = tags.get("Setup", "standard") == "draft"
    tiles = _tiles(tags["Tiles"])
    names = _names(players, tiles)
    stacks: Json = {}
    for seat in range(players):
        for word in tags.get(f"Discs{seat}", "").split():
            space = str(names.read(word.removesuffix("E"), f"Discs{seat}"))
            if space in stacks:
                raise NotationError(f"two discs stand on {word.removesuffix('E')}", key=f"Discs{seat}")
            stacks[space] = {"owner": seat, "height": 1, "emperor": word.endswith("E")}
    value: Json = {"game": "eko", "version": 1, "players": players, "tiles": tiles}
    value |= {"stacks": stacks, "buildings": {}}
    value["reserve"] = [{"discs": 0, "emperor": False} for _ in range(players)]
    value |= {"removed": [0] * players, "captives": [[] for _ in range(players)]}
    if is_draft:
        value["unplaced"] = [{"discs": ORDINARY_DISCS, "emperor": True} for _ in range(players)]
    value["turn"] = {"number": 0, "player": first, "phase": "place" if is_draft else "swap"}
    if first:
        value["turn"]["first"] = first
    return value


def _names(players: int, tiles: list[list[Any]]) -> Names:
    """Return the names of the spaces of a board. Raises NotationError naming the tag."""
    try:
        return Layout(players, tiles).names
    except EkoesError as error:
        raise NotationError(str(error), key=_tag_of(error.key or "")) from error


def _tag_of(key: str) -> str:
    """Return the tag that holds what stands under a key of the JSON."""
    tags = {"players": "Players", "stacks": "Discs0", "turn": "First"}
    return next((tag for start, tag in tags.items() if key.startswith(start)), "Tiles")


def _tiles(text: str) -> list[list[Any]]:
    tiles = []
    for word in text.split():
        match = _TILE.fullmatch(word)
        if match is None:
            raise NotationError(
                f"a placed tile is written A,2,1,3, not {word!r:.40}", rule="E2.2", key="Tiles"
            )
        tiles.append([match[1], int(match[2]), int(match[3]), int(match[4])])
    return tiles


def _whole(tags: Mapping[str, str], name: str) -> int:
    number = whole_tag(tags, name)
    if name != "Seed" and not 0 <= number <= 4:
        raise NotationError(f"must be from 0 to 4, not {number}", key=name)
    return number
