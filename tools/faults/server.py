"""A server in a process of its own, to which the harness says what no network could bring about."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread
from typing import Any

import time_machine
from sqlalchemy import Engine, event

from ekoes.server.app import create_app
from ekoes.server.serving import Server
from ekoes.server.settings import Settings

__all__ = ["cut", "serve"]

_WRITES = ("INSERT", "UPDATE", "DELETE", "WITH")


def cut(engine: Engine, statements: int) -> None:
    """Kill this process once it has changed a database so often, in whatever transaction that is.

    It ends before the statement after these, and so before the commit.
    """
    done = count(1)

    def counts(_connection: Any, _cursor: Any, statement: str, *_: object) -> None:  # noqa: ANN401
        if statement.startswith(_WRITES) and next(done) > statements:
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(engine, "before_cursor_execute", counts)


def serve(settings: Settings, port: int, log: Path, ahead: float, told: Connection) -> None:
    """Serve until somebody ends it, or it does so itself.

    ahead: seconds by which the clock on the wall is wrong. told: ``(word, number)`` that the harness says.
    """
    for stream in (1, 2):
        os.dup2(os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT), stream)
    wall = _Wall()
    wall.jump(ahead)
    app = create_app(settings)
    words: dict[str, Callable[[float], None]] = {
        "cut": lambda statements: cut(app.state.hub._store._engine, int(statements)),  # noqa: SLF001
        "jump": wall.jump,
    }
    Thread(target=_listen, args=(told, words), daemon=True).start()
    server = Server(app)
    server.config.port = port
    server.run()


class _Wall:
    """The clock on the wall of this process, which somebody sets; what counts seconds goes on evenly."""

    def __init__(self) -> None:
        self._travel: time_machine.travel | None = None
        self._ahead = 0.0
        self._began = time.monotonic(), datetime.now(UTC)

    def jump(self, seconds: float) -> None:
        """Set the clock forward, or back."""
        self._ahead += seconds
        if self._travel is not None:
            self._travel.stop()
        since, began = self._began
        now = began + timedelta(seconds=self._ahead + time.monotonic() - since)
        self._travel = time_machine.travel(now, tick=True)
        self._travel.start()


def _listen(told: Connection, words: dict[str, Callable[[float], None]]) -> None:
    """Do what the harness says; without it, end."""
    try:
        while True:
            word, number = told.recv()
            words[word](number)
    except EOFError:
        os.kill(os.getpid(), signal.SIGKILL)
