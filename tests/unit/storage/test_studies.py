"""Studies in the store."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from ekoes.errors import TableError
from ekoes.storage.accounts import Account
from ekoes.storage.store import Store
from ekoes.storage.studies import MOST_STUDIES, Content, StoredStudy
from tests.unit.storage.keeping import NOW

EMPTY = Content("Camps", 1, "")


def longer(study: StoredStudy) -> Content:
    return Content("Camps", 1, f"{study.content}x")


@pytest.mark.postgres
def test_study_is_changed_by_its_owner_alone(store: Store) -> None:
    store.studies.make("one", "ada", "eko", EMPTY, NOW)
    store.studies.change("one", "ada", longer, NOW + timedelta(days=1))
    study = store.studies.get("one")
    assert (study.user_id, study.content, study.version) == ("ada", "x", 1)
    assert study.changed_at == NOW + timedelta(days=1)
    with pytest.raises(TableError) as foreign:
        store.studies.change("one", "bo", longer, NOW)
    assert foreign.value.code == "study/not-yours"
    with pytest.raises(TableError, match="only its owner"):
        store.studies.drop("one", "bo")
    store.studies.drop("one", "ada")
    with pytest.raises(TableError) as gone:
        store.studies.get("one")
    assert gone.value.code == "study/not-found"


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
def test_studies_follow_a_guest_to_an_account_and_end_with_it(store: Store) -> None:
    store.studies.make("one", "guest", "eko", EMPTY, NOW)
    store.people.open(Account("ada", "Ada", "a hash", NOW), ["a code"])
    store.studies.hand_over("guest", "ada")
    assert [one.id for one in store.studies.of("ada")] == ["one"]
    store.people.close("ada")
    assert store.studies.of("ada") == []
