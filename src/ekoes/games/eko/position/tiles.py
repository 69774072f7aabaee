"""Hexagonal geometry, and the box: tiles and tile sets (E1.4, E1.5, E2, E9)."""

from __future__ import annotations

import tomllib
from functools import cache, cached_property
from importlib.resources import files
from itertools import combinations
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr, ValidationError, model_validator

from ekoes.errors import LayoutError
from ekoes.games.api.contract import Json
from ekoes.games.api.reading import error_key, error_text
from ekoes.games.eko.rules.board import DIRECTIONS, LETTERS
from ekoes.games.eko.rules.record import FEWEST_PLAYERS, MOST_PLAYERS
from ekoes.games.eko.rules.signs import Sign

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping


Offset = tuple[int, int]

TURNS = len(DIRECTIONS)
"""Turns of 60° in a full circle."""

Node = TypeVar("Node", bound="Hashable")


def turned(offset: Offset, rot: int) -> Offset:
    """Turn an offset counter-clockwise by ``rot`` steps of 60°. Rule: E2.2."""
    q, r = offset
    for _ in range(rot % TURNS):
        q, r = q + r, -q
    return q, r


def distance(one: Offset, other: Offset) -> int:
    """Return the distance in steps between two spaces, on an unlimited board."""
    q, r = one[0] - other[0], one[1] - other[1]
    return max(abs(q), abs(r), abs(q + r))


def connected_groups(nodes: Iterable[Node], neighbours: Callable[[Node], Iterable[Node]]) -> list[list[Node]]:
    """Split nodes into their connected groups, each in the order of ``nodes``.

    neighbours: the neighbours of a node; those that are not in ``nodes`` are ignored.
    """
    order = {node: place for place, node in enumerate(nodes)}
    groups: list[list[Node]] = []
    seen: set[Node] = set()
    for start in order:
        if start in seen:
            continue
        seen.add(start)
        group = [start]
        for node in group:
            fresh = [other for other in neighbours(node) if other in order and other not in seen]
            seen.update(fresh)
            group.extend(dict.fromkeys(fresh))
        groups.append(sorted(group, key=order.__getitem__))
    return groups


_BOX = tomllib.loads(files("ekoes.games.eko").joinpath("tiles.toml").read_text("utf-8"))
VARIANTS: tuple[str, ...] = tuple(_BOX.pop("variants"))
if TYPE_CHECKING:
    Variant = str
    SignWord = str
else:
    Variant = Literal[VARIANTS]
    SignWord = Literal[tuple(sign.word for sign in Sign if sign is not Sign.NONE)]


FLOWER = ((0, 0), *DIRECTIONS)
_SPACES_OF_A_SIGN = 3
_PLAYER_COUNTS = MOST_PLAYERS - FEWEST_PLAYERS + 1

Name = Annotated[StrictStr, Field(pattern=r"^[A-Za-z0-9]{1,8}$")]
Letters = Annotated[StrictStr, Field(pattern=rf"^[{LETTERS}]{{1,19}}$")]
Coordinate = Annotated[StrictInt, Field(ge=-9, le=9)]
Cell = tuple[Coordinate, Coordinate]
Oriented = tuple[tuple[int, int], ...]


class Tile(BaseModel):
    """One tile of the box; the keys are explained at the top of ``tiles.toml``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    terrain: Letters | None = None
    cells: Annotated[tuple[Cell, ...], Field(min_length=1, max_length=19)] = FLOWER
    group: Name | None = None
    replaces: Annotated[tuple[tuple[Name, Letters], ...], Field(max_length=19)] = ()
    copies: Annotated[StrictInt, Field(ge=1, le=99)] = 1
    variant: Variant | None = None
    dealt: (
        Annotated[
            tuple[Annotated[StrictInt, Field(ge=0, le=99)], ...],
            Field(min_length=_PLAYER_COUNTS, max_length=_PLAYER_COUNTS),
        ]
        | None
    ) = None
    sign: SignWord | None = None
    open: Annotated[StrictInt, Field(ge=0, le=5)] = 0

    @property
    def is_large(self) -> bool:
        """Whether it is one of the large tiles, or stands in for one (E2.8)."""
        return self.group is not None or bool(self.replaces)

    @cached_property
    def turns(self) -> tuple[Oriented, ...]:
        """Offsets of the cells for each of the six rotations (E2.2)."""
        return tuple(tuple(turned(cell, rot) for cell in self.cells) for rot in range(TURNS))

    @cached_property
    def distinct_turns(self) -> tuple[int, ...]:
        """The rotations with distinct shapes, ignoring translation; one for a large tile."""
        shapes: dict[frozenset[tuple[int, int]], int] = {}
        for rot, turn in enumerate(self.turns):
            q, r = min(turn)
            shapes.setdefault(frozenset((a - q, b - r) for a, b in turn), rot)
        return tuple(shapes.values())

    @property
    def is_round(self) -> bool:
        """Whether every rotation covers the same spaces, as for large tiles."""
        return all(set(turn) == set(self.cells) for turn in self.turns)

    def copies_dealt(self, players: int) -> int:
        """Return the number of copies in a random layout for a number of players."""
        return self.copies if self.dealt is None else self.dealt[players - FEWEST_PLAYERS]

    @model_validator(mode="after")
    def _check(self) -> Tile:
        for fault, complaint in self._faults():
            if fault:
                raise ValueError(complaint)
        return self

    def _faults(self) -> Iterable[tuple[bool, str]]:
        """Yield (fault, message) for each check of a tile."""
        terrains = [self.terrain] if self.terrain is not None else []
        terrains += [terrain for _, terrain in self.replaces]
        yield len(set(self.cells)) < len(self.cells), "cells: two cells are the same"
        yield (
            (self.terrain is None) != bool(self.replaces),
            "a tile has either a terrain, or pairs in replaces",
        )
        yield (
            any(len(terrain) != len(self.cells) for terrain in terrains),
            f"terrain: one letter is needed for each of the {len(self.cells)} cells",
        )
        yield (
            self.group is not None and bool(self.replaces),
            "replaces: a tile of a group does not stand in for another one",
        )
        yield self.is_large and self.copies > 1, "copies: large tiles are used once"
        yield self.dealt is not None and max(self.dealt) > self.copies, "dealt: more than copies"
        yield (
            self.sign is not None and not self._carries_sign(terrains),
            "sign: needs three cells that all touch each other, of sand or tempest",
        )

    def _carries_sign(self, terrains: list[str]) -> bool:
        return (
            len(self.cells) == _SPACES_OF_A_SIGN
            and all(distance(one, other) == 1 for one, other in combinations(self.cells, 2))
            and all(letter in ".t" for terrain in terrains for letter in terrain)
        )


class TileSet(BaseModel):
    """A box: its groups of large tiles and all its tiles by name. Compares by content."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    groups: Annotated[
        dict[Name, Annotated[StrictInt, Field(ge=FEWEST_PLAYERS, le=MOST_PLAYERS)]],
        Field(min_length=1, max_length=99),
    ]
    tiles: Annotated[dict[Name, Tile], Field(min_length=1, max_length=199)]

    @classmethod
    def from_json(cls, value: object, key: str = "tileset") -> TileSet:
        """Read the content of a tile file. Raises LayoutError naming the key (E2.3)."""
        if not isinstance(value, dict):
            message = "a tile set is a JSON object with the keys groups and tiles"
            raise LayoutError(message, rule="E2.3", key=key)
        try:
            return cls.model_validate(value)
        except ValidationError as refused:
            first = refused.errors(include_url=False)[0]
            path = error_key((key, *first["loc"]))
            raise LayoutError(error_text(first), rule="E2.3", key=path) from None

    def to_json(self) -> Json:
        """Return the content of a tile file: names ascending, without keys at their default."""
        tiles = sorted(self.tiles.items())
        return {
            "groups": dict(sorted(self.groups.items())),
            "tiles": {name: tile.model_dump(mode="json", exclude_defaults=True) for name, tile in tiles},
        }

    @property
    def is_default(self) -> bool:
        """Whether this is the project's own box, which the JSON of positions omits."""
        return self is default_tileset() or self == default_tileset()

    def variant_tiles(self, variant: str, players: int) -> tuple[str, ...]:
        """Return the tiles that a variant adds, repeated for each copy. Rule: E9, E10.

        Raises: LayoutError for an unknown variant, or one without a tile in this set.
        """
        if variant not in VARIANTS:
            message = f"unknown variant {variant!r:.40}; there are {', '.join(VARIANTS)}"
            raise LayoutError(message, rule="E10", key="variants")
        names = [
            name
            for name, tile in sorted(self.tiles.items())
            if tile.variant == variant
            for _ in range(tile.copies_dealt(players))
        ]
        if not names:
            message = f"this tile set has no tile for the variant {variant}"
            raise LayoutError(message, rule="E10", key="variants")
        return tuple(names)

    def stand_ins(self, used: Iterable[str]) -> dict[str, tuple[str, str]]:
        """Return for each temple tile in use the tile it replaces and its terrain. Rule: E2.8, E9.

        The tile with fewer choices chooses first: the Sand replaces B if the Moon replaces E. Raises:
        LayoutError if two of them would replace the same tile.
        """
        temples = {name: self.tiles[name].replaces for name in used if self.tiles[name].replaces}
        taken: dict[str, tuple[str, str]] = {}
        for name in sorted(temples, key=lambda name: (len(temples[name]), name)):
            gone = {replaced for replaced, _ in taken.values()}
            free = [pair for pair in temples[name] if pair[0] not in gone]
            if not free:
                message = f"no tile is left that tile {name} could stand in for"
                raise LayoutError(message, rule="E2.8", key="tiles")
            taken[name] = free[0]
        return taken

    def large_tiles(self, players: int, stand_ins: Mapping[str, tuple[str, str]]) -> set[str]:
        """Return the large tiles that a layout needs, each exactly once. Rule: E1.4, E2.8.

        Raises: LayoutError if a temple tile replaces a tile that is not in play.
        """
        needed = {
            name
            for name, tile in self.tiles.items()
            if tile.group is not None and self.groups[tile.group] <= players
        }
        for name, (replaced, _) in stand_ins.items():
            if replaced not in needed:
                message = f"tile {name} stands in for tile {replaced}, which is not in play"
                raise LayoutError(message, rule="E2.8", key="tiles")
            needed.remove(replaced)
            needed.add(name)
        return needed

    def letters(self, name: str, stand_ins: Mapping[str, tuple[str, str]]) -> str:
        """Return the terrain letters of a tile's cells; for a temple tile, as in the tile it replaces."""
        return self.tiles[name].terrain or stand_ins[name][1]

    @model_validator(mode="after")
    def _check(self) -> TileSet:
        for name, tile in self.tiles.items():
            if tile.group is not None and tile.group not in self.groups:
                message = f"tiles.{name}.group: there is no group {tile.group}"
                raise ValueError(message)
            for replaced, _ in tile.replaces:
                if replaced not in self.tiles or self.tiles[replaced].group is None:
                    message = f"tiles.{name}.replaces: {replaced} is not a tile of a group"
                    raise ValueError(message)
        return self


@cache
def default_tileset() -> TileSet:
    """Return the project's own box, from ``tiles.toml`` (E2.3, E9)."""
    return TileSet.from_json(_BOX, key="tiles.toml")
