"""What all games come to: a few numbers, however many games there were."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from ekoes.arena.plan import Plan
from ekoes.arena.ratings import Showing
from ekoes.arena.result import Result

__all__ = ["BOUNDS", "Record", "Tally", "tally_of"]

BOUNDS = tuple(round(10 ** (step / 8)) for step in range(8, 73))
"""Microseconds, from 10 to 10**9 in eighths of a power of ten: where times are counted."""


@dataclass
class Record:
    """How somebody did. won: alone or with others; alone: with nobody; score: the part of all points."""

    games: int = 0
    won: int = 0
    alone: int = 0
    score: float = 0.0

    def add(self, result: Result, seat: int) -> None:
        """Count a game."""
        self.games += 1
        self.won += seat in result.winners
        self.alone += result.winners == (seat,)
        self.score += result.scores[seat]


@dataclass
class Tally:
    """The numbers of a run.

    players, seats: by place in the list and by seat; pairs: of a player against another at the same
    table, where who scores more has won; places: by layout and variant. endings: (reason, rule, how many
    won) -> games; forfeits: (player, reason) -> games; turns, decisions: length -> games, in steps;
    times: player -> how many decisions took no longer than each of ``BOUNDS``. showings: for ratings.
    """

    plan: Plan
    games: int = 0
    decided: int = 0
    players: dict[int, Record] = field(default_factory=lambda: defaultdict(Record))
    seats: dict[int, Record] = field(default_factory=lambda: defaultdict(Record))
    pairs: dict[tuple[int, int], list[float]] = field(default_factory=lambda: defaultdict(lambda: [0.0, 0]))
    places: Counter[tuple[str, str]] = field(default_factory=Counter)
    endings: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    forfeits: Counter[tuple[int, str]] = field(default_factory=Counter)
    turns: Counter[int] = field(default_factory=Counter)
    times: dict[int, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0] * (len(BOUNDS) + 1)))
    showings: Counter[Showing] = field(default_factory=Counter)

    def add(self, result: Result) -> None:
        """Count a game."""
        self.games += 1
        self.decided += len(result.asked)
        self.turns[result.turns] += 1
        self.places[result.layout, result.variant] += 1
        self.endings[result.reason, result.rule, len(result.winners)] += 1
        if result.forfeit is not None:
            self.forfeits[result.seats[result.forfeit.seat], result.forfeit.reason] += 1
        for seat, place in enumerate(result.seats):
            self.players[place].add(result, seat)
            self.seats[seat].add(result, seat)
        for seat, taken in zip(result.asked, result.times, strict=True):
            self.times[result.seats[seat]][bisect_left(BOUNDS, taken)] += 1
        self._add_pairs(result)
        self._add_showing(result)

    def quantile(self, player: int, part: float) -> float:
        """Return the seconds that a part of a player's decisions did not exceed, as ``BOUNDS`` tell it."""
        counts = self.times[player]
        wanted, seen = part * sum(counts), 0
        for bound, count in zip((*BOUNDS, BOUNDS[-1]), counts, strict=True):
            seen += count
            if seen >= wanted and seen:
                return bound / 1e6
        return 0.0

    def _add_pairs(self, result: Result) -> None:
        scores = result.scores
        for seat, place in enumerate(result.seats):
            for other, rival in enumerate(result.seats):
                if place != rival:
                    cell = self.pairs[place, rival]
                    cell[0] += (scores[seat] > scores[other]) + (scores[seat] == scores[other]) / 2
                    cell[1] += 1

    def _add_showing(self, result: Result) -> None:
        winners = result.winners or range(len(result.seats))
        self.showings[tuple(sorted(result.seats)), tuple(sorted(result.seats[seat] for seat in winners))] += 1


def tally_of(plan: Plan, results: Iterable[Result]) -> Tally:
    """Count games."""
    tally = Tally(plan)
    for result in results:
        tally.add(result)
    return tally
