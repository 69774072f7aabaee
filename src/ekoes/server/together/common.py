"""What a server has in common with others."""

from __future__ import annotations

from ekoes.server.tempo import HERE, Count
from ekoes.server.together.counting import Counting
from ekoes.server.together.link import Link

__all__ = ["Common"]


class Common:
    """With a Redis, what all count. Without one, nothing: a server counts for itself.

    link: to Redis; None: there is none. count: makes counters.
    """

    def __init__(self, url: str, key: bytes) -> None:
        """Begin without a line. url: of a Redis, or empty; key: a secret of all. Raises EkoesError."""
        self.link = Link(url) if url else None
        self.count: Count = HERE if self.link is None else Counting(self.link, key)

    @property
    def is_away(self) -> bool:
        """Whether a Redis is wanted and does not answer."""
        return self.link is not None and not self.link.is_there

    async def start(self) -> None:
        """Find out whether it is there, from now on."""
        if self.link is not None:
            await self.link.start()

    async def stop(self) -> None:
        """Close all lines."""
        if self.link is not None:
            await self.link.stop()
