"""Backups, and a club that moves to another database and back: everything is there, or nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from zipfile import ZipFile

import pytest
from sqlalchemy import create_engine, inspect

from ekoes.errors import StorageError
from ekoes.storage import backup
from ekoes.storage.backup import DATABASE, back_up, copy, restore
from ekoes.storage.schema import LineRow, ModeratorActionRow
from ekoes.storage.store import Store
from ekoes.tables.orders import Resign
from tests.services.postgres import postgres
from tests.unit.storage.keeping import Keeper, eko_table
from tests.unit.tournament.playing import plan

NOW = datetime(2030, 1, 2, 3, 4, 5, tzinfo=UTC)


def silent(_done: int, _all: int) -> None:
    """Ignore the progress."""


def address(folder: Path) -> str:
    return f"sqlite:///{folder / DATABASE}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A server's folder."""
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "secret.key").write_bytes(b"secret")
    (folder / "notes.txt").write_text("not the server's")
    return folder


@pytest.fixture
def keeper(folder: Path) -> Iterator[Keeper]:
    """A table of that server with some decisions."""
    store = Store(f"sqlite:///{folder / DATABASE}")
    keeper = Keeper(store, eko_table())
    keeper.play(20)
    yield keeper
    store.close()


def events(folder: Path) -> int:
    """Count the orders that a server's folder keeps."""
    with closing(sqlite3.connect(folder / DATABASE)) as database:
        (number,) = database.execute("SELECT count(*) FROM events").fetchone()
    return int(number)


def test_backup_is_a_snapshot_of_its_start(
    keeper: Keeper, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup, "_PAGES", 10)
    before, shown = events(folder), []

    def play_on(done: int, all_: int) -> None:
        shown.append((done, all_))
        keeper.play(1)

    back_up(folder, address(folder), tmp_path / "copy.zip", play_on)
    assert len(shown) > 3
    assert shown == sorted(shown)
    assert events(folder) == before + len(shown)
    restore(tmp_path / "copy.zip", tmp_path / "new", replace=False, now=NOW)
    assert events(tmp_path / "new") == before
    assert (tmp_path / "new" / "secret.key").read_bytes() == b"secret"
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == [DATABASE, "secret.key"]


def test_backup_and_restored_files_are_private(keeper: Keeper, folder: Path, tmp_path: Path) -> None:
    assert keeper.table.version == 20
    back_up(folder, address(folder), tmp_path / "copy.zip", silent)
    restore(tmp_path / "copy.zip", tmp_path / "new", replace=False, now=NOW)
    private = [tmp_path / "copy.zip", *(tmp_path / "new").iterdir()]
    assert {path.stat().st_mode & 0o777 for path in private} == {0o600}


def test_restore_replaces_games_only_on_request(keeper: Keeper, folder: Path, tmp_path: Path) -> None:
    back_up(folder, address(folder), tmp_path / "copy.zip", silent)
    stored = events(folder)
    keeper.play(5)
    with pytest.raises(StorageError, match="--replace"):
        restore(tmp_path / "copy.zip", folder, replace=False, now=NOW)
    with pytest.raises(StorageError, match="in use"):
        restore(tmp_path / "copy.zip", folder, replace=True, now=NOW)
    assert events(folder) == stored + 5
    keeper.store.close()
    aside = restore(tmp_path / "copy.zip", folder, replace=True, now=NOW)
    assert aside == folder / f"{DATABASE}.20300102-030405"
    with closing(sqlite3.connect(aside)) as database:
        assert database.execute("SELECT count(*) FROM events").fetchone() == (stored + 5,)
    assert events(folder) == stored


def test_incomplete_backup_is_refused(keeper: Keeper, folder: Path, tmp_path: Path) -> None:
    keeper.store.close()
    copy, new = tmp_path / "copy.zip", tmp_path / "new"
    back_up(folder, address(folder), copy, silent)
    whole = copy.read_bytes()
    for bad in (whole[: len(whole) // 2], b"", whole[:500] + b"\0" * 64 + whole[564:]):
        copy.write_bytes(bad)
        with pytest.raises(StorageError, match="not a complete backup"):
            restore(copy, new, replace=False, now=NOW)
    with ZipFile(copy, "w") as archive:
        archive.write(folder / DATABASE, DATABASE)
        archive.writestr("../outside.key", "x")
    with pytest.raises(StorageError, match="no backup of Ekoes"):
        restore(copy, new, replace=False, now=NOW)
    assert list(new.iterdir()) == []
    assert not (tmp_path / "outside.key").exists()


def test_damaged_database_is_neither_backed_up_nor_restored(
    keeper: Keeper, folder: Path, tmp_path: Path
) -> None:
    keeper.store.close()
    database = folder / DATABASE
    content = bytearray(database.read_bytes())
    content[8192:12288] = b"\xff" * 4096
    database.write_bytes(bytes(content))
    with pytest.raises(StorageError):
        back_up(folder, address(folder), tmp_path / "copy.zip", silent)
    assert not (tmp_path / "copy.zip").exists()
    with ZipFile(tmp_path / "bad.zip", "w") as archive:
        archive.write(database, DATABASE)
    with pytest.raises(StorageError):
        restore(tmp_path / "bad.zip", tmp_path / "new", replace=False, now=NOW)
    assert list((tmp_path / "new").iterdir()) == []


@pytest.mark.parametrize("version", [1, 999])
def test_backup_of_an_older_or_newer_program_is_refused(
    keeper: Keeper, folder: Path, tmp_path: Path, version: int
) -> None:
    keeper.store.close()
    with closing(sqlite3.connect(folder / DATABASE)) as database, database:
        database.execute('UPDATE "schema" SET version = ?', (version,))
    with pytest.raises(StorageError, match=f"schema {version} of"):
        back_up(folder, address(folder), tmp_path / "copy.zip", silent)


def test_folder_without_games_has_no_backup(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="--data"):
        back_up(tmp_path, address(tmp_path), tmp_path / "copy.zip", silent)


def test_games_in_postgresql_are_not_backed_up_by_an_old_file(
    keeper: Keeper, folder: Path, tmp_path: Path
) -> None:
    with pytest.raises(StorageError, match="pg_dump"):
        back_up(folder, "postgresql://ekoes@/ekoes", tmp_path / "copy.zip", silent)
    assert not (tmp_path / "copy.zip").exists()


def test_database_of_another_place_is_backed_up_with_the_keys_of_the_folder(
    keeper: Keeper, folder: Path, tmp_path: Path
) -> None:
    keeper.store.close()
    elsewhere = tmp_path / "elsewhere.sqlite"
    (folder / DATABASE).replace(elsewhere)
    back_up(folder, f"sqlite:///{elsewhere}", tmp_path / "copy.zip", silent)
    restore(tmp_path / "copy.zip", tmp_path / "new", replace=False, now=NOW)
    assert events(tmp_path / "new") == 20
    assert (tmp_path / "new" / "secret.key").read_bytes() == b"secret"


@pytest.mark.parametrize("content", [b"no database at all" * 999, None])
def test_damaged_database_is_named_and_a_backup_takes_its_place(
    keeper: Keeper, folder: Path, tmp_path: Path, content: bytes | None
) -> None:
    back_up(folder, address(folder), tmp_path / "copy.zip", silent)
    keeper.store.close()
    database = folder / DATABASE
    database.write_bytes(content or database.read_bytes()[:8192])
    Path(f"{database}-wal").write_bytes(b"left")  # so that it is checked
    with pytest.raises(StorageError, match="`ekoes restore --replace`") as refused:
        Store(address(folder), careful=True)
    assert (refused.value.code, str(database) in str(refused.value)) == ("storage/damaged", True)
    assert restore(tmp_path / "copy.zip", folder, replace=True, now=NOW) is not None
    assert events(folder) == 20


def fill(url: str) -> None:
    """Keep games, a review, talk, a relation, an action and a tournament."""
    store = Store(url)
    for number in range(3):
        keeper = Keeper(store, eko_table(number), f"t{number}")
        keeper.play(20)
    keeper.order(Resign, seat=0)
    store.reviews.put("t2", 1, "{}", NOW)
    store.talk.say(LineRow("t0", "all", "host", "k", 0, "Zoë", "žluťoučký ❤", None, NOW))
    store.relations.add("follow", "host", "guest", "Ada", NOW)
    store.moderation.silence(ModeratorActionRow(NOW, "root", "silence", "guest", "Ada", "why"), NOW)
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
    one, *others = (store.talk.lines("t0", 9) for store in stores)
    assert len(one) == 1
    assert others == [one, one]
    assert [store.reviews.of("t2", 1) for store in stores] == ["{}"] * 3
    assert [len(store.moderation.actions()) for store in stores] == [1, 1, 1]
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
