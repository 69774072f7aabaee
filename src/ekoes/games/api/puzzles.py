"""Protocols of puzzles: positions with exactly one solution (``Parts.puzzles``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol

Verdict = Literal["right", "wrong", "open"]
"""On an answer: the aim is reached, out of reach, or within reach."""


class Listed(NamedTuple):
    """A puzzle in the list. theme: a word of the game. difficulty: from 1 to 5."""

    theme: str
    difficulty: int


class Puzzle(Protocol):
    """A puzzle. seat: of the solver, who is to move. solution: the solver's decisions as notations."""

    @property
    def seat(self) -> int: ...  # noqa: D102 - as above

    @property
    def position(self) -> Any: ...  # noqa: ANN401, D102

    @property
    def solution(self) -> Sequence[str]: ...  # noqa: D102

    def judge(self, now: Any) -> Verdict:  # noqa: ANN401 - a position of the game
        """Return the verdict on the position after some decisions of the solver."""


class Puzzles(Protocol):
    """The puzzles of a game. THEMES: words of the game."""

    THEMES: Sequence[str]

    def listed(self) -> Mapping[str, Listed]:
        """Return all puzzles by name, in a fixed order that mixes themes and difficulties."""

    def puzzle(self, name: str) -> Puzzle:
        """Return a puzzle that is listed."""
