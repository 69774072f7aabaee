"""Measure what things cost, and tell what growth needs: ``python -m benchmarks.growth [--write]``.

``--write`` keeps the page and its picture in docs/operations. ``--seconds``: how long a load is measured.
"""

from __future__ import annotations

import argparse

from benchmarks.growth.bots import thoughts
from benchmarks.growth.costs import measured
from benchmarks.growth.needs import CROWDS, needs
from benchmarks.growth.page import needs_table, write_page


def main() -> None:
    """Measure, print, and write the page if asked to."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--tables", type=int, default=400, help="live tables, to tell what one costs")
    parser.add_argument("--write", action="store_true", help="keep the page in docs/operations")
    asked = parser.parse_args()
    costs = measured(asked.tables, asked.seconds)
    print(costs)
    bots = thoughts()
    for each in bots:
        print(each)
    print(needs_table([needs(costs, visitors) for visitors in CROWDS]))
    if asked.write:
        write_page(costs, bots)


if __name__ == "__main__":
    main()
