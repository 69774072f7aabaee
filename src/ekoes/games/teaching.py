"""What a game that is taught brings: the folder of its lessons, what can be a goal, and hints.

A lesson is a file (docs/guide/add-a-lesson.md); ``ekoes.match.lessons`` reads it and plays it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from typing import Any, Protocol

from ekoes.errors import PositionError
from ekoes.games.contract import Json
from ekoes.games.reading import read_object, read_whole, shown

__all__ = ["Advice", "Done", "Goal", "GoalReader", "Teaching", "did"]


@dataclass(frozen=True, slots=True)
class Done:
    """Something that was done in a lesson: by whom, what, and what it came to in a word of the game."""

    seat: int
    action: Any
    word: str


Goal = Callable[[Any, int, Sequence[Done]], bool]
"""Tells of a position, the learner's seat and what was done so far whether the goal is reached."""

GoalReader = Callable[[Any, object, str], Goal]
"""Reads a part of a goal for a position: its value, and its key for errors. Raises PositionError."""

_MOST_TIMES = 40


def did(words: Collection[str]) -> GoalReader:
    """Return the reader of the goal "the learner did this so often". words: those of the game."""

    def read(_position: object, value: object, key: str) -> Goal:
        wanted = read_object(value, key)
        for word, times in wanted.items():
            if word not in words:
                raise PositionError(f"must be one of {', '.join(words)}", key=f"{key}.{shown(word)}")
            read_whole(times, f"{key}.{word}", 1, _MOST_TIMES, "lesson")

        def is_reached(_now: object, seat: int, done: Sequence[Done]) -> bool:
            own = [each.word for each in done if each.seat == seat]
            return all(own.count(word) >= times for word, times in wanted.items())

        return is_reached

    return read


class Teaching(Protocol):
    """What the lessons of a game need of it."""

    @property
    def folder(self) -> Traversable:
        """Where the files of the lessons lie; they are learned in the order of their names."""

    @property
    def goals(self) -> Mapping[str, GoalReader]:
        """What can be asked of a learner: the keys of a goal, of which all have to be reached."""

    def done(self, entry: Any) -> Done:  # noqa: ANN401 - an entry of the table's log
        """Return what an entry of a table's log tells."""

    def named(self, position: Any, text: str) -> str:  # noqa: ANN401
        """Return how people call what a placeholder names. Raises EkoesError."""

    def check_mark(self, position: Any, mark: object) -> None:  # noqa: ANN401
        """Check what is to be lit in the picture. Raises EkoesError."""


class Advice(Protocol):
    """Hints for somebody who plays a game against bots.

    position: what the kind of table gives (``advised``): where the game stands, of a live table all of it.
    """

    def threats(self, position: Any, place: str) -> Json:  # noqa: ANN401
        """Tell where what stands at a place could go and what it could take, were it its turn.

        Raises: EkoesError if nothing stands there.
        """

    def advise(self, position: Any, seat: int) -> Json:  # noqa: ANN401
        """Return one good action of a seat that is asked, as ``action``, and ``reasons``, words for why.

        Nothing may follow from what the seat does not see. Raises: EkoesError if there is nothing to do.
        """
