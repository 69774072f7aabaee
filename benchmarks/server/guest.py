"""A browser's session at our server, for the load: its cookie, and the tables it makes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpx

__all__ = ["Guest", "guests_of"]


class Guest:
    """One session."""

    def __init__(self, address: str) -> None:
        """Fetch a cookie. address: of the server, ends with a slash."""
        self.address = address
        self._http = httpx.AsyncClient(base_url=address, timeout=60)
        answer = httpx.get(f"{address}api/meta", timeout=60)
        self._http.cookies = answer.cookies
        self.cookie = f"ekoes={answer.cookies['ekoes']}"

    async def make(self, plan: dict[str, Any]) -> str:
        """Make a table; return its path."""
        answer = await self._http.post("api/tables", json=plan)
        return f"api/tables/{answer.raise_for_status().json()['id']}"

    def socket(self, path: str) -> str:
        """Return the address of a table's socket, at the door where this guest comes in."""
        return f"{self.address}{path}/socket?protocol=2"

    async def get(self, path: str) -> int:
        """Fetch something; return its size in bytes."""
        answer = await self._http.get(path)
        return len(answer.raise_for_status().content)

    async def close(self) -> None:
        """Hang up."""
        await self._http.aclose()


@asynccontextmanager
async def guests_of(
    addresses: Sequence[str], count: int, *, any_door: bool = True
) -> AsyncIterator[list[Guest]]:
    """Yield so many guests of a server, who are gone afterwards; two that follow each other play together.

    addresses: of its processes. any_door: those two come in by two of them, where there are two.
    """
    doors = [number // 2 + number % 2 * any_door for number in range(count)]
    guests = [Guest(addresses[door % len(addresses)]) for door in doors]
    try:
        yield guests
    finally:
        for guest in guests:
            await guest.close()
