"""Words by HTTP, from each process to each other one."""

from __future__ import annotations

from http import HTTPStatus

import httpx
from starlette.types import Receive, Scope, Send

from ekoes.server.cluster.bus import Hear, Word
from ekoes.server.cluster.request import refuse
from ekoes.server.cluster.seal import Seal

__all__ = ["INSIDE", "HttpBus"]

INSIDE = "/inside"
"""Where words are brought."""
_PATIENCE = 5.0


class HttpBus:
    """Brings a word as the body of a request; the answer's status tells whether it was heard."""

    def __init__(self, seal: Seal) -> None:
        """Begin without a line. seal: closes and opens words."""
        self._seal = seal
        self._hear: Hear | None = None
        self._client: httpx.AsyncClient | None = None

    async def start(self, hear: Hear) -> None:
        """Have somebody hear what comes for this process, from now on."""
        self._hear = hear
        self._client = httpx.AsyncClient(timeout=_PATIENCE, trust_env=False)

    async def say(self, word: Word, address: str) -> bool:
        """Carry a word to an address. Returns: whether it was heard there, and done."""
        if self._client is None:
            return False
        try:
            answer = await self._client.post(f"http://{address}{INSIDE}", content=self._seal.close(word))
        except httpx.TransportError:
            return False
        return answer.status_code == HTTPStatus.NO_CONTENT

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take in what is brought; whoever else brings something hears that there is nothing here.

        It expects a request's body whole, in one message.
        """
        word = self._seal.open((await receive()).get("body", b""))
        is_done = word is not None and self._hear is not None and await self._hear(word)
        await refuse(scope, send, HTTPStatus.NO_CONTENT if is_done else HTTPStatus.MISDIRECTED_REQUEST)

    async def stop(self) -> None:
        """Carry nothing any more."""
        self._hear = None
        if self._client is not None:
            await self._client.aclose()
            self._client = None
