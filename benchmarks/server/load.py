"""Many tables at once, each with one decision after the other, and how long each decision took."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from benchmarks.server.cost import Cost
from benchmarks.server.subject import Subject

__all__ = ["WARM_UP", "Figures", "Load", "Table", "figures"]

WARM_UP = 2.0
"""Seconds before anything counts."""


class Table(Protocol):
    """A table whose players decide when they are told to, and tell the load when all have seen it."""

    @property
    def received(self) -> int:
        """Bytes that its players have heard."""

    def decide(self) -> None:
        """Send the next decision."""


@dataclass(frozen=True)
class Figures:
    """What was measured.

    p50, p90, p99: milliseconds until the sender has its answer and the others have seen it. cpu: milliseconds
    of the server's processor time a decision. sent: bytes that the server sent a decision. memory: bytes
    that its process held at the end. written: bytes for the disk a decision. database_cpu, database_memory:
    of a database that is a server of its own.
    """

    tables: int
    rate: float
    p50: float
    p90: float
    p99: float
    cpu: float
    sent: float
    memory: int
    written: float = 0.0
    database_cpu: float = 0.0
    database_memory: int = 0


class Load:
    """Keeps tables deciding. pace: decisions a second over all tables; None: as fast as answers come."""

    def __init__(self, subject: Subject, pace: float | None = None) -> None:
        """Begin without tables."""
        self._subject = subject
        self._pace = pace
        self._every = 0.0
        self._took: list[float] = []
        self._goes_on = True

    async def run(self, tables: Sequence[Table], seconds: float) -> Figures:
        """Let tables decide for some seconds, and tell what that took."""
        loop = asyncio.get_running_loop()
        self._every = len(tables) / self._pace if self._pace else 0.0
        for number, table in enumerate(tables):
            loop.call_later(self._every * number / len(tables), table.decide)
        await asyncio.sleep(WARM_UP)
        begun, before, received = time.perf_counter(), self._costs(), _received(tables)
        self._took.clear()
        await asyncio.sleep(seconds)
        self._goes_on = False
        passed, after = time.perf_counter() - begun, self._costs()
        sent, count = _received(tables) - received, max(1, len(self._took))
        own, database = (now - then for now, then in zip(after, before, strict=True))
        return replace(
            figures(len(tables), self._took, passed, own.cpu, sent, after[0].memory),
            written=(own.written + database.written) / count,
            database_cpu=database.cpu * 1000 / count,
            database_memory=after[1].memory,
        )

    def _costs(self) -> tuple[Cost, Cost]:
        """Return what the server has cost so far, and the database beside it."""
        return self._subject.cost(), self._subject.database()

    def counted(self, sent_at: float) -> float:
        """Hear that a decision is through; return the time. sent_at: by ``perf_counter``."""
        now = time.perf_counter()
        self._took.append(now - sent_at)
        return now

    def done(self, table: Table, sent_at: float) -> None:
        """Hear that a decision is through; the table's next one follows."""
        now = self.counted(sent_at)
        if self._goes_on:
            loop = asyncio.get_running_loop()
            loop.call_later(max(0.0, sent_at + self._every - now), table.decide)


def figures(tables: int, took: Sequence[float], passed: float, cpu: float, sent: int, memory: int) -> Figures:
    """Sum up. took: seconds of each decision or answer; passed, cpu: seconds; sent, memory: bytes."""
    count = max(1, len(took))
    p50, p90, p99 = np.percentile(took, [50, 90, 99]) * 1000 if took else [float("nan")] * 3
    return Figures(
        tables=tables,
        rate=len(took) / passed,
        p50=float(p50),
        p90=float(p90),
        p99=float(p99),
        cpu=cpu * 1000 / count,
        sent=sent / count,
        memory=memory,
    )


def _received(tables: Sequence[Table]) -> int:
    return sum(table.received for table in tables)
