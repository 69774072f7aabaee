"""``ekoes admin close``: an account that nobody signs in to any more."""

from __future__ import annotations

from typing import Annotated

import typer

from ekoes.cli.admin.kept import Data, Database, Why, deed, opened, whom
from ekoes.cli.console import emit, write_json

__all__ = ["command"]


def command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of an account.", show_default=False)],
    reopen: Annotated[bool, typer.Option("--reopen", help="Let it sign in again.")] = False,
    why: Why = "",
    data: Data = None,
    database: Database = "",
) -> None:
    """Close an account, or open it again. A running server signs it out everywhere within two seconds."""
    with opened(data, database) as store:
        to = whom(store, name, None)
        if reopen:
            store.wardens.reopen(deed("reopen", to, why))
        else:
            store.wardens.close(deed("close", to, why))
    emit([write_json({"name": to.name, "closed": not reopen})])
