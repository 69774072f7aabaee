"""Alembic, asked to take the steps that a database lacks; imported only where there are any."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection

from ekoes.errors import StorageError

__all__ = ["PLACES", "newest", "steps_after", "upgrade"]

_HERE = Path(__file__).with_name("revisions")
PLACES = [_HERE / "versions"]
"""The folders with revisions."""


def upgrade(connection: Connection) -> None:
    """Take all steps behind where a database stands, in its transaction. Raises StorageError."""
    config = _config()
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise StorageError(f"the steps of the schema do not fit: {error}", code="storage/damaged") from error


def steps_after(version: int) -> list[tuple[int, str]]:
    """Return the steps behind a version in their order: where each leads to, and what it does."""
    script = ScriptDirectory.from_config(_config())
    steps = [(int(one.revision), one.doc.splitlines()[0]) for one in script.walk_revisions()]
    return sorted(step for step in steps if step[0] > version)


def newest() -> int:
    """Return the version to which the last step leads."""
    return int(ScriptDirectory.from_config(_config()).get_current_head() or 0)


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(_HERE).replace("%", "%%"))
    config.set_main_option("path_separator", "newline")
    places = "\n".join(map(str, PLACES))
    config.set_main_option("version_locations", places.replace("%", "%%"))
    return config
