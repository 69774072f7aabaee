"""A store for each test, and a hub with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ekoes.storage.store import Store
from tests.unit.server.hub_room import Room, cards


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "test.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    store = Store(f"sqlite:///{path}")
    yield store
    store.close()


@pytest.fixture
def room(store: Store) -> Room:
    """A hub; ``in_loop`` stops it."""
    return Room(store, cards)
