"""Who is here, told in portions: however many there are, no word is longer than what one may be.

Of a portion both sides know between which names it is all: who is not named there has gone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

__all__ = ["Portion", "portions"]

_MOST = 500
"""Names in one portion."""


class Portion(NamedTuple):
    """All names behind one, up to another; until None: all others."""

    after: str
    until: str | None
    names: frozenset[str]

    def gone(self, known: Collection[str]) -> set[str]:
        """Return who of those known is not there any more."""
        return {name for name in known if self._covers(name)} - self.names

    def _covers(self, name: str) -> bool:
        return name > self.after and (self.until is None or name <= self.until)

    def to_json(self) -> dict[str, Any]:
        """Write it."""
        return {"after": self.after, "until": self.until, "here": sorted(self.names)}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Portion:
        """Read what ``to_json`` wrote."""
        return cls(value["after"], value["until"], frozenset(value["here"]))


def portions(names: Collection[str]) -> Iterator[Portion]:
    """Yield names in portions that cover all names there could be; one at least."""
    ordered, after = sorted(names), ""
    for start in range(0, max(len(ordered), 1), _MOST):
        some = ordered[start : start + _MOST]
        until = some[-1] if start + _MOST < len(ordered) else None
        yield Portion(after, until, frozenset(some))
        after = until or ""
