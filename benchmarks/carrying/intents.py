"""How long after its bytes were read an intent is judged, at a server that has nothing else to do."""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import uvloop

from benchmarks.carrying.judging import JUDGED
from benchmarks.carrying.report import Seen
from benchmarks.server.ekko import PLAYERS, EkkoTable
from benchmarks.server.guest import guests_of
from benchmarks.server.load import Load
from benchmarks.server.subject import Subject, running

__all__ = ["measured"]

SECONDS = 10.0
MOST = 1


def measured() -> Iterator[Seen]:
    """Measure one table of four, where mostly one intent is under way at a time."""
    with TemporaryDirectory() as folder:
        with running([sys.executable, "-m", "benchmarks.carrying.judging", folder]) as subject:
            uvloop.run(_play(subject))
        took = json.loads((Path(folder) / JUDGED).read_text(encoding="utf-8"))
    median = 1000 * statistics.median(took)
    yield Seen(f"an intent judged after its bytes were read, median of {len(took):,}", median, "ms", MOST)


async def _play(subject: Subject) -> None:
    async with guests_of(subject.addresses, PLAYERS) as guests:
        load = Load(subject)
        table = EkkoTable(load, tuple(guests))
        await table.open()
        await load.run([table], SECONDS)
