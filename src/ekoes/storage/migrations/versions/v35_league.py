"""Programs in the league of bots, and its games."""

import sqlalchemy as sa
from alembic import op

revision = "35"
down_revision = "34"


def upgrade() -> None:
    """Create the tables, empty."""
    moment = sa.DateTime(timezone=True)
    op.create_table(
        "league_entries",
        sa.Column("game", sa.String(20), primary_key=True),
        sa.Column("user_id", sa.String(64), sa.ForeignKey("accounts.user_id"), primary_key=True),
        sa.Column("author", sa.String(64), sa.ForeignKey("accounts.user_id"), nullable=False),
        sa.Column("since", moment, nullable=False),
        sa.Column("missed", sa.Integer, nullable=False),
        sa.Column("missed_at", moment),
    )
    op.create_index("league_entries_by_author", "league_entries", ["author"])
    op.create_table(
        "league_games",
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(20), nullable=False),
        sa.Column("first", sa.String(64), nullable=False),
        sa.Column("second", sa.String(64), nullable=False),
        sa.Column("began_at", moment, nullable=False),
        sa.Column("ended_at", moment),
        sa.Column("winner", sa.Integer),
    )
    op.create_index("league_games_by_end", "league_games", ["game", "ended_at"])
