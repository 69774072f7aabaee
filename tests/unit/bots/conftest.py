"""What several tests of Ekö's search need."""

from __future__ import annotations

import pytest

from ekoes.games.eko.bots.search import PARAMS, SearchParams


@pytest.fixture
def evaluates_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """All decisions of a node are evaluated when it is first reached, so that trees can be compared."""
    params = PARAMS.copy()
    params[SearchParams.FULL_VISIT] = 1
    monkeypatch.setattr("ekoes.games.eko.bots.search.PARAMS", params)
