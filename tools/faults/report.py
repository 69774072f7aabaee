"""A run in words and figures, as Markdown."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from os import cpu_count
from statistics import median

from tools.faults.run import Plan, Result

__all__ = ["report"]


_ENDS = {"kill", "cut", "restart"}


def report(plan: Plan, result: Result) -> str:
    """Return a run as a part of a page."""
    return "\n".join((*_about(plan, result), "", *_table(result), "", *_wrong(result), ""))


def _about(plan: Plan, result: Result) -> Iterator[str]:
    figures = result.figures
    times = {name: len(one.longest) for name, one in result.struck.items()}
    ends = sum(number for name, number in times.items() if name in _ENDS)
    yield f"{_machine()}; {datetime.now(UTC):%Y-%m-%d}. Seed {plan.seed}, {result.seconds / 60:.0f} minutes."
    yield ""
    services = plan.database + (" and Redis" if plan.redis else "")
    yield f"- Processes of servers: {plan.processes}. Beside them: {services}."
    yield f"- {sum(times.values())} faults, {ends} of which ended a server."
    yield f"- {result.orders} orders acknowledged at {result.tables} tables."
    yield f"- {figures.lines} lines opened; {figures.twice} orders sent twice, {figures.stale} sent late; "
    yield f"  {result.messages} messages of EKKO looked through for hidden cards."
    waits = [f"{name} {_part(result.waits, part)} ms" for name, part in (("median", 50), ("99 %", 99))]
    yield f"- Waits for an acknowledgement, faults and all: {', '.join(waits)}."
    refused = ", ".join(f"{number} {code}" for code, number in sorted(figures.refused.items()))
    yield f"- Refused with a reason: {refused or 'nothing'}."
    if "full" in times:
        disk = "a file system of its own" if result.is_own_disk else "a bound on files"
        yield f"- The full disk was {disk}."


def _table(result: Result) -> Iterator[str]:
    yield "| fault | struck | orders acknowledged meanwhile and until it went on | longest wait of each, s |"
    yield "|---|---:|---:|---|"
    for name, one in sorted(result.struck.items()):
        waits = f"median {median(one.longest):.1f}, at most {max(one.longest):.1f}"
        yield f"| {name} | {len(one.longest)} | {one.acknowledged} | {waits} |"


def _wrong(result: Result) -> Iterator[str]:
    yield f"**{len(result.wrong) or 'Nothing'}** was wrong."
    yield from (f"- {fault}" for fault in result.wrong[:50])


def _part(waits: Sequence[float], percent: int) -> int:
    """Return what so many of a hundred waits are shorter than, in milliseconds."""
    return round(sorted(waits)[len(waits) * percent // 100] * 1000) if waits else 0


def _machine() -> str:
    return f"{platform.system()}, {cpu_count()} cores, Python {platform.python_version()}"
