"""Text parameters for PostgreSQL, which can't store U+0000: it is replaced by U+FFFD.

Stored values and search values are converted alike, so an id or key from a client is found again, and can't
make a transaction fail.
"""

from __future__ import annotations

from psycopg import Connection
from psycopg.abc import Buffer
from psycopg.types.string import StrDumperUnknown

__all__ = ["prepare"]


class _Text(StrDumperUnknown):
    def dump(self, obj: str) -> Buffer | None:
        return super().dump(obj.replace("\0", "\N{REPLACEMENT CHARACTER}") if "\0" in obj else obj)


def prepare(connection: Connection, _record: object) -> None:
    """Set up a connection."""
    connection.adapters.register_dumper(str, _Text)
