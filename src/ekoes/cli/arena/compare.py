"""``ekoes arena compare``: what has changed from one run to another."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ekoes.cli.arena.files import need_extra
from ekoes.cli.console import emit

__all__ = ["command"]


def command(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="The folder of a run.", show_default=False)],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The folder of another.", show_default=False)],
) -> None:
    """Print how the strengths of the players in both runs differ, and whether that can be chance."""
    need_extra()
    from rich.console import Console
    from rich.table import Table

    from ekoes.arena.folder import read_summary
    from ekoes.arena.report.comparison import changes
    from ekoes.arena.report.words import signed

    table = Table()
    for column in ("player", "old Elo", "new Elo", "change", "95 %", ""):
        table.add_column(column, justify="left" if column in {"player", ""} else "right")
    for change in changes(read_summary(old), read_summary(new)):
        told = f"{signed(change.elo - change.spread)} … {signed(change.elo + change.spread)}"
        clear = "clear" if change.is_clear else "may be chance"
        table.add_row(change.name, signed(change.old), signed(change.new), signed(change.elo), told, clear)
    console = Console(file=sys.stdout, width=100)
    with console.capture() as shown:
        console.print(table)
    emit([shown.get().rstrip("\n")])
