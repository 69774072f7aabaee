"""What the lessons of Ekö can ask of a learner, and how they name spaces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any, Final

from ekoes.errors import PositionError
from ekoes.games.eko.action import Building, Space
from ekoes.games.eko.position import EkoPosition
from ekoes.games.eko.rules.record import TALLEST, WINNING_POINTS, Whereabouts
from ekoes.games.reading import read_fields, read_flag, read_whole
from ekoes.games.teaching import Done, Goal, GoalReader, did

__all__ = ["TEACHING", "EkoTeaching"]

EFFECTS: Final = (
    "move",
    "regroup",
    "attack",
    "kamikaze",
    "perish",
    "build",
    "upgrade",
    "replace",
    "keep",
    "swap",
    "march",
    "reinforce",
    "moon",
    "sandtemple",
    "ransom",
    "end",
)
"""What a decision can come to (``choices.describe``)."""

_WHERE = {"board": Whereabouts.BOARD, "reserve": Whereabouts.RESERVE}


def _stack(position: EkoPosition, value: object, key: str) -> Goal:
    """Read: an own stack of at least some discs stands on a space."""
    content = read_fields(value, key, ("at", "height"))
    space = _space(position, content["at"], f"{key}.at")
    height = read_whole(content["height"], f"{key}.height", 1, TALLEST, "E1.6")

    def is_reached(now: EkoPosition, seat: int, _done: Sequence[Done]) -> bool:
        stack = now.stack(space)
        return stack is not None and stack.owner == seat and stack.height >= height

    return is_reached


def _building(position: EkoPosition, value: object, key: str) -> Goal:
    """Read: an own building of a kind stands on a site."""
    content = read_fields(value, key, ("at", "kind"))
    site = _space(position, content["at"], f"{key}.at")
    levels = {kind.value: kind.level for kind in Building}
    if content["kind"] not in levels:
        raise PositionError(f"must be one of {', '.join(levels)}", rule="E1.3", key=f"{key}.kind")
    level = levels[content["kind"]]
    return lambda now, seat, _done: now.buildings().get(site) == (seat, level)


def _captive(position: EkoPosition, value: object, key: str) -> Goal:
    """Read: the learner holds the Emperor of a seat."""
    captive = read_whole(value, key, 0, position.players - 1, "E1.1")
    return lambda now, seat, _done: captive in now.captives(seat)


def _emperor(_position: EkoPosition, value: object, key: str) -> Goal:
    """Read: the learner's own Emperor is on the board or in the reserve."""
    if value not in _WHERE:
        raise PositionError(f"must be one of {', '.join(_WHERE)}", key=key)
    where = _WHERE[str(value)]
    return lambda now, seat, _done: bool(now.record.whereabouts[seat] == where)


def _points(_position: EkoPosition, value: object, key: str) -> Goal:
    """Read: the learner has at least some points."""
    points = read_whole(value, key, 1, 4 * WINNING_POINTS, "E11.1")
    return lambda now, seat, _done: now.points(seat).total >= points


def _won(_position: EkoPosition, value: object, key: str) -> Goal:
    """Read: the learner has won."""
    if not read_flag(value, key):
        raise PositionError("must be true", key=key)
    return lambda now, seat, _done: seat in now.winners


def _space(position: EkoPosition, value: object, key: str) -> Space:
    space = Space.parse(value, key)
    if space not in position.layout.index:
        raise PositionError(f"{space} is not on the board", rule="E2.1", key=key)
    return space


class EkoTeaching:
    """What the lessons of Ekö need."""

    goals: Mapping[str, GoalReader] = MappingProxyType(
        {
            "stack": _stack,
            "building": _building,
            "captive": _captive,
            "emperor": _emperor,
            "points": _points,
            "won": _won,
            "did": did(EFFECTS),
        }
    )

    @property
    def folder(self) -> Traversable:
        """Where the files lie."""
        return files("ekoes.games.eko") / "lessons"

    def done(self, entry: Any) -> Done:  # noqa: ANN401
        """Return what an entry of a table's log tells."""
        return Done(entry.seat, entry.action, entry.about["effect"])

    def named(self, position: EkoPosition, text: str) -> str:
        """Return what people call a space. Raises PositionError, NotationError."""
        return position.layout.names.write(_space(position, text, "words"))

    def check_mark(self, position: EkoPosition, mark: object) -> None:
        """Check that a space is on the board. Raises PositionError, NotationError."""
        _space(position, mark, "marks")


TEACHING = EkoTeaching()
