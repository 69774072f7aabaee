"""Where a server keeps its games: what commands take to say so, and where it is unless somebody does."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ekoes.errors import StorageError

__all__ = ["Data", "Database", "address_of", "data_folder"]

Data = Annotated[
    Path | None, typer.Option(envvar="EKOES_DATA", help="The folder in which the server keeps its games.")
]
Database = Annotated[
    str, typer.Option(envvar="EKOES_DATABASE", help="An SQLAlchemy URL. Default: SQLite in that folder.")
]
"""Best given by the variable where a password is in it: others see what a command is told."""


def data_folder(chosen: Path | None) -> Path:
    """Return the folder that was chosen, else the one that this system keeps for it."""
    from platformdirs import user_data_path

    return chosen or user_data_path("ekoes", appauthor=False)


def address_of(data: Path | None, database: str) -> str:
    """Return the URL of a server's database. Raises StorageError if nobody keeps games there."""
    if database:
        return database
    file = data_folder(data) / "ekoes.sqlite"
    if not file.is_file():
        raise StorageError(f"no server keeps its games in {file.parent}; --data names another folder")
    return f"sqlite:///{file}"
