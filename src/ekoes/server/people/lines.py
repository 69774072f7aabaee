"""The open lines of each browser: who is signed out elsewhere hears nothing more, and nobody has too many."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Protocol

from ekoes.errors import LimitError, StorageError
from ekoes.server.bounds import MOST_LINES, MOST_LINES_OF_ONE
from ekoes.server.logs import log_of

__all__ = ["Lines"]

_LOG = log_of("ekoes.server")
_SIGNED_OUT = 4401
_WENT_WRONG = 1011
_TOO_MANY = 1013
_WAIT = 60

_Service = Coroutine[object, object, None]


class _Line(Protocol):
    """A web socket, or an answer that goes on."""

    def end(self, code: int, reason: str) -> None:
        """Say why, and close the line."""

    def leave(self) -> None:
        """Answer what has been read, and close the line: the server goes."""


class Lines:
    """Knows which lines were opened with a cookie or a token."""

    def __init__(self) -> None:
        """Begin with none. told: hears whose lines are closed because they were signed out."""
        self.told: Callable[[str], None] = lambda _credential: None
        self._lines: defaultdict[str, set[_Line]] = defaultdict(set)
        self._closed = asyncio.Event()
        self._is_leaving = False
        self._houses: Counter[str] = Counter()

    @property
    def number(self) -> int:
        """How many lines are open."""
        return sum(map(len, list(self._lines.values())))

    async def serve(
        self, credential: str, line: _Line, service: _Service, address: str | None = None
    ) -> None:
        """Know a line for as long as it is served. address: as for ``open``."""
        try:
            with self.open(credential, line, address):
                await service
        except LimitError as error:
            service.close()
            line.end(_TOO_MANY, error.code)
        except StorageError as error:
            _LOG.error("a line is closed, as the store failed", error=str(error))
            line.end(_WENT_WRONG, error.code)

    @contextmanager
    def open(self, credential: str, line: _Line, address: str | None = None) -> Iterator[None]:
        """Know a line for as long as it is open.

        address: from where it comes; None: from this machine, whose lines are not counted. Raises: LimitError
        if there are enough of one browser, or from one address.
        """
        if address is not None:
            self._check(credential, address)
            self._houses[address] += 1
        self._lines[credential].add(line)
        if self._is_leaving:
            line.leave()
        try:
            yield
        finally:
            self._lines[credential].discard(line)
            if not self._lines[credential]:
                del self._lines[credential]
            self._leave(address)
            self._closed.set()

    async def leave(self) -> None:
        """Close all lines, and those that are still opened, as the server goes; return when none is left."""
        self._is_leaving = True
        for line in [line for own in self._lines.values() for line in own]:
            line.leave()
        while self._lines:
            self._closed.clear()
            await self._closed.wait()

    def _check(self, credential: str, address: str) -> None:
        of_one, of_all = len(self._lines.get(credential, ())), self._houses[address]
        if of_one >= MOST_LINES_OF_ONE or of_all >= MOST_LINES:
            raise LimitError("too many lines are open from here", code="limit/lines", wait=_WAIT)

    def _leave(self, address: str | None) -> None:
        if address is not None:
            self._houses[address] -= 1
            if not self._houses[address]:
                del self._houses[address]

    def credentials(self) -> list[str]:
        """Return what the cookies or tokens of all carry who have a line."""
        return list(self._lines)

    def end_all(self, code: int, reason: str) -> None:
        """Close all lines."""
        for lines in list(self._lines.values()):
            for line in list(lines):
                line.end(code, reason)

    def end(self, credential: str) -> None:
        """Close all lines of a browser that was signed out, wherever they are."""
        self.told(credential)
        self.close(credential)

    def close(self, credential: str) -> None:
        """Close all lines of a browser that was signed out, as far as they are here."""
        for line in list(self._lines.get(credential, ())):
            line.end(_SIGNED_OUT, "signed out")
