"""Let faults strike servers while people play, and check that nothing acknowledged is lost.

``python -m tools.faults [--faults 100] [--only NAME ...] [--tables 8] [--seed 1] [--minutes 15]
[--processes 2] [--database postgresql] [--redis]``
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from collections.abc import Sequence
from functools import partial
from math import inf
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.report import format_table, machine
from tools.faults.fault import FAULTS, possible
from tools.faults.run import Plan, Result, run
from tools.faults.services import DATABASES


def main() -> int:
    """Run, print the progress, and return 1 if anything was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tools.faults")
    parser.add_argument("--faults", type=int, default=100, dest="number")
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=inf)
    parser.add_argument("--processes", type=int, default=1, choices=(1, 2, 3))
    parser.add_argument("--database", choices=tuple(DATABASES), default="sqlite")
    parser.add_argument("--redis", action="store_true")
    parser.add_argument("--only", nargs="+", choices=sorted(FAULTS), default=(), dest="names")
    asked = vars(parser.parse_args())
    plan = Plan(**asked | {"redis": asked["redis"] or asked["processes"] > 1})
    if strangers := set(plan.names).difference(possible(plan.database, redis=plan.redis)):
        services = plan.database + (" and Redis" if plan.redis else " and no Redis")
        parser.error(f"with {services} these can't happen: {', '.join(sorted(strangers))}")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the disk is unmounted then
    with TemporaryDirectory() as folder:
        result = asyncio.run(run(Path(folder), plan, partial(print, flush=True)))
    print(report(plan, result))
    return int(bool(result.wrong))


def report(plan: Plan, result: Result) -> str:
    """Return a run as Markdown."""
    figures, waits = result.figures, sorted(result.waits) or [0.0]
    refused = ", ".join(f"{number} {code}" for code, number in sorted(figures.refused.items()))
    rows = [
        (name, str(len(one.longest)), str(one.acknowledged), *_waits(one.longest))
        for name, one in sorted(result.struck.items())
    ]
    services = plan.database + (" and Redis" if plan.redis else "")
    return f"""{machine()}. Seed {plan.seed}, {result.seconds / 60:.0f} minutes.

- Server processes: {plan.processes}. Beside them: {services}.
- {result.orders} orders acknowledged at {result.tables} tables; {figures.connections} connections;
  {figures.twice} orders sent twice, {figures.stale} sent late; {result.messages} messages of EKKO checked.
- Waits for an acknowledgement: median {median(waits):.3f} s, p99 {waits[len(waits) * 99 // 100]:.3f} s.
- Refused: {refused or "nothing"}.
- A full disk is {"a file system of its own" if result.is_own_disk else "a limit on files"}.

{format_table("fault | struck | orders acknowledged | longest wait, s: median | most", rows)}

**{len(result.wrong) or "Nothing"}** was wrong.
{chr(10).join(f"- {fault}" for fault in result.wrong[:50])}"""


def _waits(longest: Sequence[float]) -> tuple[str, str]:
    return f"{median(longest):.1f}", f"{max(longest):.1f}"


if __name__ == "__main__":
    sys.exit(main())
