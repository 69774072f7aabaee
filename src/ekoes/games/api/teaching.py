"""Protocols of lessons and hints. A lesson is a file that ``ekoes.tables.lessons`` reads and plays."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from typing import Any, Protocol

from ekoes.errors import PositionError
from ekoes.games.api.contract import Json
from ekoes.games.api.reading import read_object, read_whole, shown


@dataclass(frozen=True, slots=True)
class Done:
    """An action in a lesson. word: its result, a word of the game."""

    seat: int
    action: Any
    word: str


Goal = Callable[[Any, int, Sequence[Done]], bool]
"""(position, the learner's seat, actions so far) -> whether the goal is reached."""

GoalReader = Callable[[Any, object, str], Goal]
"""(position, value, key for errors) -> goal. Raises PositionError."""

_MOST_TIMES = 40


def did(words: Collection[str]) -> GoalReader:
    """Return the reader of goals that count the learner's actions by word. words: of the game."""

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
    """The lessons of a game (``Parts.teaching``)."""

    @property
    def folder(self) -> Traversable:
        """The folder of the lessons, ordered by file name."""

    @property
    def goals(self) -> Mapping[str, GoalReader]:
        """The possible keys of a goal; a goal is reached when all its keys are."""

    def done(self, entry: Any) -> Done:  # noqa: ANN401 - an entry of the table's log
        """Return an entry of a table's log for goals."""

    def named(self, position: Any, text: str) -> str:  # noqa: ANN401
        """Return the text of a placeholder. Raises EkoesError."""

    def check_mark(self, position: Any, mark: object) -> None:  # noqa: ANN401
        """Check a mark, to be highlighted on the board. Raises EkoesError."""


class Advice(Protocol):
    """Hints for a player against bots (``Parts.advice``).

    position: as the table gives it (``advised``): the position, of a live table the whole state.
    """

    def threats(self, position: Any, place: str) -> Json:  # noqa: ANN401
        """Return the reach and the captures of the piece at a place. Raises EkoesError without one."""

    def advise(self, position: Any, seat: int) -> Json:  # noqa: ANN401
        """Return one good ``action`` of a seat to move, and ``reasons``, from the seat's view alone.

        Raises: EkoesError if there is nothing to decide.
        """
