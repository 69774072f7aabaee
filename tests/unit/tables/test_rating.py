"""Ratings after games of any number of players, with shared ranks."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ekoes.tables.ratings import NEW, Rating, after_game


@st.composite
def games(draw: st.DrawFn) -> tuple[list[Rating], list[int]]:
    """Return players and the ranks they may have come to: how many came before each."""
    number = draw(st.integers(2, 8))
    players = draw(
        st.lists(st.builds(Rating, st.floats(0, 50), st.floats(1, 8.3)), min_size=number, max_size=number)
    )
    merits = draw(st.lists(st.integers(0, 4), min_size=number, max_size=number))
    return players, [sum(other > own for other in merits) for own in merits]


@given(st.lists(st.integers(0, 4), min_size=2, max_size=8))
def test_equal_players_gain_by_rank(merits: list[int]) -> None:
    ranks = [sum(other > own for other in merits) for own in merits]
    gained = sorted(zip(ranks, after_game([NEW] * len(merits), ranks), strict=True), key=lambda it: it[0])
    for (rank, one), (behind, other) in pairwise(gained):
        assert one.mean > other.mean if behind > rank else one.mean == pytest.approx(other.mean)


@given(games())
def test_first_alone_gains_and_last_alone_loses(game: tuple[list[Rating], list[int]]) -> None:
    players, ranks = game
    fresh = after_game(players, ranks)
    for before, after, rank in zip(players, fresh, ranks, strict=True):
        if rank == 0 and ranks.count(0) == 1:
            assert after.mean >= before.mean
        if rank == len(ranks) - 1:
            assert after.mean <= before.mean


def test_upset_moves_more_than_what_was_expected() -> None:
    strong, weak = Rating(35.0, 3.0), Rating(20.0, 3.0)
    (expected, _), (upset, _) = after_game([strong, weak], [0, 1]), after_game([strong, weak], [1, 0])
    assert strong.mean - upset.mean > 5 * (expected.mean - strong.mean)


def test_new_player_is_shown_1500_give_or_take_250_and_is_provisional_for_some_games() -> None:
    assert NEW.to_json() == {"rating": 1500, "deviation": 250, "provisional": True}
    one = other = NEW
    games = 0
    while one.is_provisional:
        one, other = after_game([one, other], [games % 2, 1 - games % 2])
        games += 1
    assert 10 < games < 25
