"""``ekoes arena sample``: positions, decisions and outcomes for training."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ekoes.cli.arena.files import PlanFile, Ray, Workers, hands, read_plan_file
from ekoes.cli.console import emit, progress, write_json

__all__ = ["command"]


def command(
    file: PlanFile,
    workers: Workers,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the shards go.", show_default=False)],
    resume: Annotated[bool, typer.Option("--resume", help="Go on where it was ended.")] = False,
    ray: Ray = None,
) -> None:
    """Play the games of a plan and keep every position with its decision and how the game ended."""
    from ekoes.arena.samples import Samples, check_folder, left_to_sample, write_manifest, write_shard

    plan = read_plan_file(file)
    check_folder(plan, out, resume=resume)
    pieces = list(left_to_sample(plan, out))
    with hands(workers, ray) as playing, progress("samples", sum(map(len, pieces))) as advance:
        for shard, content in playing(Samples(plan), pieces):
            write_shard(out, shard, content)
            advance(shard.games)
    manifest = write_manifest(plan, out)
    emit(
        [
            write_json(
                {key: manifest[key] for key in ("games", "positions")} | {"shards": len(manifest["shards"])}
            )
        ]
    )
