"""Draws how far the chances of Ekö's search can be trusted: ``python -m tools.calibration FILE.png``.

Bots play on random boards, half of them with variants; the chance that the search gives each player at the
begin of a turn is compared with who won. A game without a winner is shared by all. Prints the figures too;
equal arguments give equal pictures.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import pyplot as plt

from ekoes.arena.pool import local_pool
from ekoes.cli.console import progress
from ekoes.games.api.chance import Chance
from ekoes.games.eko.bots.levels import STRONG
from ekoes.games.eko.game import EKO, TURN_LIMIT
from ekoes.games.eko.position.tiles import VARIANTS

_SIZES = 10
"""Points of the picture for a number of players, each of chances of about a size."""


@dataclass(frozen=True, slots=True)
class Play:
    """The job of a worker: plays game ``n``. Returns the chances to win, and beside them who won."""

    players: int
    steps: int

    def __call__(self, n: int) -> np.ndarray[Any, Any]:
        """Play a game."""
        chance = Chance(n)
        variants = [one for one in VARIANTS if n % 2 and chance.below(3) == 0]
        position = EKO.new({"players": self.players, "variants": variants}, chance.bits())
        found, turn, seen = list[tuple[float, ...]](), 0, Counter[bytes]()
        while (outcome := position.outcome()) is None and position.turn_number <= TURN_LIMIT:
            begins, turn = position.turn_number != turn, position.turn_number
            seen[position.digest()] += begins
            if seen[position.digest()] == EKO.table_ends.repetitions:
                break
            search = STRONG.begin(position, seen.elements())
            STRONG.run(search, iterations=self.steps)
            if begins:
                found.append(search.value)
            (seat,) = position.actors()
            position = position.play(seat, STRONG.pick(search, chance))
        winners = (outcome and outcome.winners) or range(self.players)
        won = np.zeros(self.players)
        won[list(winners)] = 1 / len(winners)
        return np.stack([np.array(found), np.broadcast_to(won, (len(found), self.players))])


def calibrate(axes: Any, players: int, games: list[np.ndarray[Any, Any]]) -> None:  # noqa: ANN401
    """Draw and print which part of the chances of about a size came true. games: of ``Play``."""
    chances, won = np.concatenate(games, axis=1).reshape(2, -1)
    brier, ignorant = np.mean((chances - won) ** 2), np.mean((1 / players - won) ** 2)
    print(f"{players} players: {len(games)} games, Brier {brier:.3f}, without knowledge {ignorant:.3f}")
    sizes = np.minimum((chances * _SIZES).astype(int), _SIZES - 1)
    alike = [sizes == size for size in np.unique(sizes)]
    points = [(chances[each].mean(), won[each].mean()) for each in alike]
    for (chance, part), each in zip(points, alike, strict=True):
        print(f"  {chance:.2f}: {part:.2f} of {each.sum()}")
    axes.plot(*zip(*points, strict=True), marker="o", markersize=4, label=f"{players} players")


def main(path: Path, games: int, steps: int, workers: int) -> None:
    """Play the games and write the picture."""
    figure, axes = plt.subplots(figsize=(4.6, 4.4), constrained_layout=True)
    axes.plot((0, 1), (0, 1), color="0.7", linestyle=":")
    for players in EKO.players:
        with progress(f"games for {players}", games) as advance:
            found = []
            for game in local_pool(workers)(Play(players, steps), range(games)):
                found.append(game)
                advance(1)
        calibrate(axes, players, found)
    axes.set(xlabel=f"chance to win by {steps} steps", ylabel="part that won", aspect="equal")
    axes.legend(fontsize=8)
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("path", type=Path)
    parser.add_argument("--games", type=int, default=200, help="of each number of players")
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    main(given.path, given.games, given.steps, given.workers)
