"""Tokens: how a program says for whom it acts, and what of it is kept.

``Authorization: Bearer …`` stands where a browser's cookie would, which is not looked at then. No browser
sends it by itself, so a program's request needs no look at where it comes from.
"""

from __future__ import annotations

import secrets
from hashlib import sha256

from limits import parse
from starlette.requests import HTTPConnection

from ekoes.errors import AccountError
from ekoes.server.scopes import ALL, ROUTES, Scopes, check_scope
from ekoes.server.tempo import HERE, Count
from ekoes.storage.people import PROGRAM
from ekoes.storage.programs import Programs, Token

__all__ = [
    "RATE",
    "Desk",
    "check_by_hand",
    "count_token",
    "digest_of",
    "fresh_token",
    "scopes_of",
    "token_of",
]

RATE = parse("200 per 10 seconds")
"""Requests by one token."""
_PREFIX = "ekoes_"
_BYTES = 32


def fresh_token() -> str:
    """Return a token that nobody has, with 256 bits of chance."""
    return _PREFIX + secrets.token_urlsafe(_BYTES)


def digest_of(text: str) -> str:
    """Return what is kept of a token. Guessing takes too long for any salt."""
    return sha256(text.encode()).hexdigest()


class Desk:
    """Looks at the tokens that requests bring, and counts them."""

    def __init__(self, programs: Programs, count: Count = HERE) -> None:
        """Know the tokens that are kept."""
        self._programs = programs
        self._counter = count("tokens")

    def read(self, text: str) -> Token:
        """Return the token of a text. Raises AccountError."""
        token = self._find(text)
        if token is None:
            raise AccountError("this token is not known, or has ended", code="account/no-token")
        return token

    async def count(self, text: str) -> None:
        """Count that a token was used; one that is not known is counted by nobody. Raises AccountError."""
        token = self._find(text)
        if token is not None and (wait := await self._counter.wait([RATE], str(token.number))):
            message = f"too many requests; try again in {wait} seconds"
            raise AccountError(message, code="account/too-many", wait=wait)

    def _find(self, text: str) -> Token | None:
        return self._programs.token(PROGRAM + digest_of(text))


async def count_token(connection: HTTPConnection) -> None:
    """Count a request by the token that it brings, if it brings one. Raises AccountError."""
    text = _bearer(connection)
    if text is not None:
        await connection.app.state.desk.count(text)


def token_of(connection: HTTPConnection) -> Token | None:
    """Return the token of a request that it allows; None: it brings none. Raises AccountError."""
    text = _bearer(connection)
    if text is None:
        return None
    if not hasattr(connection.state, "token"):
        token = connection.app.state.desk.read(text)
        _check_route(connection, token)
        connection.app.state.store.programs.use(token, connection.app.state.clock.now())
        connection.state.token = token
    known: Token = connection.state.token
    return known


def scopes_of(connection: HTTPConnection) -> Scopes:
    """Return what whoever asks is allowed: with a cookie all."""
    token = token_of(connection)
    return ALL if token is None else token.scopes


def check_by_hand(token: Token | None) -> None:
    """Raise AccountError where a program asks for a rated game."""
    if token is not None:
        message = "a rated game is played by people, not by programs"
        raise AccountError(message, code="account/program-rated", key="rated")


def _bearer(connection: HTTPConnection) -> str | None:
    scheme, _, text = connection.headers.get("authorization", "").partition(" ")
    return text.strip() if scheme.lower() == "bearer" else None


def _check_route(connection: HTTPConnection, token: Token) -> None:
    """Raise AccountError unless a token opens the route that is asked for."""
    method = connection.scope.get("method", "SOCKET")
    route = f"{method} {connection.scope['route'].path}"
    if route not in ROUTES:
        raise AccountError("no program may ask for this", code="account/no-program")
    scope = ROUTES[route]
    if scope is not None:
        check_scope(token.scopes, scope)
