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
import itertools
import json
import os
import signal
import socket
import sys
import threading
import time
from collections import Counter, defaultdict
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

import ekoes
from ekoes.cli.main import run
from ekoes.games.api.chance import Chance
from ekoes.games.eko.game import EKO

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


class Game:
    """Two sessions at one table, which play a game of random decisions."""

    def __init__(self, address: str, stack: ExitStack) -> None:
        """Make the table and take both seats."""
        guests = [stack.enter_context(httpx.Client(base_url=address, timeout=60)) for _ in range(2)]
        for guest in guests:
            guest.get("/api/meta").raise_for_status()
        seats = [{"kind": "here"}, {"kind": "open"}]
        table = {"game": "eko", "options": {"players": 2, "seed": SEED}, "seats": seats}
        made = guests[0].post("/api/tables", json=table).raise_for_status().json()["id"]
        url = f"{address.replace('http', 'ws')}/api/tables/{made}/socket?protocol=2"
        self._sockets: list[ClientConnection] = [
            stack.enter_context(
                connect(url, additional_headers={"Cookie": f"ekoes={guest.cookies['ekoes']}"}, proxy=None)
            )
            for guest in guests
        ]
        self._position, self._chance = EKO.new({"players": 2}, SEED), Chance(SEED)
        self._keys = map(str, itertools.count())
        self._version = self._send(1, {"type": "sit", "seat": 1})

    def decide(self) -> None:
        """Send a decision; return when its sender has the answer and the other player the update."""
        (seat,) = self._position.actors()
        action = self._chance.choice(self._position.legal(seat))
        self._position = self._position.play(seat, action)
        order = {"type": "act", "seat": seat, "action": EKO.action_to_json(action)}
        self._version = self._send(seat, order | {"version": self._version})

    def _send(self, seat: int, order: dict[str, Any]) -> int:
        self._sockets[seat].send(json.dumps(order | {"key": next(self._keys)}))
        answer = _receive(self._sockets[seat], "ack")
        _receive(self._sockets[1 - seat], "update")
        return int(answer["version"])


def _receive(connection: ClientConnection, kind: str) -> dict[str, Any]:
    """Wait for a message. Raises: RuntimeError if the server refuses what was sent."""
    while True:
        message: dict[str, Any] = json.loads(connection.recv())
        if message["type"] == kind:
            return message
        if message["type"] == "error":
            raise RuntimeError(f"the server refuses: {message}")


def play(address: str, decisions: int, counter: CallCounter) -> Counts:
    """Play, and return the calls of the middle decisions, all together."""
    first, end = middle(decisions)
    before: Counts = Counter()
    with ExitStack() as stack:
        game = Game(address, stack)
        for number in range(end):
            time.sleep(QUIET)
            if number == first:
                before = counter.snapshot()
            game.decide()
        time.sleep(QUIET)
        return counter.snapshot() - before


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
            found.append(play(f"http://127.0.0.1:{port}", decisions, counter))
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
        except httpx.TransportError:
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
