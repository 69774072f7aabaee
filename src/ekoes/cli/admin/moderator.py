"""``ekoes admin moderator``: who may see and resolve reports on the page."""

from __future__ import annotations

from typing import Annotated

import typer

from ekoes.cli.admin.kept import Data, Database, Why, deed, opened, whom
from ekoes.cli.console import emit, write_json

__all__ = ["command"]


def command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of an account.", show_default=False)],
    remove: Annotated[bool, typer.Option("--remove", help="A moderator no more.")] = False,
    why: Why = "",
    data: Data = None,
    database: Database = "",
) -> None:
    """Make somebody a moderator, or no more. It holds at once."""
    with opened(data, database) as store:
        to = whom(store, name, None)
        did = deed("unmake-moderator" if remove else "make-moderator", to, why)
        store.wardens.moderator(did, made=not remove)
    emit([write_json({"name": to.name, "moderator": not remove})])
