"""A digest of the turn that people play, by which advice for copies of their game is refused."""

import sqlalchemy as sa
from alembic import op

revision = "19"
down_revision = "18"


def upgrade() -> None:
    """Add the column; a running game gets its value with its next order."""
    op.add_column("tables", sa.Column("played_turn", sa.String(32)))
    op.create_index("tables_by_played_turn", "tables", ["played_turn"])
