"""``ekoes backup``: all that a server keeps, as one file, while people play."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ekoes.cli.console import emit, write_json
from ekoes.cli.data_folder import Data, data_folder

__all__ = ["command"]


def command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.", show_default=False)],
    data: Data = None,
) -> None:
    """Copy the games, accounts and keys of a server into a file. The server may run."""
    from rich.console import Console
    from rich.progress import Progress

    from ekoes.storage.backup import back_up

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("Copying the games", total=None)
        back_up(data_folder(data), file, lambda done, all_: progress.update(task, completed=done, total=all_))
    emit([write_json({"file": str(file), "bytes": file.stat().st_size})])
