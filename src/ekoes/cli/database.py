"""The commands on a server's database: backup, restore, migrate, copy, dump."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ekoes.cli.console import emit_json, need_extra, write_json
from ekoes.errors import EkoesError, StorageError

if TYPE_CHECKING:
    from ekoes.storage.dialects import Address
    from ekoes.storage.results import Played
    from ekoes.storage.store import Store

Data = Annotated[Path | None, typer.Option(envvar="EKOES_DATA", help="The data folder of the server.")]
Database = Annotated[
    str, typer.Option(envvar="EKOES_DATABASE", help="An SQLAlchemy URL. Default: SQLite in the data folder.")
]
"""Pass a URL with a password in the variable: other users can see the arguments of a command."""


def data_folder(chosen: Path | None) -> Path:
    """Return the chosen folder, or the default of this system."""
    from platformdirs import user_data_path

    return chosen or user_data_path("ekoes", appauthor=False)


def address_of(data: Path | None, database: str) -> Address:
    """Return the URL of a server's database. Raises StorageError if there is none."""
    from ekoes.storage.dialects import file_address

    if database:
        return database
    file = data_folder(data) / "ekoes.sqlite"
    if not file.is_file():
        raise StorageError(f"no server stores its games in {file.parent}; --data names another folder")
    return file_address(file)


def opened(data: Path | None, database: str) -> closing[Store]:
    """Open the database of a server, which may be running. Raises StorageError if there is none."""
    need_extra("server")
    from ekoes.storage.store import Store

    return closing(Store(address_of(data, database)))


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
    need_extra("server")
    from ekoes.storage.backup import back_up

    with _copying() as show:
        back_up(data_folder(data), address_of(data, database), file, partial(show, "the games"))
    emit_json({"file": str(file), "bytes": file.stat().st_size})


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup file.", show_default=False)],
    replace: Annotated[bool, typer.Option("--replace", help="Move existing games aside.")] = False,
    data: Data = None,
) -> None:
    """Restore the data folder of a server from a backup. Existing games are never overwritten."""
    need_extra("server")
    from ekoes.storage.backup import restore

    folder = data_folder(data)
    aside = restore(file, folder, replace=replace, now=datetime.now(UTC))
    emit_json({"folder": str(folder), "aside": None if aside is None else str(aside)})


def migrate(data: Data = None, database: Database = "") -> None:
    """Upgrade a server's database to the schema of this release. Older servers may keep running."""
    need_extra("server")
    from ekoes.storage.engine import migrate_database
    from ekoes.storage.migrations import VERSION

    before = migrate_database(address_of(data, database))
    emit_json({"from": before, "to": max(before, VERSION)})


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
    need_extra("server")
    from ekoes.storage.backup import copy

    with _copying() as show:
        rows = copy(address_of(data, from_), to, show)
    emit_json({"rows": sum(rows.values()), "tables": rows["tables"], "accounts": rows["accounts"]})


_PAGE = 200
_README = """\
# Games of Ekö and EKKO

Finished public games of a server, written by `ekoes dump` on {day}: {counts}. Each file is Parquet,
compressed by zstd; `ekoes.data` reads it and describes the columns, and pandas and Polars read it too. A row
is a game with its record.

- Games by people and by bots. Not in it: private games, running ones, and those that today's rules judge
  otherwise than when they were played.
- No names, accounts, addresses or chat. A seat is a bot's level or a person; ratings are those before the
  game.

Public domain: CC0 1.0, https://creativecommons.org/publicdomain/zero/1.0/
{statistics}"""


def dump(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="The folder to write into.", show_default=False)
    ],
    data: Data = None,
    database: Database = "",
) -> None:
    """Write a server's finished public games as Parquet files, without names. The server may be running."""
    need_extra("data")
    from ekoes.data import read, statistics, write
    from ekoes.games.api.registry import games

    folder.mkdir(parents=True, exist_ok=True)
    with opened(data, database) as store, _copying() as show:
        written = {name: write(folder / f"{name}.parquet", _rows(store, name, show)) for name in games()}
    counts = ", ".join(f"{number} of {name}" for name, number in written.items())
    tables = "".join(f"\n## {name}\n\n{statistics(read(folder / f'{name}.parquet'))}\n" for name in games())
    text = _README.format(day=datetime.now(UTC).date(), counts=counts, statistics=tables)
    (folder / "README.md").write_text(text, "utf-8")
    emit_json({"folder": str(folder), "games": written})


def _rows(store: Store, name: str, show: Callable[[str, int, int], None]) -> Iterator[dict[str, Any]]:
    """Yield the public games of a game, the latest first, as rows of `ekoes.data`."""
    from ekoes.storage.results import Search

    search, after, done = Search(game=name), None, 0
    total = store.archive.count(search)
    while page := store.archive.search(search, after, _PAGE):
        for played in page:
            done += 1
            with suppress(EkoesError):  # today's rules judge it otherwise
                yield _row(store, played)
        show(f"the games of {name}", done, total)
        after = page[-1].ended_at, page[-1].table_id


def _row(store: Store, played: Played) -> dict[str, Any]:
    from ekoes.data import without_names
    from ekoes.games.api.registry import game

    stored = store.load(played.table_id)
    if stored is None:
        raise StorageError("the table was deleted meanwhile")
    table = stored.table
    seats = [
        {
            "bot": result.bot,
            "rank": result.rank,
            "won": result.won,
            "rating": None if result.rating is None else result.rating[0].mean,
        }
        for result in played.results
    ]
    return {
        "game": table.game,
        "rules": game(table.game).rules_version,
        "ended": played.ended_at.date(),
        "players": len(seats),
        "rated": played.rated,
        "options": write_json(table.options),
        "seed": table.seed,
        "reason": played.reason,
        "decisions": played.length,
        "seats": seats,
        "record": without_names(store.record(played.table_id)),
    }
