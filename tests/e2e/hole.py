"""A line between browser and server that can die without a word: packets are dropped, nothing is closed."""

from __future__ import annotations

import socket
import socketserver
import threading
from typing import Any

__all__ = ["Hole"]


class Hole(socketserver.ThreadingTCPServer):
    """Passes bytes between a port of its own and a server's, until told to swallow them."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, server_port: int) -> None:
        """Begin to listen."""
        super().__init__(("127.0.0.1", 0), _Passing)
        self.swallows = False
        self.server_port = server_port
        self.port: int = self.socket.getsockname()[1]
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def close(self) -> None:
        """Stop."""
        self.shutdown()
        self.server_close()


class _Passing(socketserver.BaseRequestHandler):
    """One connection, both ways."""

    server: Hole

    is_dead = False
    """Whether bytes were swallowed: what comes later is of no use to anybody."""

    def handle(self) -> None:
        with socket.create_connection(("127.0.0.1", self.server.server_port)) as there:
            back = threading.Thread(target=self._pump, args=(there, self.request), daemon=True)
            back.start()
            self._pump(self.request, there)
            back.join()

    def _pump(self, source: Any, sink: Any) -> None:
        try:
            while data := source.recv(65536):
                self.is_dead |= self.server.swallows
                if not self.is_dead:
                    sink.sendall(data)
            if not self.is_dead:
                sink.shutdown(socket.SHUT_WR)
        except OSError:
            return  # the other side has gone
