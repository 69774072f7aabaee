"""Arguments that the commands of ``ekoes admin`` share, and the store that they work on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from getpass import getuser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ekoes.cli.data_folder import Data, Database, address_of
from ekoes.errors import NotationError

if TYPE_CHECKING:
    from ekoes.storage.store import Store
    from ekoes.storage.wardens import Deed, Did, Whom

__all__ = ["Data", "Database", "Name", "Reported", "Why", "deed", "opened", "whom", "written"]

Name = Annotated[
    str | None, typer.Argument(metavar="NAME", help="The name of an account.", show_default=False)
]
Reported = Annotated[
    int | None, typer.Option(min=1, metavar="NUMBER", help="Instead of a name: whom this report is about.")
]
Why = Annotated[str, typer.Option(metavar="TEXT", help="Why, for the log.")]

_LONGEST_BY = 40


@contextmanager
def opened(data: Path | None, database: str) -> Iterator[Store]:
    """Open the store of a server, which may be running. Raises StorageError if there is none."""
    from ekoes.storage.store import Store

    store = Store(address_of(data, database))
    try:
        yield store
    finally:
        store.close()


def whom(store: Store, name: str | None, report: int | None) -> Whom:
    """Return who is meant, by name or by what was reported of them. Raises EkoesError if that is nobody."""
    from ekoes.storage.wardens import Whom

    if (name is None) == (report is None):
        raise NotationError("name an account, or a report with --report", key="NAME")
    if report is not None:
        reported = store.wardens.reported(report)
        return Whom(reported.about, reported.name)
    account = store.people.named(name or "")
    if account is None:
        raise NotationError(f"no account is called {name!r:.60}", key="NAME")
    return Whom(account.holder, account.name)


def deed(did: Did, to: Whom, words: str) -> Deed:
    """Return what is done now, as the log will tell it: by whoever is at this terminal."""
    from ekoes.storage.wardens import Deed

    return Deed(datetime.now(UTC), f"{_user()} (command line)"[:_LONGEST_BY], did, to, words)


def written(at: datetime) -> str:
    """Write a moment as people read it."""
    return f"{at:%Y-%m-%d %H:%M} UTC"


def _user() -> str:
    try:
        return getuser()
    except (KeyError, OSError):  # a user without a name
        return "somebody"
