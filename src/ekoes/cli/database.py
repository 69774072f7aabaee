"""The commands on a server's database: backup, restore, migrate, copy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from ekoes.cli.console import emit, write_json
from ekoes.errors import StorageError

Data = Annotated[Path | None, typer.Option(envvar="EKOES_DATA", help="The data folder of the server.")]
Database = Annotated[
    str, typer.Option(envvar="EKOES_DATABASE", help="An SQLAlchemy URL. Default: SQLite in the data folder.")
]
"""Pass a URL with a password in the variable: other users can see the arguments of a command."""


def data_folder(chosen: Path | None) -> Path:
    """Return the chosen folder, or the default of this system."""
    from platformdirs import user_data_path

    return chosen or user_data_path("ekoes", appauthor=False)


def address_of(data: Path | None, database: str) -> str:
    """Return the URL of a server's database. Raises StorageError if there is none."""
    if database:
        return database
    file = data_folder(data) / "ekoes.sqlite"
    if not file.is_file():
        raise StorageError(f"no server stores its games in {file.parent}; --data names another folder")
    return f"sqlite:///{file}"


@contextmanager
def _copying() -> Iterator[Callable[[str, int, int], None]]:
    """Show on a terminal how much is copied. Yields a function of what, how much is done, and of how much."""
    from rich.console import Console
    from rich.progress import Progress, TaskID

    console, tasks = Console(stderr=True), dict[str, TaskID]()
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:

        def show(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(f"Copying {what}")
            bar.update(tasks[what], completed=done, total=total)

        yield show


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.", show_default=False)],
    data: Data = None,
    database: Database = "",
) -> None:
    """Back up the games, accounts and keys of a server to a file. The server may be running."""
    from ekoes.storage.backup import back_up

    with _copying() as show:
        back_up(data_folder(data), address_of(data, database), file, partial(show, "the games"))
    emit([write_json({"file": str(file), "bytes": file.stat().st_size})])


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup file.", show_default=False)],
    replace: Annotated[bool, typer.Option("--replace", help="Move existing games aside.")] = False,
    data: Data = None,
) -> None:
    """Restore the data folder of a server from a backup. Existing games are never overwritten."""
    from ekoes.storage.backup import restore

    folder = data_folder(data)
    aside = restore(file, folder, replace=replace, now=datetime.now(UTC))
    emit([write_json({"folder": str(folder), "aside": None if aside is None else str(aside)})])


def migrate(data: Data = None, database: Database = "") -> None:
    """Upgrade a server's database to the schema of this release. Older servers may keep running."""
    from ekoes.storage.engine import migrate_database
    from ekoes.storage.migrations import VERSION

    before = migrate_database(address_of(data, database))
    emit([write_json({"from": before, "to": max(before, VERSION)})])


def copy(
    to: Annotated[
        str, typer.Option("--to", metavar="URL", help="The empty database to copy into.", show_default=False)
    ],
    from_: Annotated[
        str,
        typer.Option(
            "--from", metavar="URL", help="The database to copy. Default: SQLite in the data folder."
        ),
    ] = "",
    data: Data = None,
) -> None:
    """Copy the games and accounts of a server to another database. Stop the server first."""
    from ekoes.storage.copy import copy

    with _copying() as show:
        rows = copy(address_of(data, from_), to, show)
    emit([write_json({"rows": sum(rows.values()), "tables": rows["tables"], "accounts": rows["accounts"]})])
