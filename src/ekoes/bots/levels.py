"""The levels of strength, with the same names in every game."""

from __future__ import annotations

from types import MappingProxyType

from ekoes.bots import bots

LEVELS = MappingProxyType(
    {
        "beginner": "overlooks most of what it could do",
        "casual": "overlooks things, and does not look ahead",
        "skilled": "sees nearly all that it can do",
        "strong": "looks ahead, and reckons with what it does not see",
        "master": "looks ahead the longest, and forgets nothing",
    }
)
"""Name -> description for players, weakest first; the page translates it."""


def levels(game: str) -> tuple[str, ...]:
    """Return the levels that a game has, weakest first. Raises NotationError naming the known games."""
    return tuple(name for name in bots(game) if name in LEVELS)
