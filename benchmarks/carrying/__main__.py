"""Print what is wanted of a server beside what is seen: ``python -m benchmarks.carrying [NAME …] [--write]``.

Bytes and memory are counted; work is counted in processor time, so that other programs on the machine
change nothing; where people wait, the same load is measured with and without the burden in turns, and the
least of each counts. Names (`sizes`, `steps`, `memory`, `opening`, `waking`, `reading`, `intents`, `bots`)
measure these alone. ``--write`` keeps the table in docs/reference/carrying.md. Ends with 1 if anything is
not as wanted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator

from benchmarks.carrying import bots, intents, memory, opening, reading, sizes, steps, waking
from benchmarks.carrying.report import Seen, line, write_report

PARTS: dict[str, Callable[[], Iterator[Seen]]] = {
    "sizes": sizes.measured,
    "steps": steps.measured,
    "memory": memory.measured,
    "opening": opening.measured,
    "waking": waking.measured,
    "reading": reading.measured,
    "intents": intents.measured,
    "bots": bots.measured,
}


def main() -> int:
    """Measure, print, write the report if asked to, and tell whether all is as wanted."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.carrying", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--write", action="store_true", help="keep the table in docs/reference")
    asked = parser.parse_args()
    if unknown := set(asked.names) - set(PARTS):
        parser.error(f"there is no {', '.join(sorted(unknown))}")
    found = []
    for name in asked.names or PARTS:
        for seen in PARTS[name]():
            print(line(seen), flush=True)
            found.append(seen)
    if asked.write:
        write_report(found)
    return 0 if all(seen.is_met for seen in found) else 1


if __name__ == "__main__":
    sys.exit(main())
