"""The exercises of a game (``Parts.exercises``)."""

from __future__ import annotations

from typing import Protocol

from ekoes.games.api.contract import Json


class Exercises(Protocol):
    """Exercises with their answers, in the form of the game's page."""

    count: int
    """The number of decisions to choose."""

    def choice(self, number: int) -> Json:
        """Return a decision with the value of each choice. number: from 1."""

    def reflex(self, seed: int) -> list[Json]:
        """Return rounds of a test of reactions: what is shown, and what is to be played on it."""
