"""What every request passes first: the size limit in, the security headers out."""

from __future__ import annotations

from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ekoes.server.limits import LARGEST_MESSAGE
from ekoes.server.messages import MessageError, encode, error_json

__all__ = ["SECURITY_HEADERS", "Guard"]

SECURITY_HEADERS = {
    # All that the page needs comes from here; no style stands in a document, but where a script puts it.
    "content-security-policy": (
        "default-src 'self'; img-src 'self' data:; object-src 'none'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}

_SECURE_FROM_NOW_ON = {"strict-transport-security": "max-age=31536000"}
"""Whoever has once come by HTTPS comes by it for a year."""
_NOT_KEPT = {"cache-control": "no-store"}
"""What a route answers is for one browser alone: it tells its session, and what its seat alone may see."""


class Guard:
    """Middleware around the whole application."""

    def __init__(self, app: ASGIApp) -> None:
        """Guard an application."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on unless its body is too large; add the headers to the answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(SECURITY_HEADERS)
                if scope["scheme"] == "https":
                    headers.update(_SECURE_FROM_NOW_ON)
                if scope["path"].startswith("/api/"):
                    headers.update(_NOT_KEPT)
            await send(message)

        try:
            body = await _whole_body(receive)
        except ClientDisconnect:
            return
        if body is None:
            await _refuse(send_with_headers)
        else:
            await self._app(scope, _once(body, receive), send_with_headers)


async def _whole_body(receive: Receive) -> bytes | None:
    """Read a body, None if it is too large. Raises ClientDisconnect if its end never comes."""
    body = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        part: bytes = message.get("body", b"")
        body += part
        if len(body) > LARGEST_MESSAGE:
            return None
        if not message.get("more_body", False):
            return body


def _once(body: bytes, receive: Receive) -> Receive:
    """Return a ``receive`` that yields the body first."""
    rest: list[dict[str, Any]] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return rest.pop() if rest else await receive()

    return receive_again


async def _refuse(send: Send) -> None:
    error = MessageError(f"a request has at most {LARGEST_MESSAGE} bytes", code="message/too-large")
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": encode(error_json(error)).encode()})
