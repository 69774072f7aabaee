"""Log entries stand with the event that added them, and keys of orders have no index.

Programs of the versions before can't use such a database.
"""

from collections import defaultdict
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "27"
down_revision = "26"

_EVENTS = sa.table("events", *map(sa.column, ("table_id", "number", "length", "entries", "shown")))
_ENTRIES = sa.table("entries", *map(sa.column, ("table_id", "number", "event", "body", "shown")))


def upgrade() -> None:
    """Move the entries of each table to its events; what was undone before is in no row."""
    connection = op.get_bind()
    unnamed = {"uq": "%(table_name)s_%(column_0_N_name)s_key"}
    with op.batch_alter_table("events", naming_convention=unnamed) as events:
        events.drop_constraint("events_table_id_session_id_key_key", type_="unique")
        events.add_column(sa.Column("length", sa.Integer, nullable=False, server_default="0"))
        for name in ("entries", "shown"):
            events.add_column(sa.Column(name, sa.Text, nullable=False, server_default=""))
    set_log = (
        sa.update(_EVENTS)
        .where(_EVENTS.c.table_id == sa.bindparam("this"), _EVENTS.c.number == sa.bindparam("event"))
        .values({name: sa.bindparam(f"new_{name}") for name in ("length", "entries", "shown")})
    )
    tables = sa.select(sa.column("id", sa.String)).select_from(sa.table("tables"))
    for table_id in connection.scalars(tables).all():
        added: dict[int, list[sa.Row[Any]]] = defaultdict(list)
        of_table = sa.select(_ENTRIES).where(_ENTRIES.c.table_id == table_id).order_by(_ENTRIES.c.number)
        for entry in connection.execute(of_table):
            added[entry.event].append(entry)
        numbers = sa.select(_EVENTS.c.number).where(_EVENTS.c.table_id == table_id).order_by(_EVENTS.c.number)
        changes, length = [], 0
        for number in connection.scalars(numbers).all():
            length += len(added[number])
            change = {"this": table_id, "event": number, "new_length": length}
            change["new_entries"] = "\n".join(entry.body for entry in added[number])
            change["new_shown"] = "\n".join(entry.shown for entry in added[number])
            changes.append(change)
        if changes:
            connection.execute(set_log, changes)
    op.drop_table("entries")
