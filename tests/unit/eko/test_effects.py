"""The log describes what each decision did."""

from __future__ import annotations

import pytest

from ekoes.games.eko.position.action import Move, Space
from ekoes.games.eko.presenter import effects
from tests.rules.eko.board import draw
from tests.unit.games import ALL_VARIANTS, random_game


@pytest.mark.parametrize("seed", range(6))
def test_points_and_stacks_are_those_of_the_positions(seed: int) -> None:
    sums: list[int] = []
    for position, seat, action in random_game(seed, 150, players=2 + seed % 3, variants=ALL_VARIANTS):
        after = position.play(seat, action)
        shown = effects(position, action, after)
        none = [0] * position.players
        sums = [had + more for had, more in zip(sums or none, shown.get("points", none), strict=True)]
        assert sums == [after.points(player).total for player in range(position.players)]
        if shown["effect"] in {"attack", "kamikaze"}:
            assert isinstance(action, Move)
            met = position.stacks()[action.target]
            assert shown["met"] == {"owner": met.owner, "height": met.height, "emperor": met.emperor}
        else:
            assert ("met" in shown) == (shown["effect"] == "sandtemple")
        assert ("razed" in shown) == (shown["effect"] == "replace")
        captives = [position.captives(player) for player in range(position.players)]
        for freed in shown.get("freed", []):
            assert after.emperor_in_reserve(freed)
            assert any(freed in held for held in captives) or shown["met"]["emperor"]


def test_exchange_of_emperors_shows_the_points_it_costs() -> None:
    """E5.7: seat 1 holds the Emperor of seat 0; now seat 0 captures theirs, and both come back at once."""
    before = draw("3@0,2", "1E@1,2 2@-1,1 holds0")
    action = Move(Space(0, 2), Space(1, 2))
    shown = effects(before, action, before.play(0, action))
    assert shown["met"] == {"owner": 1, "height": 1, "emperor": True}
    assert shown["freed"] == [0, 1]
    assert shown["points"] == [0, -3]
    assert shown["height"] == 3
