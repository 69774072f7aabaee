"""Attack a server's tables and print what it brings: ``python -m benchmarks.fairness``, some minutes.

Ends with 1 if anything is not as ``docs/reference/fairness.md`` promises it. Names given as arguments
(`secrets`, `volleys`, `timing`, `flooding`) attack in these ways alone.
"""

from __future__ import annotations

import sys

from benchmarks.fairness import flooding, secrets, timing, volleys
from benchmarks.fairness.report import table

ATTACKS = {
    "secrets": secrets.measured,
    "volleys": volleys.measured,
    "timing": timing.measured,
    "flooding": flooding.measured,
}


def main(names: list[str]) -> int:
    """Measure, print, and tell whether all is fair."""
    figures = [figure for name in names or ATTACKS for figure in ATTACKS[name]()]
    print(table(figures))
    return 0 if all(figure.is_fair for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
