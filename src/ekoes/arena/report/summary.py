"""The numbers of a report, each once; text, page and picture only show them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

from ekoes.arena.lineups import line_ups
from ekoes.arena.plan import Plan
from ekoes.arena.ratings import Ratings, fit_ratings
from ekoes.arena.sprt import PairTest
from ekoes.arena.tally import Record, Tally

__all__ = ["QUANTILES", "Challenge", "Line", "Summary", "summary_of", "wilson_interval"]

_CONFIDENCE = 1.959963984540054
"""Standard deviations around the mean that hold 95 % of a normal distribution."""
QUANTILES = (0.5, 0.95, 1.0)
_STEPS = 24
"""Bars of a histogram, at most."""


def wilson_interval(wins: float, games: int) -> tuple[float, float]:
    """Return the interval in which the true winning rate lies with 95 % confidence.

    Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference, 1927.
    """
    square = _CONFIDENCE**2
    rate = wins / games
    middle = (rate + square / (2 * games)) / (1 + square / games)
    spread = _CONFIDENCE / (1 + square / games) * sqrt(rate * (1 - rate) / games + square / (4 * games**2))
    return max(0.0, middle - spread), min(1.0, middle + spread)


@dataclass(frozen=True, slots=True)
class Line:
    """A player. elo, low, high: None without anybody to compare with. times: at ``QUANTILES``, seconds."""

    place: int
    name: str
    record: Record
    elo: float | None
    low: float | None
    high: float | None
    times: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Challenge:
    """One player at tables where all others are of one kind. alone: games won alone."""

    name: str
    others: str
    alone: int
    games: int


@dataclass(frozen=True, slots=True)
class Summary:
    """All that is shown of a run; players best first. lengths: (first turn, last turn, games) of each bar.

    challenges: of more than two at a table, as the plan's line-ups have them.
    """

    plan: Plan
    tally: Tally
    lines: tuple[Line, ...]
    ratings: Ratings | None
    test: PairTest | None
    lengths: tuple[tuple[int, int, int], ...]
    challenges: tuple[Challenge, ...] = ()


def summary_of(tally: Tally, test: PairTest | None) -> Summary:
    """Return what to show of a tally."""
    plan = tally.plan
    ratings = (
        fit_ratings(len(plan.players), tally.showings) if tally.games and len(plan.players) > 1 else None
    )
    lines = [_line(tally, place, ratings) for place in sorted(tally.players)]
    lines.sort(key=lambda line: (-(line.elo or 0), line.place))
    return Summary(plan, tally, tuple(lines), ratings, test, _bars(tally.turns), tuple(_challenges(tally)))


def _line(tally: Tally, place: int, ratings: Ratings | None) -> Line:
    low, high = (None, None) if ratings is None else ratings.interval(place)
    return Line(
        place=place,
        name=tally.plan.players[place].name,
        record=tally.players[place],
        elo=None if ratings is None else ratings.elo[place],
        low=low,
        high=high,
        times=tuple(tally.quantile(place, part) for part in QUANTILES),
    )


def _challenges(tally: Tally) -> Iterator[Challenge]:
    """Yield how each did who sat alone with others of one kind."""
    names = [entrant.name for entrant in tally.plan.players]
    for seated in dict.fromkeys(tuple(sorted(line_up)) for line_up in line_ups(tally.plan)):
        match Counter(seated).most_common():
            case [(other, many), (place, 1)] if many > 1:
                games = sum(count for (there, _), count in tally.showings.items() if there == seated)
                alone = tally.showings[seated, (place,)]
                yield Challenge(names[place], f"{many} × {names[other]}", alone, games)


def _bars(counts: Counter[int]) -> tuple[tuple[int, int, int], ...]:
    """Put lengths into bars of equal width."""
    if not counts:
        return ()
    least, most = min(counts), max(counts)
    width = -(-(most - least + 1) // _STEPS)
    begins = range(least, most + 1, width)
    return tuple(
        (begin, begin + width - 1, sum(counts[length] for length in range(begin, begin + width)))
        for begin in begins
    )
