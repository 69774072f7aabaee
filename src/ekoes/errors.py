"""Every error of the program, as one tree.

EkoesError                  anything a caller asked for that can't be done
├── NotationError           a text or JSON value that can't be read
├── LayoutError             tiles that do not make a board (E2.8)
├── PositionError           a position whose contents are impossible
├── IllegalActionError      an action that the rules do not allow now
├── RecordError             a game record that is damaged or does not replay
├── TableError              an order that a table can't take (stale version, not your seat, …)
├── LimitError              a request that is refused for now
│   ├── AccountError        a wrong name, password or token, or a missing permission
│   └── TalkError           a chat message or a contact that is not allowed
├── ClubError               a club that is invalid, or that this user may not enter or change
├── TournamentError         a tournament that is invalid or that this user may not change
└── StorageError            a failure of the database or its files
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

__all__ = [
    "AccountError",
    "ClubError",
    "EkoesError",
    "IllegalActionError",
    "LayoutError",
    "LimitError",
    "NotationError",
    "PositionError",
    "RecordError",
    "StorageError",
    "TableError",
    "TalkError",
    "TournamentError",
]


@contextmanager
def from_extra(extra: str) -> Iterator[None]:
    """Import packages that an extra of ekoes brings; the error tells of it where one is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        error.add_note(f"It comes with an extra: pip install 'ekoes[{extra}]'")
        raise


class EkoesError(Exception):
    """Something the caller asked for can't be done; the text is one line for people.

    code: a stable word for programs, such as ``table/stale``.
    rule: the number of the broken rule, such as ``E5.3``, if there is one.
    key: the key of the JSON value at fault, if there is one.
    """

    default_code = "error"

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        rule: str | None = None,
        key: str | None = None,
    ) -> None:
        """Set the attributes; ``str(error)`` puts rule and key before the message."""
        self.message = message
        self.code = code or self.default_code
        self.rule = rule
        self.key = key
        names = [name for name in (rule, None if key is None else repr(key)) if name]
        super().__init__(f"{', '.join(names)}: {message}" if names else message)


class NotationError(EkoesError):
    """A text or a JSON value can't be read as what it should be."""

    default_code = "notation"


class LayoutError(EkoesError):
    """The tiles do not make a playable board (E2.8)."""

    default_code = "layout"


class PositionError(EkoesError):
    """The contents of a position are impossible."""

    default_code = "position"


class IllegalActionError(EkoesError):
    """The rules do not allow this action now; ``rule`` says which one."""

    default_code = "action/illegal"


class RecordError(EkoesError):
    """A game record is damaged or does not replay; the message names the line."""

    default_code = "record"


class TableError(EkoesError):
    """A table can't take this order."""

    default_code = "table"


class LimitError(EkoesError):
    """A request is refused for now.

    wait: seconds after which it may succeed. until: when the user may write again. scope: what a token would
    need to allow. Each is None where it is not the reason.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str,
        key: str | None = None,
        wait: int | None = None,
        until: datetime | None = None,
        scope: str | None = None,
    ) -> None:
        super().__init__(message, code=code, key=key)
        self.wait = wait
        self.until = until
        self.scope = scope


class AccountError(LimitError):
    """A login, name or permission was refused."""


class TalkError(LimitError):
    """A chat message or a contact with a user is not allowed."""


class ClubError(EkoesError):
    """A club is invalid, or the user may not enter or change it."""

    default_code = "club"


class TournamentError(EkoesError):
    """A tournament is invalid, or the user may not change it."""

    default_code = "tournament"


class StorageError(EkoesError):
    """The database failed to store or find something."""

    default_code = "storage"
