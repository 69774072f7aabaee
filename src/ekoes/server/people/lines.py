"""The open lines of each signed-in browser: who is signed out elsewhere hears nothing more."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable

from ekoes.server.connection import Line

__all__ = ["Lines"]

_SIGNED_OUT = 4401


class Lines:
    """Knows which lines were opened with a cookie."""

    def __init__(self) -> None:
        """Begin with none."""
        self._lines: defaultdict[str, set[Line]] = defaultdict(set)

    async def serve(self, credential: str, line: Line, service: Awaitable[None]) -> None:
        """Know a line for as long as it is served."""
        self._lines[credential].add(line)
        try:
            await service
        finally:
            self._lines[credential].discard(line)
            if not self._lines[credential]:
                del self._lines[credential]

    def credentials(self) -> list[str]:
        """Return what the cookies of all carry who have a line."""
        return list(self._lines)

    def end(self, credential: str) -> None:
        """Close all lines of a browser that was signed out."""
        for line in list(self._lines.get(credential, ())):
            line.end(_SIGNED_OUT, "signed out")
