"""What a program makes of EKKO's table is what the table's own bots are asked and see."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from ekoes.games.api.chance import Chance
from ekoes.games.ekko.bots import player
from ekoes.games.ekko.live.state import LiveState
from ekoes.games.ekko.presenter import PRESENTER

BEGAN = datetime(2024, 5, 1, tzinfo=UTC)


def states(calm: bool) -> Iterator[LiveState]:
    """Every state of a game that is played by the clock alone."""
    settings = PRESENTER.settings({"players": 3, "target": 3, "calm": calm})
    state: Any = PRESENTER.begin(settings, 1, frozenset({0, 1, 2}))
    chance, at = Chance(7), BEGAN
    while state.outcome is None:
        if state.needs_deal:
            state = PRESENTER.deal(state, state.position.chance_action(chance), at)
        else:
            at = state.ends_at() or at + timedelta(seconds=1)
            state = PRESENTER.strike(state, at)
        yield state


@pytest.mark.parametrize("calm", [False, True])
def test_a_seat_is_asked_and_sees_afar_what_a_bot_there_is_asked_and_sees(calm: bool) -> None:
    asked = 0
    for state in states(calm):
        shown = PRESENTER.shared(state, BEGAN)
        options = state.options.to_json()
        for seat in range(3):
            view = shown | PRESENTER.own(state, {seat})
            words = [ask.asks for ask in PRESENTER.asked(state, seat)]
            assert [word for word, _ in player.asked(view, options, seat)] == words
            for _ in words:
                asked += 1
                assert player.sight(view, seat).view(seat) == state.position.view(seat)
    assert asked > 50


def test_a_seat_is_ready_as_soon_as_it_sees_its_hand() -> None:
    looking = next(state for state in states(calm=False) if PRESENTER.shared(state, BEGAN)["stage"] == "look")
    shown = PRESENTER.shared(looking, BEGAN)
    assert player.greeting(shown, 0) == {"type": "ready", "round": 1}
    assert player.greeting(shown | {"ready": [0]}, 0) is None
    assert player.greeting(shown | {"stage": "race"}, 0) is None
