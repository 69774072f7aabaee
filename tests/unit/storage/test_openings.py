"""Openings in the store: which games count, and when."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ekoes.games.eko.openings import entries, moments
from ekoes.records import read_record
from ekoes.storage.store import Store
from ekoes.tables.orders import Resign
from tests.unit.storage.keeping import Keeper, eko_table
from tests.unit.storage.test_other_rules import older, plays_twice


def finished(store: Store, table_id: str, *, public: bool = True, loser: int = 1) -> Keeper:
    """Keep a game with some decisions that one seat has given up."""
    keeper = Keeper(store, replace(eko_table(), public=public), table_id)
    keeper.play(10)
    keeper.order(Resign, seat=loser)
    return keeper


@pytest.mark.postgres
def test_finished_public_games_count_once(store: Store) -> None:
    Keeper(store, replace(eko_table(), public=True), "running").play(10)
    finished(store, "private", public=False)
    finished(store, "one")
    finished(store, "other", loser=0)
    assert [store.openings.count_new(most) for most in (1, 5, 5)] == [1, 1, 0]
    record: Any = read_record(store.record("one"))
    found = store.openings.played(moments(record.start), 2)
    assert set(found) == set(moments(record.start))
    for played in found.values():
        (score,) = played.scores.values()
        assert (played.games, score.games, score.wins) == (2, 2, [12, 12])
    every = {moment for moment, _ in entries(record.start, record.decisions)}
    assert set(store.openings.played([*every, "elsewhere"], 2)) == every


def test_game_that_the_rules_of_today_refuse_is_left_out(store: Store) -> None:
    with older(plays_twice, "0"):
        keeper = finished(store, "older")
    assert store.openings.count_new(5) == 1
    assert store.openings.count_new(5) == 0
    start = store.past(keeper.id, 0).position
    assert store.openings.played(moments(start), 2) == {}
