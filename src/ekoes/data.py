"""Finished games as data: a Parquet file for each game, by ``ekoes dump`` or ``tools.selfplay``; its reader.

The files are ordinary Parquet with zstd: pandas and Polars read them too. A row is a game:

- ``game``, ``rules`` (the version that judged it), ``players``, ``rated``
- ``ended``: a day, UTC; null in games of bots
- ``options``: JSON; ``seed``: of the first position
- ``reason``: why it ended; ``decisions``: how many there were
- ``seats``: for each seat ``bot`` (its level, null: a person), ``rank`` (how many finished before it),
  ``won``, ``rating`` (before the game, null: not rated)
- ``record``: the game as text (``ekoes.records``), without names
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from ekoes.atomic_files import replacing
from ekoes.errors import RecordError, from_extra
from ekoes.games.api.chance import wilson_interval
from ekoes.records import GameRecord, read_record

with from_extra("data"):
    import pyarrow as pa
    from pyarrow import parquet

FORMAT = "1"
_KEY = b"ekoes.games"
"""The key of the file's metadata that has the version of this format."""
_AT_ONCE = 1000
_NAMES = re.compile(r'^\[Seat\d+ ".*"\]\n', re.MULTILINE)


def without_names(record: str) -> str:
    """Return a record without the names of its players."""
    tags, end, body = record.partition("\n\n")
    return _NAMES.sub("", f"{tags}\n").removesuffix("\n") + end + body


def write(path: Path, rows: Iterable[dict[str, Any]]) -> int:
    """Write games, row by row as above; the file appears when it is whole. Returns: how many."""
    games, schema, iterator = 0, _schema(), iter(rows)
    with replacing(path) as part, parquet.ParquetWriter(part, schema, compression="zstd") as file:
        while some := list(islice(iterator, _AT_ONCE)):
            file.write_batch(pa.RecordBatch.from_pylist(some, schema=schema))
            games += len(some)
    return games


def read(path: Path | str) -> pa.Table:
    """Return the games of a file as an Arrow table, for its ``to_pandas()`` or for ``polars.from_arrow``.

    Raises: RecordError if it is no such file.
    """
    try:
        table = parquet.read_table(path)
    except (pa.ArrowException, OSError) as error:
        raise RecordError(f"{path} is no file of games: {str(error).splitlines()[0]}") from error
    version = (table.schema.metadata or {}).get(_KEY, b"").decode()
    if version != FORMAT:
        raise RecordError(f"{path} is no file of games in format {FORMAT}, but in {version or 'another'}")
    return table


def records(path: Path | str) -> Iterator[GameRecord]:
    """Yield the games of a file, each replayed and checked. Raises RecordError."""
    for text in read(path).column("record"):
        yield read_record(text.as_py())


def statistics(games: pa.Table) -> str:
    """Return tables in Markdown: lengths, ends, and who won by seat, by bot and with each variant.

    A share stands with its 95 % interval (Wilson's); winners share a game. games: as ``read`` returns them.
    """
    rows = games.select(["players", "options", "reason", "decisions", "seats"]).to_pylist()
    if not rows:
        return "No games."
    by_players, by_variant = defaultdict[int, list[_Result]](list), defaultdict[str, list[_Result]](list)
    by_bot = defaultdict[str, list[tuple[float, float]]](list)
    for row in rows:
        won = [float(seat["won"]) for seat in row["seats"]]
        result = row["decisions"], [share / (sum(won) or 1) for share in won]
        by_players[row["players"]].append(result)
        for variant in json.loads(row["options"]).get("variants", ()):
            by_variant[variant].append(result)
        for seat, share in zip(row["seats"], result[1], strict=True):
            by_bot[seat["bot"] or "people"].append((share, 1 / row["players"]))
    seats = [f"seat {seat + 1}" for seat in range(max(by_players))]
    players = [
        [
            *_summary(number, results),
            *map(_share, zip(*(shares for _, shares in results), strict=True)),
            *[""] * (len(seats) - number),
        ]
        for number, results in sorted(by_players.items())
    ]
    bots = [
        [bot, len(shares), _share([won for won, _ in shares]), f"{100 * np.mean(shares, 0)[1]:.1f} %"]
        for bot, shares in sorted(by_bot.items(), key=lambda item: -np.mean(item[1], 0)[0])
    ]
    tables = [
        _markdown(["players", *_SUMMARY, *seats], players),
        _markdown(["end", "games"], Counter(row["reason"] for row in rows).most_common()),
        _markdown(["player", "seats", "won", "if all were equal"], bots),
    ]
    if by_variant:
        variants = [_summary(variant, results) for variant, results in sorted(by_variant.items())]
        tables.append(_markdown(["variant", *_SUMMARY], variants))
    return "\n\n".join(tables)


_Result = tuple[int, list[float]]
"""The decisions of a game, and what each seat has of its win."""
_SUMMARY = ("games", "decisions, median", "of the middle 80 %", "nobody won")


def _summary(what: object, results: list[_Result]) -> list[object]:
    low, median, high = np.percentile([decisions for decisions, _ in results], (10, 50, 90))
    nobody = _share([not any(shares) for _, shares in results])
    return [what, len(results), f"{median:.0f}", f"{low:.0f} to {high:.0f}", nobody]


def _share(values: Sequence[float]) -> str:
    low, high = wilson_interval(sum(values), len(values))
    return f"{100 * np.mean(values):.1f} % ({100 * low:.1f} … {100 * high:.1f})"


def _markdown(head: Sequence[str], lines: Iterable[Iterable[object]]) -> str:
    rows = [head, ["---", *["---:"] * (len(head) - 1)], *lines]
    return "\n".join(f"| {' | '.join(map(str, row))} |" for row in rows)


def _schema() -> pa.Schema:
    seat = pa.struct(
        [
            ("bot", pa.string()),
            ("rank", pa.int8()),
            ("won", pa.bool_()),
            ("rating", pa.float32()),
        ]
    )
    fields = {
        "game": pa.string(),
        "rules": pa.string(),
        "ended": pa.date32(),
        "players": pa.int8(),
        "rated": pa.bool_(),
        "options": pa.string(),
        "seed": pa.int64(),
        "reason": pa.string(),
        "decisions": pa.int32(),
        "seats": pa.list_(seat),
        "record": pa.string(),
    }
    return pa.schema(list(fields.items()), metadata={_KEY: FORMAT})
