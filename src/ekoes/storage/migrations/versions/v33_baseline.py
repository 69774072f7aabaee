"""The baseline: a new database is created from the metadata of ``schema.py``, at the newest revision."""

revision = "33"
down_revision = None


def upgrade() -> None:
    """Do nothing: no database is older."""
