"""What people study, in the store: openings, answers to puzzles, studies."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from ekoes.errors import TableError
from ekoes.games.eko.openings import entries, moments
from ekoes.records import read_record
from ekoes.storage.puzzles import PuzzleAnswer
from ekoes.storage.schema import StudyRow
from ekoes.storage.store import Store
from ekoes.storage.studies import MOST_STUDIES, Content
from ekoes.tables.orders import Resign
from ekoes.tables.ratings import NEW, UNCERTAIN, Rating
from tests.kit.stored import account
from tests.kit.tables import refusal
from tests.unit.storage.keeping import NOW, Keeper, eko_table
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


HARD = Rating(NEW.mean + 5, UNCERTAIN)
GIVEN = PuzzleAnswer("eko", "aa", is_right=True, rating=HARD, at=NOW)


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


EMPTY = Content("Camps", 1, "")


def longer(study: StudyRow) -> Content:
    return Content("Camps", 1, f"{study.content}x")


@pytest.mark.postgres
def test_study_is_changed_by_its_owner_alone(store: Store) -> None:
    store.studies.make("one", "ada", "eko", EMPTY, NOW)
    store.studies.change("one", "ada", longer, NOW + timedelta(days=1))
    study = store.studies.get("one")
    assert (study.user_id, study.content, study.version) == ("ada", "x", 1)
    assert study.changed_at == NOW + timedelta(days=1)
    assert refusal(store.studies.change, "one", "bo", longer, NOW) == "study/not-yours"
    with pytest.raises(TableError, match="only its owner"):
        store.studies.drop("one", "bo")
    store.studies.drop("one", "ada")
    assert refusal(store.studies.get, "one") == "study/not-found"


@pytest.mark.postgres
def test_changes_at_the_same_time_are_all_made(store: Store) -> None:
    store.studies.make("one", "ada", "eko", EMPTY, NOW)
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda _: store.studies.change("one", "ada", longer, NOW), range(8)))
    assert store.studies.get("one").content == "x" * 8


def test_latest_changed_study_comes_first(store: Store) -> None:
    for day, name in enumerate(("one", "two", "three")):
        store.studies.make(name, "ada", "eko", EMPTY, NOW + timedelta(days=day))
    store.studies.make("other", "bo", "ekko", EMPTY, NOW)
    store.studies.change("two", "ada", lambda _: Content("Towers", 2, ""), NOW + timedelta(days=9))
    listed = [(one.id, one.title, one.chapters) for one in store.studies.of("ada")]
    assert listed == [("two", "Towers", 2), ("three", "Camps", 1), ("one", "Camps", 1)]


def test_user_has_a_hundred_studies_at_most(store: Store) -> None:
    for number in range(MOST_STUDIES):
        store.studies.make(str(number), "ada", "eko", EMPTY, NOW)
    with pytest.raises(TableError, match="at most 100 studies") as full:
        store.studies.make("more", "ada", "eko", EMPTY, NOW)
    assert full.value.code == "study/too-many"
    store.studies.make("more", "bo", "eko", EMPTY, NOW)


@pytest.mark.postgres
def test_studies_of_guests_go_with_their_tables(store: Store) -> None:
    account(store, "ada")
    for user in ("ada", "guest"):
        for name, age in (("old", 91), ("young", 89)):
            at = NOW - timedelta(days=age)
            store.studies.make(f"{name} of {user}", user, "eko", EMPTY, at)
    assert store.abandoned.remove_studies(NOW - timedelta(days=90)) == 1
    assert [one.id for one in store.studies.of("guest")] == ["young of guest"]
    assert len(store.studies.of("ada")) == 2


@pytest.mark.postgres
def test_studies_follow_a_guest_to_an_account_and_end_with_it(store: Store) -> None:
    store.studies.make("one", "guest", "eko", EMPTY, NOW)
    account(store, "ada")
    store.studies.hand_over("guest", "ada")
    assert [one.id for one in store.studies.of("ada")] == ["one"]
    store.people.close("ada")
    assert store.studies.of("ada") == []
