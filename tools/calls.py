"""Count the Python calls of one Ekö decision in the server's main thread: ``python -m tools.calls``.

Runs ``ekoes play`` in this process, on SQLite in a temporary folder. Two sessions play a game of random
decisions at a table for two, each over its own WebSocket, from a second thread, one decision after the
other. A profile hook counts calls in the main thread: functions, coroutines and generators that are entered
or resumed. Printed is the mean of the middle decisions, leaving out the first and the last quarter; the
numbers don't depend on the machine's speed, but for a few calls of timers.

--modules  our modules that a decision enters, with their calls
--top N    the N functions called most
--json     the numbers alone, for a script
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import signal
import socket
import sys
import threading
import time
from collections import Counter, defaultdict
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType

import httpx

import ekoes
from benchmarks.tables import EkoTable, Session, random_game
from ekoes.cli.main import run

OURS = str(Path(ekoes.__file__).parent) + os.sep
SEED = 1
QUIET = 0.05
"""Seconds between decisions, in which the server finishes what follows the answer (lobby, events)."""
OFTEN = 0.5
"""Calls a decision from which on a module counts as entered; timers enter others now and then."""

Counts = Counter[CodeType | None]


class CallCounter:
    """A profile hook. counts: calls by code object, and calls into C from our code under None."""

    def __init__(self) -> None:
        self.counts: Counts = Counter()

    def snapshot(self) -> Counts:
        """Return a copy; the copying of a plain dictionary is not interrupted by other threads."""
        return Counter(dict(self.counts))

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        """Count a call."""
        if event == "call":
            self.counts[frame.f_code] += 1
        elif event == "c_call" and frame.f_code.co_filename.startswith(OURS):
            self.counts[None] += 1


class _PlayedError(Exception):
    """All decisions have been taken."""


class _Pauses:
    """Pauses before each decision. counts: the calls of the middle decisions, all together."""

    def __init__(self, decisions: int, counter: CallCounter) -> None:
        self.counts: Counts = Counter()
        self._counter = counter
        self._first, self._end = middle(decisions)
        self._number = 0

    async def wait(self, _sent_at: float) -> None:
        """Wait for the server to finish what follows the last answer. Raises _PlayedError at the end."""
        await asyncio.sleep(QUIET)
        if self._number == self._first:
            self.counts = self._counter.snapshot()
        elif self._number == self._end:
            self.counts = self._counter.snapshot() - self.counts
            raise _PlayedError

    def record(self, _sent_at: float) -> None:
        """Count a decision."""
        self._number += 1


async def play(address: str, decisions: int, counter: CallCounter) -> Counts:
    """Play, and return the calls of the middle decisions, all together."""
    pair = Session(address, "deflate"), Session(address, "deflate")
    table, pauses = EkoTable(pair, random_game(SEED)), _Pauses(decisions, counter)
    await table.open()
    with suppress(_PlayedError):
        await table.play(pauses)
    for session in pair:
        await session.close()
    return pauses.counts


def middle(decisions: int) -> tuple[int, int]:
    """Return the first of the decisions that count, and the first after them."""
    return decisions // 4, decisions * 3 // 4


def measure(decisions: int) -> Counts:
    """Serve in the main thread while a second thread plays; return the calls of the middle decisions."""
    counter, found = CallCounter(), list[Counts]()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]

    def visit() -> None:
        try:
            _wait_for(f"http://127.0.0.1:{port}")
            found.append(asyncio.run(play(f"http://127.0.0.1:{port}/", decisions, counter)))
        finally:
            os.kill(os.getpid(), signal.SIGINT)

    with TemporaryDirectory() as folder:
        sys.argv = ["ekoes", "play", "--no-browser", "--port", str(port), "--data", folder]
        visitor = threading.Thread(target=visit)
        visitor.start()
        sys.setprofile(counter)
        try:
            run()
        except SystemExit:
            pass
        finally:
            sys.setprofile(None)
            visitor.join()
    return found[0]


def _wait_for(address: str) -> None:
    for _ in itertools.repeat(None, 1200):
        try:
            httpx.get(f"{address}/api/meta").raise_for_status()
        except httpx.HTTPError:  # also a refusal, while rules are being compiled
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("the server does not answer")


def main() -> None:
    """Print what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tools.calls", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--decisions", type=int, default=40)
    parser.add_argument("--modules", action="store_true", help="our modules, with their calls")
    parser.add_argument("--top", type=int, default=0, metavar="N", help="the N functions called most")
    parser.add_argument("--json", action="store_true", help="print the numbers alone, as JSON")
    asked = parser.parse_args()
    counts = measure(asked.decisions)
    first, end = middle(asked.decisions)
    number = end - first
    into_c = counts.pop(None, 0) / number
    ours = {code: count / number for code, count in counts.items() if code and OURS in code.co_filename}
    modules: dict[str, float] = defaultdict(float)
    for code, count in ours.items():
        modules[code.co_filename.removeprefix(OURS)] += count
    entered = {module: count for module, count in modules.items() if count >= OFTEN}
    total = {
        "ours": round(sum(ours.values()), 1),
        "python": round(counts.total() / number, 1),
        "into_c_from_ours": round(into_c, 1),
        "modules": len(entered),
    }
    if asked.json:
        print(json.dumps(total))
        return
    print(
        f"a decision: {total['ours']} Python calls of ours, {total['python']} in all, "
        f"{total['into_c_from_ours']} from ours into C, {total['modules']} of our modules"
    )
    if asked.modules:
        for module, count in sorted(entered.items(), key=lambda one: -one[1]):
            print(f"{count:8.1f}  {module}")
    functions = ((code, count / number) for code, count in counts.most_common(asked.top) if code)
    for code, count in functions:
        where = code.co_filename.removeprefix(OURS)
        print(f"{count:8.1f}  {where}:{code.co_firstlineno} {code.co_qualname}")


if __name__ == "__main__":
    main()
