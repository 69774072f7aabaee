"""Servers in processes of their own, which a test may kill and start again.

Nine tenths of the cost of a start are imports and the loading of kernels, and the tests start about a
hundred servers: most are forked from a process that has done that. ``tests/server/test_play.py`` starts them
as people do.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import runpy
import signal
import socket
import sqlite3
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from importlib import import_module
from multiprocessing import forkserver, resource_tracker
from multiprocessing.connection import Connection
from pathlib import Path
from signal import SIGINT, SIGKILL, Signals
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import IO, Any, Self
from urllib.request import Request, urlopen

from ekoes.server.workers import worker_process
from tests.kit.client import Browser, new_name, sign_up
from tests.services.redis import redis_server

__all__ = [
    "EKOES",
    "ROOT",
    "ControlledServer",
    "FreshProcess",
    "Pair",
    "Server",
    "ekoes",
    "free_port",
    "refused",
]

ROOT = Path(__file__).resolve().parents[2]
EKOES = str(Path(sys.executable).with_name("ekoes"))
_CONTEXT = worker_process._CONTEXT if sys.platform == "linux" else multiprocessing.get_context("forkserver")
_PRELOAD = "tests.kit.preload"
_PATIENCE = 60.0
_ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/")


def free_port() -> int:
    """Return a port that no one listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


class ServerProcess(ABC):
    """``python -m MODULE ARGUMENTS`` in a process of its own; its errors are appended to a log."""

    stdout: IO[str]

    @abstractmethod
    def __init__(self, log: Path, module: str, *arguments: str) -> None: ...

    @abstractmethod
    def send_signal(self, what: Signals) -> None:
        """Send a signal and return at once."""

    @abstractmethod
    def end(self, what: Signals) -> None:
        """Send a signal, also to a stopped process, and wait until it has ended."""


class FreshProcess(ServerProcess):
    """A process that imports everything itself, and so sees the environment that a test has made."""

    def __init__(self, log: Path, module: str, *arguments: str) -> None:
        command = [sys.executable, "-m", module, *arguments]
        with log.open("a", encoding="utf-8") as errors:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, text=True
            )
        assert self._process.stdout
        self.stdout = self._process.stdout

    def send_signal(self, what: Signals) -> None:
        self._process.send_signal(what)

    def end(self, what: Signals) -> None:
        self.send_signal(signal.SIGCONT)
        self.send_signal(what)
        self._process.wait(_PATIENCE)
        self.stdout.close()  # which processes that it has started may still hold


class ForkedProcess(ServerProcess):
    """A process that begins with everything imported, and the rules loaded."""

    def __init__(self, log: Path, module: str, *arguments: str) -> None:
        _CONTEXT.set_forkserver_preload([_PRELOAD])  # all that the server's own would load, and more
        reader, writer = _CONTEXT.Pipe(duplex=False)
        with reader, writer:
            self._process = _CONTEXT.Process(target=_run, args=(writer, log, module, arguments))
            self._process.start()
            self.stdout = os.fdopen(os.dup(reader.fileno()), encoding="utf-8")

    def send_signal(self, what: Signals) -> None:
        assert self._process.pid
        os.kill(self._process.pid, what)

    def wait(self) -> tuple[str, int | None]:
        """Wait until it has ended. Returns its output and its status."""
        with self.stdout:
            output = self.stdout.read()
        self._process.join(_PATIENCE)
        code = self._process.exitcode
        self._process.close()
        return output, code

    def end(self, what: Signals) -> None:
        self.send_signal(signal.SIGCONT)
        self.send_signal(what)
        self._process.join(_PATIENCE)
        runs_on = self._process.is_alive()
        self._process.kill()
        self._process.join()
        self._process.close()
        self.stdout.close()
        assert not runs_on, f"it runs on after {what.name}"


def _run(stdout: Connection, log: Path, module: str, arguments: tuple[str, ...]) -> None:
    """Run a module in this forked process."""
    with stdout, log.open("a", encoding="utf-8") as errors:
        os.dup2(stdout.fileno(), 1)
        os.dup2(errors.fileno(), 2)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, encoding="utf-8", closefd=False)
    import_module(_PRELOAD)  # another test may have started the fork server, with less
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {SIGINT})  # which is blocked for bots' processes
    # Python says that "a child process will just reuse the forkserver started by its parent", but such a
    # child starts one of its own.
    forkserver.ensure_running = resource_tracker.ensure_running
    forkserver._forkserver.ensure_running = resource_tracker.ensure_running  # type: ignore[method-assign]
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def refused(*arguments: str | Path) -> str:
    """Run a command of ``ekoes`` that is refused; return its error line."""
    return ekoes(*arguments, status=2).splitlines()[-1]


def ekoes(*arguments: str | Path, status: int = 0) -> str:
    """Run a command of ``ekoes`` that ends with a status; return its output, of one that fails its errors."""
    with TemporaryDirectory() as folder:
        log = Path(folder) / "errors"
        process = ForkedProcess(log, "ekoes", *map(str, arguments))
        output, code = process.wait()
        errors = log.read_text("utf-8")
    assert code == status, errors
    assert "Traceback" not in errors
    return errors if status else output


class Server:
    """``ekoes play`` on a free port, its data in a folder of its own; the port stays the same over restarts.

    As a context manager it is started, stopped, and has logged no traceback.
    """

    def __init__(
        self, folder: Path, *options: str, process: type[ServerProcess] = ForkedProcess, port: int = 0
    ) -> None:
        """Prepare a server. options: of ``ekoes play``; process: how it is started."""
        self.options = options
        self.data = folder / "data"
        self.log = folder / "server.log"
        self.port = port
        self._start_process = process
        self._process: ServerProcess | None = None

    def __enter__(self) -> Self:
        """Start it."""
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop it."""
        self.stop()
        assert "Traceback" not in self.log.read_text()

    @property
    def address(self) -> str:
        """Its URL, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def database(self) -> Path:
        """The file of its database."""
        return self.data / "ekoes.sqlite"

    def start(self) -> Self:
        """Start it, also once more, and return as soon as it says that it answers."""
        self._process = self._start_process(self.log, *self._command())
        for line in self._process.stdout:
            if found := _ADDRESS.search(line):
                self.port = int(found[1])
                return self
        raise RuntimeError(self.log.read_text("utf-8"))

    def _command(self) -> list[str]:
        """Return a module and its arguments."""
        place = ["--port", str(self.port), "--data", str(self.data)]
        return ["ekoes", "play", "--no-browser", "--league-games", "0", *place, *self.options]

    def signal(self, what: Signals) -> None:
        """Send a signal and return at once."""
        assert self._process
        self._process.send_signal(what)

    def stop(self, with_signal: Signals = SIGINT) -> None:
        """End it, if it runs, and wait until it has ended."""
        if self._process is not None:
            self._process.end(with_signal)
            self._process = None

    def kill(self) -> None:
        """End it as a power cut would."""
        self.stop(SIGKILL)

    @contextmanager
    def broken(self, how: str, mended: str) -> Iterator[None]:
        """Break its database for a while, from outside. how, mended: SQL."""
        with closing(sqlite3.connect(self.database)) as database:
            database.executescript(how)
            yield
            database.executescript(mended)

    def browser(self) -> Browser:
        """Return a new browser that visits it."""
        return Browser(self.address)

    def member(self) -> tuple[Browser, str]:
        """Return a new browser with a new account, and the account's name."""
        browser, name = self.browser(), new_name()
        sign_up(browser, name)
        return browser, name


class ControlledServer(Server):
    """A server whose clock a test puts forward, and whose deals of EKKO or whose page it decides."""

    def __init__(
        self, folder: Path, *, deals: list[list[int]] | None = None, page: Path | None = None
    ) -> None:
        """Prepare it. deals: the order of the cards, deal by deal; page: the folder of a built page."""
        super().__init__(folder)
        self._fixtures: dict[str, Any] = {"deals": deals, "page": page and str(page)}

    def _command(self) -> list[str]:
        return ["tests.kit.app", str(self.data), str(self.port), json.dumps(self._fixtures)]

    def forward(self, seconds: float) -> None:
        """Put its clock forward."""
        with urlopen(Request(f"{self.address}/forward/{seconds}", method="POST")) as answer:  # noqa: S310
            answer.read()


class Pair:
    """A cluster of two servers that share folder, database, key and Redis."""

    def __init__(self, folder: Path, redis: str = "") -> None:
        """Start both. redis: a URL, else they get a Redis of their own."""
        self._opened = ExitStack()
        url = redis or self._opened.enter_context(redis_server()).url
        self.servers = [self._opened.enter_context(self._server(folder, name, url)) for name in "ab"]

    def _server(self, folder: Path, name: str, redis: str) -> Server:
        port = free_port()
        cluster = ("--cluster", f"127.0.0.1:{port}", "--redis", redis)
        server = Server(folder, "--bot-workers", "0", *cluster, port=port)
        server.log = folder / f"{name}.log"
        return server

    def __enter__(self) -> Self:
        """Use them."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop both; neither has logged a traceback."""
        self._opened.close()

    def freeze(self, number: int) -> None:
        """Stop a server while it writes nothing: the other one would wait for its lock of SQLite."""
        server = self.servers[number]
        with closing(sqlite3.connect(server.database, timeout=60)) as database:
            database.execute("BEGIN IMMEDIATE")
            server.signal(signal.SIGSTOP)

    def seated(self) -> tuple[Browser, Browser, str]:
        """Return two browsers with a seat each, one at each server, and their table, which the first owns."""
        ada, bob = self.browser(0), self.browser(1)
        table = ada.create("here", "open")
        with bob.open(table) as socket:
            assert socket.ask("sit", seat=1, name="Bob")["type"] == "ack"
        return ada, bob, table

    def browser(self, number: int, like: Browser | None = None) -> Browser:
        """Return a browser that visits one of them. like: with the cookies of another one."""
        browser = self.servers[number].browser()
        if like is not None:
            browser.http.cookies = like.http.cookies
        return browser
