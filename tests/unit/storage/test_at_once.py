"""Limits hold and numbers are given once, however many transactions ask for them at the same time."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from ekoes.errors import AccountError, ClubError, TableError, TournamentError
from ekoes.storage.accounts import MOST_TOKENS
from ekoes.storage.clubs import MOST_OWNED, Club
from ekoes.storage.store import Store
from ekoes.storage.studies import MOST_STUDIES, Content
from ekoes.storage.tournaments import MOST_OPEN
from tests.kit.stored import account
from tests.unit.storage.keeping import NOW
from tests.unit.tournament.playing import plan

AT_ONCE = 8


def at_once(work: Callable[[int], object], number: int = AT_ONCE) -> int:
    """Do some work in several threads at once; return how often a limit did not refuse it."""
    barrier = Barrier(number)

    def one(which: int) -> bool:
        barrier.wait()
        try:
            work(which)
        except (AccountError, ClubError, TableError, TournamentError):
            return False
        return True

    with ThreadPoolExecutor(number) as threads:
        return sum(threads.map(one, range(number)))


@pytest.mark.postgres
def test_tokens_asked_for_at_once_are_no_more_than_an_account_may_have(store: Store) -> None:
    account(store, "ada", "Ada")
    for number in range(MOST_TOKENS - 2):
        store.programs.make("ada", "A bot", (), f"before-{number}", NOW)
    assert at_once(lambda number: store.programs.make("ada", "A bot", (), f"digest-{number}", NOW)) == 2
    assert len(store.programs.of("ada")) == MOST_TOKENS


@pytest.mark.postgres
def test_tournaments_made_at_once_are_no_more_than_an_organiser_may_have(store: Store) -> None:
    account(store, "ada", "Ada")
    made = at_once(lambda number: store.tournaments.make(f"t{number}", "ada", plan("swiss"), NOW))
    assert made == len(store.tournaments.all(AT_ONCE)) == MOST_OPEN


@pytest.mark.postgres
def test_all_who_join_a_tournament_at_once_are_entrants(store: Store) -> None:
    store.tournaments.make("t", "ada", plan("swiss"), NOW)
    for number in range(AT_ONCE):
        account(store, f"user-{number}", f"User {number}")
    assert at_once(lambda number: store.tournaments.join("t", f"user-{number}", f"P{number}")) == AT_ONCE
    entrants = store.tournaments.load("t").tournament.entrants
    assert [one.number for one in entrants] == list(range(1, AT_ONCE + 1))


@pytest.mark.postgres
def test_clubs_founded_and_joined_at_once_are_no_more_than_allowed(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    account(store, "ada", "Ada")
    clubs = [Club(f"c{number}", f"Club {number}", "", True, "key", 1, NOW) for number in range(AT_ONCE)]
    assert at_once(lambda number: store.clubs.make(clubs[number], "ada")) == MOST_OWNED
    monkeypatch.setattr("ekoes.storage.clubs.MOST_MEMBERS", 4)
    for number in range(AT_ONCE):
        account(store, f"user-{number}", f"User {number}")
    club = store.clubs.of("ada")[0].club.id
    assert at_once(lambda number: store.clubs.join(club, f"user-{number}", None, NOW)) == 3
    assert store.clubs.load(club).members == 4


@pytest.mark.postgres
def test_studies_made_at_once_are_no_more_than_a_user_may_have(store: Store) -> None:
    content = Content("Study", 1, "{}")
    for number in range(MOST_STUDIES - 2):
        store.studies.make(f"before-{number}", "ada", "eko", content, NOW)
    assert at_once(lambda number: store.studies.make(f"study-{number}", "ada", "eko", content, NOW)) == 2
