"""The goals of Ekö's lessons."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType

from ekoes.errors import PositionError
from ekoes.games.api.parts import GoalCheck, did, is_true
from ekoes.games.api.reading import read_fields, read_whole
from ekoes.games.eko.position.action import BUILDINGS, Space
from ekoes.games.eko.position.position import EkoPosition
from ekoes.games.eko.presenter import EFFECTS
from ekoes.games.eko.rules.record import TALLEST, WINNING_POINTS

_WHERE = ("board", "reserve")


def _stack(position: EkoPosition, value: object, key: str) -> None:
    """Goal: the learner has a stack of at least some height on a space."""
    content = read_fields(value, key, ("at", "height"))
    _space(position, content["at"], f"{key}.at")
    read_whole(content["height"], f"{key}.height", 1, TALLEST, "E1.6")


def _building(position: EkoPosition, value: object, key: str) -> None:
    """Goal: the learner has a building of a kind on a site."""
    content = read_fields(value, key, ("at", "kind"))
    _space(position, content["at"], f"{key}.at")
    if content["kind"] not in BUILDINGS:
        raise PositionError(f"must be one of {', '.join(BUILDINGS)}", rule="E1.3", key=f"{key}.kind")


def _captive(position: EkoPosition, value: object, key: str) -> None:
    """Goal: the learner holds the Emperor of a seat."""
    read_whole(value, key, 0, position.players - 1, "E1.1")


def _emperor(_position: EkoPosition, value: object, key: str) -> None:
    """Goal: the learner's own Emperor is on the board or in the reserve."""
    if value not in _WHERE:
        raise PositionError(f"must be one of {', '.join(_WHERE)}", key=key)


def _points(_position: EkoPosition, value: object, key: str) -> None:
    """Goal: the learner has at least some points."""
    read_whole(value, key, 1, 4 * WINNING_POINTS, "E11.1")


def _space(position: EkoPosition, value: object, key: str) -> Space:
    space = Space.parse(value, key)
    if space not in position.layout.index:
        raise PositionError(f"{space} is not on the board", rule="E2.1", key=key)
    return space


class EkoTeaching:
    """The lessons of Ekö, whose tasks its pages judge (web/src/eko/task.ts)."""

    goals: Mapping[str, GoalCheck] = MappingProxyType(
        {
            "stack": _stack,
            "building": _building,
            "captive": _captive,
            "emperor": _emperor,
            "points": _points,
            "won": is_true,
            "did": did(EFFECTS),
        }
    )

    @property
    def folder(self) -> Traversable:
        """The folder of the lessons."""
        return files("ekoes.games.eko") / "lessons"

    def named(self, position: EkoPosition, text: str) -> str:
        """Return the name of a space. Raises PositionError, NotationError."""
        return position.layout.names.write(_space(position, text, "words"))

    def check_mark(self, position: EkoPosition, mark: object) -> None:
        """Check that a space is on the board. Raises PositionError, NotationError."""
        _space(position, mark, "marks")


TEACHING = EkoTeaching()
