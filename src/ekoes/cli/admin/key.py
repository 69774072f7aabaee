"""``ekoes admin key``: the keys that sign cookies."""

from __future__ import annotations

from typing import Annotated

import typer

from ekoes.cli.console import emit, write_json
from ekoes.cli.data_folder import Data, data_folder
from ekoes.errors import StorageError

__all__ = ["command"]


def command(
    renew: Annotated[bool, typer.Option("--renew", help="Sign with a new key; know the old ones.")] = False,
    forget: Annotated[bool, typer.Option("--forget", help="Know the newest key alone.")] = False,
    data: Data = None,
) -> None:
    """Tell how many keys there are, or change them. A server takes that up when it is started anew."""
    from ekoes.server.keys import add_key, forget_keys, signing_keys
    from ekoes.server.settings import Settings

    path = Settings(data=data_folder(data)).key_file
    if not path.is_file():
        raise StorageError(f"no server keeps its key in {path.parent}; --data names another folder")
    keys = add_key(path) if renew else signing_keys(path)
    if forget:
        keys = forget_keys(path)
    emit([write_json({"keys": len(keys)})])
