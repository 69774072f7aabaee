from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from signal import SIGINT, SIGKILL, Signals

import pytest

from tests.server.browser import Browser
from tests.started import Forked, Started

EKOES = str(Path(sys.executable).with_name("ekoes"))


class Server:
    """`ekoes play` on a free port, in its own folder. options: its own. way: how its process begins."""

    def __init__(self, folder: Path, *options: str, way: type[Started] = Forked) -> None:
        self.options = options
        self.data = folder / "data"
        self.log = folder / "server.log"
        self.address = ""
        self._way = way
        self._process: Started | None = None

    def start(self, port: str = "0") -> Server:
        options = ["--no-browser", "--port", port, "--data", str(self.data), *self.options]
        self._process = self._way(self.log, "ekoes", "play", *options)
        told = self._process.told.readline()
        assert "http://" in told, self.log.read_text()
        self.address = next(word for word in told.split() if word.startswith("http://"))
        return self

    def signal(self, what: Signals) -> None:
        """Tell the server something, or have it stand still, and do not wait for what comes of it."""
        assert self._process
        self._process.send_signal(what)

    def stop(self, with_signal: Signals = SIGINT) -> None:
        if self._process is not None:
            self._process.end(with_signal)
            self._process = None

    def kill(self) -> None:
        """End the server as a power cut would."""
        self.stop(SIGKILL)

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
