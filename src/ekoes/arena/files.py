"""What programs read of a run: games and decisions as Parquet and CSV, and the records of all games."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from ekoes.arena.batches import batches
from ekoes.arena.plan import Plan
from ekoes.arena.result import Result
from ekoes.keeping import replacing

__all__ = ["FILES", "write_files"]

FILES = ("games.csv", "games.parquet", "decisions.csv", "decisions.parquet", "records.zip")

_AT_ONCE = 256
"""Games whose rows are in memory at the same time."""
_LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The date of a file in an archive, which is to be the same whenever it is made."""


def write_files(plan: Plan, results: Iterable[Result], folder: Path) -> None:
    """Write ``FILES`` into a folder, in the order of the games, a few games at a time."""
    with (
        _Sheet(folder / "games") as games,
        _Sheet(folder / "decisions") as decisions,
        replacing(folder / "records.zip") as records,
        ZipFile(records, "w", ZIP_DEFLATED) as archive,
    ):
        for some in batches(results, _AT_ONCE):
            games.add([row for result in some for row in _game_rows(plan, result)])
            decisions.add([row for result in some for row in _decision_rows(plan, result)])
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


class _Sheet:
    """One table, written as CSV and as Parquet at the same time."""

    def __init__(self, path: Path) -> None:
        """path: without the ending."""
        self.path = path
        self._parquet: Any = None

    def __enter__(self) -> Self:
        self._open = ExitStack()
        names = [
            self._open.enter_context(replacing(self.path.with_suffix(end))) for end in (".csv", ".parquet")
        ]
        self._csv = self._open.enter_context(names[0].open("w", encoding="utf-8", newline=""))
        self._name = names[1]
        return self

    def add(self, rows: list[dict[str, Any]]) -> None:
        """Write rows, the first ones say what a row has."""
        import pyarrow as pa
        from pyarrow import parquet

        table = pa.Table.from_pylist(rows)
        writer = csv.DictWriter(self._csv, table.column_names, lineterminator="\n")
        if self._parquet is None:
            self._parquet = self._open.enter_context(
                parquet.ParquetWriter(self._name, table.schema, compression="zstd")
            )
            writer.writeheader()
        self._parquet.write_table(table)
        writer.writerows(rows)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.__exit__(kind, error, trace)
