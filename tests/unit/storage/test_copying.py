"""A club moves to another database and back: everything is there, or nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import create_engine, inspect

from ekoes.errors import StorageError
from ekoes.storage.backup import copy
from ekoes.storage.social import Deed, Line, Whom
from ekoes.storage.store import Store
from ekoes.tables.orders import Resign
from tests.services.postgres import postgres
from tests.unit.storage.keeping import NOW, Keeper, eko_table
from tests.unit.tournament.playing import plan


def fill(url: str) -> None:
    """Keep games, a review, talk, a tie, a deed and a tournament."""
    store = Store(url)
    for number in range(3):
        keeper = Keeper(store, eko_table(number), f"t{number}")
        keeper.play(20)
    keeper.order(Resign, seat=0)
    store.reviews.put("t2", 1, "{}", NOW)
    store.talk.say("t0", "k", Line(0, "all", "host", 0, "Zoë", "žluťoučký ❤", None, NOW))
    store.relations.add("follow", "host", "guest", "Ada", NOW)
    store.moderation.silence(Deed(NOW, "root", "silence", Whom("guest", "Ada"), "why"), NOW)
    store.tournaments.make("spring", "host", plan("swiss"), NOW)
    store.close()


def nothing(_table: str, _done: int, _all: int) -> None:
    pass


def tables(url: str) -> list[str]:
    engine = create_engine(url)
    found = inspect(engine).get_table_names()
    engine.dispose()
    return found


def test_club_moves_there_and_back(tmp_path: Path) -> None:
    old, there, back = f"sqlite:///{tmp_path}/old", postgres().empty(), f"sqlite:///{tmp_path}/back"
    fill(old)
    received: list[tuple[str, int, int]] = []
    rows = copy(old, there, lambda *shown: received.append(shown))
    assert (rows["tables"], rows["events"], rows["states"]) == (3, 61, 7)
    assert ("events", 61, 61) in received
    assert copy(there, back, nothing) == rows
    stores = [Store(url) for url in (old, there, back)]
    assert len({store.record("t1") for store in stores}) == 1
    assert len({store.talk.lines("t0", 9)[0] for store in stores}) == 1
    assert [store.reviews.of("t2", 1) for store in stores] == ["{}"] * 3
    assert [len(store.moderation.deeds()) for store in stores] == [1, 1, 1]
    for store in stores:
        store.close()


def test_numbers_go_on_behind_those_that_were_copied(tmp_path: Path) -> None:
    old, there = f"sqlite:///{tmp_path}/old", postgres().empty()
    fill(old)
    copy(old, there, nothing)
    store = Store(there)
    assert store.relations.add("follow", "host", "other", "Bo", NOW) == 2
    store.close()


def test_nothing_is_copied_into_a_database_that_is_not_empty(tmp_path: Path, own_url: str) -> None:
    old = f"sqlite:///{tmp_path}/old"
    fill(old)
    Store(own_url).close()
    with pytest.raises(StorageError, match="not empty"):
        copy(old, own_url, nothing)


@pytest.mark.parametrize("cut_at", ["tables", "states"])
@pytest.mark.postgres
def test_copy_that_is_cut_off_leaves_nothing(tmp_path: Path, own_url: str, cut_at: str) -> None:
    old = f"sqlite:///{tmp_path}/old"
    fill(old)

    def cut(table: str, _done: int, _all: int) -> None:
        if table == cut_at:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        copy(old, own_url, cut)
    assert tables(own_url) == []
    assert copy(old, own_url, nothing)["tables"] == 3


def test_nothing_is_copied_of_nothing(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="nothing to copy"):
        copy(f"sqlite:///{tmp_path}/old", f"sqlite:///{tmp_path}/new", nothing)
