"""A server for all tests of a process, and servers for one test alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.client import Browser
from tests.kit.server import Pair, Server


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server for one test, which may kill it."""
    with Server(tmp_path) as server:
        yield server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for all tests that leave it running."""
    with Server(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """A cluster of two servers for the tests of a file."""
    with Pair(tmp_path_factory.mktemp("pair")) as both:
        yield both


@pytest.fixture
def browser(server: Server) -> Browser:
    return server.browser()
