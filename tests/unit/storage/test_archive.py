"""The archive: what is found by what, and that a search reads its index alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.dialects import sqlite

from ekoes.storage.results import Search, found
from ekoes.storage.store import Store
from ekoes.tables.create import new_table
from ekoes.tables.orders import Draw, Resign
from ekoes.tables.settings import Seat
from tests.kit.stored import account
from tests.unit.storage.keeping import NOW, Keeper

_TABLES = count()


def played(store: Store, loser: int, *names: str, public: bool = True, **options: Any) -> str:
    """Keep a game between people of some names, which one seat has given up; return its table."""
    number = next(_TABLES)
    seats = tuple(Seat("open", name, seat, session=name.lower()) for seat, name in enumerate(names))
    rated = options.pop("rated", False)
    table = new_table("eko", {"players": len(names), **options}, 1, seats, rated=rated)
    decided = (0, 1) * 2 if rated else None
    keeper = Keeper(store, replace(table, public=public, decided=decided), f"t{number}")
    order = Resign(key="gone", version=0, seat=loser)
    keeper.give(order, names[loser].lower(), NOW + timedelta(days=number))
    return keeper.id


def ids(store: Store, **wish: Any) -> list[str]:
    return [game.table_id for game in store.archive.search(Search(**wish), None, 50)]


@pytest.fixture
def games(store: Store) -> dict[str, str]:
    """Three games: of two, of two with variants, of two rated ones; the names tell how they differ."""
    for user in ("ada", "bo"):
        account(store, user)
    return {
        "plain": played(store, 1, "Ada", "Cy"),
        "moon": played(store, 0, "Ada", "Bo", variants=["moon", "wind"]),
        "rated": played(store, 1, "Ada", "Bo", public=False, rated=True),
        "by link": played(store, 1, "Ada", "Bo", public=False),
    }


@pytest.mark.parametrize(
    ("wish", "expected"),
    [
        ({}, ["rated", "moon", "plain"]),
        ({"player": ["ADA"]}, ["rated", "moon", "plain"]),
        ({"player": ["ada", " bo "]}, ["rated", "moon"]),
        ({"winner": "bo"}, ["moon"]),
        ({"winner": "cy"}, []),
        ({"option": ["variants:moon", "variants:wind"]}, ["moon"]),
        ({"option": ["variants:moon", "variants:portals"]}, []),
        ({"rated": True}, ["rated"]),
        ({"rated": False}, ["moon", "plain"]),
        ({"game": "eko", "players": 2, "tempo": "untimed"}, ["rated", "moon", "plain"]),
        ({"players": 3}, []),
        ({"result": "won", "player": ["cy"]}, ["plain"]),
        ({"result": "drawn"}, []),
        ({"reason": "resignation", "player": ["cy"]}, ["plain"]),
    ],
    ids=str,
)
def test_archive_search_finds_public_games(
    store: Store, games: dict[str, str], wish: dict[str, Any], expected: list[str]
) -> None:
    assert ids(store, **wish) == [games[name] for name in expected]


@pytest.mark.postgres
def test_drawn_game_is_found_as_drawn(store: Store, games: dict[str, str]) -> None:
    seats = tuple(Seat("open", name, seat, session=name) for seat, name in enumerate(("dan", "eve")))
    keeper = Keeper(store, replace(new_table("eko", {"players": 2}, 1, seats), public=True), "even")
    for seat, name in enumerate(("dan", "eve")):
        keeper.order(Draw, name, seat=seat, offer=True)
    assert ids(store, result="drawn") == ["even"]
    assert games["plain"] in ids(store, result="won")


def test_search_finds_what_ended_between(store: Store, games: dict[str, str]) -> None:
    middle = store.archive.search(Search(), None, 50)[1].ended_at.date()
    assert ids(store, since=middle, until=middle) == [games["moon"]]
    assert ids(store, until=middle - timedelta(days=1)) == [games["plain"]]


@pytest.mark.postgres
def test_pages_tell_each_game_once(store: Store, games: dict[str, str]) -> None:
    after, seen = None, []
    while some := store.archive.search(Search(), after, 1):
        seen += [game.table_id for game in some]
        after = some[-1].ended_at, some[-1].table_id
    assert seen == [games["rated"], games["moon"], games["plain"]]


@pytest.mark.parametrize("asked", ["Zoë", "Zoe\u0308", "ZOË", "Ｚoë", "Zo\u034fë"])
def test_player_is_found_in_any_form_of_the_name(store: Store, asked: str) -> None:
    for number, name in enumerate(("Zoë", "Zoe\u0308")):
        played(store, number, name, "Cy")
    assert len(ids(store, player=[asked])) == 2


def test_unlisted_game_is_not_in_the_archive(store: Store, games: dict[str, str]) -> None:
    shown = {name: store.archive.knows(table) for name, table in games.items()}
    assert shown == {"plain": True, "moon": True, "rated": True, "by link": False}
    assert not store.archive.knows("nowhere")


def test_deleted_account_is_not_found_by_name(store: Store, games: dict[str, str]) -> None:
    store.people.close("bo")
    assert ids(store, player=["bo"]) == []
    assert ids(store, winner="bo") == []
    assert ids(store, player=["ada"]) == [games["rated"], games["moon"], games["plain"]]


@pytest.mark.parametrize(
    "wish",
    [Search(), Search(player=["ada"], game="eko"), Search(rated=True, since=NOW.date(), until=NOW.date())],
    ids=["all", "two words", "between"],
)
def test_search_scans_and_sorts_nothing(
    store: Store, games: dict[str, str], path: Path, url: str, wish: Search
) -> None:
    assert games
    engine = create_engine(url)
    with engine.connect() as connection:
        statement = found(connection, wish, (NOW, "t")).limit(50)
        plain = statement.compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True})
        plan = [row.detail for row in connection.execute(text(f"EXPLAIN QUERY PLAN {plain}"))]
    engine.dispose()
    assert all(step.startswith(("SEARCH", "CORRELATED")) for step in plan), plan
