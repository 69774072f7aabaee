"""Ask `master` for a decision in random positions of every variant, phase and number of players.

    python -m tools.search_anywhere --positions 10000

tells the longest that one took beyond its limit, and the memory at its highest. What is illegal ends it.
"""

from __future__ import annotations

import argparse
import resource
from collections import Counter
from collections.abc import Iterator
from time import perf_counter

from ekoes.games.chance import Chance
from ekoes.games.eko.bots.levels import MASTER
from ekoes.games.eko.game import EKO
from ekoes.games.eko.position import EkoPosition
from ekoes.games.eko.tiles import VARIANTS

_LONGEST = 250  # decisions before a position
_LIMIT = 0.01
"""Seconds of a decision."""


def positions(count: int, seed: int) -> Iterator[EkoPosition]:
    """Yield positions that ask somebody, each of another game."""
    chance = Chance(seed)
    while count:
        options = {
            "players": 2 + chance.below(3),
            "variants": [variant for variant in VARIANTS if chance.below(2)],
            "setup": ("standard", "draft")[chance.below(2)],
        }
        position = EKO.new(options, chance.below(2**32))
        for _ in range(chance.below(_LONGEST)):
            after = position.play_code(int(chance.choice(list(position.codes))))
            if after.outcome() is not None:
                break
            position = after
        yield position
        count -= 1


def decide(position: EkoPosition) -> float:
    """Let `master` decide. Returns: seconds beyond its limit. Raises IllegalActionError."""
    (seat,) = position.actors()
    begun = perf_counter()
    action = MASTER.think(position, seat, Chance(1), seconds=_LIMIT)
    beyond = perf_counter() - begun - _LIMIT
    position.play(seat, action)
    return beyond


def main() -> None:
    """Read the command line, search, and tell what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    MASTER.think(EKO.new({}, 1), 0, Chance(1), seconds=_LIMIT)  # compiles
    phases: Counter[str] = Counter()
    worst = 0.0
    for position in positions(asked.positions, asked.seed):
        phases[position.phase.name.lower()] += 1
        worst = max(worst, decide(position))
    print(f"{phases.total()} positions: {dict(phases)}")
    print(f"longest beyond the limit: {1000 * worst:.0f} ms")
    print(f"memory at its highest: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MiB")


if __name__ == "__main__":
    main()
