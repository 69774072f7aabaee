"""Measure the engine, the server or the page: ``python -m benchmarks NAME [--write]``.

engine    random games and single decisions, beside engines of others (`make bench`)
environments  steps of batches, beside environments of others (`make bench-environments`)
server    decisions a second, waits and CPU at growing numbers of tables (`make bench-server`)
capacity  the same for SQLite, PostgreSQL and two processes (`make bench-capacity`)
boardgame-io  the same beside boardgame.io (`make bench-boardgame-io`)
start     first and later starts, and memory (`make bench-start`)
page      weight and response times in a browser on a slowed-down processor; ends with 1 if a goal is missed

--write replaces the benchmark's section of docs/reference/performance.md.
"""

from __future__ import annotations

import argparse
import sys

from benchmarks.report import machine, write_section

NAMES = ("engine", "environments", "server", "capacity", "boardgame-io", "start", "page")


def main() -> int:
    """Measure, print, and write the section if asked to. Returns: the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name", choices=NAMES)
    parser.add_argument("--write", action="store_true", help="replace the section in the documentation")
    parser.add_argument("--seconds", type=float, default=8.0, help="duration of each load of the server")
    parser.add_argument("--tables", default="", help="numbers of tables, such as 10,100")
    parser.add_argument("--only", default="", help="measure only rows with this in their name")
    asked = parser.parse_args()
    tables = [int(number) for number in asked.tables.split(",") if number]
    status, about = 0, machine()
    match asked.name:
        case "engine":
            from benchmarks.engine import measure_engine

            text = measure_engine(asked.only)
        case "environments":
            from benchmarks.environments import measure_environments

            text = measure_environments(asked.only)
        case "server":
            from benchmarks.server import measure_server

            text = measure_server(tables, asked.seconds, asked.only)
        case "capacity":
            from benchmarks.server import measure_capacity

            text = measure_capacity(tables, asked.seconds, asked.only)
        case "boardgame-io":
            from benchmarks.boardgame_io import measure_boardgame_io

            text = measure_boardgame_io(tables, asked.seconds)
        case "start":
            from benchmarks.start import measure_start

            text = measure_start()
        case "page":
            from benchmarks.page import measure_page

            text, version, is_met = measure_page()
            status, about = int(not is_met), f"{about}, Chromium {version}"
    text = f"{about}.\n\n{text}"
    print(text)
    if asked.write:
        write_section(asked.name, text)
    return status


if __name__ == "__main__":
    sys.exit(main())
