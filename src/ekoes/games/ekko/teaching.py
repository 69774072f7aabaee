"""The goals of EKKO's lessons."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Final

from ekoes.errors import PositionError
from ekoes.games.api.parts import GoalCheck, did, is_true
from ekoes.games.api.reading import read_whole
from ekoes.games.ekko.position.position import EkkoPosition
from ekoes.games.ekko.rules.record import CARDS

VERDICTS: Final = ("play", "mirror", "claim", "draw", "misplay", "late", "pass")
"""The verdicts on a player's intents that lessons can use as goals."""


def _top(_position: EkkoPosition, value: object, key: str) -> None:
    """Goal: a card is on top."""
    read_whole(value, key, 1, CARDS, "K1.1")


def _hand(_position: EkkoPosition, value: object, key: str) -> None:
    """Goal: the learner has at most some cards in hand."""
    read_whole(value, key, 0, CARDS, "K1.1")


class EkkoTeaching:
    """The lessons of EKKO, whose tasks its pages judge (web/src/ekko/task.ts)."""

    goals: Mapping[str, GoalCheck] = MappingProxyType(
        {"top": _top, "hand": _hand, "round_over": is_true, "did": did(VERDICTS)}
    )

    @property
    def folder(self) -> Traversable:
        """The folder of the lessons."""
        return files("ekoes.games.ekko") / "lessons"

    def named(self, position: EkkoPosition, text: str) -> str:  # noqa: ARG002
        """Raise an error: cards are called by their numbers."""
        raise PositionError(f"there is no place called {text!r:.20}", key="words")

    def check_mark(self, position: EkkoPosition, mark: object) -> None:  # noqa: ARG002
        """Check that a card's number was given. Raises PositionError."""
        read_whole(mark, "marks", 1, CARDS, "K1.1")


TEACHING = EkkoTeaching()
