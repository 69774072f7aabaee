"""How long the longest step of the server's loop is, with the largest positions there are at its tables."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import uvloop

from benchmarks.carrying.games import ALL_VARIANTS, LARGEST, eko_table, played
from benchmarks.carrying.report import Seen
from benchmarks.server.guest import Guest
from benchmarks.server.line import Line, connect
from benchmarks.server.subject import Subject, running
from ekoes.games.eko.offered import members_of
from ekoes.match.updates import updated

__all__ = ["measured"]

SEEDS = (LARGEST, *range(1, 8))
PLAYERS = 4
DECISIONS = 200
"""Enough for the largest position known."""
SHOWN = 20
"""After so many decisions the whole table is asked for."""
MOST = 10


def measured() -> Iterator[Seen]:
    """Measure a server at whose tables games of four with all variants are played."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "steps.json"
        program = (sys.executable, "-m", "benchmarks.carrying.stepping", str(file))
        options = ("play", "--no-browser", "--port", "0", "--data", folder)
        with running([*program, *options]) as subject:
            uvloop.run(_play(subject))
        noted = json.loads(file.read_text(encoding="utf-8"))
    seconds, what = noted["longest"][0]
    print(f"longest step: {what}", file=sys.stderr)
    yield Seen(f"longest step of the loop, of {noted['number']:,}", seconds * 1000, "ms of work", MOST)


async def _play(subject: Subject) -> None:
    """Let the server load all it needs, and then play."""
    await _Alone(subject, 0).play(SHOWN)
    os.kill(subject.processes[0].pid, signal.SIGUSR1)
    await asyncio.gather(*(_Alone(subject, seed).play(DECISIONS) for seed in SEEDS))
    os.kill(subject.processes[0].pid, signal.SIGUSR2)


class _Alone:
    """Somebody who plays all seats of a table, and looks at all that each position has to choose."""

    def __init__(self, subject: Subject, seed: int) -> None:
        self._guest = Guest(subject.address)
        self._seed = seed
        self._line: Line
        self._keys = count()
        self._key = ""
        self._answered: asyncio.Future[None]
        self._table: Any = {}

    async def play(self, decisions: int) -> None:
        """Play a game of chance, or the beginning of it."""
        options = {"players": PLAYERS, "seed": self._seed, "variants": ALL_VARIANTS}
        plan = {"game": "eko", "options": options, "seats": [{"kind": "here"}] * PLAYERS}
        self._line = await connect(
            self._guest.socket(await self._guest.make(plan)), self._hear, self._guest.cookie
        )
        await self._ask({"type": "table"})
        game = played(eko_table(self._seed, PLAYERS, ALL_VARIANTS), self._seed, decisions)
        for number, (before, after) in enumerate(game):
            await self._look()
            entry: Any = after.log[-1]
            act = {"type": "act", "version": before.version, "seat": entry.seat}
            await self._ask(act | {"action": entry.written})
            if number % SHOWN == 0:
                await self._ask({"type": "table"})
        self._line.close()
        await self._guest.close()

    async def _look(self) -> None:
        """Ask for the ways of all stacks that have more to choose than is told at once."""
        for told in self._table["own"].get("choices", {}).values():
            for space in members_of(told.get("more", "0")):
                await self._ask({"type": "ways", "of": space})

    async def _ask(self, message: dict[str, Any]) -> None:
        self._key, self._answered = str(next(self._keys)), asyncio.get_running_loop().create_future()
        self._line.send(json.dumps(message | {"key": self._key}).encode())
        await self._answered

    def _hear(self, text: bytes) -> None:
        message = json.loads(text)
        if message["type"] == "table":
            self._table = message
        elif message["type"] == "update":
            self._table = updated(self._table, message)
        if message["type"] == "error":
            self._answered.set_exception(AssertionError(text.decode()))
        elif message.get("key") == self._key:
            self._answered.set_result(None)
