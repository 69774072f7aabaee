"""Two runs side by side: what has changed, and whether that can be chance."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot

from ekoes.arena.report.summary import Line, Summary
from ekoes.errors import NotationError

__all__ = ["Change", "changes"]

_CONFIDENCE = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Change:
    """How a player's strength has changed beside the mean of the players that both runs share."""

    name: str
    old: float
    new: float
    spread: float

    @property
    def elo(self) -> float:
        """The change in Elo; ``spread`` to both sides holds 95 %."""
        return self.new - self.old

    @property
    def is_clear(self) -> bool:
        """Whether chance alone would seldom do that, less than once in twenty times."""
        return abs(self.elo) > self.spread


def changes(old: Summary, new: Summary) -> tuple[Change, ...]:
    """Return the changes of all players in both runs, by name. Raises NotationError if there are none."""
    if old.plan.game != new.plan.game:
        raise NotationError(f"one run is of {old.plan.game}, the other of {new.plan.game}")
    names = [line.name for line in new.lines if line.name in {other.name for other in old.lines}]
    if not names:
        raise NotationError("the two runs have no player in common")
    before, after = _strengths(old, names), _strengths(new, names)
    return tuple(
        Change(name, before[name][0], after[name][0], _CONFIDENCE * hypot(before[name][1], after[name][1]))
        for name in names
    )


def _strengths(summary: Summary, names: list[str]) -> dict[str, tuple[float, float]]:
    """Return the strengths of some players beside the mean of those, with their standard errors."""
    lines: dict[str, Line] = {line.name: line for line in summary.lines}
    places = [lines[name].place for name in names]
    if summary.ratings is None or len(names) == 1:
        return dict.fromkeys(names, (0.0, 0.0))
    part = 1 / len(places)
    found = {}
    for name in names:
        weights = {place: (place == lines[name].place) - part for place in places}
        elo = sum(weight * summary.ratings.elo[place] for place, weight in weights.items())
        variance = sum(
            one * other * float(summary.ratings.covariance[place, rival])
            for place, one in weights.items()
            for rival, other in weights.items()
        )
        found[name] = (elo, max(variance, 0.0) ** 0.5)
    return found
