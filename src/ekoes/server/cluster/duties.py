"""What one of all processes does for all of them, besides its tables."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from ekoes.server.cluster.routes import MEETING
from ekoes.server.owner import ElsewhereError, Owner

__all__ = ["Duties"]


class Duties:
    """Done by whoever owns the meeting: that tournaments go on."""

    def __init__(
        self, owner: Owner, begin: Callable[[], Awaitable[None]], cease: Callable[[], Awaitable[None]]
    ) -> None:
        """Begin without them. begin, cease: take them up, and lay them down."""
        self._owner = owner
        self._begin = begin
        self._cease = cease
        self._has = False

    async def take(self) -> None:
        """Take them up unless somebody else has. Raises StorageError."""
        try:
            await self._owner.claim(MEETING)
        except ElsewhereError:
            return
        if not self._has:
            self._has = True
            await self._begin()

    async def drop(self) -> None:
        """Lay them down."""
        if self._has:
            self._has = False
            await self._cease()
