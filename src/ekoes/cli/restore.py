"""``ekoes restore``: a server's folder from a backup."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from ekoes.cli.console import emit, write_json
from ekoes.cli.data_folder import Data, data_folder

__all__ = ["command"]


def command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup.", show_default=False)],
    replace: Annotated[bool, typer.Option("--replace", help="Put aside the games that are there.")] = False,
    data: Data = None,
) -> None:
    """Make the folder of a server from a backup. Games that are there stay, or are put aside."""
    from ekoes.storage.backup import restore

    folder = data_folder(data)
    aside = restore(file, folder, replace=replace, now=datetime.now(UTC))
    emit([write_json({"folder": str(folder), "aside": None if aside is None else str(aside)})])
