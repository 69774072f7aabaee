"""``ekoes migrate``: a database brought to the schema of this release."""

from __future__ import annotations

from typing import Annotated

import typer

from ekoes.cli.console import emit, write_json
from ekoes.cli.data_folder import Data, Database, address_of

__all__ = ["command"]


def command(
    data: Data = None,
    database: Database = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be done, and change nothing.")
    ] = False,
) -> None:
    """Bring the database of a server to the schema of this release. Servers of the one before may run."""
    from ekoes.storage.database import upgrade_database
    from ekoes.storage.migrations import VERSION

    version, steps = upgrade_database(address_of(data, database), only_look=dry_run)
    lacking = [{"schema": number, "does": does} for number, does in steps]
    emit([write_json({"from": version, "to": max(version, VERSION), "steps": lacking, "done": not dry_run})])
