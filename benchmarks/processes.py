"""Server processes under load: how they are set up, and what they cost by the kernel's count (Linux)."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.kit.server import free_port
from tests.services.postgres import Postgres
from tests.services.redis import redis_server

PLAY = (sys.executable, "-c", "from ekoes.cli.main import run; run()", "play", "--no-browser")
_TICKS = os.sysconf("SC_CLK_TCK")
_DURABLE = {
    "autovacuum": "on",
    "fsync": "on",
    "full_page_writes": "on",
    "max_connections": "100",
    "shared_buffers": "128MB",
}
"""PostgreSQL's defaults, which the server of the tests turns off."""


@dataclass(frozen=True)
class Setup:
    """A way to run the server. bot_workers: of each process; None: the default."""

    name: str
    processes: int = 1
    has_postgres: bool = False
    has_redis: bool = False
    bot_workers: int | None = 0


SQLITE = Setup("one process, SQLite")
WITH_BOTS = Setup("one process, SQLite, bot workers", bot_workers=None)
POSTGRES = Setup("one process, PostgreSQL", has_postgres=True)
TWO = Setup("two processes, PostgreSQL, Redis", processes=2, has_postgres=True, has_redis=True)


@dataclass(frozen=True)
class Cost:
    """What processes have used so far. cpu: seconds; memory: bytes."""

    cpu: float = 0.0
    memory: int = 0

    def __add__(self, other: Cost) -> Cost:
        """Return what both have used together."""
        return Cost(self.cpu + other.cpu, self.memory + other.memory)


@dataclass(frozen=True)
class Servers:
    """Running server processes of one database. addresses: end with a slash."""

    processes: tuple[subprocess.Popen[str], ...]
    addresses: tuple[str, ...]
    database: Callable[[], Cost] = Cost

    def cost(self) -> Cost:
        """Return what the servers have used so far, without bot workers and the database."""
        return sum((_of_process(process.pid) for process in self.processes), Cost())


@contextmanager
def running(setup: Setup) -> Iterator[Servers]:
    """Run a set-up on an empty database."""
    with ExitStack() as stack:
        options = ["--data", stack.enter_context(TemporaryDirectory())]
        if setup.bot_workers is not None:
            options += ["--bot-workers", str(setup.bot_workers)]
        database: Callable[[], Cost] = Cost
        if setup.has_postgres:
            server = Postgres(**_DURABLE)
            stack.callback(server.remove)
            options += ["--database", server.empty()]
            database = partial(_of_family, server.pid)
        if setup.has_redis:
            options += ["--redis", stack.enter_context(redis_server()).url]
        processes, addresses = [], []
        for _ in range(setup.processes):
            process = stack.enter_context(started_process([*PLAY, *options, *_place(setup)]))
            processes.append(process)
            addresses.append(address_of(process))
        yield Servers(tuple(processes), tuple(addresses), database)


def _place(setup: Setup) -> tuple[str, ...]:
    """Return the options for the port; each of several processes has to know its own."""
    if setup.processes == 1:
        return ("--port", "0")
    port = free_port()
    return ("--port", str(port), "--cluster", f"127.0.0.1:{port}")


@contextmanager
def started_process(
    command: list[str], environment: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[str]]:
    """Run a command while the context lasts."""
    variables = os.environ | dict(environment or {})
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=variables)  # noqa: S603
    try:
        yield process
    finally:
        process.terminate()
        process.communicate()


@contextmanager
def started(data: str, environment: Mapping[str, str] | None = None) -> Iterator[tuple[int, str]]:
    """Start `ekoes play` as people do; yield its process id and its address, maybe before it answers."""
    port = free_port()
    command = [*PLAY, "--data", data, "--port", str(port)]
    with started_process(command, environment) as process:
        yield process.pid, f"http://127.0.0.1:{port}/"


def address_of(process: subprocess.Popen[str]) -> str:
    """Return the address that a server prints once it answers. Raises: RuntimeError if it ends before."""
    assert process.stdout is not None
    for line in process.stdout:
        found = re.search(r"at (http://\S+)", line)
        if found is not None:
            return found[1]
    raise RuntimeError("the server ended before it answered")


# ---------------------------------------------------------------- /proc


def _of_process(pid: int) -> Cost:
    """Return what a process has used, all its threads, without its children."""
    user, system = _stat(pid)[11:13]
    return Cost((int(user) + int(system)) / _TICKS, _kilobytes(pid, "status", "VmRSS") * 1024)


def _of_family(pid: int) -> Cost:
    """Return what a process and its children have used, ended ones too; shared memory counts once."""
    family = [pid, *_children(pid)]
    ticks = sum(sum(map(int, _stat(one)[11:13])) for one in family) + sum(map(int, _stat(pid)[13:15]))
    return Cost(ticks / _TICKS, sum(_kilobytes(one, "smaps_rollup", "Pss") for one in family) * 1024)


def memory_of_all(pid: int) -> int:
    """Return the bytes of a process and all that descend from it; shared memory counts once."""
    return _kilobytes(pid, "smaps_rollup", "Pss") * 1024 + sum(map(memory_of_all, _children(pid)))


def _children(pid: int) -> list[int]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if int(_stat(int(folder.name))[1]) == pid:
                found.append(int(folder.name))
        except FileNotFoundError:  # it has just ended
            continue
    return found


def _stat(pid: int) -> list[str]:
    """Return the fields of /proc/PID/stat after the program's name."""
    return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(") ")[2].split()


def _kilobytes(pid: int, file: str, name: str) -> int:
    text = Path(f"/proc/{pid}/{file}").read_text(encoding="ascii")
    found = re.search(rf"^{name}:\s+(\d+) kB", text, re.MULTILINE)
    assert found is not None
    return int(found[1])
