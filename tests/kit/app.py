"""The server of ``ekoes play`` with a clock that a test puts forward, cards in its order, or another page.

``python -m tests.kit.app DATA PORT FIXTURES``: FIXTURES is JSON. ``deals``: orders of the 98 cards (K6.0),
the first for the first deal, the last for all later ones; null: they are shuffled. ``page``: the folder of a
built page, null for the usual one. ``POST /forward/SECONDS`` puts the server's clock forward, which stays so
when a server is started again in the same folder.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import chain, repeat
from pathlib import Path

import uvicorn
from fastapi import FastAPI

from ekoes.cli.bots import warm_once
from ekoes.server.app import create_app
from ekoes.server.http.policy import Policy
from ekoes.server.ops.clock import WallClock
from ekoes.server.realtime.sockets import uvicorn_config
from ekoes.server.settings import PAGE, Settings
from tests.kit.tables import Dealing

CARDS = 98
LEFT = (6, 37, 50, 91, 93, 95)
"""The hand left of the dealer, who begins."""
DEALER = (4, 5, 73, 81, 83, 85)
"""04 is the mirror of the card that is turned over, 73 that of 37."""
TURNED = 40
DRAWN = 1
"""The card on top of the pile."""


def order_of(*first: int | Sequence[int]) -> list[int]:
    """Return an order that begins with some cards and goes on with all others, ascending."""
    begun = list(chain.from_iterable([one] if isinstance(one, int) else one for one in first))
    return begun + [card for card in range(1, CARDS + 1) if card not in begun]


def in_turn(deals: list[list[int]]) -> Callable[[], tuple[int, ...]]:
    """Return a shuffle that returns one deal after the other."""
    coming = chain(map(tuple, deals), repeat(tuple(deals[-1])))
    return lambda: next(coming)


class MovedClock(WallClock):
    """The wall clock plus what a test has added, which is stored in a file."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._file = file
        self._added = timedelta(seconds=float(file.read_text("ascii")) if file.exists() else 0)
        self._moved = asyncio.Event()

    def now(self) -> datetime:
        return super().now() + self._added

    async def sleep(self, seconds: float) -> None:
        """Sleep until then, also if the clock is put forward meanwhile."""
        ends = self.now() + timedelta(seconds=seconds)
        while (left := (ends - self.now()).total_seconds()) > 0:
            moved = asyncio.create_task(self._moved.wait())
            await asyncio.wait([moved], timeout=left)
            moved.cancel()

    def forward(self, seconds: float) -> None:
        self._added += timedelta(seconds=seconds)
        self._file.write_text(str(self._added.total_seconds()), "ascii")
        self._moved.set()
        self._moved = asyncio.Event()


def app_of(data: Path, deals: list[list[int]] | None, page: str | None) -> FastAPI:
    """Return the application."""
    data.mkdir(exist_ok=True)
    clock = MovedClock(data / "forward.txt")
    chance = None if deals is None else Dealing(in_turn(deals))
    app = create_app(Settings(data=data, page=Path(page or PAGE)), chance=chance, clock=clock)

    @app.post("/forward/{seconds}", include_in_schema=False)
    @Policy("look")
    async def forward(seconds: float) -> None:
        clock.forward(seconds)

    app.router.routes.insert(0, app.router.routes.pop())  # before the page, which takes every path
    return app


def main(data: Path, port: int, fixtures: str) -> None:
    """Serve until the process is ended."""
    listener = socket.create_server(("127.0.0.1", port))
    warm_once()

    class AnnouncingServer(uvicorn.Server):
        """Prints the address once the server answers."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            print(f"http://127.0.0.1:{listener.getsockname()[1]}/", flush=True)

    with suppress(KeyboardInterrupt):
        AnnouncingServer(uvicorn_config(app_of(data, **json.loads(fixtures)))).run(sockets=[listener])


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
