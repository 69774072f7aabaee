"""How much later people get their answers where hundreds of tables of bots play beside theirs."""

from __future__ import annotations

from collections.abc import Iterator

import uvloop

from benchmarks.carrying.report import Seen
from benchmarks.server.series import eko, eko_beside_bots

__all__ = ["measured"]

TABLES, BOTS = 10, 300
SECONDS = 12.0
PACE = 10
"""Decisions a second, over all tables of people."""
TIMES = 2
MOST_LATER = 5


def measured() -> Iterator[Seen]:
    """Measure people alone and beside the bots, in turns."""
    runs = [
        (
            uvloop.run(eko(TABLES, SECONDS, PACE)).p99,
            uvloop.run(eko_beside_bots(TABLES, BOTS, SECONDS, PACE)).p99,
        )
        for _ in range(TIMES)
    ]
    alone, beside = map(min, zip(*runs, strict=True))
    yield Seen(f"a person's decision, 99 %, {TABLES} tables alone", alone, "ms")
    yield Seen(f"… beside {BOTS} tables of bots, later", beside - alone, "ms", MOST_LATER)
