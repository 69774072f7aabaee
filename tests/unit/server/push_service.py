"""A push service on loopback, and a browser that opens what it gets there."""

from __future__ import annotations

import json
import os
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

__all__ = ["Browser", "Service", "push_service"]

Json = dict[str, Any]


def text(value: bytes) -> str:
    return urlsafe_b64encode(value).rstrip(b"=").decode()


@dataclass
class Service:
    """What a service was sent, and how it answers, one request after the other; then with 201."""

    address: str = ""
    answers: list[int] = field(default_factory=list)
    received: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)


class Browser:
    """A browser: it alone can open what is sealed for it."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._secret = os.urandom(16)

    @property
    def keys(self) -> dict[str, str]:
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"p256dh": text(point), "auth": text(self._secret)}

    def opened(self, body: bytes) -> Json:
        content = http_ece.decrypt(body, private_key=self._key, auth_secret=self._secret, version="aes128gcm")
        value: Json = json.loads(content)
        return value


@contextmanager
def push_service() -> Iterator[Service]:
    service = Service()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            service.received.append((self.path, dict(self.headers), body))
            self.send_response(service.answers.pop(0) if service.answers else 201)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service.address = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield service
    server.shutdown()
    server.server_close()
    thread.join()
