"""Positions, outcomes and decisions of games, for training: Parquet shards beside a manifest.

A shard is a piece of work: the worker that plays its games returns the file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ekoes import __version__
from ekoes.arena.game import PlanJob, Step
from ekoes.arena.plan import Plan, Schedule
from ekoes.atomic_files import write_atomically
from ekoes.errors import RecordError
from ekoes.games.api.contract import CHANCE
from ekoes.games.api.registry import game as game_of

if TYPE_CHECKING:
    import pyarrow as pa

MANIFEST = "manifest.json"
_GAMES = 64
"""Games in a shard."""


@dataclass(frozen=True, slots=True)
class Shard:
    """The entry of a shard in the manifest. first: its first game; games, positions: how many."""

    name: str
    first: int
    games: int
    positions: int
    sha256: str


class MakeShards(PlanJob):
    """Plays the games of a shard and makes its file."""

    def __call__(self, numbers: Sequence[int]) -> tuple[Shard, bytes]:
        """Play games. Returns: the entry for the manifest, and the file."""
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
        with self.game(number) as game:
            rows = [self._row(number, step) for step in game.steps() if step.decision.seat != CHANCE]
            result = game.result()
        for ply, row in enumerate(rows):
            outcome = {"decision": ply, "left": len(rows) - ply, "scores": list(result.scores)}
            player = self.plan.players[result.seats[row["seat"]]].name
            yield row | outcome | {"reason": result.reason, "player": player}

    def _row(self, number: int, step: Step) -> dict[str, Any]:
        seat, position = step.decision.seat, step.before
        return {
            "game": number,
            "seat": seat,
            "position": _json(position.to_json()),
            "view": _json(position.view(seat)),
            "action": _json(game_of(self.plan.game).action_to_json(step.decision.action)),
        }


def left_to_sample(plan: Plan, folder: Path) -> Iterator[tuple[int, ...]]:
    """Yield the games of each missing shard."""
    total = len(Schedule(plan))
    for first in range(0, total, _GAMES):
        if not (folder / f"{_name(first)}.json").exists():
            yield tuple(range(first, min(first + _GAMES, total)))


def write_shard(folder: Path, shard: Shard, content: bytes) -> None:
    """Write a shard, then its entry, which marks it as complete."""
    write_atomically(folder / shard.name, content)
    write_atomically(folder / f"{shard.name}.json", _json(asdict(shard)).encode())


def write_manifest(plan: Plan, folder: Path) -> dict[str, Any]:
    """Write and return the manifest: plan, versions, counts and hashes. Raises RecordError."""
    names = [f"{_name(first)}.json" for first in range(0, len(Schedule(plan)), _GAMES)]
    shards = [json.loads((folder / name).read_text("utf-8")) for name in names]
    for shard in shards:
        if hashlib.sha256((folder / shard["name"]).read_bytes()).hexdigest() != shard["sha256"]:
            raise RecordError(f"{folder / shard['name']} has changed since it was written")
    manifest = {
        "ekoes": __version__,
        "rules": game_of(plan.game).rules_version,
        "plan": plan.model_dump(mode="json"),
        "games": sum(shard["games"] for shard in shards),
        "positions": sum(shard["positions"] for shard in shards),
        "shards": shards,
    }
    write_atomically(folder / MANIFEST, (json.dumps(manifest, ensure_ascii=False, indent=1) + "\n").encode())
    return manifest


def check_folder(plan: Plan, folder: Path, *, resume: bool) -> None:
    """Create a folder of samples, or check that it belongs to this plan. Raises RecordError."""
    note, said = folder / "plan.json", plan.model_dump_json()
    if note.exists():
        if not resume:
            raise RecordError(f"{folder} has samples already: --resume goes on with them")
        if note.read_text("utf-8") != said:
            raise RecordError(f"the samples in {folder} belong to another plan")
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(note, said.encode())


def _name(first: int) -> str:
    return f"games-{first:08}.parquet"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _schema() -> pa.Schema:
    import pyarrow as pa

    texts = ("position", "view", "action", "reason", "player")
    whole = ("game", "decision", "left", "seat")
    columns: Iterable[tuple[str, Any]] = [
        *((name, pa.int64()) for name in whole),
        ("scores", pa.list_(pa.float64())),
        *((name, pa.string()) for name in texts),
    ]
    return pa.schema(list(columns))
