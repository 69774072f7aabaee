"""The log of a run: everything that was played, a line for each game, safe on disk before it counts.

The first line holds the plan; a run that is made longer adds a line with its rounds. A tail that was torn
off as the run was killed is ignored and played again.
"""

from __future__ import annotations

import json
import os
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Self

from ekoes import __version__
from ekoes.arena.plan import Plan
from ekoes.arena.result import Result, result_from_line, result_line
from ekoes.errors import RecordError
from ekoes.games.registry import game

__all__ = ["Log", "read_log"]

FORMAT = 1
_ABSENT = -1
_ROUNDS = b'{"rounds"'
_EXTENDABLE = {"rounds"}
"""What may be another in a plan whose run is resumed."""


class Log:
    """A log on disk, by number of the game."""

    def __init__(self, path: Path, plan: Plan, games: int, *, is_kept: bool = False) -> None:
        """Open a log, for a plan with so many games; what is in it stays. is_kept: nothing is written."""
        self.path = path
        self.plan = plan
        self.offsets = array("q", [_ABSENT]) * games
        self.end: int | None = None
        self.rounds = plan.rounds
        self.is_kept = is_kept
        self._file = path.open("rb" if is_kept else "a+b")

    def __enter__(self) -> Self:
        """Read what is there; a torn tail is cut off. Raises RecordError for another plan's log."""
        try:
            self._begin()
        except BaseException:
            self._file.close()
            raise
        return self

    def _begin(self) -> None:
        good = self._scan()
        if not self.is_kept:
            self._file.truncate(good)
        if good == 0 and not self.is_kept:
            head = {"format": FORMAT, "ekoes": __version__, "rules": game(self.plan.game).rules_version}
            self._write([json.dumps(head | {"plan": self.plan.model_dump(mode="json")})])
        elif self.rounds != self.plan.rounds and not self.is_kept:
            self._write([json.dumps({"rounds": self.plan.rounds})])

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __contains__(self, number: int) -> bool:
        return self.offsets[number] != _ABSENT

    def __len__(self) -> int:
        """Return how many games count."""
        return sum(offset != _ABSENT for offset in self.offsets[: self.end])

    def append(self, results: Iterable[Result]) -> list[Result]:
        """Keep the results that are not known yet, on disk when this returns. Returns: those."""
        fresh = [result for result in results if result.number not in self]
        at = self._file.seek(0, os.SEEK_END)
        lines = [result_line(result) for result in fresh]
        for result, line in zip(fresh, lines, strict=True):
            self.offsets[result.number] = at
            at += len(line.encode()) + 1
        self._write(lines)
        return fresh

    def close_after(self, number: int) -> None:
        """Note that a test ended: games from this number on do not count."""
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
        """Note where each game stands. Returns: the bytes up to the first line that can't be read."""
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
    from ekoes.arena.schedule import Schedule

    with path.open("rb") as file:
        try:
            plan = Plan.model_validate(json.loads(file.readline())["plan"])
            for line in file:
                if line.startswith(_ROUNDS) and line.endswith(b"\n"):
                    plan = plan.model_copy(update=json.loads(line))
        except (ValueError, TypeError, KeyError) as error:
            raise RecordError(f"{path}: this is no log of an arena") from error
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
