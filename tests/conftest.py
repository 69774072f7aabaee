"""Hypothesis draws the same examples each time; ``make test-long`` draws fresh ones."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "ekoes",
    derandomize=not os.environ.get("EKOES_FRESH_EXAMPLES"),
    # no test depends on time: a busy machine is slow at any moment
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("ekoes")

# The threads of numpy's matrix products wait for each other by computing, which two workers have no core for.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


_END = float(os.environ.get("EKOES_TESTS_BEGIN_UNTIL", "inf"))


def pytest_runtest_setup() -> None:
    """Leave what a minute has no room for to ``make test`` (``tools.quick``)."""
    if time.time() > _END:
        pytest.skip("the minute is over: left to make test")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Leave what all tests share out of the collections of garbage, which took a seventh of the time."""
    gc.disable()  # nearly all that is imported stays
    collected = yield
    gc.collect()
    gc.freeze()
    gc.enable()
    return collected
