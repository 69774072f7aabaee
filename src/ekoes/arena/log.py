"""The log of a run: each result is a line of JSON, on disk before it counts."""

from __future__ import annotations

import json
import os
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Self

from ekoes import __version__
from ekoes.arena.plan import Plan
from ekoes.errors import RecordError
from ekoes.games.api.registry import game

Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A forfeit. reason: of ``ForfeitError``; told: its message in one line."""

    seat: int
    reason: str
    told: str


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one game.

    number, opening, layout, variant, seats: as planned. winners: seats. reason, rule: how it ended;
    ``forfeit`` and empty after a forfeit. turns: the number of the last one. asked: the seat of each
    decision; times: how long each took, in microseconds. record: the game as text.
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
        """Each seat's share of the one point of a game: the winners share it; without winners, all do."""
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


FORMAT = 1
_ABSENT = -1
_ROUNDS = b'{"rounds"'
_EXTENDABLE = {"rounds"}
"""What may differ in the plan of a resumed run."""


class Log:
    """A log on disk, indexed by game number.

    The first line holds the plan; a run that is extended adds a line with its rounds. A tail that was torn
    off when the run was killed is ignored, and its games are played again.
    """

    def __init__(self, path: Path, plan: Plan, games: int, *, read_only: bool = False) -> None:
        """Open the log of a plan with this many games. read_only: read only."""
        self.path = path
        self.plan = plan
        self.offsets = array("q", [_ABSENT]) * games
        self.end: int | None = None
        self.rounds = plan.rounds
        self.read_only = read_only
        self._file = path.open("rb" if read_only else "a+b")

    def __enter__(self) -> Self:
        """Read the log and cut off a torn tail. Raises RecordError for the log of another plan."""
        try:
            self._begin()
        except BaseException:
            self._file.close()
            raise
        return self

    def _begin(self) -> None:
        good = self._scan()
        if not self.read_only:
            self._file.truncate(good)
        if good == 0 and not self.read_only:
            head = {"format": FORMAT, "ekoes": __version__, "rules": game(self.plan.game).rules_version}
            self._write([json.dumps(head | {"plan": self.plan.model_dump(mode="json")})])
        elif self.rounds != self.plan.rounds and not self.read_only:
            self._write([json.dumps({"rounds": self.plan.rounds})])

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __contains__(self, number: int) -> bool:
        return self.offsets[number] != _ABSENT

    def __len__(self) -> int:
        """Return how many games count."""
        return sum(offset != _ABSENT for offset in self.offsets[: self.end])

    def append(self, results: Iterable[Result]) -> list[Result]:
        """Append the new results; they are on disk when this returns. Returns: the new ones."""
        fresh = [result for result in results if result.number not in self]
        at = self._file.seek(0, os.SEEK_END)
        lines = [result_line(result) for result in fresh]
        for result, line in zip(fresh, lines, strict=True):
            self.offsets[result.number] = at
            at += len(line.encode()) + 1
        self._write(lines)
        return fresh

    def close_after(self, number: int) -> None:
        """Record that a test has ended: games from this number on do not count."""
        if self.end is None:
            self.end = number
            self._write([json.dumps({"end": number})])

    def __iter__(self) -> Iterator[Result]:
        """Yield the games that count, by number."""
        for offset in self.offsets[: self.end]:
            if offset != _ABSENT:
                self._file.seek(offset)
                yield result_from_line(self._file.readline().decode())

    def _write(self, lines: Iterable[str]) -> None:
        self._file.write("".join(f"{line}\n" for line in lines).encode())
        self._file.flush()
        os.fsync(self._file.fileno())

    def _scan(self) -> int:
        """Find the offset of each game. Returns: the bytes up to the first invalid line."""
        self._file.seek(0)
        good = 0
        for line in self._file:
            if not line.endswith(b"\n") or not self._take(good, line):
                break
            good += len(line)
        return good

    def _take(self, at: int, line: bytes) -> bool:
        try:
            if at == 0:
                self.rounds = _check_head(json.loads(line), self.plan)
            elif line.startswith(_ROUNDS):
                self.rounds = int(json.loads(line)["rounds"])
            elif line.startswith(b'{"end"'):
                self.end = int(json.loads(line)["end"])
            else:
                number = result_from_line(line.decode()).number
                if number < len(self.offsets) and number not in self:
                    self.offsets[number] = at
        except (ValueError, TypeError, KeyError):
            return False
        return True


def read_log(path: Path) -> tuple[Plan, int]:
    """Return the plan of a log, and how many games it asks for. Raises RecordError or OSError."""
    from ekoes.arena.plan import Schedule

    with path.open("rb") as file:
        try:
            plan = Plan.model_validate(json.loads(file.readline())["plan"])
            for line in file:
                if line.startswith(_ROUNDS) and line.endswith(b"\n"):
                    plan = plan.model_copy(update=json.loads(line))
        except (ValueError, TypeError, KeyError) as error:
            raise RecordError(f"{path}: not a log of the arena") from error
    return plan, len(Schedule(plan))


def _check_head(head: dict[str, Any], plan: Plan) -> int:
    """Check that a log is of this plan and these rules. Returns: its rounds. Raises RecordError."""
    if head["format"] != FORMAT:
        raise RecordError(f"the log there has format {head['format']}, and this program writes {FORMAT}")
    if head["rules"] != game(plan.game).rules_version:
        raise RecordError(f"the games there were judged by version {head['rules']} of the rules")
    begun = Plan.model_validate(head["plan"])
    known, now = begun.model_dump(exclude=_EXTENDABLE), plan.model_dump(exclude=_EXTENDABLE)
    changed = [key for key in now if now[key] != known[key]]
    if changed:
        raise RecordError(f"the games there were played by another plan: {', '.join(changed)} differ")
    return begun.rounds
