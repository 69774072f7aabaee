"""The folder of a run: its log, and all that is made from it."""

from __future__ import annotations

from pathlib import Path

from ekoes.arena.files import write_files
from ekoes.arena.log import Log, read_log
from ekoes.arena.plan import Plan
from ekoes.arena.report.page import report_page
from ekoes.arena.report.picture import write_picture
from ekoes.arena.report.summary import Summary, summary_of
from ekoes.arena.sprt import PairTest
from ekoes.arena.tally import Tally
from ekoes.errors import RecordError
from ekoes.keeping import replacing

__all__ = ["LOG", "open_folder", "read_summary", "summary_in", "write_folder"]

LOG = "games.log"


def open_folder(folder: Path, plan: Plan, games: int, *, resume: bool) -> Log:
    """Return the log of a folder, to be entered. Raises RecordError if that is not what is there."""
    log = folder / LOG
    if not resume and log.exists():
        raise RecordError(f"{log} is there already: --resume goes on with it")
    folder.mkdir(parents=True, exist_ok=True)
    return Log(log, plan, games)


def read_summary(folder: Path) -> Summary:
    """Return what a folder's log comes to. Raises RecordError or OSError."""
    plan, games = read_log(folder / LOG)
    with Log(folder / LOG, plan, games, is_kept=True) as log:
        return summary_in(log)


def summary_in(log: Log) -> Summary:
    """Return what the games come to that count."""
    tally, test = Tally(log.plan), None if log.plan.sprt is None else PairTest(log.plan.sprt)
    for result in log:
        tally.add(result)
        if test is not None:
            test.add(result.number, result.scores[result.seats.index(0)])
    return summary_of(tally, test)


def write_folder(folder: Path, log: Log) -> Summary:
    """Make everything from the log: tables, records, page and picture."""
    summary = summary_in(log)
    write_files(log.plan, log, folder)
    with replacing(folder / "report.html") as page:
        page.write_text(report_page(summary), "utf-8")
    with replacing(folder / "report.png") as picture:
        write_picture(summary, picture)
    return summary
