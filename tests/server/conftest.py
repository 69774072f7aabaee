from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.server.browser import Browser

EKOES = str(Path(sys.executable).with_name("ekoes"))


class Server:
    """`ekoes play` as a process of its own, on a free port and its own folder. options: of the command."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.options = options
        self.data = folder / "data"
        self.log = folder / "server.log"
        self.address = ""
        self._process: subprocess.Popen[str] | None = None

    def start(self, port: str = "0") -> Server:
        command = [EKOES, "play", "--no-browser", "--port", port, "--data", str(self.data)]
        command += self.options
        with self.log.open("a") as log:
            self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        assert self._process.stdout
        told = self._process.stdout.readline()
        assert "http://" in told, self.log.read_text()
        self.address = next(word for word in told.split() if word.startswith("http://"))
        return self

    def tell(self, with_signal: signal.Signals) -> None:
        """Tell the server something, and do not wait for what comes of it."""
        assert self._process
        self._process.send_signal(with_signal)

    def stop(self, with_signal: signal.Signals = signal.SIGINT) -> None:
        if self._process is not None:
            self._process.send_signal(with_signal)
            self._process.communicate(timeout=60)
            self._process = None

    def signal(self, what: signal.Signals) -> None:
        """Have the server's process stand still, or go on."""
        assert self._process is not None
        self._process.send_signal(what)

    def kill(self) -> None:
        """End the server as a power cut would."""
        self.stop(signal.SIGKILL)

    def restart(self) -> None:
        """Start anew on the same port, so that the cookies of browsers still fit."""
        self.start(self.address.rstrip("/").rpartition(":")[2])

    def browser(self) -> Browser:
        return Browser(self.address)


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server for one test, which may kill it."""
    server = Server(tmp_path).start()
    yield server
    server.stop()
    assert "Traceback" not in server.log.read_text()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for all tests that leave it running."""
    server = Server(tmp_path_factory.mktemp("server")).start()
    yield server
    server.stop()
    assert "Traceback" not in server.log.read_text()


@pytest.fixture
def browser(server: Server) -> Browser:
    return server.browser()


@pytest.fixture
def new_browser(server: Server) -> Callable[[], Browser]:
    return server.browser
