from __future__ import annotations

import pytest

from ekoes.server.ops.limits import Bucket


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_burst_is_free_and_what_follows_keeps_the_rate() -> None:
    bucket = Bucket(rate=10, burst=3, clock=Clock())
    assert [bucket.wait() for _ in range(3)] == [0, 0, 0]
    assert [bucket.wait() for _ in range(3)] == pytest.approx([0.1, 0.2, 0.3])


def test_pause_fills_the_bucket_up_to_the_burst() -> None:
    clock = Clock()
    bucket = Bucket(rate=10, burst=2, clock=clock)
    for _ in range(5):
        bucket.wait()
    clock.now += 0.3
    assert bucket.wait() == pytest.approx(0.1)
    clock.now += 1000
    assert [bucket.wait() for _ in range(3)] == pytest.approx([0, 0, 0.1])
