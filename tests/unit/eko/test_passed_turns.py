"""What is decided for a player whose time is up at a table that passes turns: as little as possible."""

from __future__ import annotations

from typing import Any

import pytest

from ekoes.games.api.chance import Chance
from ekoes.games.eko.game import EKO
from ekoes.games.eko.position.action import Action
from ekoes.games.eko.position.position import EkoPosition
from ekoes.games.eko.presenter import PRESENTER
from tests.rules.eko.board import END, WONDERS, build, draw, move, place, ransom, reinforce, swap
from tests.unit.games import ALL_VARIANTS

OPTIONS: list[dict[str, Any]] = [
    {"players": 2},
    {"players": 2, "variants": list(ALL_VARIANTS)},
    {"players": 2, "setup": "draft"},
    {"players": 3, "variants": list(ALL_VARIANTS), "setup": "draft"},
    {"players": 4, "variants": ["labyrinth", "pyramids", "beacon"]},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_no_decision_for_an_idle_player_wins_points_or_spends_the_emperor(options: dict[str, Any]) -> None:
    decided = 0
    for seed in range(4):
        chance, position = Chance(seed), EKO.new(options, seed)
        while position.outcome() is None and position.turn_number < 80:
            (seat,) = position.actors()
            action = PRESENTER.least(position, 0) if seat == 0 else chance.choice(position.legal(seat))
            after = position.play(seat, action)
            if seat == 0:
                assert after.total(0) <= position.total(0)
                assert has_emperor(after) or not has_emperor(position)
                decided += 1
            position = after
    assert decided > 80


def has_emperor(position: EkoPosition) -> bool:
    return any(stack.emperor and stack.owner == 0 for stack in position.stacks().values())


FOE = "1E@3,-3 1@0,-3"
TWO_CAPTIVES = draw("4@1,0 1E@-4,2", "3E@1,2 1@-1,-1 holds2 holds3", "1@3,-3", "1@0,-3")


@pytest.mark.parametrize(
    ("position", "action"),
    [
        pytest.param(EKO.new({}, 1), swap(), id="declines to swap"),
        pytest.param(EKO.new({"setup": "draft"}, 1), place("1,-4"), id="places an ordinary disc"),
        pytest.param(draw("2@1,0 1@0,2 1E@-1,-1", FOE), move("0,2", "2,-4"), id="moves few ordinary discs"),
        pytest.param(
            draw("1@-3,2 2E@-4,2 camp@-2,-1 +5", "1E@3,-3 4@-3,3 3@-2,1", tiles=WONDERS),
            move("-3,2", "-4,2"),
            id="regroups rather than builds, attacks or uses a temple",
        ),
        pytest.param(draw("2E@-4,2", "1E@3,-3 4@-3,2"), build("-4,2", "-3,1", "camp"), id="has to build"),
        pytest.param(
            draw("1@0,2 1E@-1,-1 +5", FOE, phase="after"),
            reinforce("-1,-1", 1),
            id="brings one disc, no march",
        ),
        pytest.param(
            draw("2@0,2 1@-1,-1 +5E", FOE, phase="after"), reinforce("-1,-1", 1, emperor=True), id="E8.4"
        ),
        pytest.param(draw("4@0,2 4E@-1,-1 +5", FOE, phase="after"), END, id="ends without a march"),
        pytest.param(TWO_CAPTIVES.play(0, move("1,0", "1,2")), ransom(2), id="ransom"),
    ],
)
def test_least_decision_of_each_phase(position: EkoPosition, action: Action) -> None:
    assert PRESENTER.least(position, *position.actors()) == action
    assert PRESENTER.least(EKO.from_json(position.to_json()), *position.actors()) == action
