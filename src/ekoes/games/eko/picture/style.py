"""Palette and measures of the picture; the page draws with the same ones (decision 10)."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin, sqrt

__all__ = ["COLOURS", "INK", "PAPER", "SIZE", "Colour", "centre", "corner", "hexagon", "number"]

SIZE = 50.0
"""From the centre of a hexagon to its corners."""

INK = "#2b2118"
FAINT_INK = "#8a7558"
PAPER = "#fbf4e4"
SEAM = "#8c7245"
EDGE = "#c9aa72"
GOLD = "#f2c230"
GOLD_RIM = "#5b4300"
TEMPEST_OUTLINE = "#33667d"


@dataclass(frozen=True, slots=True)
class Colour:
    """A player's colour: its name, its fill, the ink of its pattern, its dark rim, its side."""

    word: str
    fill: str
    ink: str
    rim: str
    side: str


COLOURS = (
    Colour("indigo", "#1d3f7d", "#1d3f7d", "#0b1c3d", "#163164"),
    Colour("vermilion", "#d2560f", "#6b2500", "#4d1b00", "#a9420a"),
    Colour("sky", "#62b8e8", "#145d88", "#0d3c58", "#3f95c6"),
    Colour("ivory", "#fdf8ea", "#6e5a3c", "#46371f", "#d9ceb2"),
)


def number(value: float) -> str:
    """Write a measure with at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if value % 1 else f"{value:.0f}"


def centre(q: int, r: int) -> tuple[float, float]:
    """Return the centre of a space."""
    return SIZE * sqrt(3) * (q + r / 2), SIZE * 1.5 * r


def corner(place: int, size: float = SIZE) -> tuple[float, float]:
    """Return a corner of a hexagon around the origin; d and d + 1 bound the side facing direction d."""
    angle = pi / 180 * (30 - 60 * place)
    return size * cos(angle), size * sin(angle)


def hexagon(size: float = SIZE) -> str:
    """Return the points of a hexagon around the origin."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in (corner(place, size) for place in range(6)))
