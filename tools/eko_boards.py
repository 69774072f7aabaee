"""Draws the boards of Ekö on which pages begin games without a server: ``web/src/eko/boards.json``.

``python -m tools.eko_boards``. The page shuffles discs itself (E3.1), but random boards are drawn in Python
alone.
"""

from __future__ import annotations

import json
from itertools import chain, combinations
from pathlib import Path

from ekoes.games.api.chance import Chance
from ekoes.games.eko.position.setup import random_layout
from ekoes.games.eko.position.tiles import VARIANTS
from ekoes.games.eko.rules.record import FEWEST_PLAYERS, MOST_PLAYERS

FILE = Path(__file__).parent.parent / "web/src/eko/boards.json"
PLAIN = 40
"""Boards without variants by number of players; there is one for each set of variants."""


def drawn_boards() -> dict[str, dict[str, list[str]]]:
    """Return boards by number of players and by variants, each as the tag Tiles of a record."""
    sets = chain.from_iterable(combinations(VARIANTS, count) for count in range(len(VARIANTS) + 1))
    names = [frozenset(one) for one in sets]
    return {
        str(players): {
            " ".join(sorted(variants)): [
                drawn_tiles(players, variants, seed) for seed in range(1 if variants else PLAIN)
            ]
            for variants in names
        }
        for players in range(FEWEST_PLAYERS, MOST_PLAYERS + 1)
    }


def drawn_tiles(players: int, variants: frozenset[str], seed: int) -> str:
    """Return a random board (E2.5, E9) as the tag Tiles of a record."""
    tiles = random_layout(players, variants, Chance(seed)).tiles
    return " ".join(f"{tile.tile},{tile.q},{tile.r},{tile.rot}" for tile in tiles)


def main() -> None:
    """Write the file."""
    FILE.write_text(json.dumps(drawn_boards(), indent=1) + "\n")


if __name__ == "__main__":
    main()
