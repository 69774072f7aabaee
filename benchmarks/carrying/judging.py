"""A server that notes when its intents are judged: ``python -m benchmarks.carrying.judging FOLDER``.

It keeps its games in FOLDER, and writes into ``judged.json`` there, when it ends, how many seconds after its
bytes were read each intent was judged, in the order in which they came.
"""

from __future__ import annotations

import json
import signal
import socket
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import datetime
from pathlib import Path

from ekoes.server.app import create_app
from ekoes.server.serving import Server
from ekoes.server.settings import Settings
from ekoes.server.traces import Traces
from ekoes.server.wire import WebSockets

__all__ = ["JUDGED"]

JUDGED = "judged.json"
_arrived: deque[float] = deque()
_took: list[float] = []


class _Watched(WebSockets):
    """A web socket that notes when the bytes of each intent were read."""

    _read_at = 0.0

    def data_received(self, data: bytes) -> None:
        self._read_at = time.perf_counter()
        super().data_received(data)

    def _tell(self, text: str | None) -> None:
        if text is not None and '"type": "intent"' in text:
            _arrived.append(self._read_at)
        super()._tell(text)


def _span(name: str, _began: datetime | None = None, /, **about: str | int) -> AbstractContextManager[object]:
    return _judging() if name == "judge" and about.get("order") == "intent" else nullcontext()


@contextmanager
def _judging() -> Iterator[None]:
    try:
        yield
    finally:
        _took.append(time.perf_counter() - _arrived.popleft())


def main() -> None:
    """Serve until told to go."""
    folder = Path(sys.argv[1])
    listener = socket.create_server(("127.0.0.1", 0))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # once the server has gone
    server = Server(create_app(Settings(data=folder), traces=Traces(_span, lambda: None)))
    server.config.ws = _Watched
    print(f"at http://127.0.0.1:{listener.getsockname()[1]}/", flush=True)
    try:
        server.run(sockets=[listener])
    finally:
        (folder / JUDGED).write_text(json.dumps(_took), encoding="utf-8")


if __name__ == "__main__":
    main()
