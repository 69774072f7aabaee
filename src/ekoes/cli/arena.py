"""The commands of the arena: ``ekoes arena …``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ekoes.cli.console import (
    emit_json,
    emit_rich,
    label,
    need_extra,
    note,
    progress,
    read_text,
    track,
    within,
)
from ekoes.errors import NotationError

if TYPE_CHECKING:
    from ekoes.arena.plan import Plan
    from ekoes.arena.pool import Pool
    from ekoes.arena.run import Spent
    from ekoes.arena.statistics import Statistics


def per_core(about: str) -> object:
    """Return an option for a number, by default that of the processor's cores."""
    default: Any = {"default_factory": _cores, "show_default": "the processor's cores"}
    return typer.Option(min=1, max=1024, help=about, **default)


def _cores() -> int:
    from ekoes.server.workers.worker_process import cores

    return cores()


PlanFile = Annotated[
    str, typer.Argument(metavar="FILE", help="A plan as TOML; - is standard input.", show_default=False)
]
Out = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR", help="The folder of the run.", show_default="the name of the plan without .toml"
    ),
]
Workers = Annotated[int, per_core("Worker processes; 1 for this process alone.")]
Ray = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Play on a Ray cluster; local: start one on this machine."),
]


def read_plan_file(file: str) -> Plan:
    """Read a plan. Raises NotationError naming file, line and key."""
    need_extra("arena")
    from ekoes.arena.plan import read_plan

    text = read_text(file)
    with within(label(file)):
        return read_plan(text)


def folder_of(file: str, out: Path | None) -> Path:
    """Return the folder of a run."""
    if out is not None:
        return out
    if not file.endswith(".toml"):
        raise NotationError("name the folder, or call the plan NAME.toml", key="out")
    return Path(file.removesuffix(".toml"))


@contextmanager
def pool_for(workers: int, ray: str | None) -> Iterator[Pool]:
    """Yield the pool of workers."""
    if ray is not None:
        from ekoes.arena.pool import cluster_at

        with cluster_at(ray) as there:
            yield there
        return
    from ekoes.arena.pool import local_pool

    yield local_pool(workers)


_SHOWN = 4
"""Players whose scores are shown with the progress bar."""


@contextmanager
def live_summary(total: int) -> Iterator[Callable[[Statistics], None]]:
    """Show progress and scores on a terminal's standard error. Yields a function that is called with them."""
    if not sys.stderr.isatty():
        yield lambda _stats: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    leaders = TextColumn("{task.description}", markup=False)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), leaders)
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total)
        yield lambda stats: bar.update(task, completed=stats.games, description=_leaders(stats))


def _leaders(stats: Statistics) -> str:
    """Format the best players with their scores."""
    names, records = [entrant.name for entrant in stats.plan.players], stats.players.items()
    shares = sorted(((one.score / one.games, names[place]) for place, one in records), reverse=True)
    return "  ".join(f"{name} {100 * share:.1f} %" for share, name in shares[:_SHOWN])


def run(
    file: PlanFile,
    workers: Workers,
    out: Out = None,
    resume: Annotated[bool, typer.Option("--resume", help="Resume an interrupted run.")] = False,
    ray: Ray = None,
) -> None:
    """Play the games of a plan and report each player's strength with confidence intervals."""
    from ekoes.arena.report import report_text
    from ekoes.arena.run import open_folder, play_plan, write_folder
    from ekoes.cli.bots import warm_once

    plan, folder = read_plan_file(file), folder_of(file, out)
    if any(entrant.program for entrant in plan.players):
        warm_once()  # `ekoes engine` can't compile within the memory of a program
    with open_folder(folder, plan, resume=resume) as log:
        with pool_for(workers, ray) as pool, live_summary(log.total) as show:
            spent = play_plan(log, pool, show)
        note(_cost(spent, workers))
        summary = write_folder(log)
    emit_rich(*report_text(summary))
    note(f"results are in {folder}")


def _cost(spent: Spent, workers: int) -> str:
    if not spent.games:
        return "nothing left to play"
    share = spent.thought / (spent.seconds * workers)
    return (
        f"{spent.games} games in {spent.seconds:.1f} s;"
        f" players thought for {100 * share:.0f} % of the time of {workers} workers"
    )


Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a run.", show_default=False)]


def show(folder: Folder) -> None:
    """Print the report of a run, finished or not."""
    need_extra("arena")
    from ekoes.arena.report import report_text
    from ekoes.arena.run import read_summary

    emit_rich(*report_text(read_summary(folder)))


def compare(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="The folder of a run.", show_default=False)],
    new: Annotated[
        Path, typer.Argument(metavar="NEW", help="The folder of another run.", show_default=False)
    ],
) -> None:
    """Compare the ratings of the players in two runs, and whether a change may be chance."""
    need_extra("arena")
    from rich.table import Table

    from ekoes.arena.report import signed
    from ekoes.arena.run import read_summary
    from ekoes.arena.statistics import changes

    table = Table()
    for column in ("player", "old Elo", "new Elo", "change", "95 %", ""):
        table.add_column(column, justify="left" if column in {"player", ""} else "right")
    for change in changes(read_summary(old), read_summary(new)):
        interval = f"{signed(change.elo - change.spread)} … {signed(change.elo + change.spread)}"
        clear = "clear" if change.is_clear else "may be chance"
        table.add_row(
            change.name, signed(change.old), signed(change.new), signed(change.elo), interval, clear
        )
    emit_rich(table)


def sample(
    file: PlanFile,
    workers: Workers,
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder for the shards.", show_default=False)],
    resume: Annotated[bool, typer.Option("--resume", help="Resume an interrupted run.")] = False,
    ray: Ray = None,
) -> None:
    """Play the games of a plan and store each position with its decision and the result of the game."""
    from ekoes.arena.samples import MakeShards, check_folder, left_to_sample, write_manifest, write_shard

    plan = read_plan_file(file)
    check_folder(plan, out, resume=resume)
    pieces = list(left_to_sample(plan, out))
    with pool_for(workers, ray) as pool, progress("samples", sum(map(len, pieces))) as advance:
        for shard, content in pool(MakeShards(plan), pieces):
            write_shard(out, shard, content)
            advance(shard.games)
    manifest = write_manifest(plan, out)
    emit_json({key: manifest[key] for key in ("games", "positions")} | {"shards": len(manifest["shards"])})


def games(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The Parquet file.", show_default=False)],
    workers: Workers,
    game: Annotated[str, typer.Option(help="The game.")] = "eko",
    number: Annotated[int, typer.Option("--games", min=1, help="How many games.")] = 100,
    level: Annotated[
        list[str] | None,
        typer.Option(help="Each seat draws one of these.", show_default="beginner, casual, skilled"),
    ] = None,
    players: Annotated[int | None, typer.Option(help="Players; drawn for each game if absent.")] = None,
    variants: Annotated[
        str | None, typer.Option(help="Variants with commas between.", show_default="none")
    ] = None,
    seed: Annotated[int, typer.Option(help="Equal seeds give equal games.")] = 1,
) -> None:
    """Play games of bots and write them with their records as a Parquet file, which ``ekoes.data`` reads."""
    need_extra("arena")
    from importlib import import_module

    from ekoes.arena.pool import local_pool
    from ekoes.arena.selfplay import SelfPlay
    from ekoes.data import write
    from ekoes.games.api.registry import game as game_of

    new = import_module(f"ekoes.{game_of(game).name}").Game
    options = {} if variants is None else {"variants": variants.split(",")}
    play = SelfPlay(new, tuple(level or ("beginner", "casual", "skilled")), players, options, seed=seed)
    rows = local_pool(workers)(play, range(number))
    written = write(file, track(rows, f"games of {game}", number))
    emit_json({"file": str(file), "games": written})
