"""``ekoes admin report``: one report with its lines, and what comes of it."""

from __future__ import annotations

from typing import Annotated

import typer

from ekoes.cli.admin.kept import Data, Database, deed, opened
from ekoes.cli.console import emit, write_json

__all__ = ["command"]


def command(
    number: Annotated[int, typer.Argument(min=1, help="As `ekoes admin reports` tells.", show_default=False)],
    resolve: Annotated[str | None, typer.Option(metavar="TEXT", help="Resolve it: what came of it.")] = None,
    data: Data = None,
    database: Database = "",
) -> None:
    """Show a report, or resolve it."""
    with opened(data, database) as store:
        report = store.wardens.reported(number)
        if resolve is not None:
            from ekoes.storage.wardens import Whom

            done = deed("resolve", Whom(report.about, report.name), f"report {number}: {resolve}")
            store.wardens.resolve(done, number, resolve)
            report = store.wardens.reported(number)
    emit([write_json(report.to_json())])
