"""Count the Python calls of one Ekö decision in the server's main thread: ``python -m tools.calls``.

Runs ``ekoes play`` in this process, on SQLite in a temporary folder. Two sessions play a game of random
decisions at a table for two, each over its own WebSocket, from a second thread, one decision after the
other. A profile hook counts calls in the main thread: functions, coroutines and generators that are entered
or resumed. Printed is the mean of the middle decisions, leaving out the first and the last quarter; the
numbers don't depend on the machine's speed, but for a few calls of timers.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType

import ekoes
from benchmarks.start import until_answered
from benchmarks.tables import EkoTable, Session, random_game
from ekoes.cli.main import run
from tests.kit.server import free_port

OURS = str(Path(ekoes.__file__).parent) + os.sep
SEED = 1
QUIET = 0.05
"""Seconds between decisions, in which the server finishes what follows the answer (lobby, events)."""
OFTEN = 0.5
"""Calls a decision from which on a module counts as entered; timers enter others now and then."""

Counts = Counter[CodeType]


class CallCounter:
    """A profile hook that counts calls by code object, and the pace of a table that plays meanwhile.

    middle: the calls of the middle decisions, all together.
    """

    def __init__(self, decisions: int) -> None:
        self.middle: Counts = Counter()
        self._counts: Counts = Counter()
        self._first, self._end, self._number = decisions // 4, decisions * 3 // 4, 0

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        """Count a call."""
        if event == "call":
            self._counts[frame.f_code] += 1

    async def wait(self, _sent_at: float) -> None:
        """Wait for the server to finish what follows the last answer. Raises StopAsyncIteration after all."""
        await asyncio.sleep(QUIET)
        # the copying of a plain dictionary is not interrupted by other threads
        if self._number == self._first:
            self.middle = Counter(dict(self._counts))
        elif self._number == self._end:
            self.middle = Counter(dict(self._counts)) - self.middle
            raise StopAsyncIteration

    def record(self, _sent_at: float) -> None:
        """Count a decision."""
        self._number += 1

    @property
    def decisions(self) -> int:
        """How many are in the middle."""
        return self._end - self._first


async def play(address: str, pace: CallCounter) -> None:
    """Play all decisions."""
    pair = Session(address, "deflate"), Session(address, "deflate")
    table = EkoTable(pair, random_game(SEED))
    await table.open()
    with suppress(StopAsyncIteration):
        await table.play(pace)
    for session in pair:
        await session.close()


def measure(decisions: int) -> CallCounter:
    """Serve in the main thread while a second thread plays."""
    counter, port = CallCounter(decisions), free_port()

    def visit() -> None:
        address = f"http://127.0.0.1:{port}/"
        try:
            until_answered(f"{address}api/meta", time.perf_counter())
            asyncio.run(play(address, counter))
        finally:
            os.kill(os.getpid(), signal.SIGINT)

    with TemporaryDirectory() as folder:
        sys.argv = ["ekoes", "play", "--no-browser", "--port", str(port), "--data", folder]
        visitor = threading.Thread(target=visit)
        visitor.start()
        sys.setprofile(counter)
        with suppress(SystemExit):
            run()
        sys.setprofile(None)
        visitor.join()
    return counter


def main() -> None:
    """Print what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tools.calls", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--decisions", type=int, default=40)
    parser.add_argument("--modules", action="store_true", help="our modules, with their calls")
    parser.add_argument("--top", type=int, default=0, metavar="N", help="the N functions called most")
    asked = parser.parse_args()
    counter = measure(asked.decisions)
    modules: Counter[str] = Counter()
    for code, count in counter.middle.items():
        modules[code.co_filename] += count
    a_decision = {name: count / counter.decisions for name, count in modules.most_common()}
    ours = {name.removeprefix(OURS): count for name, count in a_decision.items() if name.startswith(OURS)}
    entered = {name: count for name, count in ours.items() if count >= OFTEN}
    print(
        f"a decision: {sum(ours.values()):.1f} Python calls of ours, {sum(a_decision.values()):.1f} in all, "
        f"{len(entered)} of our modules"
    )
    if asked.modules:
        for name, calls in entered.items():
            print(f"{calls:8.1f}  {name}")
    for code, count in counter.middle.most_common(asked.top):
        where = code.co_filename.removeprefix(OURS)
        print(f"{count / counter.decisions:8.1f}  {where}:{code.co_firstlineno} {code.co_qualname}")


if __name__ == "__main__":
    main()
