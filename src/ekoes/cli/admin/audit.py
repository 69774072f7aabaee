"""``ekoes admin audit``: what was done by those who run the server."""

from __future__ import annotations

from typing import Annotated

import typer

from ekoes.cli.admin.kept import Data, Database, opened
from ekoes.cli.console import emit, write_json

__all__ = ["command"]


def command(
    most: Annotated[int, typer.Option(min=1, help="The latest so many.")] = 50,
    data: Data = None,
    database: Database = "",
) -> None:
    """Print what was done, in order: when, by whom, what, to whom, and why."""
    with opened(data, database) as store:
        found = store.wardens.deeds(most=most)
    emit(write_json(done.to_json()) for done in found)
