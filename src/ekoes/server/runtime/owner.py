"""Asks whether this process owns a table before the hub opens it."""

from __future__ import annotations

from typing import Final, Protocol

from ekoes.errors import TableError
from ekoes.storage.leases import Lease


class ElsewhereError(TableError):
    """Another process owns the table. member: its id."""

    default_code = "table/elsewhere"

    def __init__(self, member: str) -> None:
        super().__init__("another process has this table; please try again")
        self.member = member


class Owner(Protocol):
    """Claims tables for this process."""

    @property
    def leases(self) -> int:
        """The number of leases that this process holds."""

    async def claim(self, name: str) -> Lease | None:
        """Claim a table; None: there is one process only. Raises ElsewhereError, StorageError."""

    async def call(self, name: str) -> None:
        """Have another process release a table, and claim it. Raises ElsewhereError, StorageError."""

    def first(self, name: str) -> Lease | None:
        """Return the lease of a table that this process creates."""


class _Alone:
    """The owner of all tables, for a single process without leases."""

    leases = 0

    async def claim(self, name: str) -> Lease | None:  # noqa: ARG002
        return None

    async def call(self, name: str) -> None:  # noqa: ARG002
        return

    def first(self, name: str) -> Lease | None:  # noqa: ARG002
        return None


ALONE: Final[Owner] = _Alone()
