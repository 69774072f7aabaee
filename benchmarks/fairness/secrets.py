"""What somebody can foretell who has written down all that a table told (K6.4)."""

from __future__ import annotations

from itertools import pairwise
from statistics import correlation

from benchmarks.fairness.report import Figure
from ekoes.games.chance import Chance
from ekoes.games.ekko.bots.levels import LEVELS
from ekoes.match.secret import fresh_secret
from ekoes.server.clock import WallClock

TURNS = 4000


def measured() -> list[Figure]:
    """Look for what ties a bot's turns together, and for times finer than a millisecond."""
    secret = fresh_secret()
    seeds = [secret.seed(f"turn-0-{number}") for number in range(TURNS)]
    delays = [LEVELS["master"].pace.delay(Chance(seed)) for seed in seeds]
    following = abs(correlation(*zip(*pairwise(delays), strict=True)))
    clock = WallClock()
    finer = sum(clock.now().microsecond % 1000 != 0 for _ in range(1000))
    return [
        Figure("bits of the secret that the bots' chance comes from", 8 * len(secret.key), "", (128, 4096)),
        Figure("one turn's time told by the time before (correlation)", following, "", (0, 0.06)),
        Figure("turns whose chance is another turn's, of 4,000", TURNS - len(set(seeds)), "", (0, 0)),
        Figure("times finer than a millisecond, of 1,000", finer, "", (0, 0)),
    ]
