"""Each test has a database of its own, in a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ekoes.storage.store import Store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "test.sqlite"


@pytest.fixture
def url(path: Path) -> str:
    return f"sqlite:///{path}"


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    store = Store(url)
    yield store
    store.close()
