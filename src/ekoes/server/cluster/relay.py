"""The way to the owner: what comes in at any door and is for another process's table is passed on to it."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from time import monotonic

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ekoes.errors import StorageError
from ekoes.server.cluster.by_http import INSIDE
from ekoes.server.cluster.line import Relayed, serve_line
from ekoes.server.cluster.member import Member
from ekoes.server.cluster.request import AwayError, Requester, refuse
from ekoes.server.cluster.routes import owned_by_one
from ekoes.server.cluster.seal import HEADER, Passed

__all__ = ["Relay"]

_PATIENCE = 8.0
"""Seconds in which somebody has to be found who owns what is asked for."""
_LOOK_AGAIN = 0.05


class Relay:
    """Middleware: answers here what this process owns, and has the rest answered by who owns it.

    It expects a request's body whole, in one message.
    """

    def __init__(self, app: ASGIApp, member: Member) -> None:
        """Stand before an application."""
        self._app = app
        self._member = member
        self._seal = member.ways.seal
        self._by_http = member.ways.by_http
        self._requester = Requester()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or have it answered."""
        path = scope.get("path", "")
        if path == INSIDE and scope["type"] == "http":
            await self._by_http.answer(scope, receive, send)
            return
        name = owned_by_one(path)
        if name is None:
            await self._app(scope, receive, send)
            return
        opening = await receive()
        try:
            if (passed := self._passed(scope)) is not None:
                await self._answer_passed(name, passed, scope, opening, receive, send)
            else:
                await self._answer(name, scope, opening, receive, send)
        except AwayError:
            await refuse(scope, send, HTTPStatus.SERVICE_UNAVAILABLE)

    def _passed(self, scope: Scope) -> Passed | None:
        """Return what another process says of a visitor whom it passes on."""
        text = dict(scope["headers"]).get(HEADER)
        return None if text is None else self._seal.read(text)

    async def _answer_passed(
        self, name: str, passed: Passed, scope: Scope, opening: Message, receive: Receive, send: Send
    ) -> None:
        """Answer who was passed on, as if they had come here; they are not passed on again."""
        if passed.to == self._member.id and await self._owner(name) is None:
            await self._app(_as_called(scope, passed), _first(opening, receive), send)
        else:
            await refuse(scope, send, HTTPStatus.MISDIRECTED_REQUEST)

    async def _answer(self, name: str, scope: Scope, opening: Message, receive: Receive, send: Send) -> None:
        """Answer who has come to this door. Raises AwayError if nobody is found who can."""
        patient_until = monotonic() + _PATIENCE
        while True:
            owner = await self._owner(name)
            if owner is None:
                return await self._app(scope, _first(opening, receive), send)
            try:
                return await self._pass_on(owner, scope, opening, receive, send)
            except AwayError:
                self._member.forget(name)
                if monotonic() > patient_until:
                    raise
            await asyncio.sleep(_LOOK_AGAIN)

    async def _pass_on(
        self, owner: tuple[str, str], scope: Scope, opening: Message, receive: Receive, send: Send
    ) -> None:
        """Have an owner answer. Raises AwayError if it does not, and nothing was asked."""
        member, address = owner
        header = self._seal.write(_calling(scope, member))
        gone = self._member.gone(member)
        if scope["type"] == "websocket":
            await serve_line(address, header, scope, send, gone)
        else:
            await self._requester.serve(address, header, scope, opening.get("body", b""), receive, send, gone)

    async def _owner(self, name: str) -> tuple[str, str] | None:
        try:
            return await self._member.owner(name)
        except StorageError as error:
            raise AwayError from error


def _calling(scope: Scope, to: str) -> Passed:
    """Return what the owner has to know of who calls."""
    client, headers = scope.get("client"), dict(scope["headers"])
    return Passed(
        to, client[0] if client else None, scope["scheme"], headers.get(b"host", b"").decode("latin-1")
    )


def _as_called(scope: Scope, passed: Passed) -> Scope:
    """Return the scope of a visitor who was passed on, as if they had called here."""
    called = {**scope, "headers": list(scope["headers"]), "scheme": passed.scheme}
    MutableHeaders(scope=called)["host"] = passed.host
    called["client"] = None if passed.address is None else (passed.address, 0)
    if called["type"] == "websocket":
        called["state"] = {**scope["state"], "line": Relayed(scope["state"]["line"])}
    return called


def _first(opening: Message, receive: Receive) -> Receive:
    """Return a ``receive`` that yields what came first again."""
    rest = [opening]

    async def receive_again() -> Message:
        return rest.pop() if rest else await receive()

    return receive_again
