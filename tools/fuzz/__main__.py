"""Fuzz and attack a server, and check that nothing fails, no table is lost and no attack succeeds.

``python -m tools.fuzz [--messages 100000] [--tables 24] [--examples 50] [--seed 1]``
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.fuzz.fuzzing import Plan, fuzzed


def main() -> int:
    """Fuzz, print the progress, and return 1 if anything was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz")
    for name, default in (("messages", 100_000), ("tables", 24), ("examples", 50), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    asked = parser.parse_args()
    with TemporaryDirectory() as folder:
        found = fuzzed(Path(folder), Plan(**vars(asked)), _print)
    for fault in found:
        print(fault)
    print(f"{len(found)} faults")
    return int(bool(found))


def _print(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
