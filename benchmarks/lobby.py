"""What the lobby costs: ``python -m benchmarks.lobby [--visitors 2000] [--changes 50] [--seconds 20]``.

A server of `ekoes play` on loopback tells many visitors of public tables that open and close all the time:
at each a guest sits down and gives up, so that it closes. Printed are the time from the answer to whoever
opened a table until visitors heard of it, the server's processor time and what it sends. In the end all
visitors have been told the same, and that is what one is told who comes then; else it fails.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import time
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks.server.guest import Guest
from benchmarks.server.line import Line, connect
from benchmarks.server.subject import Subject, ekoes
from ekoes.match.difference import changed

__all__ = ["Figures", "measured"]

Json = dict[str, Any]
PLAN = {
    "game": "ekko",
    "options": {"players": 2, "turn_clock": None},
    "seats": [{"kind": "here", "name": "Ada"}, {"kind": "open"}],
    "public": True,
}
SAMPLE = 50
"""Visitors that follow what they are told; the others only count its bytes."""
AT_ONCE = 50
"""Visitors that come at the same time."""
_KEYS = (f"k{number}" for number in itertools.count())


@dataclass(frozen=True)
class Figures:
    """What was measured. p50, p99: milliseconds until a visitor has heard; cpu, sent: each second."""

    visitors: int
    changes: float
    p50: float
    p99: float
    cpu: float
    sent: float
    messages: float
    memory: int

    def __str__(self) -> str:
        """Write a row of the table."""
        heard = (
            f"{self.p50:.0f} | {self.p99:.0f} | {self.cpu:.0%} | {self.sent / 1e6:.2f} | {self.messages:.0f}"
        )
        return f"| {self.visitors} | {self.changes:.0f} | {heard} | {self.memory / 1e6:.0f} |"


class Visitor:
    """A line to the lobby that follows what is told."""

    def __init__(self, load: Load) -> None:
        """Begin without a line."""
        self.told: Json = {}
        self.came = asyncio.get_running_loop().create_future()
        self._load = load

    def hear(self, message: bytes) -> None:
        """Take a message in."""
        text = json.loads(message)
        if text["type"] == "lobby":
            self.told = text
            self.came.set_result(None)
        elif text["type"] == "news":
            self.told = changed(self.told, text["change"])
            for table in text["change"].get("tables", ()):
                self._load.heard(table, time.perf_counter())


@dataclass
class Load:
    """Opens and closes tables. opened: when whoever opened a table was answered."""

    address: str
    host: Guest
    guest: Guest
    opened: dict[str, float] = field(default_factory=dict)
    took: list[float] = field(default_factory=list)
    changes: int = 0

    def heard(self, table: str, at: float) -> None:
        """Note how long a visitor waited for word of a new table; what is told of it later does not count."""
        since = self.opened.get(table)
        if since is not None:
            self.took.append(max(0.0, at - since))

    async def run(self, every: float, seconds: float) -> None:
        """Let a table live each so many seconds, and wait until the last one is closed."""
        begun, lives = time.perf_counter(), []
        for number in range(round(seconds / every)):
            await asyncio.sleep(max(0.0, begun + number * every - time.perf_counter()))
            lives.append(asyncio.create_task(self._live()))
        await asyncio.gather(*lives)

    async def _live(self) -> None:
        """Open a table, let visitors hear of it, and close it."""
        path = await self.host.make(PLAN)
        table = path.rpartition("/")[2]
        self.opened[table] = time.perf_counter()
        self.changes += 1
        await asyncio.sleep(1)
        del self.opened[table]
        answers: asyncio.Queue[Json] = asyncio.Queue()
        address, cookie = self.guest.socket(path), self.guest.cookie
        line = await connect(address, lambda text: answers.put_nowait(json.loads(text)), cookie)
        for order in ({"type": "sit", "name": "Bo"}, {"type": "resign"}):
            line.send(json.dumps(order | {"key": next(_KEYS), "seat": 1}).encode())
            while (answer := await answers.get())["type"] not in {"ack", "error"}:
                pass
            if answer["type"] == "error":
                raise RuntimeError(f"{order}: {answer}")
        self.changes += 1
        await line.closed()


async def measured(subject: Subject, visitors: int, changes: float, seconds: float) -> Figures:
    """Measure a running server. changes: tables that open or close each second."""
    load = Load(subject.address, Guest(subject.address), Guest(subject.address))
    lines, sample = await _come(load, visitors)
    begun, cpu, before = time.perf_counter(), subject.cpu(), _received(lines)
    await load.run(2 / changes, seconds)
    passed, used, after = time.perf_counter() - begun, subject.cpu() - cpu, _received(lines)
    await _agree(load, sample)
    p50, p99 = np.percentile(load.took, [50, 99]) * 1000
    sent, messages = ((now - then) / passed for now, then in zip(after, before, strict=True))
    await asyncio.gather(*(line.closed() for line in lines), load.host.close(), load.guest.close())
    rate = load.changes / passed
    return Figures(visitors, rate, p50, p99, used / passed, sent, messages, subject.memory())


async def _come(load: Load, visitors: int) -> tuple[list[Line], list[Visitor]]:
    """Let visitors come, the host and the guest of all tables among them."""
    sample = [Visitor(load) for _ in range(min(visitors, SAMPLE))]
    address = f"{load.address}api/lobby/socket?protocol=2"
    cookies = [load.host.cookie, load.guest.cookie, *[""] * (visitors - 2)]
    hears = [visitor.hear for visitor in sample] + [_count] * (visitors - len(sample))
    lines: list[Line] = []
    for begin in range(0, visitors, AT_ONCE):
        some = zip(hears[begin : begin + AT_ONCE], cookies[begin : begin + AT_ONCE], strict=True)
        lines += await asyncio.gather(*(connect(address, hear, cookie) for hear, cookie in some))
    await asyncio.gather(*(visitor.came for visitor in sample))
    return lines, sample


async def _agree(load: Load, sample: list[Visitor]) -> None:
    """Wait until all who follow have been told of no table any more, as one is told who comes now."""
    await _until(lambda: not any(visitor.told["tables"] for visitor in sample))
    late = Visitor(load)
    line = await connect(f"{load.address}api/lobby/socket?protocol=2", late.hear)
    await late.came
    await _until(lambda: all(visitor.told["counts"] == late.told["counts"] for visitor in sample))
    await line.closed()
    if any(visitor.told["people"] != late.told["people"] or late.told["tables"] for visitor in sample):
        raise RuntimeError("visitors were told different things")


async def _until(is_so: Callable[[], bool]) -> None:
    """Wait until what is told of comes to something."""
    while not is_so():  # noqa: ASYNC110 - many lines change it
        await asyncio.sleep(0.1)


def _count(_message: bytes) -> None:
    """Hear a message; its bytes are counted by the line."""


def _received(lines: list[Line]) -> tuple[int, int]:
    return sum(line.received for line in lines), sum(line.messages for line in lines)


def main() -> None:
    """Measure and print."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--visitors", type=int, default=2000)
    parser.add_argument("--changes", type=float, default=50)
    parser.add_argument("--seconds", type=float, default=20)
    wish = parser.parse_args()
    print(
        "| visitors | tables opened or closed a second | heard after, ms: median | 99 % | server's core "
        "| MB/s sent | messages/s | memory, MB |"
    )
    print("|---:|---:|---:|---:|---:|---:|---:|---:|")
    with ekoes() as subject:
        print(asyncio.run(measured(subject, wish.visitors, wish.changes, wish.seconds)))


if __name__ == "__main__":
    main()
