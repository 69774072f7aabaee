"""A run: plays what is left of a plan, and writes its results and reports into a folder."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any, Self, TypeVar
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from ekoes import __version__
from ekoes.arena.game import PlayGames, Result, result_from_line, result_line
from ekoes.arena.plan import Plan, Schedule, plan_of
from ekoes.arena.pool import Pool, run_here
from ekoes.arena.statistics import Statistics, Summary, summary_of
from ekoes.atomic_files import replacing
from ekoes.errors import RecordError
from ekoes.games.api.parts import Chooser
from ekoes.games.api.registry import game

FORMAT = 1
_ROUNDS = b'{"rounds"'
_EXTENDABLE = {"rounds"}
"""Keys that may differ in the plan of a resumed run."""


class Log:
    """A log on disk: each result is a line of JSON that is on disk before it counts.

    The first line holds the plan; a run that is extended adds a line with its rounds. A tail that was torn
    off when the run was killed is ignored, and its games are played again.
    """

    plan: Plan

    def __init__(self, path: Path, wanted: Plan | None = None) -> None:
        """Open a log. wanted: the plan of a run that writes to it; None: only read it."""
        self.path = path
        self.end: int | None = None
        self._wanted = wanted
        self._begun: Plan | None = None
        self._offsets: dict[int, int] = {}
        self._file = path.open("rb" if wanted is None else "a+b")

    def __enter__(self) -> Self:
        """Read the log and cut off a torn tail. Raises RecordError if it is of another plan, or no log."""
        try:
            self._begin()
        except BaseException:
            self._file.close()
            raise
        return self

    def _begin(self) -> None:
        good = self._scan()
        plan = self._wanted or self._begun
        if plan is None:
            raise RecordError(f"{self.path}: not a log of the arena")
        self.plan, self.total = plan, len(Schedule(plan))
        if self._wanted is None:
            return
        self._file.truncate(good)
        if self._begun is None:
            head = {"format": FORMAT, "ekoes": __version__, "rules": game(plan.game).rules_version}
            self._write([json.dumps(head | {"plan": plan.model_dump(mode="json")})])
        elif self._begun.rounds != plan.rounds:
            self._write([json.dumps({"rounds": plan.rounds})])

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __contains__(self, number: int) -> bool:
        return number in self._offsets

    def __len__(self) -> int:
        """Return how many games count."""
        return len(self._counting())

    def __iter__(self) -> Iterator[Result]:
        """Yield the games that count, by number."""
        for number in self._counting():
            self._file.seek(self._offsets[number])
            yield result_from_line(self._file.readline())

    def _counting(self) -> list[int]:
        most = self.total if self.end is None else min(self.total, self.end)
        return sorted(number for number in self._offsets if number < most)

    def append(self, results: Iterable[Result]) -> list[Result]:
        """Append the new results; they are on disk when this returns. Returns: the new ones."""
        fresh = [result for result in results if result.number not in self]
        at = self._file.seek(0, os.SEEK_END)
        lines = [result_line(result) for result in fresh]
        for result, line in zip(fresh, lines, strict=True):
            self._offsets[result.number] = at
            at += len(line.encode()) + 1
        self._write(lines)
        return fresh

    def close_after(self, number: int) -> None:
        """Record that a test has ended: games from this number on do not count."""
        if self.end is None:
            self.end = number
            self._write([json.dumps({"end": number})])

    def _write(self, lines: Iterable[str]) -> None:
        self._file.write("".join(f"{line}\n" for line in lines).encode())
        self._file.flush()
        os.fsync(self._file.fileno())

    def _scan(self) -> int:
        """Find the plan and the offset of each game. Returns: the bytes up to the first invalid line."""
        self._file.seek(0)
        good = 0
        for line in self._file:
            if not line.endswith(b"\n") or not self._take(good, line):
                break
            good += len(line)
        return good

    def _take(self, at: int, line: bytes) -> bool:
        try:
            if self._begun is None:
                self._begun = _check_head(json.loads(line), self._wanted)
            elif line.startswith(_ROUNDS):
                self._begun = self._begun.model_copy(update=json.loads(line))
            elif line.startswith(b'{"end"'):
                self.end = int(json.loads(line)["end"])
            else:
                self._offsets.setdefault(result_from_line(line).number, at)
        except (ValueError, TypeError, KeyError):
            return False
        return True


def _check_head(head: dict[str, Any], wanted: Plan | None) -> Plan:
    """Check that a log is of these rules and of the wanted plan. Returns: its plan. Raises RecordError."""
    begun = Plan.model_validate(head["plan"])
    if wanted is None:
        return begun
    if head["format"] != FORMAT:
        raise RecordError(f"the log there has format {head['format']}, and this program writes {FORMAT}")
    if head["rules"] != game(wanted.game).rules_version:
        raise RecordError(f"the games there were played with version {head['rules']} of the rules")
    known, now = begun.model_dump(exclude=_EXTENDABLE), wanted.model_dump(exclude=_EXTENDABLE)
    changed = [key for key in now if now[key] != known[key]]
    if changed:
        raise RecordError(f"the games there were played by another plan: {', '.join(changed)} differ")
    return begun


T = TypeVar("T")

_BATCH = 8
"""Games that a worker gets at a time."""


@dataclass(frozen=True, slots=True)
class Spent:
    """The cost of a run. games: played now; seconds: of wall clock; thought: seconds of all players."""

    games: int = 0
    seconds: float = 0.0
    thought: float = 0.0


def play_plan(log: Log, pool: Pool, show: Callable[[Statistics], None]) -> Spent:
    """Play the games that are not in the log yet. show: receives the statistics so far, now and then.

    A test stops the run; games that workers played beyond its end do not count.
    """
    begun, games, thought, stats = perf_counter(), 0, 0.0, Statistics(log.plan)
    if _is_over(log, stats, log, show):
        return Spent()
    results = play_some(log.plan, (number for number in range(log.total) if number not in log), pool)
    for batch in results:
        fresh = log.append(batch)
        games += len(fresh)
        thought += sum(sum(result.times) for result in fresh) / 1e6
        if _is_over(fresh, stats, log, show):
            results.close()
            break
    return Spent(games, perf_counter() - begun, thought)


def _is_over(
    results: Iterable[Result], stats: Statistics, log: Log, show: Callable[[Statistics], None]
) -> bool:
    """Add results to the statistics. Returns: whether a test has ended the run."""
    for result in results:
        stats.add(result)
    show(stats)
    if stats.test is not None and stats.test.ended is not None:
        log.close_after(stats.test.ended)
    return log.end is not None


def play_some(plan: Plan, numbers: Iterable[int], pool: Pool) -> Generator[list[Result], None, None]:
    """Play some games of a plan and yield their results, a batch at a time, in any order."""
    yield from pool(PlayGames(plan), _batches(numbers, _BATCH))


def play_bots(
    game: str,
    bots: Mapping[str, str | Chooser],
    *,
    rounds: int = 1,
    **settings: object,
) -> Summary:
    """Play bots against each other in this process, and leave no files.

    bots: by the names of the players: a name of ``ekoes.bots.bots(game)``, or an object with ``choose(sight,
    seat, chance)``. settings: of a plan (docs/reference/arena.md), such as ``seats``, ``seed``, ``seconds``.

    Raises: NotationError naming a wrong setting.
    """
    players = [{"name": name, "bot": bot} for name, bot in bots.items()]
    plan = plan_of({"game": game, "players": players, "rounds": rounds, **settings})
    stats = Statistics(plan)
    for results in play_some(plan, range(len(Schedule(plan))), run_here):
        for result in results:
            stats.add(result)
    return summary_of(stats)


def _batches(items: Iterable[T], size: int) -> Iterator[tuple[T, ...]]:
    """Yield items in groups of a size, the last one perhaps smaller."""
    rest = iter(items)
    while batch := tuple(islice(rest, size)):
        yield batch


_AT_ONCE = 256
"""Games whose rows are in memory at a time."""
_LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The date of files in an archive, constant so that equal runs make equal archives."""


def write_files(plan: Plan, results: Iterable[Result], folder: Path) -> None:
    """Write the tables and the records of the games into a folder, in their order."""
    with (
        _sheet(folder / "games") as add_games,
        _sheet(folder / "decisions") as add_decisions,
        replacing(folder / "records.zip") as records,
        ZipFile(records, "w", ZIP_DEFLATED) as archive,
    ):
        for some in _batches(results, _AT_ONCE):
            add_games([row for result in some for row in _game_rows(plan, result)])
            add_decisions([row for result in some for row in _decision_rows(plan, result)])
            for result in some:
                name = ZipInfo(f"{result.number:08}.txt", _LONG_AGO)
                archive.writestr(name, result.record, ZIP_DEFLATED)


def _game_rows(plan: Plan, result: Result) -> Iterator[dict[str, Any]]:
    """Yield a row for each seat of a game."""
    scores = result.scores
    for seat, place in enumerate(result.seats):
        yield {
            "game": result.number,
            "opening": result.opening,
            "layout": result.layout,
            "variant": result.variant,
            "seat": seat,
            "player": plan.players[place].name,
            "won": seat in result.winners,
            "score": scores[seat],
            "reason": result.reason,
            "rule": result.rule,
            "forfeit": result.forfeit.reason if result.forfeit and result.forfeit.seat == seat else "",
            "turns": result.turns,
            "decisions": result.asked.count(seat),
        }


def _decision_rows(plan: Plan, result: Result) -> Iterator[dict[str, Any]]:
    for number, (seat, taken) in enumerate(zip(result.asked, result.times, strict=True)):
        player = plan.players[result.seats[seat]].name
        yield {
            "game": result.number,
            "decision": number,
            "seat": seat,
            "player": player,
            "microseconds": taken,
        }


@contextmanager
def _sheet(path: Path) -> Iterator[Callable[[list[dict[str, Any]]], None]]:
    """Write a table both as CSV and as Parquet. path: without the suffix. Yields a function that adds rows.

    The first rows determine the columns.
    """
    import pyarrow as pa
    from pyarrow import parquet

    with (
        replacing(path.with_suffix(".csv")) as csv_path,
        replacing(path.with_suffix(".parquet")) as parquet_path,
        csv_path.open("w", encoding="utf-8", newline="") as text,
        ExitStack() as opened,
    ):
        binary: Any = None

        def add(rows: list[dict[str, Any]]) -> None:
            nonlocal binary
            table = pa.Table.from_pylist(rows)
            writer = csv.DictWriter(text, table.column_names, lineterminator="\n")
            if binary is None:
                binary = parquet.ParquetWriter(parquet_path, table.schema, compression="zstd")
                opened.enter_context(binary)
                writer.writeheader()
            binary.write_table(table)
            writer.writerows(rows)

        yield add


LOG = "games.log"


def open_folder(folder: Path, plan: Plan, *, resume: bool) -> Log:
    """Return the log of a folder, to be entered. Raises RecordError."""
    log = folder / LOG
    if not resume and log.exists():
        raise RecordError(f"{log} is there already: --resume goes on with it")
    folder.mkdir(parents=True, exist_ok=True)
    return Log(log, plan)


def read_summary(folder: Path) -> Summary:
    """Return the summary of the log in a folder. Raises RecordError or OSError."""
    with Log(folder / LOG) as log:
        return summary_in(log)


def summary_in(log: Log) -> Summary:
    """Return the summary of the games that count."""
    stats = Statistics(log.plan)
    for result in log:
        stats.add(result)
    return summary_of(stats)


def write_folder(log: Log) -> Summary:
    """Write everything that is made from a log beside it: tables, records, page and picture."""
    from ekoes.arena.report import report_page, write_picture

    folder, summary = log.path.parent, summary_in(log)
    write_files(log.plan, log, folder)
    with replacing(folder / "report.html") as page:
        page.write_text(report_page(summary), "utf-8")
    with replacing(folder / "report.png") as picture:
        write_picture(summary, picture)
    return summary
