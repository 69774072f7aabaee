"""``ekoes admin reports``: what people have reported."""

from __future__ import annotations

from typing import Annotated

import typer

from ekoes.cli.admin.kept import Data, Database, opened
from ekoes.cli.console import emit, write_json

__all__ = ["command"]


def command(
    every: Annotated[bool, typer.Option("--all", help="Also those that are resolved.")] = False,
    most: Annotated[int, typer.Option(min=1, help="The latest so many.")] = 50,
    data: Data = None,
    database: Database = "",
) -> None:
    """List reports, the latest first, each with the last lines that who reported had heard."""
    with opened(data, database) as store:
        found = store.wardens.reports(is_open=not every, most=most)
    emit(write_json(report.to_json()) for report in found)
