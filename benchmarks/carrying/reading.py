"""What an answer costs that readers of one long table get, at which nobody is."""

from __future__ import annotations

from collections.abc import Iterator

import uvloop

from benchmarks.carrying.report import Seen
from benchmarks.server.reading import PATHS
from benchmarks.server.series import reading

__all__ = ["measured"]

SECONDS = 5.0
TIMES = 2
MOST = 2
"""Milliseconds of work: 500 answers a second."""


def measured() -> Iterator[Seen]:
    """Measure each thing that can be read; the best of some runs."""
    for what, path in PATHS.items():
        runs = [uvloop.run(reading(path, SECONDS)) for _ in range(TIMES)]
        yield Seen(f"{what} of a long game, one answer", min(run.cpu for run in runs), "ms of work", MOST)
        yield Seen("… read by 16 at a time", max(run.rate for run in runs), "answers/s")
