"""Clubs with their members, chat and tables; tournaments may be a club's."""

import sqlalchemy as sa
from alembic import op

revision = "36"
down_revision = "35"


def upgrade() -> None:
    """Add the tables, empty, and the column."""
    op.create_table(
        "clubs",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("known_as", sa.String(160), nullable=False, unique=True),
        sa.Column("look", sa.String(160), nullable=False, unique=True),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("is_open", sa.Boolean, nullable=False),
        sa.Column("invitation", sa.String(32), nullable=False),
        sa.Column("members", sa.Integer, nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("clubs_by_members", "clubs", ["members"])
    op.create_table(
        "club_members",
        sa.Column("club_id", sa.String(32), sa.ForeignKey("clubs.id"), primary_key=True),
        sa.Column("user_id", sa.String(64), sa.ForeignKey("accounts.user_id"), primary_key=True),
        sa.Column("role", sa.String(10), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("clubs_of_users", "club_members", ["user_id"])
    op.create_table(
        "club_lines",
        sa.Column("club_id", sa.String(32), sa.ForeignKey("clubs.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("user_id", sa.String(64), sa.ForeignKey("sessions.id"), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("club_lines_of_users", "club_lines", ["user_id"])
    op.create_table(
        "club_tables",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("club_id", sa.String(32), sa.ForeignKey("clubs.id"), nullable=False),
    )
    op.create_index("tables_of_clubs", "club_tables", ["club_id"])
    op.add_column("tournaments", sa.Column("club_id", sa.String(32)))
    op.create_index("tournaments_of_clubs", "tournaments", ["club_id"])
