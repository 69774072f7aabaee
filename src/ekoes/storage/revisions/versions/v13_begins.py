"""Where Alembic begins: the steps up to here stand in ``storage/migrations.py``."""

revision = "13"
down_revision = None


def upgrade() -> None:
    """Nothing: who comes from an older schema has taken those steps."""
