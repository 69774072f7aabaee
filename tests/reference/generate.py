"""Random layouts and random positions for differential tests.

Two kinds of positions: those that random play reaches from a set-up, and synthetic ones, where
stacks, buildings, reserves, captives and the flags of the turn are drawn at random within what
E1 - E12 allow. Synthetic positions meet in minutes what play meets once in a thousand games.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from tests.reference.board import Board, board_of
from tests.reference.common import Refused
from tests.reference.position import SUPPLY, canonical, check
from tests.reference.tiles import CARRIES, DIRECTIONS, GROUPS, cells_of, replaced_by_temples, turned
from tests.reference.turn import follow, legal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

VARIANTS = ("portals", "labyrinth", "beacon", "moon", "sandtemple", "pyramids", "wind")
PHASES = ("action", "after", "second", "reinforce", "ransom")

Position = dict[str, Any]
Tiles = list[list[Any]]
Cell = tuple[int, int]


# --- layouts ------------------------------------------------------------------------------


def random_variants(rng: Random) -> frozenset[str]:
    """Any combination; none, one and all of them often."""
    count = rng.choice([0, 1, 2, 3, 4, 5, 6, 7, 7])
    return frozenset(rng.sample(VARIANTS, count))


def random_tiles(rng: Random, players: int, variants: frozenset[str]) -> Tiles:
    """A playable layout (E2.8), grown tile by tile wherever there is room."""
    while True:
        tiles = _grow(rng, _tiles_of(rng, players, variants))
        if tiles is None:
            continue
        try:
            board_of({"players": players, "tiles": tiles})
        except Refused:
            continue
        return tiles


def _tiles_of(rng: Random, players: int, variants: frozenset[str]) -> list[str]:
    temples = [tile for tile, word in (("N", "sandtemple"), ("O", "moon")) if word in variants]
    replaced = replaced_by_temples(set(temples)).values()
    large = [tile for tile in GROUPS[players] if tile not in replaced] + temples
    small = []
    if "labyrinth" in variants:
        small += rng.sample(["P", "P", "P", "Q", "Q", "Q"], rng.choice([1, 2, 3, 6]))
    if "beacon" in variants:
        small.append("U")
    if "pyramids" in variants:
        small += ["S"] * rng.choice([1, 2])
    if "wind" in variants:
        small.append("T")
    rng.shuffle(large)
    rng.shuffle(small)
    half = len(large) // 2
    mixed = large[:half] + rng.sample(large[half:] + small, len(large) - half + len(small))
    return mixed + (["R", "R"] if "portals" in variants else [])


def _grow(rng: Random, names: list[str]) -> Tiles | None:
    used = set(names)
    letters: dict[Cell, str] = {}
    tiles: Tiles = []
    for tile in names:
        found = _find_room(rng, tile, used, letters)
        if found is None:
            return None
        placed, cells = found
        tiles.append(placed)
        letters.update(cells)
    return tiles


def _find_room(
    rng: Random, tile: str, used: set[str], letters: dict[Cell, str]
) -> tuple[list[Any], dict[Cell, str]] | None:
    """Out of some random places the one with the most neighbours, so that boards hold together."""
    if not letters:
        placed = [tile, rng.randint(-4, 4), rng.randint(-4, 4), rng.randrange(6)]
        return placed, _cells(placed, used)
    edge = list({_plus(cell, step) for cell in letters for step in DIRECTIONS} - set(letters))
    best, most = None, 0
    wanted_tries = rng.choice([1, 6, 20])
    for tries in range(200):
        if tries >= wanted_tries and best is not None:
            break
        rot, target = rng.randrange(6), rng.choice(sorted(edge))
        offset, _letter = rng.choice(cells_of(tile, used))
        turned_offset = turned(offset, rot)
        placed = [tile, target[0] - turned_offset[0], target[1] - turned_offset[1], rot]
        cells = _cells(placed, used)
        if not letters.keys().isdisjoint(cells):
            continue
        if tile == "R" and letters.get(_plus(target, DIRECTIONS[rot]), "x") not in ".t":
            continue
        touching = sum(
            letters.get(_plus(cell, step), "x") in ".t"
            for cell, letter in cells.items()
            for step in DIRECTIONS
            if letter in ".tP"
        )
        if best is None or touching > most:
            best, most = (placed, cells), touching
    return best


def _cells(placed: list[Any], used: set[str]) -> dict[Cell, str]:
    tile, q, r, rot = placed
    return {_plus((q, r), turned(cell, rot)): letter for cell, letter in cells_of(tile, used)}


def _plus(one: Cell, other: Cell) -> Cell:
    return one[0] + other[0], one[1] + other[1]


def _empty(players: int, tiles: Tiles, turn: dict[str, Any]) -> Position:
    """A position without a disc or a building."""
    return {
        "game": "eko",
        "version": 1,
        "players": players,
        "tiles": tiles,
        "stacks": {},
        "buildings": {},
        "reserve": [{"discs": 0, "emperor": False} for _ in range(players)],
        "removed": [0] * players,
        "captives": [[] for _ in range(players)],
        "turn": turn,
    }


# --- positions reached by play ------------------------------------------------------------


def set_up(rng: Random, players: int, tiles: Tiles, setup: str) -> Position:
    """The first decision of a game: all discs dealt (E3.1), or all still to place (E3.4)."""
    first = rng.randrange(players)
    position = _empty(players, tiles, {"number": 0, "player": first, "first": first, "phase": "swap"})
    if setup == "draft":
        position["turn"]["phase"] = "place"
        position["unplaced"] = [{"discs": 15, "emperor": True} for _ in range(players)]
        return canonical(position)
    board = board_of(position)
    discs = [(player, disc == 0) for player in range(players) for disc in range(16)]
    rng.shuffle(discs)
    sand = [space for space in board.spaces if board.terrain[space] == "sand"]
    for space, (player, emperor) in zip(sand, discs, strict=True):
        position["stacks"][space] = {"owner": player, "height": 1, "emperor": emperor}
    return canonical(position)


def random_game(rng: Random, position: Position, limit: int) -> Iterator[tuple[Position, Any]]:
    """Play on at random: each position with the action taken there, the last one with None.

    First a kind of action is drawn, then one of that kind, so that rare kinds are not drowned
    by the moves.
    """
    for _ in range(limit):
        actions = legal(position)
        if not actions:
            break
        kind = rng.choice(sorted({action["type"] for action in actions}))
        action = rng.choice([action for action in actions if action["type"] == kind])
        yield position, action
        position = follow(position, action)
    yield position, None


# --- synthetic positions ------------------------------------------------------------------


def synthetic(rng: Random, players: int, tiles: Tiles, phase: str | None = None) -> Position:
    """A random position with at least one decision in it."""
    phase = phase or rng.choice(PHASES[:4] if players < len(PHASES) - 1 else PHASES)
    while True:
        position = _draw(rng, players, tiles, phase)
        try:
            check(position)
        except Refused:
            continue
        if legal(position):
            return canonical(position)


def _draw(rng: Random, players: int, tiles: Tiles, phase: str) -> Position:
    turn = {"number": rng.randint(1, 80), "player": rng.randrange(players), "phase": phase}
    position = _empty(players, tiles, turn)
    board = board_of(position)
    _draw_flags(rng, position, board)
    _draw_buildings(rng, position, board)
    _draw_emperors(rng, position)
    _draw_discs(rng, position, board)
    if phase == "reinforce":
        _draw_placed(rng, position)
    return position


def _draw_flags(rng: Random, position: Position, board: Board) -> None:
    turn, terrains = position["turn"], set(board.terrain.values())
    removed = position["removed"]
    for player in range(position["players"]):
        removed[player] = rng.choice([0, 0, 2, 3, 5, 6])
    player, phase = turn["player"], turn["phase"]
    is_odd = rng.random() < 1 / 20  # flags that no game brings about are believed too
    if is_odd or phase == "second" or (phase in ("reinforce", "ransom") and rng.random() < 1 / 2):
        turn["marched"] = True
        removed[player] += 3
    if "sandtemple" in terrains and rng.random() < 1 / 4:
        turn["sandtemple_used"] = True
        removed[player] += 2
    if "moon" in terrains and phase == "reinforce" and rng.random() < 1 / 3:
        turn["moon_used"] = True
        removed[player] += 2
    zones = board.sorted(set(board.zone.values()))
    if (is_odd or phase != "action") and rng.random() < 1 / 2:
        turn["paid"] = [zone for zone in zones if rng.random() < 1 / 2]
    if phase == "ransom":
        turn["resume"] = "reinforce" if turn.get("marched") else "after"


def _draw_buildings(rng: Random, position: Position, board: Board) -> None:
    players, turn = position["players"], position["turn"]
    supply = [dict(SUPPLY) for _ in range(players)]
    density = rng.choice([0.0, 0.2, 0.5, 0.9])
    for space in board.spaces:
        terrain = board.terrain[space]
        is_temple = terrain in ("moon", "sandtemple", "wind")
        if terrain not in CARRIES or rng.random() > max(density, 0.8 * is_temple):
            continue
        owner = turn["player"] if is_temple and rng.random() < 2 / 3 else rng.randrange(players)
        is_needed = turn.get("moon_used") and terrain == "moon"
        if is_needed or (turn.get("sandtemple_used") and terrain == "sandtemple"):
            owner = turn["player"]
        kind = rng.choice(CARRIES[terrain])
        if supply[owner][kind]:
            supply[owner][kind] -= 1
            position["buildings"][space] = {"owner": owner, "kind": kind}


def _draw_emperors(rng: Random, position: Position) -> None:
    """Where each Emperor is: on the board (not noted here), in reserve, or captive."""
    players, turn = position["players"], position["turn"]
    seats = range(players)
    if turn["phase"] == "ransom":
        asked = (turn["player"] + rng.randrange(1, players)) % players
        turn["ransom"] = asked
        others = [seat for seat in seats if seat not in (asked, turn["player"])]
        position["captives"][turn["player"]] = [asked]
        position["captives"][asked] = others
        return
    for seat in seats:
        place = rng.random()
        free = [other for other in seats if other != seat]
        if place < 1 / 4:
            position["reserve"][seat]["emperor"] = True
        elif place < 1 / 2:
            holder = rng.choice(free)
            position["captives"][holder] = sorted([*position["captives"][holder], seat])


def _draw_discs(rng: Random, position: Position, board: Board) -> None:
    walkable = [space for space in board.spaces if board.is_walkable(space)]
    rng.shuffle(walkable)
    if rng.random() < 1 / 4:
        walkable.sort(key=lambda space: rng.random() - (board.terrain[space] == "tempest"))
    free = iter(walkable)
    tall = rng.choice([(1, 1, 1, 2), (1, 2, 3, 4), (3, 4, 4)])
    captive = set(itertools.chain(*position["captives"]))
    piles = []
    for seat in range(position["players"]):
        reserve = position["reserve"][seat]
        left = 15 - position["removed"][seat]
        emperor = seat not in captive and not reserve["emperor"]
        reserve["discs"] = min(left, rng.choice([0, 0, 1, 2, 3, 4, 6, 9, 13, 15]))
        left += emperor - reserve["discs"]
        while left:
            height = min(left, rng.choice(tall))
            piles.append({"owner": seat, "height": height, "emperor": False})
            left -= height
        own = [pile for pile in piles if pile["owner"] == seat]
        if own and emperor:
            rng.choice(own)["emperor"] = True
    rng.shuffle(piles)
    position["stacks"] = dict(zip(free, piles, strict=False))


def _draw_placed(rng: Random, position: Position) -> None:
    """Own stacks that have been reinforced already; the Emperor came with the first."""
    turn = position["turn"]
    own = [space for space, s in position["stacks"].items() if s["owner"] == turn["player"]]
    if own and rng.random() < 1 / 2 and not position["reserve"][turn["player"]]["emperor"]:
        has_wind = any(
            building["owner"] == turn["player"] and board_of(position).terrain[space] == "wind"
            for space, building in position["buildings"].items()
        )
        most = min(len(own), 3) if has_wind else 1
        turn["placed"] = rng.sample(own, rng.randint(1, most))
