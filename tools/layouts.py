"""Finds the tiles of the named layouts and their reports: ``python -m tools.layouts [NAME …]``.

A layout has the shape listed below, or is drawn like any random board. Of the boards tried, the one whose
quick report is the most even is judged with all games. Names and texts stay as they are in the file.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ekoes.arena.pool import local_pool
from ekoes.errors import LayoutError
from ekoes.games.api.chance import Chance
from ekoes.games.eko.fairness import GAMES, LEVEL, examine
from ekoes.games.eko.position.layout import Layout, PlacedTile, large_tiles
from ekoes.games.eko.position.setup import random_layout
from ekoes.games.eko.position.tiles import TURNS, default_tileset

FILE = Path(__file__).parent.parent / "src/ekoes/games/eko/layouts.json"
CANDIDATES, QUICK_GAMES = 4, 120
SEED, REPORT_SEED = 1, 2
"""Of the search, and of the reports: a board chosen for its luck in some games is judged by others."""

Shape = tuple[tuple[int, int], ...]


class Spec(NamedTuple):
    """What a layout shall be. shape: of its large tiles, in steps from tile to tile; empty: any."""

    players: int
    shape: Shape = ()
    variants: tuple[str, ...] = ()


def rows(*lengths: tuple[int, int]) -> Shape:
    """Return rows of tiles, each as its first place and its length."""
    return tuple(
        (first + place, row) for row, (first, length) in enumerate(lengths) for place in range(length)
    )


RING: Shape = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
SPECS = {
    "caravan": Spec(2, rows((0, 4), (0, 3))),
    "barchan": Spec(2, (*RING[:5], (-1, 2), (-2, 1))),
    "well": Spec(2, (*RING, (2, -1))),
    "hourglass": Spec(2, rows((0, 3), (1, 1), (-1, 3))),
    "mirage": Spec(2, variants=("portals",)),
    "wadi": Spec(3, rows((0, 3), (-1, 4), (-1, 3))),
    "oasis": Spec(3, ((-1, 0), (-1, 1), (0, 1), (1, 1), (2, 0), (2, -1), (1, -1), (0, -1), (1, -2), (0, 2))),
    "simoom": Spec(3, variants=("labyrinth", "wind")),
    "salt-pan": Spec(4, rows((0, 4), (-1, 5), (-1, 4))),
    "watchfires": Spec(4, variants=("beacon", "pyramids")),
}


def boards(spec: Spec) -> Iterator[Layout]:
    """Yield boards of a kind without end."""
    seed = SEED
    while True:
        chance = Chance(seed)
        seed += 1
        try:
            yield (
                shaped(spec.players, spec.shape, chance)
                if spec.shape
                else random_layout(spec.players, spec.variants, chance)
            )
        except LayoutError:
            continue


def shaped(players: int, shape: Shape, chance: Chance) -> Layout:
    """Return large tiles in a shape, in a random order and rotation. Raises LayoutError."""
    names = list(large_tiles(players, default_tileset()))
    chance.shuffle(names)
    # A step from tile to tile goes by (2, 1) or by that, turned once (E2.4).
    return Layout(
        players,
        [
            PlacedTile(name, 2 * i + 3 * j, i - 2 * j, chance.below(TURNS))
            for name, (i, j) in zip(names, shape, strict=True)
        ],
    )


def judged(layout: Layout, games: int, seed: int) -> dict[str, Any]:
    """Return the report of a layout without its heat map, which is long."""
    found = examine(layout, games, seed, LEVEL, local_pool(2), lambda _more: None)
    return {key: value for key, value in found.items() if key != "heat"}


def unevenness(report: dict[str, Any]) -> float:
    """Return by how much a share is off at most, in equal shares, and a little for the distances."""
    shares = [abs(one["share"] * report["players"] - 1) for one in report["order"]]
    gap: float = report["distances"][0]["gap"]
    return float(max(shares)) + 0.1 * gap


def find(spec: Spec) -> dict[str, Any]:
    """Return a fair board of a kind with its report."""
    source = boards(spec)
    while True:
        tried = [next(source) for _ in range(CANDIDATES)]
        tried.sort(key=lambda layout: unevenness(judged(layout, QUICK_GAMES, SEED)))
        report = judged(tried[0], GAMES, REPORT_SEED)
        if report["verdict"] == "fair":
            tiles = tried[0].to_json()
            return {"players": spec.players, "variants": spec.variants, "tiles": tiles, "report": report}


def main(names: Sequence[str]) -> None:
    """Find some layouts anew, or all."""
    listed = {one["name"]: one for one in json.loads(FILE.read_text("utf-8"))}
    for name, spec in SPECS.items():
        if not names or name in names:
            listed[name] |= find(spec)
            print(name, listed[name]["report"]["order"])
            lines = ",\n".join(json.dumps(listed[each], ensure_ascii=False) for each in SPECS)
            FILE.write_text(f"[\n{lines}\n]\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
