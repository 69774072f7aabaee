"""The goals of EKKO's lessons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Final

from ekoes.errors import PositionError
from ekoes.games.api.parts import Done, Goal, GoalReader, did
from ekoes.games.api.reading import read_flag, read_whole
from ekoes.games.ekko.live.state import Entry
from ekoes.games.ekko.position.position import EkkoPosition
from ekoes.games.ekko.rules.record import CARDS

VERDICTS: Final = ("play", "mirror", "claim", "draw", "misplay", "late", "pass")
"""The verdicts on a player's intents that lessons can use as goals."""


def _top(_position: EkkoPosition, value: object, key: str) -> Goal:
    """Goal: a card is on top."""
    card = read_whole(value, key, 1, CARDS, "K1.1")
    return lambda now, _seat, _done: now.top == card


def _hand(_position: EkkoPosition, value: object, key: str) -> Goal:
    """Goal: the learner has at most some cards in hand."""
    most = read_whole(value, key, 0, CARDS, "K1.1")
    return lambda now, seat, _done: len(now.hands[seat]) <= most


def _over(_position: EkkoPosition, value: object, key: str) -> Goal:
    """Goal: the round is over."""
    if not read_flag(value, key):
        raise PositionError("must be true", key=key)

    def is_reached(now: EkkoPosition, _seat: int, _done: Sequence[Done]) -> bool:
        return not now.is_in_round

    return is_reached


class EkkoTeaching:
    """The lessons of EKKO."""

    goals: Mapping[str, GoalReader] = MappingProxyType(
        {"top": _top, "hand": _hand, "round_over": _over, "did": did(VERDICTS)}
    )

    @property
    def folder(self) -> Traversable:
        """The folder of the lessons."""
        return files("ekoes.games.ekko") / "lessons"

    def done(self, entry: Entry) -> Done:
        """Return an entry of a table's log for goals."""
        return Done(entry.seat, entry.action, entry.verdict.value)

    def named(self, position: EkkoPosition, text: str) -> str:  # noqa: ARG002
        """Raise an error: cards are called by their numbers."""
        raise PositionError(f"there is no place called {text!r:.20}", key="words")

    def check_mark(self, position: EkkoPosition, mark: object) -> None:  # noqa: ARG002
        """Check that a card's number was given. Raises PositionError."""
        read_whole(mark, "marks", 1, CARDS, "K1.1")


TEACHING = EkkoTeaching()
