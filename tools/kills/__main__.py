"""Kill a server again and again while people play, and look whether anything that it promised is lost.

``python -m tools.kills [--kills 100] [--players 50] [--seed 1]``
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from ekoes.games.chance import Chance
from tools.kills.killing import killed

__all__ = ["main"]


def main() -> int:
    """Kill, tell how it goes on, and return 1 if anything was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tools.kills")
    for name, default in (("kills", 100), ("players", 50), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    asked = parser.parse_args()
    with TemporaryDirectory() as folder:
        result = asyncio.run(killed(Path(folder), asked.players, asked.kills, Chance(asked.seed), _tell))
    print(f"{asked.kills} kills, {result.acknowledged} orders acknowledged, {len(result.faults)} faults")
    for fault in result.faults:
        print(fault)
    return int(bool(result.faults))


def _tell(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
