"""Reports from profiles, which belong to no table."""

import sqlalchemy as sa
from alembic import op

revision = "21"
down_revision = "20"


def upgrade() -> None:
    """Let the table of a report be null."""
    with op.batch_alter_table("reports") as reports:
        reports.alter_column("table_id", existing_type=sa.String(32), nullable=True)
