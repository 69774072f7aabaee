"""Pending challenges, which were lost with the process until then."""

import sqlalchemy as sa
from alembic import op

revision = "20"
down_revision = "19"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "challenges",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("user_id", sa.String(64), sa.ForeignKey("accounts.user_id"), nullable=False),
        sa.Column("plan", sa.Text, nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("asked", sa.Text, nullable=False),
        sa.Column("waits", sa.Text, nullable=False),
        sa.Column("ends", sa.DateTime(timezone=True), nullable=False),
    )
