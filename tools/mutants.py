"""Check that `make test` finds faults: each of ten wrong lines has to make a test fail.

``python -m tools.mutants [NUMBER …]`` puts one fault at a time into a copy of the checkout and runs that part
of the quick tests which is meant to find it. Exits with 1 if one is not found.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from rich.progress import track

ROOT = Path(__file__).parents[1]
PYTEST = (sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", "not long")
PAGE = (sys.executable, "hatch_build.py", "test")


class Mutant(NamedTuple):
    """A fault. right, wrong: a text of the file, and its replacement. tests: none for the page's own."""

    file: str
    right: str
    wrong: str
    tests: tuple[str, ...] = ()


MUTANTS = (
    Mutant(
        "src/ekoes/games/eko/rules/move.py",
        "if beaten == TALLEST and height == 1:",
        "if beaten == TALLEST and height == 2:",
        ("tests/rules/eko",),
    ),
    Mutant(
        "src/ekoes/games/eko/rules/build.py",
        "if height < work.cost[index] or is_empty(targets):",
        "if height <= work.cost[index] or is_empty(targets):",
        ("tests/rules/eko",),
    ),
    Mutant(
        "src/ekoes/games/ekko/rules/turn.py",
        "if is_multiple(turned):",
        "if not is_multiple(turned):",
        ("tests/rules/ekko",),
    ),
    Mutant(
        "src/ekoes/games/ekko/position/position.py",
        'value["hand"] = list(hands[eye])',
        'value["hand"] = list(hands[eye - 1])',
        ("tests/rules/ekko", "tests/unit/ekko"),
    ),
    Mutant(
        "src/ekoes/games/ekko/live/judge.py",
        "    if at < state.free_at(seat, at):\n        raise",
        "    if at <= state.free_at(seat, at):\n        raise",
        ("tests/rules/ekko", "tests/unit/tables"),
    ),
    Mutant(
        "src/ekoes/tables/turns/table.py",
        "return changed(self, version=before.version + 1, since_decision=since)",
        "return changed(self, version=before.version + 2, since_decision=since)",
        ("tests/unit/tables",),
    ),
    Mutant(
        "src/ekoes/tables/turns/clocks.py",
        "left=_with_increment(plan, left, turn.player)",
        "left=left",
        ("tests/unit/tables",),
    ),
    Mutant(
        "src/ekoes/storage/leases.py",
        "if not set(leases) <= {",
        "if not leases and not set(leases) <= {",
        ("tests/unit/storage",),
    ),
    Mutant(
        "src/ekoes/storage/results.py",
        "if viewer != user:",
        "if viewer == user:",
        ("tests/unit/storage",),
    ),
    Mutant(
        "web/src/eko/selection.ts",
        "const moves = ofType(asked.choices, 'move').filter(({ action }) => action.from === from);",
        "const moves = ofType(asked.choices, 'move').filter(({ action }) => action.from !== from);",
    ),
)


def main() -> int:
    """Try the mutants; print those that no test has found."""
    wanted = [MUTANTS[int(number) - 1] for number in sys.argv[1:]] or list(MUTANTS)
    survivors = [mutant for mutant in track(wanted, "Faults") if not is_found(mutant)]
    for mutant in survivors:
        print(f"not found: {mutant.file}: {mutant.wrong.strip()}")
    print(f"{len(wanted) - len(survivors)} of {len(wanted)} faults found")
    return int(bool(survivors))


def is_found(mutant: Mutant) -> bool:
    """Return whether a quick test fails on a copy of the checkout with the fault."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "ekoes"
        subprocess.run(["git", "clone", "--quiet", ROOT, copy], check=True)  # noqa: S603, S607
        for name in ("src/ekoes/server/static", "web/node_modules"):
            (copy / name).symlink_to(ROOT / name)
        file = copy / mutant.file
        text = file.read_text("utf-8")
        if text.count(mutant.right) != 1:
            raise SystemExit(f"{mutant.file}: has not exactly one {mutant.right!r}")
        file.write_text(text.replace(mutant.right, mutant.wrong), "utf-8")
        paths = {"PYTHONPATH": f"{copy / 'src'}:{copy}", "EKOES_CACHE_DIR": f"{folder}/cache"}
        command = [*PYTEST, *mutant.tests] if mutant.tests else PAGE
        done = subprocess.run(  # noqa: S603
            command, cwd=copy, env=os.environ | paths, capture_output=True, check=False
        )
    return done.returncode == 1


if __name__ == "__main__":
    sys.exit(main())
