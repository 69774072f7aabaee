"""Random games of the engine against the exact chances that the reference counts out."""

from __future__ import annotations

import json
from functools import cache
from math import sqrt
from random import Random
from typing import Any

import pytest

from ekoes.games.ekko.game import EKKO, playouts
from ekoes.games.kernels import COMPILED
from tests.differential.compare import text, times
from tests.differential.ekko_compare import engine_reads
from tests.reference import ekko as reference
from tests.reference.ekko.generate import synthetic

GAMES = 40_000 if COMPILED else 1_000
LARGEST_TREE = 3_000

Value = dict[str, Any]


class TooLargeError(Exception):
    """A position whose games are too many to count them out here."""


def chances(value: Value) -> tuple[list[float], float]:
    """The chance of each seat to win alone, of a tie at the end, and the mean number of decisions."""
    left = [LARGEST_TREE]

    @cache
    def visit(here: str) -> tuple[tuple[float, ...], float]:
        left[0] -= 1
        if left[0] < 0:
            raise TooLargeError
        position: Value = json.loads(here)
        if "winners" in position:
            wins = position["winners"]
            alone = wins[0] if len(wins) == 1 else position["players"]
            return tuple(float(seat == alone) for seat in range(position["players"] + 1)), 0.0
        after = [visit(text(reference.follow(position, action))) for action in reference.legal(position)]
        share = 1 / len(after)
        won = [sum(column) * share for column in zip(*(each for each, _ in after), strict=True)]
        return tuple(won), 1 + sum(length for _, length in after) * share

    won, length = visit(text(value))
    return list(won), length


def endgame(rng: Random, players: int) -> Value:
    """The last round of a game: however it ends, somebody reaches the target."""
    value = synthetic(rng, players) | {"target": 1, "scores": [0] * players}
    value["pile"] = value["pile"][:3]
    reference.check(value)
    return value


@pytest.mark.parametrize("players", range(2, 9))
def test_playouts_win_as_often_as_they_should(players: int) -> None:
    rng = Random(f"playouts {players}")
    compared = 0
    while compared < times(8):
        value = endgame(rng, players)
        try:
            won, length = chances(value)
        except TooLargeError:
            continue
        compared += 1
        seen = playouts(engine_reads(value), GAMES, rng.getrandbits(40))
        counts = [*seen.wins, seen.drawn]
        assert sum(counts) == seen.games == GAMES
        for count, chance in zip(counts, won, strict=True):
            assert abs(count / GAMES - chance) <= 5 * sqrt(chance * (1 - chance) / GAMES) + 1e-9, text(value)
        assert abs(seen.decisions / GAMES - length) <= 0.1 * (length + 1), text(value)


def test_whole_playouts_end_with_one_winner_or_a_tie() -> None:
    """Deals are shuffled anew; no seat is better than another where nobody has played yet."""
    for players in (2, 5):
        games = 4_000 if COMPILED else 60
        seen = playouts(EKKO.new({"players": players}, 3), games, 11)
        assert sum(seen.wins) + seen.drawn == games
        share = (games - seen.drawn) / players
        assert all(abs(won - share) <= 6 * sqrt(share) for won in seen.wins)
        again = playouts(EKKO.new({"players": players}, 3), games, 11, threads=2)
        assert (again.wins, again.decisions) == (seen.wins, seen.decisions)
