"""How often somebody may try to be let in: a bound for each name and one for each address."""

from __future__ import annotations

from collections.abc import Iterable

from limits import RateLimitItem, parse

from ekoes.errors import AccountError
from ekoes.server.tempo import HERE, Count

__all__ = ["Attempts"]

_PER_NAME = parse("10 per 15 minutes")
_PER_ADDRESS = parse("60 per 15 minutes")
_ACCOUNTS = parse("30 per hour")


class Attempts:
    """Counts attempts."""

    def __init__(self, count: Count = HERE) -> None:
        """Begin with none."""
        self._counter = count("attempts")

    async def sign_in(self, name: str, address: str) -> None:
        """Count an attempt to be let in. Raises AccountError that tells how long to wait."""
        await self._count([(_PER_NAME, f"name {name}"), (_PER_ADDRESS, f"address {address}")])

    async def sign_up(self, address: str) -> None:
        """Count an attempt to make an account. Raises AccountError that tells how long to wait."""
        await self._count([(_ACCOUNTS, f"new {address}")])

    async def _count(self, limits: Iterable[tuple[RateLimitItem, str]]) -> None:
        for limit, whose in limits:
            if wait := await self._counter.wait([limit], whose):
                message = f"too many attempts; try again in {wait} seconds"
                raise AccountError(message, code="account/too-many", wait=wait)
