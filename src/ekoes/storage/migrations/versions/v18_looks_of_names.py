"""The looks of accounts' names, by which names that people confuse are refused."""

import sqlalchemy as sa
from alembic import op

from ekoes.storage.names import look_of

revision = "18"
down_revision = "17"

_ACCOUNTS = sa.table("accounts", *map(sa.column, ("user_id", "name", "since", "look")))


def upgrade() -> None:
    """Add the column; of accounts that look alike the oldest has the look."""
    op.add_column("accounts", sa.Column("look", sa.String(160)))
    looks: dict[str, str] = {}
    connection = op.get_bind()
    for user, name in connection.execute(
        sa.select(_ACCOUNTS.c.user_id, _ACCOUNTS.c.name).order_by(_ACCOUNTS.c.since)
    ):
        looks.setdefault(look_of(name), user)
    for look, user in looks.items():
        connection.execute(sa.update(_ACCOUNTS).where(_ACCOUNTS.c.user_id == user).values(look=look))
    op.create_index("accounts_by_look", "accounts", ["look"], unique=True)
