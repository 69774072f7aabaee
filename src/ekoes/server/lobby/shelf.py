"""Things that are told by their names, and what has changed since they were told."""

from __future__ import annotations

from typing import Any

from ekoes.match.difference import difference

__all__ = ["Shelf"]


class Shelf:
    """Values by name. ``now`` is what there is; ``take`` tells what has changed since it was last taken.

    What came and went meanwhile is not told at all.
    """

    def __init__(self) -> None:
        """Begin empty."""
        self.now: dict[str, Any] = {}
        self._before: dict[str, Any] = {}

    def put(self, name: str, value: Any) -> bool:  # noqa: ANN401 - JSON is anything
        """Put something there, None: take it away; tell whether anything changes."""
        former = self.now.get(name)
        if former == value:
            return False
        self._before.setdefault(name, former)
        if value is None:
            del self.now[name]
        else:
            self.now[name] = value
        return True

    def take(self) -> dict[str, Any]:
        """Return the changes (``ekoes.match.difference``) by name; {}: there are none."""
        before, self._before = self._before, {}
        return {
            name: _change(former, self.now.get(name))
            for name, former in before.items()
            if former != self.now.get(name)
        }


def _change(before: Any, after: Any) -> Any:  # noqa: ANN401
    if after is None:
        return None
    return [after] if before is None else difference(before, after)
