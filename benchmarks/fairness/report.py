"""What a harness found, and what it ought to be."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

__all__ = ["Figure", "by_chance", "table", "told_apart"]


@dataclass(frozen=True, slots=True)
class Figure:
    """Something measured. wanted: from … to …, both included."""

    what: str
    figure: float
    unit: str
    wanted: tuple[float, float]

    @property
    def is_fair(self) -> bool:
        """Whether it is as it ought to be."""
        return self.wanted[0] <= self.figure <= self.wanted[1]


def table(figures: list[Figure]) -> str:
    """Write figures as a Markdown table."""
    rows = ["| what an attacker gets | | | wanted | |", "|---|---:|---|---|---|"]
    for one in figures:
        least, most = one.wanted
        wanted = f"≤ {most:g}" if least <= 0 else f"{least:g} … {most:g}"
        rows.append(
            f"| {one.what} | {one.figure:.4g} | {one.unit} | {wanted} | {'' if one.is_fair else '**no**'} |"
        )
    return "\n".join(rows)


def told_apart(some: list[float], others: list[float]) -> float:
    """Return how often one of the first is above one of the others, ties counting half (AUC)."""
    above = sum((one > other) + (one == other) / 2 for one in some for other in others)
    return above / (len(some) * len(others))


def by_chance(some: list[float], others: list[float]) -> float:
    """Return how likely chance alone tells two samples apart so well (Mann-Whitney, two-sided)."""
    spread = sqrt((len(some) + len(others) + 1) / (12 * len(some) * len(others)))
    return 2 * (1 - NormalDist().cdf(abs(told_apart(some, others) - 0.5) / spread))
