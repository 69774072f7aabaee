"""The choices sent to the page describe what playing them does, and the log what it did."""

from __future__ import annotations

from functools import cache
from itertools import islice, pairwise
from typing import Any

import orjson
import pytest

from ekoes.games.eko.game import EKO
from ekoes.games.eko.position.action import Move, Space
from ekoes.games.eko.position.position import EkoPosition
from ekoes.games.eko.position.tiles import distance
from ekoes.games.eko.presenter import MOST_ROWS, PRESENTER
from ekoes.games.eko.rules.paths import MOST_NODES
from ekoes.games.eko.rules.record import Whereabouts
from ekoes.tables.table import MOST_ACTIONS
from tests.kit.choices import members_of, offered
from tests.kit.examples import IS_LONG
from tests.rules.eko.board import draw
from tests.unit.games import ALL_VARIANTS, random_game

GAMES = [(seed, players) for seed in range(4 if IS_LONG else 1) for players in (2, 3, 4)]
MOVES = {"move", "regroup", "attack", "kamikaze", "perish"}


@cache
def described(seed: int, players: int) -> list[tuple[EkoPosition, int, dict[str, Any]]]:
    """Choices of a random game with all variants, some of each position, with what the log would say."""
    found = []
    for position, seat, _ in random_game(seed, 120, players=players, variants=ALL_VARIANTS):
        some = all_offered(position, seat)
        for choice in some[:: max(1, len(some) // 9)]:
            action = EKO.parse_action(choice["action"])
            shown = PRESENTER.describe(position, action, position.play(seat, action))
            assert shown["effect"] == choice["effect"]
            found.append((position, seat, shown | choice))
    return found


def all_offered(position: EkoPosition, seat: int) -> list[dict[str, Any]]:
    """What a page has when it has asked for all stacks that can do more."""
    shown, spaces = PRESENTER.choices(position, seat), position.layout.coordinates
    more = members_of(shown.get("more", "0"))
    answers = [shown, *(PRESENTER.ways(position, space)["choices"] for space in more)]
    return [choice for answer in answers for choice in offered(answer, spaces)]


@pytest.mark.parametrize(("seed", "players"), GAMES)
def test_the_rows_hold_the_legal_actions_each_once(seed: int, players: int) -> None:
    for position, seat, _ in random_game(seed, 120, players=players, variants=ALL_VARIANTS):
        actions = [EKO.parse_action(choice["action"]) for choice in all_offered(position, seat)]
        assert len(actions) == len(position.legal(seat))
        assert set(actions) == set(position.legal(seat))


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
        if not position.ignores_tempests:
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


def test_nobody_else_has_choices() -> None:
    position = EKO.new({"players": 3}, seed=4)
    (seat,) = position.actors()
    assert [bool(PRESENTER.choices(position, other)) for other in range(3)] == [
        other == seat for other in range(3)
    ]


@pytest.mark.parametrize(("seed", "players"), GAMES)
def test_the_ways_of_a_stack_lead_to_all_its_targets_as_the_log_would_tell(seed: int, players: int) -> None:
    for position, seat, _ in list(random_game(seed, 120, players=players, variants=ALL_VARIANTS))[::9]:
        some = [choice for choice in all_offered(position, seat) if choice["action"]["type"] == "move"]
        for source in {choice["action"]["from"] for choice in some}:
            paths = paths_of(position, source)
            for action in (choice["action"] for choice in some if choice["action"]["from"] == source):
                move = EKO.parse_action(action)
                path = PRESENTER.describe(position, move, position.play(seat, move))["path"]
                assert len(paths[action["to"], tuple(action.get("zones", []))]) == len(path)


def paths_of(position: EkoPosition, source: str) -> dict[tuple[str, tuple[str, ...]], list[str]]:
    """What a page makes of the ways of a stack: paths by the space where they end and their zones."""
    spaces = position.layout.coordinates
    reached: list[tuple[list[int], list[int]]] = []
    found: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for space, before, *zone in PRESENTER.ways(position, spaces.index(source))["nodes"]:
        path, zones = reached[before] if before >= 0 else ([], [])
        reached.append(([*path, space], sorted({*zones, *zone})))
        there = (spaces[space], tuple(spaces[zone] for zone in reached[-1][1]))
        found.setdefault(there, [spaces[each] for each in reached[-1][0]])
    return found


def test_the_most_choices_that_are_known_take_little_room() -> None:
    """5,525 decisions in one position: once 1.8 MB, a description for each."""
    *_, (position, seat, _) = random_game(24, 193, players=4, variants=ALL_VARIANTS)
    shown = PRESENTER.choices(position, seat)
    assert len(orjson.dumps(shown)) < 1536
    answers = [PRESENTER.ways(position, space) for space in members_of(shown["more"])]
    assert max(len(orjson.dumps(answer)) for answer in answers) < 16384


def test_nothing_is_ever_too_large_to_be_sent() -> None:
    """The longest rows and nodes that there can be, as many as there may be."""
    row = [120, "f" * 32, [117, 118, 119, 120], True]
    answer = {"choices": {"move": [row] * MOST_ROWS}, "nodes": [[120, MOST_NODES, 120]] * MOST_NODES}
    assert len(orjson.dumps(answer)) < 64 * 1024 - 512


@pytest.mark.parametrize("seed", range(6))
def test_points_and_stacks_are_those_of_the_positions(seed: int) -> None:
    sums: list[int] = []
    for position, seat, action in random_game(seed, 150, players=2 + seed % 3, variants=ALL_VARIANTS):
        after = position.play(seat, action)
        shown = PRESENTER.describe(position, action, after)
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
