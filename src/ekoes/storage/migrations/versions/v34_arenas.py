"""Games of tournaments store what counts in an arena: whether they were brief, and who went berserk."""

import sqlalchemy as sa
from alembic import op

revision = "34"
down_revision = "33"


def upgrade() -> None:
    """Add the columns, empty."""
    op.add_column("pairings", sa.Column("brief", sa.Boolean))
    op.add_column("pairings", sa.Column("berserk", sa.Text))
