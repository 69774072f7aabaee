"""Let faults befall servers while people play, and look whether anything that they promised is lost.

``python -m tools.faults [--faults 100] [--only NAME ...] [--tables 8] [--seed 1] [--minutes 15]
[--processes 2] [--database postgresql] [--redis] [--report FILE]``
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.faults.database import DATABASES
from tools.faults.drawing import FAULTS, possible
from tools.faults.report import report
from tools.faults.run import Plan, run

__all__ = ["main"]


def main() -> int:
    """Run, tell how it goes on, and return 1 if anything was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tools.faults")
    for name, default in (("faults", 100), ("tables", 8), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--minutes", type=float, default=inf)
    parser.add_argument("--processes", type=int, default=1, choices=(1, 2, 3))
    parser.add_argument("--database", choices=tuple(DATABASES), default="sqlite")
    parser.add_argument("--redis", action="store_true")
    parser.add_argument("--only", nargs="+", choices=sorted(FAULTS), default=())
    parser.add_argument("--report", type=Path)
    asked = parser.parse_args()
    if strangers := set(asked.only).difference(possible(asked.database, redis=asked.redis)):
        services = asked.database + (" and Redis" if asked.redis else " and no Redis")
        parser.error(f"with {services} these can't happen: {', '.join(sorted(strangers))}")
    plan = Plan(
        asked.faults,
        tuple(asked.only),
        asked.tables,
        asked.seed,
        asked.processes,
        asked.database,
        asked.minutes,
        asked.redis,
    )
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # whoever ends it so has the disk unmounted
    with TemporaryDirectory() as folder:
        result = asyncio.run(run(Path(folder), plan, _tell))
    text = report(plan, result)
    print(text)
    if asked.report is not None:
        asked.report.write_text(text)
    return int(bool(result.wrong))


def _tell(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
