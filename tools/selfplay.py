"""Play games of bots and write them as data: ``python -m tools.selfplay FOLDER``.

Writes ``eko.parquet`` and ``ekko.parquet`` (``ekoes.data``) and a datasheet with statistics, ``README.md``.
Each game draws its number of players, its variants and a level for each seat; equal arguments give equal
games. A release has 10,000 games, half of each game.
"""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from pathlib import Path

import ekoes
from ekoes import data
from ekoes.arena.pool import local_pool
from ekoes.arena.selfplay import SelfPlay
from ekoes.bots import bots
from ekoes.cli.console import track
from ekoes.games.eko.game import TURN_LIMIT
from ekoes.games.eko.position.tiles import VARIANTS

LEVELS = ("beginner", "casual", "greedy", "skilled")
_ITERATIONS = 50
"""Iterations of ``skilled`` for each decision."""
_DATASHEET = """\
# Games of bots

`eko.parquet` and `ekko.parquet`, made by `python -m tools.selfplay FOLDER --games {games} --seed {seed}` with
Ekoes {version} on {day}. They are Parquet, compressed by zstd; `ekoes.data` reads them and describes the
columns. Shares stand with their 95 % intervals.

| | Ekö | EKKO |
|---|---:|---:|
| games | {games} | {games} |
| players, evenly drawn | 2 to 4 | 2 to 8 |
| variants | each in a third of the games | none |

- **Why**: to learn from, and to compare programs on the same games.
- **How**: a level for each seat, evenly drawn from {levels} (EKKO has no
  greedy), so that most games are unequal. Bots think as at a table, but in Ekö `skilled` for {iterations}
  iterations a decision. A game of Ekö ends without a winner after {turns} turns, or when a position begins a
  turn for the third time. EKKO is played as decisions one after the other, without races.
- **Not in it**: people, times, draws by agreement.
- **Bias**: bots of one family, and strong play is rare. Boards are random, as on the server.
- **Licence**: CC0 1.0, https://creativecommons.org/publicdomain/zero/1.0/

## Ekö

{eko}

## EKKO

{ekko}
"""


def main(folder: Path, games: int, seed: int, workers: int) -> None:
    """Write the files."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {name: folder / f"{name}.parquet" for name in ("eko", "ekko")}
    for name, file in files.items():
        known = tuple(level for level in LEVELS if level in bots(name))
        new, drawn = (ekoes.eko.Game, {"variants": VARIANTS}) if name == "eko" else (ekoes.ekko.Game, {})
        play = SelfPlay(new, known, in_a_third=drawn, seed=seed, iterations={"skilled": _ITERATIONS})
        rows = local_pool(workers)(play, range(games))
        data.write(file, track(rows, f"games of {name}", games))
    text = _DATASHEET.format(
        games=games,
        seed=seed,
        version=ekoes.__version__,
        day=datetime.now(UTC).date(),
        levels=", ".join(LEVELS),
        iterations=_ITERATIONS,
        turns=TURN_LIMIT,
        **{name: data.statistics(data.read(file)) for name, file in files.items()},
    )
    (folder / "README.md").write_text(text, "utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=5000, help="of each game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    main(given.folder, given.games, given.seed, given.workers)
