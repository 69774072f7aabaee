from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from ekoes.tournaments.pairing import berger

PUBLISHED = {
    4: "1-4 2-3, 4-3 1-2, 2-4 3-1",
    6: "1-6 2-5 3-4, 6-4 5-3 1-2, 2-6 3-1 4-5, 6-5 1-4 2-3, 3-6 4-2 5-1",
    8: "1-8 2-7 3-6 4-5, 8-5 6-4 7-3 1-2, 2-8 3-1 4-7 5-6, 8-6 7-5 1-4 2-3, "
    "3-8 4-2 5-1 6-7, 8-7 1-6 2-5 3-4, 4-8 5-3 6-2 7-1",
}
"""FIDE Handbook, C.05, annex 1: details of Berger tables."""


@pytest.mark.parametrize("number", PUBLISHED)
def test_tables_are_those_that_fide_publishes(number: int) -> None:
    shown = ", ".join(" ".join(f"{one}-{other}" for one, other in pairs) for pairs in berger(number))
    assert shown == PUBLISHED[number]


@pytest.mark.parametrize("number", range(2, 20))
def test_everybody_meets_everybody_once_and_begins_as_often_as_not(number: int) -> None:
    rounds = berger(number)
    assert all(sorted(sum(pairs, ())) == list(range(1, number + 1)) for pairs in rounds)
    games = [pair for pairs in rounds for pair in pairs if len(pair) == 2]
    assert Counter(tuple(sorted(pair)) for pair in games) == Counter(combinations(range(1, number + 1), 2))
    begun, ended = (Counter(pair[seat] for pair in games) for seat in (0, 1))
    assert all(abs(begun[one] - ended[one]) <= 1 for one in range(1, number + 1))
    byes = [pair for pairs in rounds for pair in pairs if len(pair) == 1]
    assert sorted(byes) == ([(one,) for one in range(1, number + 1)] if number % 2 else [])
