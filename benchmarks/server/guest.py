"""A browser's session at our server, for the load: its cookie, and the tables it makes."""

from __future__ import annotations

from typing import Any

import httpx

__all__ = ["Guest"]


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
        """Make a table; return the address of its socket."""
        answer = await self._http.post("api/tables", json=plan)
        return f"{self.address}api/tables/{answer.raise_for_status().json()['id']}/socket?protocol=2"

    async def get(self, path: str) -> int:
        """Fetch something; return its size in bytes."""
        answer = await self._http.get(path)
        return len(answer.raise_for_status().content)

    async def close(self) -> None:
        """Hang up."""
        await self._http.aclose()
