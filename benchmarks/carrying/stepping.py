"""``ekoes`` on a loop that notes its longest steps: ``python -m benchmarks.carrying.stepping FILE play …``.

A step is what the loop calls at a time. It is measured in processor time of the loop's thread: waiting
for the machine, or for another thread's turn, is no work. Steps are noted from SIGUSR1 to SIGUSR2, and
written to FILE, the longest first, when the program ends.
"""

from __future__ import annotations

import asyncio
import heapq
import json
import signal
import sys
import time
from itertools import count
from pathlib import Path

__all__ = ["LongestSteps"]

_KEPT = 20


class LongestSteps:
    """The longest steps of all loops of this process, and how many there were."""

    def __init__(self) -> None:
        """Begin with none."""
        self.number = 0
        self._is_noting = False
        self._order = count()
        self._longest: list[tuple[float, int, str]] = []

    def watch(self) -> None:
        """Measure each step from now on; those of uvloop can't be, so it has not to be found."""
        sys.modules["uvloop"] = None  # type: ignore[assignment] # as for a package that is not installed
        usual = asyncio.Handle._run  # noqa: SLF001 - there is no other way to see all steps

        def measured(handle: asyncio.Handle) -> None:
            began = time.thread_time()
            try:
                usual(handle)
            finally:
                self._note(time.thread_time() - began, handle)

        asyncio.Handle._run = measured  # type: ignore[assignment, method-assign] # noqa: SLF001

    def begin(self) -> None:
        """Note steps from now on."""
        self._is_noting = True

    def end(self) -> None:
        """Note no more."""
        self._is_noting = False

    def told(self) -> str:
        """Write what was noted: seconds and what was called, the longest first."""
        longest = [(seconds, what) for seconds, _, what in sorted(self._longest, reverse=True)]
        return json.dumps({"number": self.number, "longest": longest})

    def _note(self, seconds: float, handle: asyncio.Handle) -> None:
        if not self._is_noting:
            return
        self.number += 1
        if len(self._longest) < _KEPT or seconds > self._longest[0][0]:
            keep = heapq.heappush if len(self._longest) < _KEPT else heapq.heappushpop
            keep(self._longest, (seconds, next(self._order), repr(handle)))


def main() -> None:
    """Run the program that is named on the command line."""
    file = Path(sys.argv.pop(1))
    steps = LongestSteps()
    steps.watch()
    signal.signal(signal.SIGUSR1, lambda *_: steps.begin())
    signal.signal(signal.SIGUSR2, lambda *_: steps.end())
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # once the server has gone
    from ekoes.cli.main import run

    try:
        run()
    finally:
        file.write_text(steps.told(), encoding="utf-8")


if __name__ == "__main__":
    main()
