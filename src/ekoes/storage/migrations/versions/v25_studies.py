"""Studies."""

import sqlalchemy as sa
from alembic import op

revision = "25"
down_revision = "24"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "studies",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("user_id", sa.String(64), sa.ForeignKey("sessions.id"), nullable=False),
        sa.Column("game", sa.String(20), nullable=False),
        sa.Column("title", sa.String(100), nullable=False),
        sa.Column("chapters", sa.Integer, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("studies_of_users", "studies", ["user_id"])
