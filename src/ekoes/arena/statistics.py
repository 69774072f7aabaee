"""The numbers of a run: counts, ratings with intervals, and what changed since another run."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import hypot

import numpy as np

from ekoes.arena.game import Result
from ekoes.arena.plan import Plan, line_ups
from ekoes.arena.ratings import PairTest, Ratings, Showing, fit_ratings
from ekoes.errors import NotationError
from ekoes.games.api.chance import CONFIDENCE

BOUNDS = tuple(round(10 ** (step / 8)) for step in range(8, 73))
"""Bounds of the histogram of times: microseconds, 10 to 10**9, eight per power of ten."""


@dataclass
class Record:
    """The results of a player or a seat. won: alone or shared; alone: not shared; score: sum of points."""

    games: int = 0
    won: int = 0
    alone: int = 0
    score: float = 0.0

    def add(self, result: Result, seat: int) -> None:
        """Add a game."""
        self.games += 1
        self.won += seat in result.winners
        self.alone += result.winners == (seat,)
        self.score += result.scores[seat]


@dataclass
class Statistics:
    """The numbers of a run.

    players, seats: by index in the plan and by seat; pairs: of a player against another at the same
    table, the higher score wins. endings: (reason, rule, how many won) -> games; forfeits: (player,
    reason) -> games; turns: length -> games; times: player -> how many decisions took no longer than
    each of ``BOUNDS``. showings: for ratings.
    """

    plan: Plan
    games: int = 0
    decided: int = 0
    players: dict[int, Record] = field(default_factory=lambda: defaultdict(Record))
    seats: dict[int, Record] = field(default_factory=lambda: defaultdict(Record))
    pairs: dict[tuple[int, int], list[float]] = field(default_factory=lambda: defaultdict(lambda: [0.0, 0]))
    endings: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    forfeits: Counter[tuple[int, str]] = field(default_factory=Counter)
    turns: Counter[int] = field(default_factory=Counter)
    times: dict[int, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0] * (len(BOUNDS) + 1)))
    showings: Counter[Showing] = field(default_factory=Counter)
    test: PairTest | None = None

    def __post_init__(self) -> None:
        """Begin the test of the plan, if it has one."""
        if self.plan.sprt is not None:
            self.test = PairTest(self.plan.sprt)

    def add(self, result: Result) -> None:
        """Add a game."""
        self.games += 1
        self.decided += len(result.asked)
        self.turns[result.turns] += 1
        self.endings[result.reason, result.rule, len(result.winners)] += 1
        if result.forfeit is not None:
            self.forfeits[result.seats[result.forfeit.seat], result.forfeit.reason] += 1
        for seat, place in enumerate(result.seats):
            self.players[place].add(result, seat)
            self.seats[seat].add(result, seat)
        for seat, taken in zip(result.asked, result.times, strict=True):
            self.times[result.seats[seat]][bisect_left(BOUNDS, taken)] += 1
        if self.test is not None:
            self.test.add(result.number, result.scores[result.seats.index(0)])
        self._add_pairs(result)
        winners = result.winners or range(len(result.seats))
        self.showings[tuple(sorted(result.seats)), tuple(sorted(result.seats[seat] for seat in winners))] += 1

    @property
    def drawn(self) -> int:
        """The number of games without a winner."""
        return sum(games for (_, _, winners), games in self.endings.items() if not winners)

    @property
    def shared(self) -> int:
        """The number of games with several winners."""
        return sum(games for (_, _, winners), games in self.endings.items() if winners > 1)

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


QUANTILES = (0.5, 0.95, 1.0)
_STEPS = 24
"""Bars of a histogram, at most."""


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A player. elo, low, high: None with a single player. times: at ``QUANTILES``, seconds."""

    place: int
    name: str
    record: Record
    elo: float | None
    low: float | None
    high: float | None
    times: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Challenge:
    """One player against copies of another one. alone: games won alone."""

    name: str
    others: str
    alone: int
    games: int


@dataclass(frozen=True, slots=True)
class Summary:
    """The contents of a report; players best first. lengths: (first turn, last turn, games) of each bar.

    challenges: of tables with more than two players, by the line-ups of the plan.
    """

    plan: Plan
    stats: Statistics
    rows: tuple[PlayerRow, ...]
    ratings: Ratings | None
    lengths: tuple[tuple[int, int, int], ...]
    challenges: tuple[Challenge, ...] = ()


def summary_of(stats: Statistics) -> Summary:
    """Return the summary of some statistics."""
    plan = stats.plan
    ratings = (
        fit_ratings(len(plan.players), stats.showings) if stats.games and len(plan.players) > 1 else None
    )
    lines = [_line(stats, place, ratings) for place in sorted(stats.players)]
    lines.sort(key=lambda line: (-(line.elo or 0), line.place))
    return Summary(plan, stats, tuple(lines), ratings, _bars(stats.turns), tuple(_challenges(stats)))


def _line(stats: Statistics, place: int, ratings: Ratings | None) -> PlayerRow:
    low, high = (None, None) if ratings is None else ratings.interval(place)
    return PlayerRow(
        place=place,
        name=stats.plan.players[place].name,
        record=stats.players[place],
        elo=None if ratings is None else ratings.elo[place],
        low=low,
        high=high,
        times=tuple(stats.quantile(place, part) for part in QUANTILES),
    )


def _challenges(stats: Statistics) -> Iterator[Challenge]:
    """Yield the results of each player against copies of another one."""
    names = [entrant.name for entrant in stats.plan.players]
    for seated in dict.fromkeys(tuple(sorted(line_up)) for line_up in line_ups(stats.plan)):
        match Counter(seated).most_common():
            case [(other, many), (place, 1)] if many > 1:
                games = sum(count for (there, _), count in stats.showings.items() if there == seated)
                alone = stats.showings[seated, (place,)]
                yield Challenge(names[place], f"{many} × {names[other]}", alone, games)


def _bars(counts: Counter[int]) -> tuple[tuple[int, int, int], ...]:
    """Return a histogram of lengths, in bars of equal width."""
    if not counts:
        return ()
    least, most = min(counts), max(counts)
    width = -(-(most - least + 1) // _STEPS)
    begins = range(least, most + 1, width)
    return tuple(
        (begin, begin + width - 1, sum(counts[length] for length in range(begin, begin + width)))
        for begin in begins
    )


@dataclass(frozen=True, slots=True)
class Change:
    """How a player's strength has changed beside the mean of the players that both runs share."""

    name: str
    old: float
    new: float
    spread: float

    @property
    def elo(self) -> float:
        """The change in Elo; ``spread`` to both sides holds 95 %."""
        return self.new - self.old

    @property
    def is_clear(self) -> bool:
        """Whether the interval excludes 0: chance alone would do that less than once in twenty times."""
        return abs(self.elo) > self.spread


def changes(old: Summary, new: Summary) -> tuple[Change, ...]:
    """Return the changes of all players in both runs, by name. Raises NotationError if there are none."""
    if old.plan.game != new.plan.game:
        raise NotationError(f"one run is of {old.plan.game}, the other of {new.plan.game}")
    names = [line.name for line in new.rows if line.name in {other.name for other in old.rows}]
    if not names:
        raise NotationError("the two runs have no player in common")
    before, after = _strengths(old, names), _strengths(new, names)
    return tuple(
        Change(name, before[name][0], after[name][0], CONFIDENCE * hypot(before[name][1], after[name][1]))
        for name in names
    )


def _strengths(summary: Summary, names: list[str]) -> dict[str, tuple[float, float]]:
    """Return the strengths of some players beside the mean of those, with their standard errors."""
    if summary.ratings is None or len(names) == 1:
        return dict.fromkeys(names, (0.0, 0.0))
    rows = {row.name: row.place for row in summary.rows}
    places = [rows[name] for name in names]
    beside = summary.ratings.beside(places)
    errors = np.sqrt(np.maximum(np.diag(beside.covariance), 0.0))
    return {name: (beside.elo[rows[name]], float(errors[rows[name]])) for name in names}
