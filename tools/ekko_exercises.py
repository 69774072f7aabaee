"""Makes the decisions of EKKO's exercise "which card": ``python -m tools.ekko_exercises SEED COUNT``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Json
from ekoes.games.ekko.bots.levels import decide
from ekoes.games.ekko.exercises import FILE, values_of, write_choices
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.rules.record import Phase

_TABLES = (2, 3, 4, 4, 5, 6)
_FEW = 4
"""One in so many decisions for a multiple of 11 is taken: it would be the answer to half of all."""
_PATH = Path(__file__).parents[1] / "src/ekoes/games/ekko" / FILE


def main(seed: int, count: int) -> None:
    """Write a file of decisions from games of bots, one of each game at most."""
    chance, lines = Chance(seed), list[Json]()
    for number in range(1_000_000):
        found = next(_in_game(_TABLES[number % len(_TABLES)], chance), None)
        if found is not None and (found["values"][0][0] % 11 or chance.below(_FEW) == 0):
            lines.append(found)
        if len(lines) == count:
            break
    write_choices(_PATH, lines)


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


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
