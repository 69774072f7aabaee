"""The reviews of recorded games (``reviews``), of which the page's tests compare the sentences."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ekoes.records.review import reviewed_game
from tests.kit.examples import one_quick
from tools.reviews import records, review_of

(ONE,), (ANOTHER,) = records("ekko-3-race"), records("eko-2-variants")
OTHERS = [record for record in records() if record not in {ONE, ANOTHER}]


@pytest.mark.parametrize("record", records(), ids=lambda path: path.stem)
def test_golden_review_is_of_its_record(record: Path) -> None:
    golden, game = (
        json.loads(record.with_suffix(".json").read_text("utf-8")),
        reviewed_game(record.read_text("utf-8")),
    )
    assert len(golden["log"]) == len(game.record.decisions)
    assert len(golden["names"]) == golden["review"]["players"]
    assert len(list(record.parent.glob(f"{record.stem}.*.txt"))) == 4


@pytest.mark.parametrize("record", [ONE, *one_quick(ANOTHER, OTHERS)], ids=lambda path: path.stem)
def test_golden_review_is_made_anew(record: Path) -> None:
    """`python -m tools.reviews` writes what has changed on purpose."""
    golden = json.loads(record.with_suffix(".json").read_text("utf-8"))
    assert json.loads(json.dumps(review_of(record))) == golden["review"]
