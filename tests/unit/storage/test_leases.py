"""Leases: whatever happens in whatever order, nothing stale is ever stored."""

from __future__ import annotations

import re
from contextlib import suppress
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, multiple, rule
from sqlalchemy import create_engine, text

from ekoes.errors import StorageError
from ekoes.server.cluster.cluster_node import HeartbeatMonitor
from ekoes.storage.leases import _LEFT, Lease
from ekoes.storage.store import Store
from ekoes.storage.tables import Change, StoredTable, Taken, new_table, take
from ekoes.tables.orders import Rename
from ekoes.tables.submit import submit
from tests.kit.stored import create, stored_table, write_one
from tests.unit.storage.keeping import NOW, eko_table

TABLES = ("t1", "t2")


@pytest.mark.postgres
def test_table_has_one_owner_until_its_process_ends(store: Store) -> None:
    leases = store.leases
    ada, bob = leases.join("a:1"), leases.join("b:1")
    create(store, "t", eko_table(), NOW)
    first = Lease("t", ada, 1)
    assert leases.claim(ada, "t") == first
    assert leases.claim(bob, "t") == first
    leases.end(ada, beats=7)
    assert leases.claim(bob, "t") == first
    leases.end(ada)
    assert leases.claim(bob, "t") == Lease("t", bob, 2)
    assert leases.beat(ada) is None
    assert list(leases.beat(bob) or ()) == [bob]


def test_released_lease_is_free_at_once(store: Store) -> None:
    leases = store.leases
    ada, bob = leases.join("a:1"), leases.join("b:1")
    mine = leases.claim(ada, ":meeting")
    assert mine == Lease(":meeting", ada, 1)
    leases.give_back(mine)
    assert leases.claim(bob, ":meeting") == Lease(":meeting", bob, 2)
    leases.give_back(mine)
    assert leases.claim(ada, ":meeting") == Lease(":meeting", bob, 2)


def test_unknown_table_has_no_lease(store: Store) -> None:
    assert store.leases.claim(store.leases.join("a:1"), "nothere") is None


def test_new_member_at_an_address_ends_the_previous_one(store: Store) -> None:
    before = store.leases.join("a:1")
    after = store.leases.join("a:1")
    assert store.leases.beat(before) is None
    assert list(store.leases.beat(after) or ()) == [after]


def test_ended_member_gets_no_lease(store: Store) -> None:
    create(store, "t", eko_table(), NOW)
    gone = store.leases.join("a:1")
    store.leases.end(gone)
    assert store.leases.claim(gone, "t") is None
    assert store.leases.claim(store.leases.join("b:1"), "t") is not None
    with pytest.raises(StorageError, match="another process"):
        write_one(store, new_table("other", eko_table(), NOW, Lease("other", gone, 1))[1])
    assert store.load("other") is None


@pytest.mark.postgres
def test_one_stale_change_keeps_no_other_one_from_being_written(store: Store) -> None:
    ada, bob = store.leases.join("a:1"), store.leases.join("b:1")
    create(store, "t", eko_table(), NOW)
    stale = Lease("t", ada, 1)
    assert store.leases.claim(ada, "t") == stale
    store.leases.end(ada)
    made = new_table("u", eko_table(), NOW, Lease("u", bob, 1))[1]
    stored = stored_table(store, "t")
    renaming = Change("t", lease=stale)
    take(renaming, stored, [renamed(stored, 1)])
    failures = store.write([renaming, made])
    assert [None if failure is None else failure.code for failure in failures] == ["storage/fenced", None]
    assert store.load("u") is not None


def test_active_tables_of_ended_members_are_found(store: Store) -> None:
    ada = store.leases.join("a:1")
    for name in ("here", "there"):
        create(store, name, eko_table(), NOW)
        store.leases.claim(ada, name)
    active = set(store.active_tables())
    assert store.leases.left() == []
    store.leases.end(ada)
    assert set(store.leases.left()) == active


@pytest.mark.postgres
def test_orphaned_tables_are_found_by_index(store: Store, url: str) -> None:
    """Most tables that ever had an owner are over, and theirs is gone."""
    engine = create_engine(url)
    numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)"
    columns = "id, game, options, seed, created_at, secret, names, is_active, is_over, events, wakes_at"
    row = "'t' || i, 'eko', '{}', 1, '2026-05-01 00:00:00.000000', '', '[]', i = 1, i > 2, 0"
    with engine.begin() as database:
        strikes = "CASE WHEN i = 2 THEN '2026-05-01 00:00:00.000000' END"
        if engine.name == "postgresql":
            row, strikes = row.replace("000000',", "000000'::timestamptz,"), f"({strikes})::timestamptz"
        database.execute(text(f"INSERT INTO tables ({columns}) {numbers} SELECT {row}, {strikes} FROM n"))  # noqa: S608
        leases = "INSERT INTO leases (name, member, epoch)"
        database.execute(text(f"{leases} {numbers} SELECT 't' || i, 'gone', 1 FROM n"))  # noqa: S608
        database.execute(text("ANALYZE"))
        explain = "EXPLAIN" if engine.name == "postgresql" else "EXPLAIN QUERY PLAN"
        query = _LEFT.compile(engine, compile_kwargs={"literal_binds": True})
        plan = "\n".join(map(str, database.execute(text(f"{explain} {query}"))))
    engine.dispose()
    assert set(store.leases.left()) == {"t1", "t2"}
    assert not re.search(r"(?i)\bscan (on )?(leases|tables)", plan.replace("Index Scan", "Index")), plan


class Process:
    """What one process believes: who it is, and which tables it has in memory, under which lease."""

    def __init__(self, store: Store, number: int) -> None:
        self.id = store.leases.join(f"p:{number}")
        self.tables: dict[str, tuple[Lease, StoredTable]] = {}
        self.watch = HeartbeatMonitor(2.0, 10.0)
        self.clock = 0.0


class Processes(RuleBasedStateMachine):
    """Processes that are slow, stand still, die and wake in any order, each with a clock of its own.

    Beside the database stands what must be: who owns which table in which epoch, and what was kept of it.
    """

    processes: Bundle[Process] = Bundle("processes")

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.store = Store(f"sqlite:///{self.folder.name}/test.sqlite")
        self.owners: dict[str, Lease] = {}
        self.stored: dict[str, list[tuple[str, str]]] = {table: [] for table in TABLES}
        self.ended: set[str] = set()
        self.number = 0
        for table in TABLES:
            create(self.store, table, eko_table(), NOW)

    @initialize(target=processes)
    def two_begin(self) -> Any:
        return multiple(self.begins(), self.begins())

    @rule(target=processes)
    def begins(self) -> Process:
        self.number += 1
        return Process(self.store, self.number)

    @rule(process=processes, table=st.sampled_from(TABLES))
    def claims(self, process: Process, table: str) -> None:
        owner = self.owners.get(table)
        is_free = owner is None or owner.member in self.ended
        if process.id not in self.ended and is_free:
            owner = self.owners[table] = Lease(table, process.id, 1 if owner is None else owner.epoch + 1)
        if owner is None or owner.member in self.ended:
            with suppress(StorageError):
                assert self.store.leases.claim(process.id, table) is None
            return
        assert self.store.leases.claim(process.id, table) == owner
        stored = self.store.load(table)
        if owner.member == process.id and stored is not None:
            process.tables[table] = owner, stored

    @rule(process=processes, table=st.sampled_from(TABLES))
    def writes(self, process: Process, table: str) -> None:
        """Whatever it believes: it may have stood still since."""
        if table not in process.tables:
            self.claims(process, table)
        if table not in process.tables:
            return
        lease, stored = process.tables[table]
        self.number += 1
        taken = renamed(stored, self.number)
        change = Change(table, lease=lease)
        after = take(change, stored, [taken])
        (failure,) = self.store.write([change])
        assert (failure is None) == (self.owners[table] == lease and process.id not in self.ended)
        if failure is None:
            self.stored[table].append((lease.member, taken.order.key))
            process.tables[table] = lease, after

    @rule(process=processes, beats=st.booleans(), seconds=st.sampled_from((0.1, 0.9, 2.1, 30.0)))
    def listens(self, process: Process, beats: bool, seconds: float) -> None:
        """It is heard, or has just been and looks; whoever seems silent, by its clock, is ended."""
        process.clock += seconds
        peers = self.store.leases.beat(process.id) if beats else self.store.leases.peers()
        assert (peers is None) == (beats and process.id in self.ended)
        received = {name: peer.beats for name, peer in (peers or {}).items()}
        for silent in process.watch.silent(received, process.clock):
            self.store.leases.end(silent, received[silent])
            self.ended.add(silent)

    @rule(process=processes)
    def hears_nobody(self, process: Process) -> None:
        """All others stand still while it listens."""
        for _ in range(2):
            self.listens(process, beats=True, seconds=2.1)

    @rule(process=processes, table=st.sampled_from(TABLES))
    def gives_back(self, process: Process, table: str) -> None:
        if table in process.tables:
            lease, _ = process.tables.pop(table)
            self.store.leases.give_back(lease)
            if self.owners[table] == lease:
                self.owners[table] = lease._replace(member="")
                self.ended.add("")

    @rule(process=consumes(processes))
    def dies(self, process: Process) -> None:
        """Without a word."""

    @invariant()
    def all_that_was_kept_is_there_once_and_in_order(self) -> None:
        for table in TABLES:
            stored = stored_table(self.store, table)
            assert stored.events == len(self.stored[table])
            found = [self.store.answer(table, "all", key) for _, key in self.stored[table]]
            assert None not in found

    def teardown(self) -> None:
        self.store.close()
        self.folder.cleanup()


def renamed(stored: StoredTable, number: int) -> Taken:
    """Return an order that nothing forbids."""
    order = Rename(key=f"k{number}", seat=0, name=f"N{number}")
    return Taken(order, "all", NOW, submit(stored.table, order, "all", NOW))


TestProcesses = Processes.TestCase
TestProcesses.settings = settings(max_examples=10, stateful_step_count=40)
