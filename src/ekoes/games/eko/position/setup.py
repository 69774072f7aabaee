"""Sets up the first position of a game from options and one seed (E2.4, E2.5, E3, E9).

Draws the random board, the discs and the first player.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from pydantic import Field

from ekoes.errors import LayoutError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Json
from ekoes.games.api.reading import Strict, read_options
from ekoes.games.api.values import rows
from ekoes.games.eko.position.action import Space
from ekoes.games.eko.position.layout import (
    Layout,
    PlacedTile,
    check_players,
    count_faults,
    refuse_first,
    size_faults,
    standard_centres,
)
from ekoes.games.eko.position.position import EkoPosition
from ekoes.games.eko.position.tiles import (
    FLOWER,
    TURNS,
    VARIANTS,
    TileSet,
    Variant,
    default_tileset,
    distance,
)
from ekoes.games.eko.rules.board import DIRECTIONS, Terrain
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
    from collections.abc import Callable, Collection, Iterator, Sequence

    from ekoes.games.eko.position.tiles import Tile


_ROW = 256
_STEPS = tuple(q * _ROW + r for q, r in DIRECTIONS)
_ALL_BUT_ENCLOSED = 5
_WIDE_APART = 5
_ROUND = 726  # scales the second moment of a disc to 100

# Weights in the score of a placement; a tile that touches the board on all sides scores 1000.
_WHIM = 120
_CROWDING = 110
_PIT = 150
_LOOKED_AT = 24


def _number(offset: tuple[int, int]) -> int:
    return offset[0] * _ROW + offset[1]


def _offset(number: int) -> tuple[int, int]:
    q = (number + _ROW // 2) // _ROW
    return q, number - q * _ROW


def _far_out(offset: tuple[int, int]) -> int:
    q, r = offset
    return 11 * (q * q + q * r + r * r)


@dataclass(frozen=True)
class _Laid:
    """A possible placement of one tile: origin and cells as numbers."""

    name: str
    tile: Tile
    origin: int
    rot: int
    cells: tuple[int, ...]

    @property
    def place(self) -> tuple[int, int]:
        return _offset(self.origin)


class Outline:
    """A board under construction: the placed tiles and the taken spaces."""

    def __init__(self) -> None:
        self._laid: list[_Laid] = []
        self._taken: set[int] = set()
        self._border: dict[int, int] = {}
        """For each empty space next to the board, the number of board spaces that it touches."""

    @property
    def placed(self) -> list[tuple[str, int, int, int]]:
        """The placed tiles as (tile, q, r, rot)."""
        return [(laid.name, *laid.place, laid.rot) for laid in self._laid]

    def add(self, name: str, tile: Tile, chance: Chance) -> None:
        """Place a tile where it fits best: much contact, few pits, small tiles far from each other."""
        if not self._laid:
            self._put(_Laid(name, tile, 0, 0, tuple(map(_number, tile.turns[0]))))
            return
        edges = 6 * len(tile.cells) - 2 * sum(distance(*pair) == 1 for pair in combinations(tile.cells, 2))
        small = [laid.place for laid in self._laid if not laid.tile.is_large]
        scored = []
        for laid in self._placements(name, tile):
            touching = sum([self._border.get(cell, 0) for cell in laid.cells])
            score = 1000 * touching // edges + chance.below(_WHIM) - _far_out(laid.place)
            if small and not tile.is_large:
                apart = min(distance(laid.place, other) for other in small)
                score -= _CROWDING * max(0, _WIDE_APART - apart)
            scored.append((score, laid))
        scored.sort(key=lambda pair: (-pair[0], pair[1].origin, pair[1].rot))
        best = max(scored[:_LOOKED_AT], key=lambda pair: pair[0] - _PIT * self._pits(pair[1]))
        self._put(best[1])

    def notches(self) -> list[tuple[int, int]]:
        """Return the empty spaces that touch at least two spaces of the board."""
        return [_offset(space) for space, touching in sorted(self._border.items()) if touching > 1]

    def badness(self) -> int:
        """Return how ragged the board is: long border, pits, elongation, small tiles close together."""
        pits = sum(count >= _ALL_BUT_ENCLOSED for count in self._border.values())
        small = [laid.place for laid in self._laid if not laid.tile.is_large]
        crowding = sum(max(0, _WIDE_APART - distance(*pair)) ** 2 for pair in combinations(small, 2))
        return 10 * len(self._border) + 25 * pits + 6 * crowding + 4 * self._length()

    def _length(self) -> int:
        """Return how elongated the board is: 100 for a round one, 200 for a long one."""
        cells = [_offset(space) for space in self._taken]
        count, all_q, all_r = len(cells), sum(q for q, _ in cells), sum(r for _, r in cells)
        squares = count * sum(q * q + q * r + r * r for q, r in cells)
        about_middle = squares - (all_q * all_q + all_q * all_r + all_r * all_r)
        return _ROUND * about_middle // count**3

    def _placements(self, name: str, tile: Tile) -> Iterator[_Laid]:
        """Yield all placements of a tile on free spaces that touch the board."""
        for rot in tile.distinct_turns:
            offsets = tuple(map(_number, tile.turns[rot]))
            for origin in dict.fromkeys(space - offset for space in self._border for offset in offsets):
                cells = tuple([origin + offset for offset in offsets])
                if self._taken.isdisjoint(cells):
                    yield _Laid(name, tile, origin, rot, cells)

    def _pits(self, laid: _Laid) -> int:
        """Count the empty spaces next to a placement that it would leave almost enclosed."""
        cells = set(laid.cells)
        beside = {cell + step for cell in cells for step in _STEPS} - cells - self._taken
        return sum(
            self._border.get(space, 0) + sum([space + step in cells for step in _STEPS]) >= _ALL_BUT_ENCLOSED
            for space in beside
        )

    def _put(self, laid: _Laid) -> None:
        self._laid.append(laid)
        self._taken.update(laid.cells)
        for cell in laid.cells:
            self._border.pop(cell, None)
        for space in (cell + step for cell in laid.cells for step in _STEPS):
            if space not in self._taken:
                self._border[space] = self._border.get(space, 0) + 1


def grow(large: Sequence[tuple[str, Tile]], small: Sequence[tuple[str, Tile]], chance: Chance) -> Outline:
    """Place all tiles, with the small ones spread evenly between and around the large ones.

    large: at least one.
    """
    large, small = list(large), list(small)
    chance.shuffle(large)
    chance.shuffle(small)
    outline = Outline()
    gaps = max(1, len(large) - 1)
    laid = 0
    for turn, tile in enumerate(large):
        outline.add(*tile, chance)
        due = len(small) if len(large) == 1 else (2 * len(small) * turn + gaps) // (2 * gaps)
        for name, added in small[laid:due]:
            outline.add(name, added, chance)
        laid = due
    return outline


_OUTLINES, _MANY_TILES = 6, 150
_STANDARD_BOARDS, _FREE_BOARDS, _DEALS = 200, 8, 60
_PORTAL = Terrain.PORTAL.letter


def random_layout(
    players: int, variants: Collection[str], chance: Chance, tileset: TileSet | None = None
) -> Layout:
    """Draw a playable board; equal seeds draw equal boards. Rule: E2.4, E2.5, E2.8, E9.

    Raises: LayoutError for an unknown variant, or a tile set that gives no playable board.
    """
    tiles = _choose(players, variants, tileset or default_tileset())
    if tiles.fit_standard():
        return _redraw(_STANDARD_BOARDS, lambda: _draw_standard(tiles, chance))
    return _redraw(_FREE_BOARDS, lambda: _draw_free(tiles, chance))


@dataclass(frozen=True)
class _Tiles:
    """The tiles of a board to draw: their names, repeated for each copy."""

    players: int
    tileset: TileSet
    large: tuple[str, ...]
    small: tuple[str, ...]
    portals: tuple[str, ...]

    def fit_standard(self) -> bool:
        """Return whether the standard board can hold the tiles (E2.4)."""
        return (
            not self.small
            and not self.portals
            and len(self.large) == len(standard_centres(self.players))
            and all(self.tileset.tiles[name].cells == FLOWER for name in self.large)
        )


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
    stand_ins = tileset.stand_ins(added)
    large = sorted(tileset.large_tiles(players, stand_ins))
    small = [name for name in added if not tileset.tiles[name].is_large]
    letters = "".join(tileset.letters(name, stand_ins) for name in (*large, *small))
    refuse_first(count_faults(players, Counter(map(Terrain.from_letter, letters))))
    refuse_first(size_faults(len(letters)))
    portals = [name for name in small if tileset.tiles[name].terrain == _PORTAL]
    others = [name for name in small if name not in portals]
    return _Tiles(players, tileset, tuple(large), tuple(others), tuple(portals))


def _redraw(times: int, draw: Callable[[], Layout]) -> Layout:
    """Draw until a board is playable. Raises the last LayoutError after too many tries."""
    for _ in range(times):
        try:
            return draw()
        except LayoutError as unplayable:
            refusal = unplayable
    raise refusal


def _draw_standard(tiles: _Tiles, chance: Chance) -> Layout:
    """Shuffle the large tiles over the standard centres, each with a random rotation. Rule: E2.5."""
    names = list(tiles.large)
    chance.shuffle(names)
    centres = standard_centres(tiles.players)
    placed = [PlacedTile(name, *at, chance.below(TURNS)) for name, at in zip(names, centres, strict=True)]
    return Layout(tiles.players, placed, tiles.tileset)


def _draw_free(tiles: _Tiles, chance: Chance) -> Layout:
    """Grow an outline, assign the large tiles to it, then place the portals. Rule: E9."""
    box = tiles.tileset.tiles
    large = [(name, box[name]) for name in tiles.large]
    small = [(name, box[name]) for name in tiles.small]
    # A set of very many tiny tiles grows slowly and gets fewer tries.
    tries = min(_OUTLINES, 1 + _MANY_TILES // (len(large) + len(small)))
    outline = min((grow(large, small, chance) for _ in range(tries)), key=lambda one: one.badness())
    layout = _redraw(_DEALS, lambda: _deal(tiles, outline, chance))
    if not tiles.portals:
        return layout
    portals = _place_portals(tiles, layout, outline, chance)
    return Layout(tiles.players, [*layout.tiles, *portals], tiles.tileset)


def _deal(tiles: _Tiles, outline: Outline, chance: Chance) -> Layout:
    """Shuffle the large tiles among places of equal shape, with a new rotation for symmetric tiles."""
    box = tiles.tileset.tiles
    hands: dict[tuple[tuple[int, int], ...], list[str]] = {}
    for name in tiles.large:
        hands.setdefault(box[name].cells, []).append(name)
    for hand in hands.values():
        chance.shuffle(hand)
    placed = []
    for name, q, r, rot in outline.placed:
        tile = box[name]
        dealt = hands[tile.cells].pop() if tile.is_large else name
        turn = chance.below(TURNS) if tile.is_round else rot
        placed.append(PlacedTile(dealt, q, r, turn))
    return Layout(tiles.players, placed, tiles.tileset)


def _place_portals(tiles: _Tiles, layout: Layout, outline: Outline, chance: Chance) -> list[PlacedTile]:
    """Place the portals far from each other, each opening to a walkable space (E10.1)."""
    places = _portal_places(layout, outline, chance)
    choices = list(combinations(places, len(tiles.portals)))
    if not choices:
        raise LayoutError("no place is left for the portals", rule="E2.8", key="tileset")
    scores = [
        chance.below(30) + sum(10 * distance(one, two) for (one, _), (two, _) in combinations(choice, 2))
        for choice in choices
    ]
    best = choices[max(range(len(choices)), key=scores.__getitem__)]
    openings = [tiles.tileset.tiles[name].open for name in tiles.portals]
    return [
        PlacedTile(name, *at, (direction - opening) % TURNS)
        for name, opening, (at, direction) in zip(tiles.portals, openings, best, strict=True)
    ]


def _portal_places(layout: Layout, outline: Outline, chance: Chance) -> list[tuple[Space, int]]:
    """Return free spaces in the notches of the board, each with a direction that faces a walkable space.

    Sand is preferred to a tempest; if possible the back touches another space.
    """
    places = []
    for q, r in outline.notches():
        sides = {
            direction: layout.terrain[front]
            for direction, (dq, dr) in enumerate(DIRECTIONS)
            if (front := layout.index.get(Space(q + dq, r + dr))) is not None
            and layout.terrain[front].is_walkable
        }
        directions = [side for side in sides if sides[side] is Terrain.SAND] or list(sides)
        if directions:
            places.append((Space(q, r), chance.choice(directions)))
    return places


class EkoOptions(Strict):
    """The options of a game of Ekö.

    players: 2 to 4 (E1.1). variants: any of the seven (E10). setup: standard (E3.1) or draft (E3.4). layout:
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
