"""The exercises of EKKO: a card that is clearly best, and mirrors in a stream of cards."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from ekoes.games.ekko.bots.levels import seen_by
from ekoes.games.ekko.exercises import EXERCISES
from ekoes.games.ekko.position.action import Play, decode
from ekoes.games.ekko.position.position_reader import sight_from_view
from ekoes.games.ekko.rules.record import FITTING, mirror_of
from ekoes.games.ekko.sequence import sampled_values
from ekoes.games.kernels.bits import members


def prove(number: int, deals: int) -> None:
    """Value a decision by deals of its own: the stored card is better than every other."""
    exercise = EXERCISES.choice(number)
    seat, state = exercise["seat"], exercise["state"]
    view = state["position"] | {key: state["hands"][str(seat)][key] for key in ("hand", "aside")}
    codes, sample = sampled_values(
        seen_by(seat, sight_from_view(view, seat).seen), deals, np.array([number]).astype(np.uint64)
    )
    cards = [action.card for code in codes if isinstance(action := decode(code), Play)]
    values = [value["points"] for value in exercise["values"]]
    assert values == sorted(values, reverse=True)
    assert {str(card) for card in cards} == {value["notation"] for value in exercise["values"]}
    assert len(codes) == len(cards) == len(state["choices"]) >= 3
    best = cards.index(int(exercise["values"][0]["notation"]))
    gains = sample[:, [best]] - np.delete(sample, best, axis=1)
    errors = 2 * gains.std(axis=0, ddof=1) / np.sqrt(deals)
    assert (gains.mean(axis=0) > errors).all(), number


def test_the_best_card_is_better_than_the_others_beyond_doubt() -> None:
    for number in range(1, EXERCISES.count + 1, 25):
        prove(number, 3000)


@pytest.mark.long
def test_every_best_card_is_better_than_the_others_beyond_doubt() -> None:
    assert EXERCISES.count >= 200
    for number in range(1, EXERCISES.count + 1):
        prove(number, 12_000)


def test_what_the_player_of_an_exercise_cannot_see_is_not_in_it() -> None:
    state = EXERCISES.choice(1)["state"]
    assert list(state["hands"]) == [str(EXERCISES.choice(1)["seat"])]
    assert isinstance(state["position"]["pile"], int)


def test_in_a_stream_of_cards_only_the_last_is_mirrored_by_the_hand() -> None:
    rounds = EXERCISES.reflex(5)
    assert (len(rounds), rounds) == (20, EXERCISES.reflex(5))
    assert rounds != EXERCISES.reflex(6)
    for one in rounds:
        hand, cards = one["hand"], one["shown"]
        assert one["answer"] in hand
        assert [mirror_of(card) in hand for card in cards] == [False] * (len(cards) - 1) + [True]
        assert mirror_of(cards[-1]) == one["answer"]
        assert len({*hand, *cards}) == len(hand) + len(cards)
        for card, following in pairwise(cards):
            assert following in members(FITTING[card].tolist()), "valid by K2.1"
