"""The server of `ekoes play` with a clock that a test puts forward: `python -m tests.e2e.timed DATA PORT`.

`POST /forward/SECONDS` lets so much time pass at once for the server, and for nobody else; one that is
started again in the same folder goes on from there.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from datetime import datetime, timedelta
from pathlib import Path

import uvicorn
from fastapi import FastAPI

from ekoes.cli.bots import warm_once
from ekoes.server.app import create_app
from ekoes.server.http.policy import Policy
from ekoes.server.ops.clock import WallClock
from ekoes.server.realtime.sockets import uvicorn_config
from ekoes.server.settings import Settings


class MovedClock(WallClock):
    """The clock on the wall, and what a test has added."""

    def __init__(self, kept: Path) -> None:
        """Go on from what was added before. kept: a file."""
        super().__init__()
        self._kept = kept
        self._added = timedelta(seconds=float(kept.read_text("ascii")) if kept.exists() else 0)
        self._moved = asyncio.Event()

    def now(self) -> datetime:
        return super().now() + self._added

    async def sleep(self, seconds: float) -> None:
        """Wait, also for the test."""
        ends = self.now() + timedelta(seconds=seconds)
        while (left := (ends - self.now()).total_seconds()) > 0:
            moved = asyncio.create_task(self._moved.wait())
            await asyncio.wait([moved], timeout=left)
            moved.cancel()

    def forward(self, seconds: float) -> None:
        self._added += timedelta(seconds=seconds)
        self._kept.write_text(str(self._added.total_seconds()), "ascii")
        self._moved.set()
        self._moved = asyncio.Event()


def timed_app(data: Path) -> FastAPI:
    """Return the application, whose time can be put forward."""
    clock = MovedClock(data / "forward.txt")
    app = create_app(Settings(data=data), clock=clock)

    @app.post("/forward/{seconds}")
    @Policy("look")
    async def forward(seconds: float) -> None:
        clock.forward(seconds)

    app.router.routes.insert(0, app.router.routes.pop())  # before the page, which takes every path
    return app


def main(data: Path, port: int) -> None:
    """Serve until the process is ended."""
    listener = socket.create_server(("127.0.0.1", port))
    warm_once()

    class Server(uvicorn.Server):
        """Tells the address once the server answers."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            print(f"http://127.0.0.1:{listener.getsockname()[1]}/", flush=True)

    Server(uvicorn_config(timed_app(data))).run(sockets=[listener])


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
