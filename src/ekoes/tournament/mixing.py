"""Tables of several: as even as can be, with the people that one has met least, at the seat one had least."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from ekoes.tournament.standings import standings
from ekoes.tournament.state import Tournament

__all__ = ["mixed", "sizes"]

_TRIES = 12
"""Beginnings from which good tables are looked for; the first is the order of the standings."""
_MEETING = 10_000
"""What one meeting more weighs against distance in the standings: more than all of that together."""

IntArray = NDArray[np.int64]


def sizes(number: int, most: int, least: int) -> tuple[int, ...]:
    """Return how many sit at each table, as even as can be; those who are left over have a bye."""
    for playing in range(number, least - 1, -1):
        tables = -(-playing // most)
        if playing // tables >= least:
            return tuple(playing // tables + (table < playing % tables) for table in range(tables))
    return ()


def mixed(tournament: Tournament, least: int) -> tuple[tuple[int, ...], ...] | None:
    """Return who sits where at each table next; who is alone has a bye. None: there are too few.

    least: how many a game needs.
    """
    active = {one.number for one in tournament.active}
    order = [it.entrant for it in standings(tournament) if it.entrant in active]
    wanted = sizes(len(order), tournament.plan.players, least)
    if not wanted:
        return None
    idle = _idle(tournament, order, len(order) - sum(wanted))
    playing = [number for number in order if number not in idle]
    tables = _tables(tournament, playing, wanted)
    return (*(_seated(tournament, table) for table in tables), *((number,) for number in idle))


def _idle(tournament: Tournament, order: Sequence[int], number: int) -> Sequence[int]:
    """Return who has a bye: who has had the fewest so far, of those the last ones."""
    byes = Counter(game.seats[0] for games in tournament.rounds for game in games if game.is_bye)
    last_first = order[::-1]
    return sorted(last_first, key=lambda one: byes[one])[:number]


def _tables(tournament: Tournament, playing: Sequence[int], wanted: Sequence[int]) -> list[list[int]]:
    """Return the best tables that are found: by meetings, and then by how near all stand."""
    weights = _weights(tournament, playing)
    begin = np.repeat(np.arange(len(wanted)), wanted)
    chance = np.random.default_rng(len(tournament.rounds))
    beginnings = [begin, *(chance.permutation(begin) for _ in range(1, _TRIES))]
    _, best = min((_improved(weights, tables) for tables in beginnings), key=lambda found: found[0])
    return [
        [number for number, at in zip(playing, best, strict=True) if at == table]
        for table in range(len(wanted))
    ]


def _weights(tournament: Tournament, playing: Sequence[int]) -> IntArray:
    """Return for each two, in the order of the standings, what weighs against a table for both."""
    places = np.arange(len(playing))
    weights: IntArray = np.abs(places[:, None] - places)
    place = {number: at for at, number in enumerate(playing)}
    for game in (game for games in tournament.rounds for game in games):
        for one, other in permutations([place[number] for number in game.seats if number in place], 2):
            weights[one, other] += _MEETING
    return weights


def _improved(weights: IntArray, tables: IntArray) -> tuple[int, IntArray]:
    """Swap the two people by whom most is won until nothing is; return what the tables weigh, and them.

    tables: each one's, in the order of the standings.
    """
    people, number = np.arange(len(tables)), int(tables.max()) + 1
    while True:
        beside = weights @ np.eye(number, dtype=np.int64)[tables]
        own, there = beside[people, tables], beside[:, tables]
        gain = own[:, None] + own - there - there.T + 2 * weights
        gain[tables[:, None] == tables] = 0
        one, other = np.unravel_index(int(gain.argmax()), gain.shape)
        if gain[one, other] <= 0:
            return int(own.sum()), tables
        tables[[one, other]] = tables[[other, one]]


def _seated(tournament: Tournament, table: Sequence[int]) -> tuple[int, ...]:
    """Return a table in the order of its seats: all have sat as evenly as can be at each."""
    had = Counter(
        (number, seat)
        for games in tournament.rounds
        for game in games
        for seat, number in enumerate(game.seats)
    )

    @cache
    def best(left: frozenset[int]) -> tuple[int, tuple[int, ...]]:
        """Return the lightest way to seat those who are left at the last seats, and its weight."""
        seat = len(table) - len(left)
        ways = (
            (2 * had[number, seat] + 1 + best(left - {number})[0], (number, *best(left - {number})[1]))
            for number in left
        )
        return min(ways, default=(0, ()))

    return best(frozenset(table))[1]
