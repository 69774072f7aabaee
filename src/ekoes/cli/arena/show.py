"""``ekoes arena show``: what a run has come to so far."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ekoes.cli.arena.files import need_extra, print_report

__all__ = ["Folder", "command"]

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a run.", show_default=False)]


def command(folder: Folder) -> None:
    """Print the report of a run, also of one that still goes on."""
    need_extra()
    from ekoes.arena.folder import read_summary

    print_report(read_summary(folder))
