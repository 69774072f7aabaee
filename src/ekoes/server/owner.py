"""Whose a table is: asked before it is opened."""

from __future__ import annotations

from typing import Final, Protocol

from ekoes.errors import TableError
from ekoes.storage.leases import Lease

__all__ = ["ALONE", "ElsewhereError", "Owner"]


class ElsewhereError(TableError):
    """Another process owns what was asked for. member: its id."""

    default_code = "table/elsewhere"

    def __init__(self, member: str) -> None:
        super().__init__("another process has this table; please try again")
        self.member = member


class Owner(Protocol):
    """A process that may own tables."""

    @property
    def leases(self) -> int:
        """How much it owns among several: tables, and what there is one of."""

    async def claim(self, name: str) -> Lease | None:
        """Own something from now on; None: nobody else could. Raises ElsewhereError, StorageError."""

    async def call(self, name: str) -> None:
        """Own what another one owns, which gives it up. Raises ElsewhereError, StorageError."""

    def first(self, name: str) -> Lease | None:
        """Return the lease of a table that is made here."""


class _Alone:
    """The one process that there is: all is its own, and nothing of that is written."""

    leases = 0

    async def claim(self, name: str) -> Lease | None:  # noqa: ARG002 - whatever it is
        return None

    async def call(self, name: str) -> None:  # noqa: ARG002 - likewise
        return

    def first(self, name: str) -> Lease | None:  # noqa: ARG002 - likewise
        return None


ALONE: Final[Owner] = _Alone()
