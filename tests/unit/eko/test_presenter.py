"""The log describes what a decision did; programs get a list of the legal ones."""

from __future__ import annotations

from functools import cache
from itertools import islice, pairwise
from typing import Any

import pytest

from ekoes.games.eko.game import EKO
from ekoes.games.eko.position.action import Move, Space, action_to_json
from ekoes.games.eko.position.position import EkoPosition
from ekoes.games.eko.position.tiles import distance
from ekoes.games.eko.presenter import PRESENTER
from ekoes.games.eko.rules.paths import ignores_tempests
from ekoes.games.eko.rules.record import Whereabouts
from ekoes.tables.table import MOST_ACTIONS
from tests.kit.examples import IS_LONG
from tests.rules.eko.board import draw
from tests.unit.games import ALL_VARIANTS, random_game

GAMES = [(seed, players) for seed in range(4 if IS_LONG else 1) for players in (2, 3, 4)]
MOVES = {"move", "regroup", "attack", "kamikaze", "perish"}


@cache
def described(seed: int, players: int) -> list[tuple[EkoPosition, int, dict[str, Any]]]:
    """Decisions in a random game with all variants, some of each position, with what the log would say."""
    found = []
    for position, seat, _ in random_game(seed, 120, players=players, variants=ALL_VARIANTS):
        some = position.legal(seat)
        for action in some[:: max(1, len(some) // 9)]:
            shown = PRESENTER.describe(position, action, position.play(seat, action))
            found.append((position, seat, shown | {"action": action_to_json(action)}))
    return found


@pytest.mark.parametrize(("seed", "players"), GAMES)
def test_the_list_of_actions_holds_all_up_to_its_limit(seed: int, players: int) -> None:
    for position, seat, _ in random_game(seed, 120, players=players, variants=ALL_VARIANTS):
        listed = list(islice(PRESENTER.actions(position, seat), MOST_ACTIONS))
        actions = {EKO.parse_action(action) for action in listed}
        assert len(actions) == len(listed) == min(MOST_ACTIONS, len(position.legal(seat)))
        assert actions <= set(position.legal(seat))
        assert {action for action in position.legal(seat) if not getattr(action, "zones", ())} <= actions
        assert not list(PRESENTER.actions(position, (seat + 1) % players))


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
        if not ignores_tempests(layout.record[0], position.states[0], position.player):
            met = {
                zone[0]
                for zone in layout.zones
                if zone[0] not in position.plain.paid
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
            height = position.stacks()[action.source].height - len(action.zones)
            before = position.stack(action.target)
            height += before.height if before and effect == "regroup" else 0
            assert (stack.height if stack else 0) == (0 if effect in {"kamikaze", "perish"} else height)
            if effect in {"attack", "kamikaze"}:
                assert before is not None
                assert before.owner != seat
        elif effect in {"build", "upgrade", "replace"}:
            stack = after.stack(action.source)
            left = position.stacks()[action.source].height - choice["cost"]
            assert (stack.height if stack else 0) == left
            owner = position.buildings().get(action.site, (None, 0))[0]
            assert effect == {None: "build", seat: "upgrade"}.get(owner, "replace")
        elif effect == "reinforce":
            before = position.stacks()[action.space]
            assert after.stacks()[action.space].height == before.height + action.count
        elif effect in {"march", "moon", "sandtemple"}:
            removed = after.plain.removed[seat] - position.plain.removed[seat]
            assert removed == choice["cost"]


def test_all_effects_occur_in_the_games_above() -> None:
    found = {choice["effect"] for game in GAMES for _, _, choice in described(*game)}
    expected = MOVES | {"build", "upgrade", "replace", "march", "reinforce", "swap", "end"}
    assert expected <= found


@pytest.mark.parametrize("seed", range(6))
def test_points_and_stacks_are_those_of_the_positions(seed: int) -> None:
    sums: list[int] = []
    for position, seat, action in random_game(seed, 150, players=2 + seed % 3, variants=ALL_VARIANTS):
        after = position.play(seat, action)
        shown = PRESENTER.describe(position, action, after)
        none = [0] * position.players
        sums = [had + more for had, more in zip(sums or none, shown.get("points", none), strict=True)]
        assert sums == [after.total(player) for player in range(position.players)]
        if shown["effect"] in {"attack", "kamikaze"}:
            assert isinstance(action, Move)
            met = position.stacks()[action.target]
            assert shown["met"] == {"owner": met.owner, "height": met.height, "emperor": met.emperor}
        else:
            assert ("met" in shown) == (shown["effect"] == "sandtemple")
        assert ("razed" in shown) == (shown["effect"] == "replace")
        captives = [position.captives(player) for player in range(position.players)]
        for freed in shown.get("freed", []):
            assert after.plain.whereabouts[freed] == Whereabouts.RESERVE
            assert any(freed in held for held in captives) or shown["met"]["emperor"]


def test_exchange_of_emperors_shows_the_points_it_costs() -> None:
    """E5.7: seat 1 holds the Emperor of seat 0; now seat 0 captures theirs, and both come back at once."""
    before = draw("3@0,2", "1E@1,2 2@-1,1 holds0")
    action = Move(Space(0, 2), Space(1, 2))
    shown = PRESENTER.describe(before, action, before.play(0, action))
    assert shown["met"] == {"owner": 1, "height": 1, "emperor": True}
    assert shown["freed"] == [0, 1]
    assert shown["points"] == [0, -3]
    assert shown["height"] == 3
