"""Hexagonal geometry, and the box: tiles and tile sets (E1.4, E1.5, E2, E9)."""

from __future__ import annotations

import tomllib
from functools import cache, cached_property
from importlib.resources import files
from itertools import combinations
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr, ValidationError, model_validator

from ekoes.errors import LayoutError
from ekoes.games.api.contract import Json
from ekoes.games.api.reading import error_key, error_text
from ekoes.games.eko.rules.board import DIRECTIONS, LETTERS, Terrain
from ekoes.games.eko.rules.drawing import MOST_CELLS
from ekoes.games.eko.rules.layout import MOST_CHOICES, MOST_TILES, Kind
from ekoes.games.eko.rules.record import FEWEST_PLAYERS, MOST_PLAYERS
from ekoes.games.eko.rules.signs import Sign

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable


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
Letters = Annotated[StrictStr, Field(pattern=rf"^[{LETTERS}]{{1,{MOST_CELLS}}}$")]
Coordinate = Annotated[StrictInt, Field(ge=-9, le=9)]
Cell = tuple[Coordinate, Coordinate]


class Tile(BaseModel):
    """One tile of the box; the keys are explained at the top of ``tiles.toml``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    terrain: Letters | None = None
    cells: Annotated[tuple[Cell, ...], Field(min_length=1, max_length=MOST_CELLS)] = FLOWER
    group: Name | None = None
    replaces: Annotated[tuple[tuple[Name, Letters], ...], Field(max_length=MOST_CHOICES)] = ()
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


class TileSet(BaseModel):  # noqa: PLW1641 - it has dictionaries
    """A box: its groups of large tiles and all its tiles by name. Compares by content."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    groups: Annotated[
        dict[Name, Annotated[StrictInt, Field(ge=FEWEST_PLAYERS, le=MOST_PLAYERS)]],
        Field(min_length=1, max_length=99),
    ]
    tiles: Annotated[dict[Name, Tile], Field(min_length=1, max_length=MOST_TILES)]

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

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TileSet) and (self.groups, self.tiles) == (other.groups, other.tiles)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each tile for the kernels: by name, ascending."""
        return {name: number for number, name in enumerate(sorted(self.tiles))}

    @cached_property
    def rows(self) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """The arguments ``kinds``, ``shapes`` and ``choices`` of ``lay_tiles``."""
        kinds = np.zeros((len(self.tiles), len(Kind)), np.int64)
        shapes = np.zeros((len(self.tiles), MOST_CELLS, 3), np.int64)
        choices: list[list[int]] = []
        for name, number in self.numbers.items():
            tile = self.tiles[name]
            cells = len(tile.cells)
            values = {
                Kind.CELLS: cells,
                Kind.OPEN: tile.open,
                Kind.COPIES: tile.copies,
                Kind.PLAYERS: 0 if tile.group is None else self.groups[tile.group],
                Kind.SIGN: Sign.NONE if tile.sign is None else Sign[tile.sign.upper()],
                Kind.FIRST: len(choices),
                Kind.CHOICES: len(tile.replaces),
            }
            kinds[number] = [values[column] for column in Kind]
            shapes[number, :cells, :2] = tile.cells
            shapes[number, :cells, 2] = _terrains(tile.terrain or "." * cells)
            for replaced, letters in tile.replaces:
                row = [self.numbers[replaced], *_terrains(letters)]
                choices.append(row + [0] * (1 + MOST_CELLS - len(row)))
        return kinds, shapes, np.array(choices, np.int64).reshape(-1, 1 + MOST_CELLS)

    @model_validator(mode="after")
    def _check(self) -> TileSet:
        for name, tile in self.tiles.items():
            if tile.group is not None and tile.group not in self.groups:
                raise ValueError(f"tiles.{name}.group: there is no group {tile.group}")
            for replaced, _ in tile.replaces:
                if replaced not in self.tiles or self.tiles[replaced].group is None:
                    raise ValueError(f"tiles.{name}.replaces: {replaced} is not a tile of a group")
        return self


def _terrains(letters: str) -> list[int]:
    return [Terrain.from_letter(letter) for letter in letters]


@cache
def default_tileset() -> TileSet:
    """Return the project's own box, from ``tiles.toml`` (E2.3, E9)."""
    return TileSet.from_json(_BOX, key="tiles.toml")
