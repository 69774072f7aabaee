"""Answers to puzzles, and the ratings of puzzles and of their solvers."""

import sqlalchemy as sa
from alembic import op

revision = "23"
down_revision = "22"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "puzzle_ratings",
        sa.Column("game", sa.String(20), primary_key=True),
        sa.Column("puzzle", sa.String(20), primary_key=True),
        sa.Column("mean", sa.Double, nullable=False),
        sa.Column("deviation", sa.Double, nullable=False),
        sa.Column("answers", sa.Integer, nullable=False),
    )
    op.create_table(
        "solvers",
        sa.Column("user_id", sa.String(64), sa.ForeignKey("accounts.user_id"), primary_key=True),
        sa.Column("game", sa.String(20), primary_key=True),
        sa.Column("mean", sa.Double, nullable=False),
        sa.Column("deviation", sa.Double, nullable=False),
        sa.Column("answers", sa.Integer, nullable=False),
        sa.Column("right_answers", sa.Integer, nullable=False),
        sa.Column("day", sa.Date),
        sa.Column("streak", sa.Integer, nullable=False),
    )
    op.create_table(
        "puzzle_answers",
        sa.Column("user_id", sa.String(64), sa.ForeignKey("accounts.user_id"), primary_key=True),
        sa.Column("game", sa.String(20), primary_key=True),
        sa.Column("puzzle", sa.String(20), primary_key=True),
        sa.Column("was_right", sa.Boolean),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("solved_at", sa.DateTime(timezone=True)),
    )
