"""Draw a random playable board for any choice of players and variants (E2.4, E2.5, E9).

Without small tiles it is the standard board. With them the tiles grow into a compact board, then
the large ones are dealt to their places and turned, then the portals are put far apart.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from ekoes.errors import LayoutError
from ekoes.games.eko.action import Space
from ekoes.games.eko.geometry import DIRECTIONS, TURNS, distance
from ekoes.games.eko.layout import (
    Layout,
    PlacedTile,
    check_counts,
    check_players,
    check_size,
    standard_centres,
)
from ekoes.games.eko.outline import grow
from ekoes.games.eko.tiles import FLOWER, VARIANTS, Terrain, TileSet, default_tileset

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from ekoes.games.chance import Chance
    from ekoes.games.eko.outline import Outline

__all__ = ["random_layout"]

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
    """The tiles that a board is drawn of: their names, a name once for each copy."""

    players: int
    tileset: TileSet
    large: tuple[str, ...]
    small: tuple[str, ...]
    portals: tuple[str, ...]

    def fit_standard(self) -> bool:
        """Whether the standard board takes them (E2.4)."""
        return (
            not self.small
            and not self.portals
            and len(self.large) == len(standard_centres(self.players))
            and all(self.tileset.tiles[name].cells == FLOWER for name in self.large)
        )


def _choose(players: int, variants: Collection[str], tileset: TileSet) -> _Tiles:
    """Choose the tiles for the variants. Raises LayoutError if no board of them can be playable."""
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
    check_counts(players, Counter(map(Terrain.from_letter, letters)))
    check_size(len(letters))
    portals = [name for name in small if tileset.tiles[name].terrain == _PORTAL]
    others = [name for name in small if name not in portals]
    return _Tiles(players, tileset, tuple(large), tuple(others), tuple(portals))


def _redraw(times: int, draw: Callable[[], Layout]) -> Layout:
    """Draw until a board is playable. Raises the last LayoutError if none is."""
    for _ in range(times):
        try:
            return draw()
        except LayoutError as unplayable:
            refusal = unplayable
    raise refusal


def _draw_standard(tiles: _Tiles, chance: Chance) -> Layout:
    """Shuffle the large tiles over the standard centres, each turned at random. Rule: E2.5."""
    names = list(tiles.large)
    chance.shuffle(names)
    centres = standard_centres(tiles.players)
    placed = [PlacedTile(name, *at, chance.below(TURNS)) for name, at in zip(names, centres, strict=True)]
    return Layout(tiles.players, placed, tiles.tileset)


def _draw_free(tiles: _Tiles, chance: Chance) -> Layout:
    """Grow an outline, deal the large tiles to it, then put the portals. Rule: E9."""
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
    """Deal the large tiles anew among places of equal shape, turning those that look alike turned."""
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
    """Put the portals far from each other, each with its open side to a way (E10.1)."""
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
    """Return free spaces in the notches of the board, each with a direction that faces a way.

    Sand is faced rather than a tempest; the back leans against another space where that can be.
    """
    places = []
    for q, r in outline.notches():
        ways = {
            direction: layout.terrain[front]
            for direction, (dq, dr) in enumerate(DIRECTIONS)
            if (front := layout.index.get(Space(q + dq, r + dr))) is not None
            and layout.terrain[front].is_walkable
        }
        directions = [way for way in ways if ways[way] is Terrain.SAND] or list(ways)
        if directions:
            places.append((Space(q, r), chance.choice(directions)))
    return places
