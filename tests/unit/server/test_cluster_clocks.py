"""The time of processes that share a database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Thread

import pytest

from ekoes.server.cluster.clocks import clock_among
from ekoes.storage.store import Store

MINUTE = timedelta(minutes=1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(f"sqlite:///{tmp_path / 'test.sqlite'}")
    yield store
    store.close()


def on_the_wall() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)


@contextmanager
def beating(store: Store, address: str, clock: Callable[[], datetime | None]) -> Iterator[None]:
    """Let somebody be there with a clock."""
    leases, ends = store.leases, Event()
    member = leases.join(address, clock())

    def beat() -> None:
        while not ends.wait(0.05):
            leases.beat(member, clock())

    thread = Thread(target=beat)
    thread.start()
    try:
        yield
    finally:
        ends.set()
        thread.join()


@pytest.mark.parametrize("ahead", [MINUTE, -MINUTE])
def test_who_comes_goes_on_with_the_clock_of_who_is_there(
    store: Store, ahead: timedelta, caplog: pytest.LogCaptureFixture
) -> None:
    theirs = on_the_wall() + ahead
    with beating(store, "a:1", lambda: theirs):
        clock = clock_among(store, patience=60)
        assert theirs <= clock.now() < theirs + timedelta(seconds=30)
    assert "not that of the other processes" in caplog.text


def test_what_is_heard_a_moment_late_makes_nobody_slow(store: Store) -> None:
    with beating(store, "a:1", lambda: datetime.now(UTC) - timedelta(milliseconds=100)):
        clock = clock_among(store, patience=60)
    wall = datetime.now(UTC)
    assert clock.now() >= wall - timedelta(milliseconds=2)


def test_who_was_killed_tells_no_time(store: Store) -> None:
    ahead = on_the_wall() + MINUTE
    store.leases.join("a:1", ahead)
    assert clock_among(store, patience=0.2).now() < ahead


def test_who_is_alone_waits_for_nobody(store: Store) -> None:
    began = on_the_wall()
    assert began <= clock_among(store, patience=3600).now() < began + MINUTE


def test_who_is_of_a_release_before_tells_no_time(store: Store) -> None:
    began = on_the_wall()
    with beating(store, "a:1", lambda: None):
        assert began <= clock_among(store, patience=0.5).now() < began + MINUTE
