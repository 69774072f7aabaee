"""A Redis of the tests: in a temporary folder, on a free port, gone with them."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import sleep

import redis

from tests.services.programs import find

__all__ = ["RedisServer", "redis_server"]


@contextmanager
def redis_server(*words: str) -> Iterator[RedisServer]:
    """Lend a server. words: settings besides."""
    server = RedisServer(*words)
    try:
        yield server.start()
    finally:
        server.remove()


class RedisServer:
    """A server that stores nothing on the disk. url: its address, also while it is stopped."""

    def __init__(self, *words: str) -> None:
        self._program, self._words = find("redis"), words
        self.folder = Path(tempfile.mkdtemp(prefix="ekoes-redis-"))
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self._port}/0"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> RedisServer:
        """Start it; it answers when this returns."""
        settings = {"port": str(self._port), "bind": "127.0.0.1", "save": "", "dir": str(self.folder)}
        words = [word for name, value in settings.items() for word in (f"--{name}", value)]
        words += self._words
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._program, *words], stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        while not self._answers():
            assert self._process.poll() is None, (self.folder / "log").read_text()
        return self

    def client(self) -> redis.Redis:
        """Return a client beside those of the servers."""
        return redis.Redis.from_url(self.url)

    def flush(self) -> None:
        """Empty it."""
        with self.client() as client:
            client.flushall()

    def hurt(self, fault: signal.Signals) -> None:
        """Have it stand still (SIGSTOP) or end."""
        if fault == signal.SIGSTOP:
            self._send(fault)
        else:
            self.stop(fault)

    def heal(self) -> None:
        """Have it go on, or start again."""
        if self._process is None:
            self.start()
        else:
            self._send(signal.SIGCONT)

    def stop(self, with_signal: signal.Signals = signal.SIGTERM) -> None:
        """End it: its clients are disconnected. SIGKILL: as if the machine had lost its power."""
        if self._process is not None:
            self._process.send_signal(with_signal)
            self._process.wait(timeout=60)
            self._process = None

    def remove(self) -> None:
        """End it, and leave nothing."""
        self.stop(signal.SIGKILL)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _send(self, what: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(what)

    def _answers(self) -> bool:
        with suppress(redis.ConnectionError), self.client() as client:
            return bool(client.ping())
        sleep(0.02)  # it is starting; nothing tells when it has
        return False
