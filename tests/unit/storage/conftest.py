"""Each test has a database of its own: in a file, and again in PostgreSQL unless it asks for the file.

`make test` runs on PostgreSQL those alone that are marked ``postgres``; `make test-long` all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ekoes.storage.store import Store
from tests.services.postgres import postgres

_ASK_WHICH = "database"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if _ASK_WHICH in metafunc.fixturenames:
        is_quick = metafunc.definition.get_closest_marker("postgres") is not None
        postgresql = pytest.param("postgresql", marks=() if is_quick else pytest.mark.long)
        in_file_alone = "path" in metafunc.fixturenames
        metafunc.parametrize(_ASK_WHICH, ["sqlite"] if in_file_alone else ["sqlite", postgresql])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "test.sqlite"


@pytest.fixture
def url(database: str, tmp_path: Path) -> Iterator[str]:
    """The address of a database; an empty one where it is a file."""
    if database == "sqlite":
        yield f"sqlite:///{tmp_path / 'test.sqlite'}"
    else:
        with postgres().database() as lent:
            yield lent


@pytest.fixture
def own_url(database: str, tmp_path: Path) -> str:
    """The address of an empty database of which the schema may be changed."""
    return f"sqlite:///{tmp_path / 'own.sqlite'}" if database == "sqlite" else postgres().empty()


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    store = Store(url)
    yield store
    store.close()
