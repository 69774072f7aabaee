"""The ways to run our server that are compared: how many processes, and on which database."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from tempfile import TemporaryDirectory

from benchmarks.server.cost import Cost, of_family
from benchmarks.server.subject import OURS, Subject, address, started
from tests.services.postgres import Postgres
from tests.services.redis import redis_server

__all__ = ["POSTGRES", "SETUPS", "SQLITE", "TWO", "Setup", "setup"]

_DURABLE = {
    "autovacuum": "on",
    "fsync": "on",
    "full_page_writes": "on",
    "max_connections": "100",
    "shared_buffers": "128MB",
}
"""PostgreSQL as it comes: what the tests' own server leaves out is what is measured here."""


@dataclass(frozen=True)
class Setup:
    """Server processes and their database; has_redis: by which they count and tell each other news.

    parts: each process gets this share of a core, 1 / parts, and the database and whoever drives the load
    have the other cores; None: all have all.
    """

    name: str
    processes: int = 1
    is_on_postgres: bool = True
    has_redis: bool = False
    parts: int | None = None


SQLITE = Setup("one process, SQLite", is_on_postgres=False)
POSTGRES = Setup("one process, PostgreSQL")
TWO = Setup("two processes, PostgreSQL, Redis", processes=2, has_redis=True)
SETUPS = (SQLITE, POSTGRES, TWO)


@contextmanager
def setup(wanted: Setup) -> Iterator[Subject]:
    """Run a set-up on an empty database."""
    cores = sorted(os.sched_getaffinity(0))
    ours, others = (cores[:1], cores[1:]) if wanted.parts else (cores, cores)
    with ExitStack() as open_now:
        open_now.callback(os.sched_setaffinity, 0, cores)
        os.sched_setaffinity(0, others)  # children begin where their parent is
        data = open_now.enter_context(TemporaryDirectory())
        options = ["--data", data, "--bot-workers", "0"]
        database: Callable[[], Cost] = Cost
        if wanted.is_on_postgres:
            server = Postgres(**_DURABLE)
            open_now.callback(server.remove)
            options += ["--database", server.empty()]
            database = partial(of_family, server.pid)
        if wanted.has_redis:
            options += ["--redis", open_now.enter_context(redis_server()).url]
        os.sched_setaffinity(0, ours)
        processes, addresses = [], []
        for _ in range(wanted.processes):
            processes.append(open_now.enter_context(started([*OURS, *options, *_place(wanted)])))
            addresses.append(address(processes[-1]))
        for _ in range((wanted.parts or 0) - wanted.processes):
            open_now.enter_context(_idle_talk())
        os.sched_setaffinity(0, others)
        yield Subject(tuple(processes), tuple(addresses), database)


def _place(wanted: Setup) -> tuple[str, ...]:
    """Return the options that say where a process is; of several each has to know that."""
    if wanted.processes == 1:
        return ("--port", "0")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    return ("--port", port, "--cluster", f"127.0.0.1:{port}")


@contextmanager
def _idle_talk() -> Iterator[None]:
    """Take a share of the core, so that the others have theirs and no more."""
    process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        yield
    finally:
        process.kill()
        process.wait()
