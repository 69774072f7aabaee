"""What a database says against a statement may be read in a log: hands and names are not in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from ekoes.storage.engine import connect


def test_failures_of_a_database_tell_no_values(tmp_path: Path) -> None:
    engine = connect(f"sqlite:///{tmp_path / 'games.sqlite'}")
    asked = text("SELECT * FROM nothing WHERE hand = :hand")
    with pytest.raises(SQLAlchemyError) as failed, engine.begin() as connection:
        connection.execute(asked, {"hand": "11, 45"})
    assert "nothing" in str(failed.value)
    assert "11, 45" not in str(failed.value)
    engine.dispose()
