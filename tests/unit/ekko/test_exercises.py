"""EKKO's exercise "which card": in each of its decisions one card is clearly best."""

from __future__ import annotations

import json

import numpy as np
import pytest

from ekoes.games.ekko.bots.levels import seen_by
from ekoes.games.ekko.position.action import Play, decode
from ekoes.games.ekko.position.position_reader import sight_from_view
from ekoes.games.ekko.review import sampled_values
from tools.ekko_exercises import FILE

CHOICES = json.loads(FILE.read_text("utf-8"))


def prove(number: int, deals: int) -> None:
    """Value a decision by deals of its own: the stored card is better than every other."""
    choice = CHOICES[number]
    seen = sight_from_view(choice["view"], choice["seat"]).seen
    codes, sample = sampled_values(
        seen_by(choice["seat"], seen), deals, np.array([number + 1]).astype(np.uint64)
    )
    cards = [action.card for code in codes if isinstance(action := decode(code), Play)]
    points = [value for _, value, _ in choice["values"]]
    assert points == sorted(points, reverse=True)
    assert {card for card, *_ in choice["values"]} == set(cards)
    assert len(codes) == len(cards) >= 3
    best = cards.index(choice["values"][0][0])
    gains = sample[:, [best]] - np.delete(sample, best, axis=1)
    errors = 2 * gains.std(axis=0, ddof=1) / np.sqrt(deals)
    assert (gains.mean(axis=0) > errors).all(), number


def test_the_best_card_is_better_than_the_others_beyond_doubt() -> None:
    for number in range(0, len(CHOICES), 25):
        prove(number, 3000)


@pytest.mark.long
def test_every_best_card_is_better_than_the_others_beyond_doubt() -> None:
    assert len(CHOICES) >= 200
    for number in range(len(CHOICES)):
        prove(number, 12_000)
