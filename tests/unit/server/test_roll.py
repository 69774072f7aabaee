"""Who is here, told in portions."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from ekoes.server.cluster.roll import Portion, portions
from ekoes.server.limits import LARGEST_MESSAGE

names = st.sets(st.integers(0, 3000).map(lambda number: f"holder{number:04}"), max_size=1200)


@given(names, names)
def test_who_was_told_of_others_before_knows_who_is_here(known: set[str], here: set[str]) -> None:
    for portion in portions(here):
        told = Portion.from_json(json.loads(json.dumps(portion.to_json())))
        known -= told.gone(known)
        known |= told.names
    assert known == here


def test_a_portion_says_nothing_of_names_that_others_are_for() -> None:
    first, second, last = portions([f"{number:04}" for number in range(1200)])
    assert first.gone(["0000", "0003x", "0600", "9999"]) == {"0003x"}
    assert second.gone(["0003x", "0600x", "9999"]) == {"0600x"}
    assert last.gone(["0003x", "9999"]) == {"9999"}


def test_no_portion_is_too_long_for_a_word() -> None:
    crowd = [f"{number:048}" for number in range(20_000)]
    longest = max(len(json.dumps(portion.to_json())) for portion in portions(crowd))
    assert longest < LARGEST_MESSAGE / 2  # closed and written as text it grows by a third
