"""What a page is told of each choice is what playing it does."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from ekoes.games.eko.action import Space
from ekoes.games.eko.choices import choices
from ekoes.games.eko.game import EKO
from ekoes.games.eko.geometry import distance
from ekoes.games.eko.position import EkoPosition
from tests.unit.games import ALL_VARIANTS, random_game

GAMES = [(seed, players) for seed in range(4) for players in (2, 3, 4)]
MOVES = {"move", "regroup", "attack", "kamikaze", "perish"}


def described(seed: int, players: int) -> list[tuple[EkoPosition, int, dict[str, Any]]]:
    """Choices of a random game with all variants, some of each position."""
    found = []
    for position, seat, _ in random_game(seed, 120, players=players, variants=ALL_VARIANTS):
        some = choices(position, seat)
        found += [(position, seat, choice) for choice in some[:: max(1, len(some) // 9)]]
    return found


@pytest.mark.parametrize(("seed", "players"), GAMES)
def test_a_path_takes_single_steps_over_empty_spaces_and_meets_its_zones(seed: int, players: int) -> None:
    for position, _, choice in described(seed, players):
        if "path" not in choice:
            continue
        path = [Space.parse(text) for text in choice["path"]]
        action = choice["action"]
        assert (choice["path"][0], choice["path"][-1]) == (action["from"], action["to"])
        assert len(path) > 1 or choice["effect"] == "perish"
        layout, stacks = position.layout, position.stacks()
        fronts = {layout.spaces[front] for front in layout.portal_link or ()}
        for one, other in pairwise(path):
            assert distance(one, other) == 1 or fronts == {one, other}
        # the stack is lifted as it starts, so its way may cross its own start again (E5.1)
        assert not any(space in stacks for space in path[1:-1] if space != path[0])
        if not position.ignores_tempests:
            met = {
                zone[0]
                for zone in layout.zones
                if zone[0] not in position.paid_zones()
                and not {layout.index[space] for space in path}.isdisjoint(zone)
            }
            assert met == {layout.index[Space.parse(zone)] for zone in action.get("zones", [])}


@pytest.mark.parametrize(("seed", "players"), GAMES)
def test_effects_heights_and_prices_are_those_of_the_position_after(seed: int, players: int) -> None:
    for position, seat, choice in described(seed, players):
        action: Any = EKO.parse_action(choice["action"])
        after = position.play(seat, action)
        effect = choice["effect"]
        if effect in MOVES:
            stack = after.stack(action.target)
            assert (stack.height if stack else 0) == choice["height"]
            assert (stack is None) == (effect in {"kamikaze", "perish"})
            before = position.stack(action.target)
            if effect in {"attack", "kamikaze"}:
                assert before is not None
                assert before.owner != seat
        elif effect in {"build", "upgrade", "replace"}:
            stack = after.stack(action.source)
            assert (stack.height if stack else 0) == choice["height"]
            before_discs = position.stacks()[action.source].height
            assert before_discs - choice["height"] == choice["cost"]
            owner = position.buildings().get(action.site, (None, 0))[0]
            assert effect == {None: "build", seat: "upgrade"}.get(owner, "replace")
        elif effect == "reinforce":
            assert after.stacks()[action.space].height == choice["height"]
        elif effect in {"march", "moon", "sandtemple"}:
            removed = after.record.removed[seat] - position.record.removed[seat]
            assert removed == choice["cost"]


def test_all_effects_occur_in_the_games_above() -> None:
    effects = {choice["effect"] for game in GAMES for _, _, choice in described(*game)}
    expected = MOVES | {"build", "upgrade", "replace", "march", "reinforce", "swap", "end"}
    assert expected <= effects


def test_nobody_else_has_choices() -> None:
    position = EKO.new({"players": 3}, seed=4)
    (seat,) = position.actors()
    assert [bool(choices(position, other)) for other in range(3)] == [other == seat for other in range(3)]
