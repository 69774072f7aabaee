"""Positions, outcomes and decisions of games, for training: Parquet shards beside a manifest.

A shard is a piece of work: whoever plays its games makes the file, and only that goes home.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from ekoes import __version__
from ekoes.arena.plan import Plan
from ekoes.arena.schedule import Schedule
from ekoes.arena.table import Step
from ekoes.arena.work import Hall
from ekoes.errors import RecordError
from ekoes.games.contract import CHANCE
from ekoes.games.registry import game as game_of
from ekoes.keeping import keep

__all__ = ["MANIFEST", "Samples", "Shard", "check_folder", "left_to_sample", "write_manifest", "write_shard"]

MANIFEST = "manifest.json"
_GAMES = 64
"""Games in a shard."""


@dataclass(frozen=True, slots=True)
class Shard:
    """What the manifest says of a shard. first: its first game; games, positions: how many."""

    name: str
    first: int
    games: int
    positions: int
    sha256: str


class Samples(Hall):
    """Plays the games of a shard and makes its file."""

    def __call__(self, numbers: Sequence[int]) -> tuple[Shard, bytes]:
        """Play games. Returns: what the manifest says, and the file."""
        import pyarrow as pa
        from pyarrow import parquet

        rows = [row for number in numbers for row in self._rows(number)]
        file = BytesIO()
        parquet.write_table(pa.Table.from_pylist(rows, schema=_schema()), file, compression="zstd")
        content = file.getvalue()
        digest = hashlib.sha256(content).hexdigest()
        return Shard(_name(numbers[0]), numbers[0], len(numbers), len(rows), digest), content

    def _rows(self, number: int) -> Iterator[dict[str, Any]]:
        """Yield a row for each decision of a player."""
        with self.table(number) as table:
            rows = [self._row(number, step) for step in table.steps() if step.decision.seat != CHANCE]
            result = table.result()
        for ply, row in enumerate(rows):
            outcome = {"decision": ply, "left": len(rows) - ply, "scores": list(result.scores)}
            yield row | outcome | {"reason": result.reason, "player": self._name_at(number, row["seat"])}

    def _row(self, number: int, step: Step) -> dict[str, Any]:
        seat, position = step.decision.seat, step.before
        return {
            "game": number,
            "seat": seat,
            "position": _json(position.to_json()),
            "view": _json(position.view(seat)),
            "action": _json(game_of(self.plan.game).action_to_json(step.decision.action)),
        }

    def _name_at(self, number: int, seat: int) -> str:
        return self.plan.players[self.schedule[number].seats[seat]].name


def left_to_sample(plan: Plan, folder: Path) -> Iterator[tuple[int, ...]]:
    """Yield the games of each shard that is not there yet."""
    total = len(Schedule(plan))
    for first in range(0, total, _GAMES):
        if not (folder / f"{_name(first)}.json").exists():
            yield tuple(range(first, min(first + _GAMES, total)))


def write_shard(folder: Path, shard: Shard, content: bytes) -> None:
    """Keep a shard; its note comes last, and tells that it is whole."""
    keep(folder / shard.name, content)
    keep(folder / f"{shard.name}.json", _json(asdict(shard)).encode())


def write_manifest(plan: Plan, folder: Path) -> dict[str, Any]:
    """Write and return what the shards are: plan, versions, counts and hashes. Raises RecordError."""
    names = [f"{_name(first)}.json" for first in range(0, len(Schedule(plan)), _GAMES)]
    shards = [json.loads((folder / name).read_text("utf-8")) for name in names]
    for shard in shards:
        if hashlib.sha256((folder / shard["name"]).read_bytes()).hexdigest() != shard["sha256"]:
            raise RecordError(f"{folder / shard['name']} is not what was written there")
    manifest = {
        "ekoes": __version__,
        "rules": game_of(plan.game).rules_version,
        "plan": plan.model_dump(mode="json"),
        "games": sum(shard["games"] for shard in shards),
        "positions": sum(shard["positions"] for shard in shards),
        "shards": shards,
    }
    keep(folder / MANIFEST, (json.dumps(manifest, ensure_ascii=False, indent=1) + "\n").encode())
    return manifest


def check_folder(plan: Plan, folder: Path, *, resume: bool) -> None:
    """Begin a folder of samples, or find that it is of this plan. Raises RecordError."""
    note, said = folder / "plan.json", plan.model_dump_json()
    if note.exists():
        if not resume:
            raise RecordError(f"{folder} has samples already: --resume goes on with them")
        if note.read_text("utf-8") != said:
            raise RecordError(f"the samples in {folder} are of another plan")
    folder.mkdir(parents=True, exist_ok=True)
    keep(note, said.encode())


def _name(first: int) -> str:
    return f"games-{first:08}.parquet"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _schema() -> Any:  # noqa: ANN401 - of pyarrow
    import pyarrow as pa

    texts = ("position", "view", "action", "reason", "player")
    whole = ("game", "decision", "left", "seat")
    columns: Iterable[tuple[str, Any]] = [
        *((name, pa.int64()) for name in whole),
        ("scores", pa.list_(pa.float64())),
        *((name, pa.string()) for name in texts),
    ]
    return pa.schema(list(columns))
