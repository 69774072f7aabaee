"""Answers to puzzles in the store."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest

from ekoes.storage.accounts import Account
from ekoes.storage.puzzles import PuzzleAnswer
from ekoes.storage.store import Store
from ekoes.tables.ratings import NEW, UNCERTAIN, Rating
from tests.unit.storage.keeping import NOW

HARD = Rating(NEW.mean + 5, UNCERTAIN)
GIVEN = PuzzleAnswer("eko", "aa", is_right=True, rating=HARD, at=NOW)


def account(store: Store, name: str) -> str:
    store.people.open(Account(name, name.title(), "a hash", NOW), ["a code"])
    return name


@pytest.mark.postgres
def test_answers_at_the_same_time_are_rated_one_after_the_other(store: Store) -> None:
    users = [account(store, f"user {number}") for number in range(4)]
    answers = [(user, replace(GIVEN, puzzle=puzzle)) for user in users for puzzle in ("aa", "bb", "aa")]
    with ThreadPoolExecutor(6) as threads:
        rated = list(threads.map(lambda one: store.puzzles.answer(*one), answers))
    assert sum(one is not None for one in rated) == 8
    assert {puzzle: rating.mean < HARD.mean for puzzle, rating in store.puzzles.ratings("eko").items()} == {
        "aa": True,
        "bb": True,
    }
    for user in users:
        progress = store.puzzles.progress(user, "eko")
        assert progress.answers == 2
        assert progress.solved == {"aa", "bb"}
        assert progress.rating.mean > NEW.mean


@pytest.mark.postgres
def test_days_in_a_row_are_counted_once_each(store: Store) -> None:
    user = account(store, "ada")
    for day in (0, 0, 1, 2, 4):
        at = NOW + timedelta(days=day)
        store.puzzles.answer(user, replace(GIVEN, puzzle=f"p{day}", at=at, day=at.date()))
        progress = store.puzzles.progress(user, "eko")
        assert progress.streak == {0: 1, 1: 2, 2: 3, 4: 1}[day]
    assert [progress.streak_on((NOW + timedelta(days=day)).date()) for day in (4, 5, 6)] == [1, 1, 0]


@pytest.mark.postgres
def test_closed_account_has_no_answers_and_gets_none(store: Store) -> None:
    user = account(store, "ada")
    store.puzzles.answer(user, GIVEN)
    store.puzzles.take_over(user, "eko", ["bb"], None, NOW)
    assert [(one.puzzle, one.was_right) for one in store.puzzles.of(user)] == [("aa", True), ("bb", None)]
    store.people.close(user)
    assert store.puzzles.answer(user, GIVEN) is None
    assert (store.puzzles.of(user), store.puzzles.standings(user)) == ([], [])
