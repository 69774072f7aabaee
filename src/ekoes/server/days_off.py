"""How many days of vacation are left in a year: whole ones, counted from the moment at which each begins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta

from ekoes.storage.vacations import Vacation

__all__ = ["days_left", "lasts_until"]

_DAY = timedelta(days=1)


def days_left(vacations: Iterable[Vacation], allowed: int, at: datetime) -> int:
    """Return how many days somebody may still take in the year of a moment. allowed: each year.

    A day that has begun is taken; it counts in the year in which it began.
    """
    return max(0, allowed - _taken(vacations, at)[at.year])


def lasts_until(vacations: Iterable[Vacation], allowed: int, at: datetime) -> datetime:
    """Return when a vacation ends at the latest that begins at a moment: once no day is left."""
    taken, ends = _taken(vacations, at), at
    while taken[ends.year] < allowed:
        taken[ends.year] += 1
        ends += _DAY
    return ends


def _taken(vacations: Iterable[Vacation], at: datetime) -> Counter[int]:
    """Count the days that have begun by a moment, by their years."""
    taken: Counter[int] = Counter()
    for vacation in vacations:
        day, end = vacation.began, min(vacation.until, at)
        while day < end or day == vacation.began:
            taken[day.year] += 1
            day += _DAY
    return taken
