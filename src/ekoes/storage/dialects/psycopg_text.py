"""Text as PostgreSQL takes it: all of Unicode but U+0000, in place of which stands U+FFFD.

That holds for what is kept and for what is looked for alike, so a key or an id of somebody's making is found
again, and nobody can make a transaction fail by it.
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
