"""Sets up the first position of a game from options and one seed (E2.4, E2.5, E3, E9).

Draws the random board, the discs and the first player.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from pydantic import Field

from ekoes.errors import LayoutError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Json
from ekoes.games.api.reading import Strict, read_options
from ekoes.games.api.values import rows
from ekoes.games.eko.position.layout import (
    MAX_SPACES,
    MESSAGES,
    Layout,
    PlacedTile,
    check_players,
    large_tiles,
    standard_centres,
)
from ekoes.games.eko.position.position import EkoPosition
from ekoes.games.eko.position.tiles import (
    FLOWER,
    VARIANTS,
    TileSet,
    Variant,
    default_tileset,
)
from ekoes.games.eko.rules.board import Terrain
from ekoes.games.eko.rules.drawing import MOST_CELLS, Drawn, Made, boards_work, draw_free, draw_standard
from ekoes.games.eko.rules.layout import Broken
from ekoes.games.eko.rules.record import (
    DISCS,
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    NO_SPACE,
    NOBODY,
    ORDINARY_DISCS,
    STATE,
    Phase,
    Whereabouts,
)
from ekoes.games.kernels.bits import add_member

if TYPE_CHECKING:
    from collections.abc import Collection


BOARDS = 8
"""How many boards are drawn, at most, until one is playable."""
_PORTAL = Terrain.PORTAL.letter


def random_layout(
    players: int, variants: Collection[str], chance: Chance, tileset: TileSet | None = None
) -> Layout:
    """Draw a playable board; equal seeds draw equal boards. Rule: E2.4, E2.5, E2.8, E9.

    Raises: LayoutError for an unknown variant, or a tile set that gives no playable board.
    """
    tiles = _choose(players, variants, tileset or default_tileset())
    cells, made = tiles.rows()
    stream = np.array([chance.state], np.uint64)
    placed = np.zeros((len(tiles.names), len(Drawn)), np.int64)
    grids, lists, outline = boards_work(len(tiles.names))
    sizes = len(tiles.large), len(tiles.small)
    for _ in range(BOARDS):
        if tiles.fit_standard():
            centres = np.array(standard_centres(players))
            count = draw_standard(cells, made, centres, grids, lists, stream, placed)
        else:
            count = draw_free(cells, made, *sizes, grids, lists, outline, stream, placed)
        chance.state = int(stream[0])
        try:
            return tiles.layout(placed[: abs(count)].tolist())
        except LayoutError as unplayable:
            refusal = unplayable
    raise refusal


@dataclass(frozen=True)
class _Tiles:
    """The tiles of a board to draw: their names, repeated for each copy. letters: of their terrains."""

    players: int
    tileset: TileSet
    letters: Mapping[str, str]
    large: tuple[str, ...]
    small: tuple[str, ...]
    portals: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """All names, in the order of the kernels."""
        return *self.large, *self.small, *self.portals

    def fit_standard(self) -> bool:
        """Return whether the standard board can hold the tiles (E2.4)."""
        return len(self.names) == len(self.large) == len(standard_centres(self.players)) and all(
            self.tileset.tiles[name].cells == FLOWER for name in self.large
        )

    def rows(self) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Return the arguments ``cells`` and ``made`` of the kernels."""
        cells = np.zeros((len(self.names), MOST_CELLS, 3), np.int64)
        made = np.zeros((len(self.names), len(Made)), np.int64)
        for number, name in enumerate(self.names):
            tile = self.tileset.tiles[name]
            terrains = map(Terrain.from_letter, self.letters[name])
            for cell, (at, terrain) in enumerate(zip(tile.cells, terrains, strict=True)):
                cells[number, cell] = *at, terrain
            made[number, [Made.COUNT, Made.OPEN]] = len(tile.cells), tile.open
        return cells, made

    def layout(self, placed: list[list[int]]) -> Layout:
        """Return a board of placed tiles. Raises LayoutError unless it is playable."""
        if len(placed) < len(self.names):
            raise LayoutError("no place is left for the portals", rule="E2.8", key="tileset")
        tiles = [PlacedTile(self.names[tile], q, r, rot) for tile, q, r, rot in placed]
        return Layout(self.players, tiles, self.tileset)


def _choose(players: int, variants: Collection[str], tileset: TileSet) -> _Tiles:
    """Choose the tiles for the variants. Raises LayoutError if they allow no playable board."""
    check_players(players)
    unknown = sorted(set(variants) - set(VARIANTS))
    added = [
        name
        for variant in (*unknown, *VARIANTS)
        if variant in variants
        for name in tileset.variant_tiles(variant, players)
    ]
    letters = large_tiles(players, tileset, added)
    large = tuple(letters)
    small = [name for name in added if not tileset.tiles[name].is_large]
    letters |= {name: tileset.tiles[name].terrain or "" for name in small}
    spaces = sum(len(letters[name]) for name in (*large, *small))
    if spaces > MAX_SPACES:  # the grid of the kernels has no room for them
        raise LayoutError(MESSAGES[Broken.SIZE].format(values=(spaces, MAX_SPACES)), rule="E2.8", key="tiles")
    portals = [name for name in small if tileset.tiles[name].terrain == _PORTAL]
    if len(portals) != 2:  # the other one is part of a larger tile
        portals = []
    others = [name for name in small if name not in portals]
    return _Tiles(players, tileset, letters, large, tuple(others), tuple(portals))


class EkoOptions(Strict):
    """The options of a game of Ekö.

    players: 2 to 4 (E1.1). variants: any of VARIANTS (E10). setup: standard (E3.1) or draft (E3.4). layout:
    placed tiles ``[tile, q, r, rot]``; by default a random board (E2.5). tileset: the content of a tile file;
    by default the project's own box (E2.8).
    """

    players: Annotated[int, Field(ge=FEWEST_PLAYERS, le=MOST_PLAYERS)] = FEWEST_PLAYERS
    variants: Annotated[frozenset[Variant], Field(strict=False)] = frozenset()
    setup: Literal["standard", "draft"] = "standard"
    layout: list[Any] | None = None
    tileset: Json | None = None


def set_up(options: Mapping[str, Any], seed: int) -> EkoPosition:
    """Return the first position. Raises PositionError or LayoutError. Rule: E3.1-E3.4."""
    wanted = read_options(EkoOptions, options)
    chance = Chance(seed)
    tileset = None if wanted.tileset is None else TileSet.from_json(wanted.tileset)
    if wanted.layout is None:
        layout = random_layout(wanted.players, wanted.variants, chance, tileset)
    else:
        layout = Layout(wanted.players, wanted.layout, tileset)
    first = chance.below(layout.players)
    return draft(layout, first) if wanted.setup == "draft" else deal(layout, first, chance)


def draft(layout: Layout, first: int) -> EkoPosition:
    """Return an empty board before the first disc is placed. Rule: E3.4."""
    states = _first_states(layout, first, Phase.PLACE)
    states["unplaced"][0, : layout.players] = ORDINARY_DISCS
    states["whereabouts"][0, : layout.players] = Whereabouts.UNPLACED
    return EkoPosition(layout, states)


def deal(layout: Layout, first: int, chance: Chance) -> EkoPosition:
    """Return a board with all discs at random places. Rule: E3.1."""
    states = _first_states(layout, first, Phase.SWAP)
    state = rows(states)
    sand = [space for space, terrain in enumerate(layout.terrain) if terrain is Terrain.SAND]
    chance.shuffle(sand)
    for place, space in enumerate(sand):
        player, disc = divmod(place, DISCS)
        stand_stack(state, player, space, 1, emperor=disc == 0)
    return EkoPosition(layout, states)


def _first_states(layout: Layout, first: int, phase: Phase) -> np.ndarray[Any, Any]:
    states = blank_states(layout.players)
    states["first"] = states["player"] = first
    states["phase"] = phase
    return states


def blank_states(players: int) -> np.ndarray[Any, Any]:
    """Return STATE[1] with an empty board and no Emperor anywhere."""
    states = np.zeros(1, STATE)
    states["emperor"] = NO_SPACE
    states["captor"] = NOBODY
    states["chooser"] = NOBODY
    states["whereabouts"] = Whereabouts.UNPLACED
    states["whereabouts"][0, :players] = Whereabouts.RESERVE
    return states


def stand_stack(state: SimpleNamespace, player: int, space: int, height: int, *, emperor: bool) -> None:
    """Put a stack on an empty space. state: the rows of a state under construction."""
    add_member(state.own, player, space)
    add_member(state.tall, height, space)
    state.height[space] = height
    if emperor:
        state.emperor[player] = space
        state.whereabouts[player] = Whereabouts.BOARD
