"""Openings of public games; those that have ended already wait to be counted."""

import sqlalchemy as sa
from alembic import op

revision = "24"
down_revision = "23"


def upgrade() -> None:
    """Create the tables, and queue all public games."""
    op.create_table(
        "opening_queue",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("games.table_id"), primary_key=True),
    )
    op.create_table(
        "openings",
        sa.Column("moment", sa.String(40), primary_key=True),
        sa.Column("gist", sa.String(40), primary_key=True),
        sa.Column("table_id", sa.String(32), sa.ForeignKey("games.table_id"), primary_key=True),
        sa.Column("winners", sa.String(8), nullable=False),
        sqlite_with_rowid=False,
    )
    op.execute("INSERT INTO opening_queue (table_id) SELECT table_id FROM mentions WHERE word = 'all'")
