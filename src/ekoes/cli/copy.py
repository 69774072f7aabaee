"""``ekoes copy``: all that a server keeps, taken from one database to another one."""

from __future__ import annotations

from typing import Annotated

import typer

from ekoes.cli.console import emit, write_json
from ekoes.cli.data_folder import Data, address_of

__all__ = ["command"]


def command(
    to: Annotated[
        str, typer.Option("--to", metavar="URL", help="The database to copy into; empty.", show_default=False)
    ],
    from_: Annotated[
        str, typer.Option("--from", metavar="URL", help="The database. Default: SQLite in that folder.")
    ] = "",
    data: Data = None,
) -> None:
    """Copy the games and accounts of a server into another database. No server should run meanwhile."""
    from rich.console import Console
    from rich.progress import Progress

    from ekoes.storage.copying import copy

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        tasks = {}

        def tell(table: str, done: int, all_: int) -> None:
            if table not in tasks:
                tasks[table] = progress.add_task(f"Copying {table}", total=all_)
            progress.update(tasks[table], completed=done)

        rows = copy(address_of(data, from_), to, tell)
    emit([write_json({"rows": sum(rows.values()), "tables": rows["tables"], "accounts": rows["accounts"]})])
