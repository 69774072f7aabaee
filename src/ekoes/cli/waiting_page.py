"""The page that visitors see while the rules are compiled, on a first start."""

from __future__ import annotations

import socket
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Self

_TEXTS = {
    "en": "Ekoes is preparing the rules for this computer. This happens once and takes about half a minute.",
    "de": "Ekoes richtet die Regeln für diesen Rechner ein. Das dauert einmal eine halbe Minute.",
    "fr": "Ekoes prépare les règles pour cet ordinateur : une demi-minute, une seule fois.",
    "cs": "Ekoes připravuje pravidla pro tento počítač. Stane se to jen jednou a trvá to asi půl minuty.",
}
_PAGE = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><meta http-equiv="refresh" content="1">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Ekoes</title>
<style>
  :root {{ color-scheme: light dark }}
  body {{ font: 1.1rem/1.5 system-ui, sans-serif; display: grid; place-content: center; min-height: 90vh;
    max-width: 30rem; margin: auto; padding: 1rem; gap: 1rem }}
  h1 {{ margin: 0; font-weight: 600 }} p {{ margin: 0 }} progress {{ width: 100% }}
</style></head>
<body><h1>Ekoes</h1><p role="status">{text}</p>
<progress value="{done}" max="{steps}"></progress></body></html>
"""


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: object) -> None:  # noqa: ANN401 - of the base class
        """Print a traceback, unless a visitor went away before the answer came."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class WaitingPage:
    """Answers every request on a listening socket with a page that shows progress and reloads itself.

    Requests are answered with status 503 and ``Retry-After``. Connections that come after the end wait for
    the next server on the socket.
    """

    def __init__(self, listener: socket.socket) -> None:
        self._progress = (0, 1)
        address = listener.getsockname()[:2]
        self._server = _Server(address, self._handler(), bind_and_activate=False)
        self._server.socket.close()
        self._server.socket = listener.dup()

    def show(self, done: int, steps: int) -> None:
        """Set the progress."""
        self._progress = (done, steps)

    def __enter__(self) -> Self:
        Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True).start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        page = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                wanted = self.headers.get("Accept-Language", "")[:2].lower()
                language = wanted if wanted in _TEXTS else "en"
                done, steps = page._progress
                body = _PAGE.format(language=language, text=_TEXTS[language], done=done, steps=steps).encode()
                self.send_response(503)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.send_header("Retry-After", "1")
                self.send_header("Cache-Control", "no-store")
                self.end_headers()
                self.wfile.write(body)

            do_POST = do_HEAD = do_GET  # noqa: N815 - names of the base class

            def log_message(self, *_arguments: object) -> None:
                """Do not log requests."""

        return Handler
