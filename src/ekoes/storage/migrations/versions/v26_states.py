"""The state of a table is stored with some of its events, and no longer with each.

Programs of the versions before can't use such a database.
"""

from alembic import op

revision = "26"
down_revision = "25"


def upgrade() -> None:
    """Move the latest state of each table to the others, with its digest."""
    for statement in (
        (
            "INSERT INTO states (table_id, number, state, clock) SELECT id, events, state, clock FROM tables"
            " WHERE NOT EXISTS (SELECT 1 FROM states WHERE table_id = tables.id AND number = tables.events)"
        ),
        "ALTER TABLE states ADD COLUMN digest VARCHAR(32) DEFAULT '' NOT NULL",
        (
            "UPDATE states SET digest = coalesce((SELECT digest FROM events WHERE table_id = states.table_id"
            " AND number = states.number), (SELECT digest FROM tables WHERE id = states.table_id))"
        ),
        *(f"ALTER TABLE tables DROP COLUMN {name}" for name in ("digest", "rules", "state", "clock")),
        "ALTER TABLE events DROP COLUMN digest",
        "ALTER TABLE events ADD COLUMN result VARCHAR(16)",
    ):
        op.execute(statement)
