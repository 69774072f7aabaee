"""A database says which older programs may use it beside those of its own schema."""

import sqlalchemy as sa
from alembic import op

revision = "14"
down_revision = "13"


def upgrade() -> None:
    """Add the column."""
    op.add_column("schema", sa.Column("oldest", sa.Integer(), nullable=True))
