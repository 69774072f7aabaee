"""What became of a game, and how it stands in the log: one line of JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import Any

__all__ = ["Forfeit", "Result", "result_from_line", "result_line"]

Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Forfeit:
    """Who lost by what it did outside the rules of play. reason: of ``ForfeitError``; told: one line."""

    seat: int
    reason: str
    told: str


@dataclass(frozen=True, slots=True)
class Result:
    """One game.

    number, opening, layout, variant, seats: as it was planned. winners: seats. reason, rule: how it ended;
    of a forfeit ``forfeit`` and nothing. turns: the number of the last one. asked: who decided, a seat
    for each decision; times: how long each took, in microseconds. record: the game as text.
    """

    number: int
    opening: int
    layout: str
    variant: str
    seats: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str
    rule: str
    turns: int
    asked: tuple[int, ...]
    times: tuple[int, ...]
    record: str
    forfeit: Forfeit | None = None

    @property
    def scores(self) -> tuple[float, ...]:
        """What each seat gets of the one point of a game: the winners share it; nobody won: all do."""
        sharing = self.winners or tuple(range(len(self.seats)))
        return tuple(1 / len(sharing) if seat in sharing else 0.0 for seat in range(len(self.seats)))


_NAMES = tuple(field.name for field in fields(Result))


def result_line(result: Result) -> str:
    """Write a result as one line, without its end."""
    value = {name: getattr(result, name) for name in _NAMES}
    value["forfeit"] = None if result.forfeit is None else asdict(result.forfeit)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def result_from_line(line: str) -> Result:
    """Read what ``result_line`` wrote. Raises ValueError, TypeError or KeyError for anything else."""
    value: Line = json.loads(line)
    forfeit = value.pop("forfeit")
    value |= {key: tuple(value[key]) for key in ("seats", "winners", "asked", "times")}
    return Result(**value, forfeit=None if forfeit is None else Forfeit(**forfeit))
