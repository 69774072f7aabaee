"""The players of EKKO by name: how each plays, what it notices, and how soon.

The levels are those of every game (``ekoes.bots.levels``). Players that had names of their own before
there were levels stay playable under them: tables, records and plans name them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import exp, log
from statistics import NormalDist

import numpy as np

from ekoes.games.chance import Chance
from ekoes.games.ekko.bots.memory import barred_cards
from ekoes.games.ekko.bots.search import SCRATCH, best_decision, thumb_decision
from ekoes.games.ekko.bots.seen import Seen
from ekoes.games.ekko.rules.decisions import MOST_DECISIONS
from ekoes.games.ekko.rules.entry_points import list_decisions
from ekoes.games.ekko.rules.record import STATE

__all__ = ["FORMER", "LEVELS", "PLAYERS", "Level", "Spread"]

_FINENESS = 2**32
_THOUGHTLESS = 20  # of 100 decisions of the others, when a round is played out: nobody is perfect


@dataclass(frozen=True, slots=True)
class Spread:
    """How long something takes a person: a shifted log-normal distribution.

    median: milliseconds; spread: standard deviation of the logarithm of what is above ``least``.
    """

    median: int
    spread: float
    least: int = 350

    def delay(self, chance: Chance) -> int:
        """Draw a time in milliseconds."""
        share = (chance.below(_FINENESS) + 0.5) / _FINENESS
        return self.least + round((self.median - self.least) * exp(self.spread * NormalDist().inv_cdf(share)))

    def share_within(self, milliseconds: int) -> float:
        """Return how likely a time is no longer than some milliseconds."""
        if milliseconds <= self.least:
            return 0.0
        beyond = (milliseconds - self.least) / (self.median - self.least)
        return NormalDist().cdf(log(beyond) / self.spread)


@dataclass(frozen=True, slots=True)
class Level:
    """A strength. weigh: returns the code of what it does, from what it sees.

    pace: how long a turn takes; eye: how long until it sees that it holds the mirror; misses: how many
    mirrors of 100 it does not see at all.
    """

    weigh: Callable[[Seen, Chance], int]
    pace: Spread
    eye: Spread
    misses: int

    def lost_races(self, milliseconds: int) -> int:
        """Return how many of 100 mirrors it loses to somebody who takes this long."""
        return round(100 - (100 - self.misses) * self.eye.share_within(milliseconds))


def _by_chance(seen: Seen, chance: Chance) -> int:
    """Take any decision."""
    codes = np.zeros(MOST_DECISIONS, np.int64)
    return int(codes[chance.below(list_decisions(seen.states, codes))])


def _by_thumb(seen: Seen, chance: Chance, *, sees: int = 100, slips: int = 0) -> int:
    """Take what looks best of what comes to mind, ``sees`` of 100 decisions; ``slips`` of 100 by chance."""
    return int(thumb_decision(seen.states, _stream(chance), sees, slips))


def _by_counting(seen: Seen, chance: Chance, *, deals: int, remembers: bool) -> int:
    """Count the cards and weigh what may come. remembers: also what the others' draws have told."""
    barred = barred_cards(seen.view, seen.seat) if remembers else np.zeros((0, 2), np.uint64)
    scratch = np.zeros(SCRATCH, STATE)
    stream = _stream(chance)
    code = best_decision(
        seen.states, scratch, seen.unseen, barred, seen.sizes, seen.set_aside, deals, _THOUGHTLESS, stream
    )
    return int(code)


def _stream(chance: Chance) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """Return chance for kernels, drawn from a stream of people's."""
    return np.array([chance.bits() | 1], np.uint64)


LEVELS: dict[str, Level] = {
    "random": Level(_by_chance, Spread(2600, 0.4), Spread(4200, 0.6), misses=60),
    "beginner": Level(partial(_by_thumb, sees=25), Spread(2800, 0.4), Spread(3400, 0.5), misses=45),
    "casual": Level(partial(_by_thumb, sees=44), Spread(2500, 0.35), Spread(2900, 0.5), misses=35),
    "skilled": Level(partial(_by_thumb, sees=78), Spread(2300, 0.35), Spread(2500, 0.45), misses=25),
    "strong": Level(
        partial(_by_counting, deals=28, remembers=False), Spread(2000, 0.3), Spread(1800, 0.4), misses=12
    ),
    "master": Level(
        partial(_by_counting, deals=400, remembers=True), Spread(1700, 0.3), Spread(1200, 0.35), misses=4
    ),
}
"""Name -> level that is offered, weakest first."""

FORMER: dict[str, Level] = {
    "novice": Level(partial(_by_thumb, slips=65), Spread(2800, 0.4), Spread(3400, 0.5), misses=45),
    "regular": Level(partial(_by_thumb, slips=25), Spread(2300, 0.35), Spread(2500, 0.45), misses=25),
    "expert": Level(
        partial(_by_counting, deals=40, remembers=False), Spread(2000, 0.3), Spread(1800, 0.4), misses=12
    ),
}
"""Name -> player that is offered no more."""

PLAYERS = LEVELS | FORMER
