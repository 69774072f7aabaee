"""Makes the decisions of EKKO's exercise "which card": ``python -m tools.ekko_exercises SEED COUNT``.

In each of them one card is better than every other by more than twice the standard error of the difference,
in two independent samples of deals.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ekoes.atomic_files import write_atomically
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Json
from ekoes.games.ekko.bots.levels import decide, seen_by
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.position.action import Play, decode
from ekoes.games.ekko.review import sampled_values
from ekoes.games.ekko.rules.record import Phase

_TABLES = (2, 3, 4, 4, 5, 6)
_FEW = 4
"""One in so many decisions for a multiple of 11 is taken: it would be the answer to half of all."""
_DEALS = 4000
"""Sampled deals of each sample."""
_FEWEST = 3
"""Cards to choose from."""
_LEAST = 0.25
"""Points that the best card is better by."""
FILE = Path(__file__).parents[1] / "web/src/ekko/train/choices.json"


def main(seed: int, count: int) -> None:
    """Write a file of decisions from games of bots, one of each game at most."""
    chance, lines = Chance(seed), list[Json]()
    for number in range(1_000_000):
        found = next(_in_game(_TABLES[number % len(_TABLES)], chance), None)
        if found is not None and (found["values"][0][0] % 11 or chance.below(_FEW) == 0):
            lines.append(found)
        if len(lines) == count:
            break
    rows = ",\n".join(json.dumps(line, separators=(",", ":")) for line in lines)
    write_atomically(FILE, f"[\n{rows}\n]\n".encode())


def _in_game(players: int, chance: Chance) -> Iterator[Json]:
    """Yield decisions of a round that a game begins with, from some place on."""
    position = EKKO.new({"players": players}, chance.below(2**31))
    position = position.play(-1, position.chance_action(chance))
    from_here = chance.below(4 * players)
    while position.phase not in {Phase.DEAL, Phase.OVER}:
        (seat,) = position.actors()
        view = position.view(seat)
        if from_here <= 0 and position.phase == Phase.PLAY and (values := values_of(view, seat, chance)):
            again = values_of(view, seat, chance)
            if again and again[0][0] == values[0][0]:
                yield {"seat": seat, "view": view, "values": values}
        from_here -= 1
        position = position.play(seat, decide("skilled", view, seat, chance))


def values_of(view: Json, seat: int, chance: Chance) -> list[tuple[int, float, float]] | None:
    """Return the value of each card in points, with twice its standard error, the best first.

    Returns: None if no card is clearly the best, or if there is another choice than between cards.
    """
    codes, sample = sampled_values(seen_by(seat, view), _DEALS, np.array([chance.bits() | 1], np.uint64))
    actions = [decode(code) for code in codes]
    cards = [action.card for action in actions if isinstance(action, Play)]
    if len(cards) < max(_FEWEST, len(codes)):
        return None
    best = int(np.argmax(sample.mean(axis=0)))
    gains = sample[:, [best]] - np.delete(sample, best, axis=1)
    errors = 2 * gains.std(axis=0, ddof=1) / np.sqrt(len(gains))
    if (gains.mean(axis=0) <= np.maximum(errors, _LEAST)).any():
        return None
    means, spread = sample.mean(axis=0), 2 * sample.std(axis=0, ddof=1) / np.sqrt(len(sample))
    found = [(card, round(float(means[i]), 2), round(float(spread[i]), 2)) for i, card in enumerate(cards)]
    return sorted(found, key=lambda one: -one[1])


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
