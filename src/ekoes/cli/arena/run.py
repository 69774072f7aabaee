"""``ekoes arena run``: any player against any other, as a file says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ekoes.cli.arena.files import Out, PlanFile, Ray, Workers, folder_of, hands, print_report, read_plan_file
from ekoes.cli.console import note

if TYPE_CHECKING:
    from ekoes.arena.run import Spent

__all__ = ["command"]


def command(
    file: PlanFile,
    workers: Workers,
    out: Out = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a run that was ended.")] = False,
    ray: Ray = None,
) -> None:
    """Play what a plan asks for, and report who is how strong, and how sure that is."""
    from ekoes.arena.folder import open_folder, write_folder
    from ekoes.arena.run import play_plan
    from ekoes.arena.schedule import Schedule
    from ekoes.cli.arena.standing import standing

    plan, folder = read_plan_file(file), folder_of(file, out)
    total = len(Schedule(plan))
    with open_folder(folder, plan, total, resume=resume) as log:
        with hands(workers, ray) as playing, standing(plan, total) as show:
            spent = play_plan(plan, log, playing, show)
        note(_cost(spent, workers))
        summary = write_folder(folder, log)
    print_report(summary)
    note(f"everything is in {folder}")


def _cost(spent: Spent, workers: int) -> str:
    if not spent.games:
        return "nothing was left to play"
    share = spent.thought / (spent.seconds * workers)
    return (
        f"{spent.games} games in {spent.seconds:.1f} s;"
        f" players thought for {100 * share:.0f} % of the time of {workers} workers"
    )
