"""Heartbeats of cluster nodes: which node is gone, and which time they share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from threading import Event, Thread

import pytest

from ekoes.server.cluster.cluster_node import HeartbeatMonitor, cluster_clock
from ekoes.storage.store import Store

MINUTE = timedelta(minutes=1)


def on_the_wall() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)


@contextmanager
def beating(store: Store, address: str, clock: Callable[[], datetime | None]) -> Iterator[None]:
    """Run a node with a clock."""
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
def test_new_node_continues_the_time_of_the_others(
    store: Store, ahead: timedelta, caplog: pytest.LogCaptureFixture
) -> None:
    theirs = on_the_wall() + ahead
    with beating(store, "a:1", lambda: theirs):
        clock = cluster_clock(store, timeout=60)
        assert theirs <= clock.now() < theirs + timedelta(seconds=30)
    assert "differs from the other processes" in caplog.text


def test_late_heartbeat_slows_no_clock(store: Store) -> None:
    with beating(store, "a:1", lambda: datetime.now(UTC) - timedelta(milliseconds=100)):
        clock = cluster_clock(store, timeout=60)
    wall = datetime.now(UTC)
    assert clock.now() >= wall - timedelta(milliseconds=2)


def test_killed_node_has_no_time(store: Store) -> None:
    ahead = on_the_wall() + MINUTE
    store.leases.join("a:1", ahead)
    assert cluster_clock(store, timeout=0.2).now() < ahead


def test_single_node_does_not_wait(store: Store) -> None:
    began = on_the_wall()
    assert began <= cluster_clock(store, timeout=3600).now() < began + MINUTE


def test_node_without_a_clock_has_no_time(store: Store) -> None:
    began = on_the_wall()
    with beating(store, "a:1", lambda: None):
        assert began <= cluster_clock(store, timeout=0.5).now() < began + MINUTE


def test_node_without_heartbeats_is_gone() -> None:
    monitor = HeartbeatMonitor(timeout=2.0, longest_gap=1.0)
    found = [monitor.silent({"a": look, "b": 1}, look * 0.5) for look in range(5)]
    assert found == [[], [], [], [], ["b"]]


def test_monitor_that_did_not_look_starts_afresh() -> None:
    monitor = HeartbeatMonitor(timeout=2.0, longest_gap=1.0)
    assert monitor.silent({"b": 1}, 0.0) == []
    assert monitor.silent({"b": 1}, 30.0) == []
    assert monitor.silent({"b": 1}, 31.0) == []
    assert monitor.silent({"b": 1}, 32.0) == ["b"]


def test_heartbeat_starts_the_timeout_again() -> None:
    monitor = HeartbeatMonitor(timeout=2.0, longest_gap=2.0)
    assert [monitor.silent({"b": beats}, now) for beats, now in ((1, 0), (1, 1.5), (2, 3), (2, 4.5))] == [
        []
    ] * 4
