"""Results of games and ratings in the store, and who may see them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from ekoes.games.api.contract import Outcome
from ekoes.records import read_record
from ekoes.storage.results import Between
from ekoes.storage.store import Store
from ekoes.tables.create import new_table
from ekoes.tables.orders import Abort, Act, Draw, Resign
from ekoes.tables.ratings import NEW
from ekoes.tables.settings import Seat
from tests.kit.stored import account
from tests.unit.storage.keeping import NOW, Keeper
from tests.unit.storage.test_opening import steps

POOL = "eko/2/untimed"
_TABLES = count()


def resigned(store: Store, loser: int, *users: str, rated: bool = True, players: int = 2) -> str:
    """Keep a game that one seat has given up; return its table."""
    number = next(_TABLES)
    seats = tuple(Seat("open", user.title(), seat, session=user) for seat, user in enumerate(users))
    table = new_table("eko", {"players": players}, 1, seats, rated=rated)
    table = replace(table, decided=(*range(players),) * 2 if rated else None)
    keeper = Keeper(store, table, f"t{number}")
    order = Resign(key="gone", version=0, seat=loser)
    keeper.give(order, users[loser], NOW + timedelta(minutes=number))
    return keeper.id


@pytest.mark.postgres
def test_review_replaces_an_earlier_one_and_other_versions_count_as_none(store: Store) -> None:
    table = resigned(store, 0, "ada", "bo", rated=False)
    assert store.reviews.of(table, 1) is None
    store.reviews.put(table, 1, "{}", NOW)
    assert (store.reviews.of(table, 1), store.reviews.of(table, 2)) == ("{}", None)
    for body in ("[]", "[1]"):
        store.reviews.put(table, 2, body, NOW)
        assert (store.reviews.of(table, 1), store.reviews.of(table, 2)) == (None, body)


@pytest.fixture
def pair(store: Store) -> tuple[str, str]:
    return account(store, "ada"), account(store, "bo")


def test_work_of_listing_games_does_not_grow_with_those_of_others(
    store: Store, path: Path, pair: tuple[str, str]
) -> None:
    theirs = partial(store.results.games, "ada", "ada", None, 9)
    resigned(store, 1, *pair)
    alone = steps(store, theirs)
    for _ in range(40):
        resigned(store, 1, "cleo", "dan")
    assert len(theirs()) == 1
    assert steps(store, theirs) < alone + 10


def test_rated_game_changes_both_ratings_once(store: Store, pair: tuple[str, str]) -> None:
    table = resigned(store, 1, *pair)
    (ada,), (bo,) = (store.results.standings(user) for user in pair)
    assert (ada.pool, ada.games, ada.won) == (POOL, 1, 1)
    assert (bo.games, bo.won) == (1, 0)
    assert ada.rating.mean > NEW.mean > bo.rating.mean
    assert ada.rating.deviation < NEW.deviation
    played = store.results.of_table(table)
    assert played is not None
    assert [(it.account, it.rank, it.won) for it in played.results] == [("Ada", 0, True), ("Bo", 1, False)]
    assert [it.rating for it in played.results] == [(NEW, ada.rating), (NEW, bo.rating)]


def test_ratings_go_on_where_they_stood(store: Store, pair: tuple[str, str]) -> None:
    resigned(store, 1, *pair)
    resigned(store, 0, *pair)
    (ada,) = store.results.standings("ada")
    curve = [rating for _, rating in store.results.curve("ada", POOL)]
    assert (ada.games, ada.won, len(curve)) == (2, 1, 2)
    assert curve[0].mean > curve[1].mean
    assert curve[1] == ada.rating


@pytest.mark.postgres
def test_games_that_end_at_the_same_time_all_count(store: Store, url: str, pair: tuple[str, str]) -> None:
    """Each of them is written by another process; first and last seats give up in turns."""
    at_once = 4
    stores = [Store(url) for _ in range(at_once)]
    with ThreadPoolExecutor(at_once) as pool:
        ended = [pool.submit(resigned, one, number % 2, *pair) for number, one in enumerate(stores * 2)]
        tables = [one.result() for one in ended]
    for one in stores:
        one.close()
    (ada,) = store.results.standings("ada")
    assert (ada.games, ada.won, len(tables)) == (len(tables), len(tables) // 2, 2 * at_once)


@pytest.mark.parametrize("users", [("ada", "guest"), ("ada", "ada")], ids=["a guest", "alone"])
def test_game_without_two_accounts_is_not_rated(
    store: Store, pair: tuple[str, str], users: tuple[str, str]
) -> None:
    table = resigned(store, 1, *users)
    played = store.results.of_table(table)
    assert played is not None
    assert not played.rated
    assert store.results.standings(pair[0]) == []


def test_game_that_is_not_rated_changes_no_rating(store: Store, pair: tuple[str, str]) -> None:
    resigned(store, 1, *pair, rated=False)
    assert store.results.standings("ada") == []
    assert store.results.pools() == []


def test_unrated_games_rate_bot_accounts_apart_from_people(store: Store, pair: tuple[str, str]) -> None:
    for name in ("robo", "deep"):
        store.people.make_program(account(store, name), NOW)
    resigned(store, 1, *pair)
    (before,) = store.results.standings("ada")
    table = resigned(store, 0, "ada", "robo", rated=False)
    (robo,) = store.results.standings("robo")
    assert (robo.games, robo.won) == (1, 1)
    assert robo.rating.mean > NEW.mean
    assert store.results.standings("ada") == [before]
    played = store.results.of_table(table)
    assert played is not None
    assert not played.rated
    assert [it.rating for it in played.results] == [None, (NEW, robo.rating)]
    resigned(store, 1, "robo", "guest", rated=False)
    resigned(store, 0, "robo", "deep", rated=False)
    (robo,), (deep,) = (store.results.standings(name) for name in ("robo", "deep"))
    assert [(it.games, it.won) for it in (robo, deep)] == [(3, 2), (1, 1)]
    assert [rating for _, rating in store.results.curve("robo", POOL)][-1] == robo.rating
    assert store.results.pools() == [(POOL, 2)]
    for number in range(18):
        resigned(store, int(number % 3 == 2), "deep", "robo", rated=False)
    assert not store.results.standings("deep")[0].rating.is_provisional
    assert store.results.leaders(POOL, 10) == []


@pytest.mark.parametrize("decided", [(), (0, 0, 1)])
def test_game_that_is_given_up_before_both_have_decided_twice_changes_no_rating(
    store: Store, pair: tuple[str, str], decided: tuple[int, ...]
) -> None:
    seats = tuple(Seat("open", user.title(), seat, session=user) for seat, user in enumerate(pair))
    table = new_table("eko", {"players": 2}, 1, seats, rated=True)
    keeper = Keeper(store, replace(table, decided=decided))
    keeper.order(Resign, "bo", seat=1)
    played = store.results.of_table(keeper.id)
    assert played is not None
    assert (played.reason, played.rated) == ("resignation", False)
    assert store.results.standings("ada") == []
    assert not store.archive.knows(keeper.id)


def test_aborted_game_has_no_result_and_is_read_from_the_store(store: Store, pair: tuple[str, str]) -> None:
    seats = tuple(Seat("open", user.title(), seat, session=user) for seat, user in enumerate(pair))
    keeper = Keeper(store, new_table("eko", {"players": 2}, 1, seats, rated=True))
    keeper.order(Act, "ada", seat=0, action={"type": "swap"})
    keeper.give(Abort(key="abort", seat=0), "ada")
    keeper.open_again()
    assert keeper.table.outcome == Outcome((), "aborted", "")
    assert keeper.table.decided == (0,)
    assert store.results.of_table(keeper.id) is None
    assert store.results.standings("ada") == []
    assert store.results.between(*pair) == Between(0, 0, 0)
    assert store.people.running("ada", 9) == []
    assert read_record(store.record(keeper.id)).outcome is None


def test_game_that_goes_on_has_no_result(store: Store) -> None:
    seats = tuple(Seat("open", name, seat, session=name) for seat, name in enumerate(("a", "b")))
    keeper = Keeper(store, new_table("eko", {"players": 2}, 1, seats))
    assert store.results.of_table(keeper.id) is None


def test_player_replaced_by_a_bot_is_ranked_last(store: Store, pair: tuple[str, str]) -> None:
    cy = account(store, "cy")
    seats = tuple(Seat("open", name, seat, session=name) for seat, name in enumerate((*pair, cy)))
    table = new_table("eko", {"players": 3}, 1, seats, rated=True)
    keeper = Keeper(store, replace(table, decided=(0, 1, 2) * 2))
    for seat, user in enumerate(seats[1:], 1):
        keeper.order(Resign, user.session, seat=seat)
    keeper.order(Draw, "ada", seat=0, offer=True)
    assert [it.pool for it in store.results.standings("ada")] == ["eko/3/untimed"]
    assert store.results.pools() == [("eko/3/untimed", 3)]
    ada, bo, last = (store.results.standings(user)[0].rating.mean for user in (*pair, cy))
    assert ada > last > bo
    played = store.results.of_table(keeper.id)
    assert played is not None
    assert [(it.rank, it.won) for it in played.results] == [(0, False), (2, False), (1, False)]


def test_leaders_have_certain_ratings(store: Store, pair: tuple[str, str]) -> None:
    resigned(store, 1, *pair)
    assert store.results.leaders(POOL, 10) == []
    for number in range(20):
        resigned(store, 1 if number % 3 else 0, *pair)
    assert [it.name for it in store.results.leaders(POOL, 10)] == ["Ada", "Bo"]
    assert [it.name for it in store.results.leaders(POOL, 1)] == ["Ada"]


def test_games_visible_to_others_are_rated_or_their_own(store: Store, pair: tuple[str, str]) -> None:
    rated = resigned(store, 1, *pair)
    private = resigned(store, 1, "ada", "guest", rated=False)
    shown = {
        eye: [it.table_id for it in store.results.games("ada", eye, None, 9)]
        for eye in ("ada", "bo", "guest", None)
    }
    assert shown == {"ada": [private, rated], "bo": [rated], "guest": [private, rated], None: [rated]}
    (latest,) = store.results.games("ada", "ada", None, 1)
    earlier = store.results.games("ada", "ada", latest.ended_at, 9)
    assert [it.table_id for it in earlier] == [rated]


def test_head_to_head_counts_games_of_both(store: Store, pair: tuple[str, str]) -> None:
    resigned(store, 1, *pair)
    resigned(store, 1, *pair, rated=False)
    resigned(store, 0, *pair)
    between = store.results.between("ada", "bo")
    assert (between.won, between.lost, between.even) == (2, 1, 0)
    assert store.results.between("ada", "guest").won == 0


@pytest.mark.postgres
def test_account_that_is_deleted_leaves_no_name_and_no_rating(store: Store, pair: tuple[str, str]) -> None:
    table = resigned(store, 0, *pair)
    store.people.close("ada")
    played = store.results.of_table(table)
    assert played is not None
    assert [(it.user_id, it.name) for it in played.results] == [(None, ""), ("bo", "Bo")]
    assert store.results.standings("ada") == []
    assert [it.won for it in store.results.standings("bo")] == [1]
