"""A club may have a table made each week."""

import sqlalchemy as sa
from alembic import op

revision = "37"
down_revision = "36"


def upgrade() -> None:
    """Add the columns, empty."""
    op.add_column("clubs", sa.Column("weekly", sa.Text))
    op.add_column("clubs", sa.Column("weekly_at", sa.DateTime(timezone=True)))
