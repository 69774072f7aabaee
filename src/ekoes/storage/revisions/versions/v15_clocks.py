"""Processes that share a database tell each other the time."""

import sqlalchemy as sa
from alembic import op

revision = "15"
down_revision = "14"


def upgrade() -> None:
    """Add the column."""
    op.add_column("members", sa.Column("clock", sa.DateTime(timezone=True), nullable=True))
