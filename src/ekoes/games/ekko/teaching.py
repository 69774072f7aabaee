"""What the lessons of EKKO can ask of a learner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Final

from ekoes.errors import PositionError
from ekoes.games.ekko.live.entry import Entry
from ekoes.games.ekko.position import EkkoPosition
from ekoes.games.ekko.rules.record import CARDS, Phase
from ekoes.games.reading import read_flag, read_whole
from ekoes.games.teaching import Done, Goal, GoalReader, did

__all__ = ["TEACHING", "EkkoTeaching"]

VERDICTS: Final = ("play", "mirror", "claim", "draw", "misplay", "late", "pass")
"""What a player's doing can come to."""


def _top(_position: EkkoPosition, value: object, key: str) -> Goal:
    """Read: a card is on top."""
    card = read_whole(value, key, 1, CARDS, "K1.1")
    return lambda now, _seat, _done: now.top == card


def _hand(_position: EkkoPosition, value: object, key: str) -> Goal:
    """Read: the learner has no more than some cards in hand."""
    most = read_whole(value, key, 0, CARDS, "K1.1")
    return lambda now, seat, _done: len(now.hands[seat]) <= most


def _over(_position: EkkoPosition, value: object, key: str) -> Goal:
    """Read: the round is over."""
    if not read_flag(value, key):
        raise PositionError("must be true", key=key)

    def is_reached(now: EkkoPosition, _seat: int, _done: Sequence[Done]) -> bool:
        return now.phase in {Phase.DEAL, Phase.OVER}

    return is_reached


class EkkoTeaching:
    """What the lessons of EKKO need."""

    goals: Mapping[str, GoalReader] = MappingProxyType(
        {"top": _top, "hand": _hand, "round_over": _over, "did": did(VERDICTS)}
    )

    @property
    def folder(self) -> Traversable:
        """Where the files lie."""
        return files("ekoes.games.ekko") / "lessons"

    def done(self, entry: Entry) -> Done:
        """Return what an entry of a table's log tells."""
        return Done(entry.seat, entry.action, entry.verdict.value)

    def named(self, position: EkkoPosition, text: str) -> str:  # noqa: ARG002
        """Refuse: cards are called by their numbers."""
        raise PositionError(f"there is no place called {text!r:.20}", key="words")

    def check_mark(self, position: EkkoPosition, mark: object) -> None:  # noqa: ARG002
        """Check that a card's number was given. Raises PositionError."""
        read_whole(mark, "marks", 1, CARDS, "K1.1")


TEACHING = EkkoTeaching()
