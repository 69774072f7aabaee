"""The server beside boardgame.io, whose tables play a game of nine cells.

It comes from npm (``make bench-boardgame-io`` installs it). Its players speak socket.io over WebSockets, and
play as those of Ekö do: the next decision follows when both players have seen the last one.
"""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from websockets.asyncio.client import ClientConnection, connect

from benchmarks.processes import SQLITE, Servers, address_of, started_process
from benchmarks.report import format_table
from benchmarks.server import HEADER, Figures, Load, measure, open_all, play_tables, run_and_show
from benchmarks.tables import Pace
from tests.kit.server import free_port

MODULES = Path("build/boardgame.io/node_modules").absolute()
PROGRAM = Path(__file__).with_suffix(".cjs")
CELLS = 9
_STATE = re.compile(rb'"_stateID":(\d+)')
_PING = b"2"
_PONG = "3"


def measure_boardgame_io(tables: Sequence[int], seconds: float) -> str:
    """Measure boardgame.io with each of its stores, and Ekoes, in turn; return the table."""
    rows = []
    for number in tables or (10, 100, 500):
        for who, measurement in (
            ("boardgame.io, in memory", _measure(number, seconds, has_files=False)),
            ("boardgame.io, in files", _measure(number, seconds, has_files=True)),
            ("Ekoes, SQLite", measure(Load("Ekoes", SQLITE, number), seconds)),
        ):
            name = f"{who}, {number} tables"
            rows.append(run_and_show(name, measurement).row(name))
    return format_table(HEADER, rows)


async def _measure(tables: int, seconds: float, *, has_files: bool) -> Figures:
    with _running(has_files=has_files) as servers:
        opened = [CellsTable(servers.addresses[0], f"t{number}") for number in range(tables)]
        await open_all(opened)
        return await play_tables(servers, opened, None, seconds)


@contextmanager
def _running(*, has_files: bool) -> Iterator[Servers]:
    """Run a server of boardgame.io with an empty store."""
    with TemporaryDirectory() as folder:
        command = ["node", str(PROGRAM), str(MODULES), str(free_port()), *([folder] if has_files else [])]
        with started_process(command, {"NODE_ENV": "production"}) as process:
            yield Servers((process,), (address_of(process),))


class CellsTable:
    """A table of two players with a connection each; a game of nine decisions is followed by another."""

    def __init__(self, address: str, name: str) -> None:
        self._url = f"{address}socket.io/?EIO=4&transport=websocket".replace("http://", "ws://")
        self._name = name
        self._sockets: list[ClientConnection] = []
        self.received = 0

    async def open(self) -> None:
        """Connect both players."""
        for _ in range(2):
            socket = await connect(self._url, compression=None, ping_interval=None, proxy=None)
            self._sockets.append(socket)
            await socket.send("40/cells,")

    async def play(self, pace: Pace) -> None:
        """Send one decision after the other; each is through when both players have its update."""
        sent_at = time.perf_counter()
        for game in itertools.count():
            match = f"{self._name}-{game}"
            for player, socket in enumerate(self._sockets):
                await socket.send(f'42/cells,["sync","{match}","{player}",null,2]')
                await self._wait_for(socket, b"sync", 0)
            for cell in range(CELLS):
                player = cell % 2
                await pace.wait(sent_at)
                sent_at = time.perf_counter()
                content = f'{{"type":"clickCell","args":[{cell}],"playerID":"{player}"}}'
                move = f'{{"type":"MAKE_MOVE","payload":{content}}}'
                await self._sockets[player].send(f'42/cells,["update",{move},{cell},"{match}","{player}"]')
                for socket in self._sockets:
                    await self._wait_for(socket, b"update", cell + 1)
                pace.record(sent_at)

    async def _wait_for(self, socket: ClientConnection, kind: bytes, state: int) -> None:
        """Receive until an event of a kind has the number of a state."""
        while True:
            message = await socket.recv(decode=False)
            self.received += len(message)
            if message == _PING:
                await socket.send(_PONG)
            elif message.startswith(b'42/cells,["%s"' % kind):
                found = _STATE.search(message)
                if found is not None and int(found[1]) == state:
                    return
