"""API tokens of accounts: creation, lookup and rate limit."""

from __future__ import annotations

import secrets
from hashlib import sha256

from limits import parse

from ekoes.errors import AccountError
from ekoes.server.ops.limits import HERE, Count
from ekoes.storage.accounts import PROGRAM, Programs, Token

RATE = parse("200 per 10 seconds")
"""Requests with one token."""


def fresh_token() -> str:
    """Return a new token with 256 random bits."""
    return "ekoes_" + secrets.token_urlsafe(32)


def digest_of(text: str) -> str:
    """Return the digest of a token, which is all that is stored; random tokens need no salt."""
    return sha256(text.encode()).hexdigest()


class TokenStore:
    """Looks up the tokens of requests and counts their use."""

    def __init__(self, programs: Programs, count: Count = HERE) -> None:
        self._programs = programs
        self._counter = count("tokens")

    def read(self, text: str) -> Token:
        """Return the token of a text. Raises AccountError."""
        token = self._find(text)
        if token is None:
            raise AccountError("Unknown or expired API token", code="account/no-token")
        return token

    async def count(self, text: str) -> None:
        """Count a use of a token; unknown tokens are not counted. Raises AccountError."""
        token = self._find(text)
        if token is not None and (wait := await self._counter.wait([RATE], str(token.number))):
            message = f"Too many requests; try again in {wait} seconds"
            raise AccountError(message, code="account/too-many", wait=wait)

    def _find(self, text: str) -> Token | None:
        return self._programs.token(PROGRAM + digest_of(text))
