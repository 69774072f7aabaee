from __future__ import annotations

from ekoes.server.cluster.watch import Watch


def test_who_is_silent_for_too_long_is_gone() -> None:
    watch = Watch(patience=2.0, gap=1.0)
    found = [watch.silent({"a": look, "b": 1}, look * 0.5) for look in range(5)]
    assert found == [[], [], [], [], ["b"]]


def test_who_did_not_listen_accuses_nobody() -> None:
    watch = Watch(patience=2.0, gap=1.0)
    assert watch.silent({"b": 1}, 0.0) == []
    assert watch.silent({"b": 1}, 30.0) == []
    assert watch.silent({"b": 1}, 31.0) == []
    assert watch.silent({"b": 1}, 32.0) == ["b"]


def test_who_is_heard_again_has_its_time_anew() -> None:
    watch = Watch(patience=2.0, gap=2.0)
    assert [watch.silent({"b": beats}, now) for beats, now in ((1, 0), (1, 1.5), (2, 3), (2, 4.5))] == [
        []
    ] * 4
