"""The search of Ekö: what it judges by, what it finds, when it ends, and that it is the same every time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import blake2b
from threading import Timer
from threading import enumerate as enumerate_threads
from typing import Any, TypeVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ekoes.bots import Thought, begin_search, bot, decide, watch
from ekoes.errors import EkoesError, NotationError, PositionError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE
from ekoes.games.eko.bots.evaluation import (
    COLUMNS,
    SETS,
    Feature,
    describe,
    network_for,
    power,
    read_networks,
    write_networks,
)
from ekoes.games.eko.bots.levels import MASTER
from ekoes.games.eko.bots.search import CHILDREN, PARAMS, Search, SearchParams
from ekoes.games.eko.bots.training import first_network
from ekoes.games.eko.bots.tree import NONE, PLACES, ROOT, VIEWS, Control, Stage, expected_gain, learn_gain
from ekoes.games.eko.game import EKO
from ekoes.games.eko.position.action import Build, March, Move, format_action, parse_action
from ekoes.games.eko.position.layout import THREAD
from ekoes.games.eko.position.position import EkoPosition, encode
from ekoes.games.eko.puzzles import puzzle
from ekoes.games.eko.rules.record import MOST_PLAYERS, Phase, Whereabouts
from ekoes.games.kernels import COMPILED
from tests.kit.examples import property_settings
from tests.rules.eko.board import SHUFFLED, draw, play
from tests.unit.ekko_games import random_ekko
from tests.unit.games import ALL_VARIANTS, random_game

T = TypeVar("T")
STEPS = 40 if COMPILED else 4

ANY_GAME = st.fixed_dictionaries(
    {
        "players": st.integers(2, 4),
        "variants": st.lists(st.sampled_from(ALL_VARIANTS), unique=True),
        "setup": st.sampled_from(["standard", "draft"]),
    }
)


def features(where: EkoPosition) -> np.ndarray[Any, Any]:
    rows = np.zeros((MOST_PLAYERS, COLUMNS), np.int16)
    layout = where.layout
    describe(layout.record[0], where.states[0], THREAD.work[0], np.zeros((SETS, 2), np.uint64), rows)
    return rows[: where.players]


def as_if_begun(where: EkoPosition, seat: int) -> EkoPosition:
    """The position as if a player's turn began now."""
    states = where.states.copy()
    states["player"], states["phase"] = seat, Phase.ACTION
    return EkoPosition(where.layout, states)


def gain_after(where: EkoPosition, seat: int, walk: Move) -> int:
    """The most points that a stack could bring by a construction after a walk."""
    there = as_if_begun(where.play(seat, walk), seat)
    builds = [act for act in there.legal(seat) if isinstance(act, Build) and act.source == walk.target]
    return max((there.play(seat, act).total(seat) - there.total(seat) for act in builds), default=0)


@property_settings(40, interpreted=5)
@given(seed=st.integers(0, 2**32), players=st.integers(2, 4), length=st.integers(8, 150))
def test_features_say_what_the_rules_allow(seed: int, players: int, length: int) -> None:
    *_, (where, _, _) = random_game(seed, length, players=players)
    rows, stacks, buildings = features(where), where.stacks(), where.buildings()
    raided = [0] * players
    for seat in range(players):
        begun = as_if_begun(where, seat)
        actions = begun.legal(seat)
        moves = [action for action in actions if isinstance(action, Move)]
        taken = {move.target for move in moves if move.target in stacks and stacks[move.target].owner != seat}
        builds = [action for action in actions if isinstance(action, Build)]
        gains = [begun.play(seat, action).total(seat) - begun.total(seat) for action in builds]
        row = rows[seat]
        assert row[Feature.POINTS] == where.total(seat)
        assert row[Feature.PREY] == len(taken)
        assert row[Feature.PREY_EMPEROR] == any(stacks[space].emperor for space in taken)
        assert row[Feature.GAIN] == max(gains, default=0)
        assert row[Feature.BUILDERS] == len({action.source for action in builds})
        bought = {(act.site, act.kind): gain for act, gain in zip(builds, gains, strict=True)}
        highest = [*sorted(bought.values(), reverse=True), 0, 0]
        assert row[Feature.SECOND_GAIN] == highest[1]
        assert row[Feature.BUILDABLE] == len({action.site for action in builds})
        free = {move.target for move in moves if move.target not in stacks}
        walks = [gain_after(begun, seat, move) for move in moves if move.target in free]
        assert row[Feature.WALK_GAIN] == max(walks, default=0)
        assert row[Feature.TERRITORY] == len(free)
        room = {move.target for move in moves if stacks[move.source].emperor and move.target in free}
        assert row[Feature.EMPEROR_ROOM] == len(room)
        ordinary = where.states["reserve"][0][seat] - (where.plain.whereabouts[seat] == Whereabouts.RESERVE)
        assert row[Feature.MARCH] == (ordinary >= 3)
        can_march = any(isinstance(action, March) for action in where.legal(seat))
        if (
            moves or builds
        ):  # else there is nothing to march for; an Emperor in the reserve counts for neither
            assert row[Feature.MARCHING] == (can_march and ordinary >= 3)
        is_second = where.phase is Phase.SECOND and where.player == seat
        assert row[Feature.SECOND_ACTION] == is_second
        for site, _ in bought:
            owner, level = buildings.get(site, (seat, 0))
            raided[owner] += level if owner != seat else 0
        mine = [stack.height for stack in stacks.values() if stack.owner == seat]
        assert [row[Feature.HEIGHT_1 + height] for height in range(4)] == [
            mine.count(height) for height in range(1, 5)
        ]
    assert rows[:, Feature.NEXT].sum() == 1
    assert (rows[:, Feature.RAIDED_POINTS] == raided).all()


def test_what_one_could_take_the_other_could_lose() -> None:
    for where, _, _ in random_game(3, 120):
        rows = features(where)
        assert rows[0, Feature.PREY] == rows[1, Feature.EXPOSED]
        assert rows[1, Feature.PREY_EMPEROR] == rows[0, Feature.EXPOSED_EMPEROR]


@pytest.mark.parametrize("exponent", [-5.0, -1.0, -0.1, 0.0, 0.5, 3.0])
def test_power_is_nearly_that_of_e(exponent: float) -> None:
    assert power(exponent) == pytest.approx(np.exp(exponent), rel=0.02)


@property_settings(60, interpreted=5)
@given(seed=st.integers(0, 2**32), options=ANY_GAME, length=st.integers(1, 200))
def test_search_is_legal_and_the_same_every_time(seed: int, options: dict[str, Any], length: int) -> None:
    *_, (where, seat, _) = random_game(seed, length, **options)
    first, second = Search(where), Search(where)
    for search in (first, second):
        search.run(iterations=STEPS)
    assert first.value == second.value
    assert first.lines(5) == second.lines(5)
    assert sum(first.value) == pytest.approx(1.0, abs=1e-6) or first.iterations < STEPS
    for line in first.lines(3):
        play(where, *line.actions)
    assert where.why_not(seat, first.ranking()[0]) is None


@property_settings(100, interpreted=2)
@given(seed=st.integers(0, 2**32), options=ANY_GAME, length=st.integers(1, 250))
def test_master_decides_anywhere(seed: int, options: dict[str, Any], length: int) -> None:
    *_, (where, seat, _) = random_game(seed, length, **options)
    assert where.why_not(seat, MASTER.think(where, seat, Chance(1), seconds=0.01)) is None


TREES = {
    (2, ()): "51236aa417f00a6b",
    (4, ("labyrinth", "pyramids")): "4e16b83621e9880b",
}
"""Players and variants, and a digest of the tree of two steps."""


@pytest.mark.parametrize(("players", "variants"), TREES)
def test_trees_are_the_same_compiled_and_interpreted(
    players: int, variants: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ekoes.games.eko.bots.search.network_for", lambda _: first_network())
    params = PARAMS.copy()
    params[SearchParams.WARM_UP] = 0
    monkeypatch.setattr("ekoes.games.eko.bots.search.PARAMS", params)
    *_, (where, _, _) = random_game(11, 90, players=players, variants=list(variants))
    search = Search(where)
    search.run(iterations=2)
    tree = search._nodes[: search._control[Control.USED]]
    shown = b"".join(tree[field].tobytes() for field in ("code", "visits", "value", "average", "prior"))
    assert blake2b(shown, digest_size=8).hexdigest() == TREES[players, variants]


def test_a_win_by_one_action_is_certain() -> None:
    where = draw("2E@-1,2", "1E@0,2", tiles=SHUFFLED)
    search = Search(where)
    search.run(seconds=60)
    (line,) = search.lines(1)
    assert (line.actions, line.value, line.proven) == ((parse_action("-1,2>0,2", where),), (1.0, 0.0), True)


def test_a_win_by_a_forced_march_is_found() -> None:
    where = draw("3E@-1,2 +3", "1E@0,2 1@-1,1", tiles=SHUFFLED)
    seat, actions = 0, []
    while where.outcome() is None and where.player == seat:
        search = Search(where)
        search.run(iterations=30)
        actions.append(search.ranking()[0])
        where = where.play(seat, actions[-1])
    outcome = where.outcome()
    assert outcome is not None
    assert outcome.winners == (seat,)


def test_what_comes_the_third_time_is_no_win() -> None:
    where = next(
        before
        for before, _, _ in random_game(5, 60)
        if before.phase is Phase.AFTER and len(before.codes) > 1 and March() not in before.legal()
    )
    (seat,) = where.actors()
    plain = Search(where)
    plain.run(iterations=STEPS)
    liked = plain.ranking()[0]
    digest = where.play(seat, liked).digest()
    once, twice = Search(where, [digest]), Search(where, [digest, digest])
    for search in (once, twice):
        search.run(iterations=STEPS)
    assert once.ranking()[0] == liked
    (drawn,) = (line for line in twice.lines(500) if line.actions[0] == liked)
    assert drawn.proven
    assert sum(drawn.value) == 0
    assert twice.ranking()[0] != liked


def test_search_ends_on_stop() -> None:
    search = Search(EKO.new({"players": 4}, 1))
    Timer(0.2, search.stop).start()
    search.run()
    assert search.iterations >= 1


def test_search_that_was_stopped_before_takes_one_step() -> None:
    search = Search(EKO.new({"players": 2}, 1))
    search.stop()
    search.run()
    assert search.iterations == 1


SMALL = 0
"""MiB of the smallest tree: a few hundred iterations fill it."""
BEYOND = 2000 if COMPILED else STEPS
"""Iterations of which a small tree is full many times over."""


def children_of(search: Search, node: int) -> Iterator[int]:
    child = int(search._nodes["child"][node])
    while child != NONE:
        yield child
        child = int(search._nodes["sibling"][child])


def rows_in_tree(search: Search, node: int = ROOT) -> Iterator[int]:
    """The rows of a node and all below it."""
    yield node
    for child in children_of(search, node):
        yield from rows_in_tree(search, child)


def free_rows(search: Search) -> Iterator[int]:
    for column in (Control.FREE, Control.GARBAGE):
        row = int(search._control[column])
        while row != NONE:
            yield from rows_in_tree(search, row)
            row = int(search._nodes["sibling"][row])


@property_settings(4, interpreted=2)
@given(seed=st.integers(0, 2**32), options=ANY_GAME, length=st.integers(20, 150))
def test_a_full_tree_takes_all_iterations_and_loses_no_row(
    seed: int, options: dict[str, Any], length: int
) -> None:
    *_, (where, _, _) = random_game(seed, length, **options)
    search = Search(where, memory=SMALL)
    search.run(iterations=BEYOND)
    nodes, tree, free = search._nodes, list(rows_in_tree(search)), list(free_rows(search))
    if not nodes[ROOT]["proven"]:
        assert search.iterations == BEYOND
    assert nodes[ROOT]["visits"] == search.iterations
    assert sum(line.iterations for line in search.lines(10_000)) == search.iterations - 1
    assert sorted(tree + free) == list(range(search._control[Control.USED]))
    for node in tree:
        children = list(children_of(search, node))
        assert sum(int(nodes[child]["visits"]) for child in children) < max(int(nodes[node]["visits"]), 1)


def test_a_tree_with_room_for_little_more_than_the_root_does_not_stop() -> None:
    *_, (where, _, _) = random_game(11, 90)
    search = Search(where, memory=SMALL)
    search._nodes = search._nodes[: len(where.codes) + 10]
    search.run(iterations=BEYOND)
    assert search.iterations == BEYOND
    assert sum(line.iterations for line in search.lines(10_000)) == BEYOND - 1
    assert {line.actions[0] for line in search.lines(10_000)} == set(where.legal())


@pytest.mark.skipif(not COMPILED, reason="interpreted kernels run in one thread")
@property_settings(4)
@given(seed=st.integers(0, 2**32), options=ANY_GAME, length=st.integers(20, 150))
def test_threads_share_a_tree_and_lose_no_row(seed: int, options: dict[str, Any], length: int) -> None:
    *_, (where, _, _) = random_game(seed, length, **options)
    search = Search(where, memory=SMALL)
    for goal in (BEYOND // 2, BEYOND):
        search.run(iterations=goal, threads=3)
        nodes, tree, free = search._nodes, list(rows_in_tree(search)), list(free_rows(search))
        assert search.iterations == nodes[ROOT]["visits"]
        assert nodes[ROOT]["proven"] or search.iterations == goal
        assert sorted(tree + free) == list(range(search._control[Control.USED]))
        assert not nodes[tree]["busy"].any()
        for node in tree:
            children = list(children_of(search, node))
            assert sum(int(nodes[child]["visits"]) for child in children) <= int(nodes[node]["visits"])
    assert {line.actions[0] for line in search.lines(10_000)} == set(where.legal())


@pytest.mark.skipif(not COMPILED, reason="interpreted kernels run in one thread")
def test_as_many_threads_search_as_are_asked_for() -> None:
    search = Search(EKO.new({"players": 2}, 1))
    for _ in watch(search, seconds=60, every=0.01, threads=3):
        if sum(thread.name.startswith("search") for thread in enumerate_threads()) == 2:
            break
    else:
        pytest.fail("two threads never helped the first one")


@property_settings(6, interpreted=2)
@given(seed=st.integers(0, 2**32), options=ANY_GAME, length=st.integers(20, 150))
def test_a_node_looks_at_some_decisions_first_and_at_all_from_its_fourth_visit_on(
    seed: int, options: dict[str, Any], length: int
) -> None:
    *_, (where, _, _) = random_game(seed, length, **options)
    search = Search(where)
    warm_up = int(PARAMS[SearchParams.WARM_UP])
    search.run(iterations=warm_up)
    nodes = search._nodes
    old = set(rows_in_tree(search))
    search.run(iterations=10 * STEPS)
    assert Stage.PROMISING in nodes["stage"] or nodes[ROOT]["proven"] or search.iterations <= warm_up
    for node in rows_in_tree(search):
        visits, stage = nodes[node]["visits"], nodes[node]["stage"]
        rows = len(list(children_of(search, node)))
        if node == ROOT:
            assert rows == len(where.codes)
        elif nodes[node]["proven"]:
            continue
        elif visits == 0:
            assert (stage, rows) == (Stage.NONE, 0)
        elif visits >= 4 or (node in old and nodes[node]["child"] in old):
            assert stage in {Stage.BEST, Stage.ALL}
        else:
            assert stage in {Stage.PROMISING, Stage.ALL}
            assert 1 <= rows <= CHILDREN


def test_what_a_decision_brings_is_learned_for_it_and_for_those_like_it() -> None:
    where = draw("2E@-1,2 2@-1,1", "1@0,2 +E", tiles=SHUFFLED)
    state, history = where.states[0], np.zeros((MOST_PLAYERS, VIEWS, PLACES))
    here, there, away = (
        encode(parse_action(text, where), where.layout) for text in ("-1,2>0,2", "-1,1>0,2", "g4>a6")
    )
    for _ in range(300):
        learn_gain(history, state, 0, here, 0.3)
    assert expected_gain(history, state, 0, here) == pytest.approx(0.3)
    assert 0 < expected_gain(history, state, 0, there) < 0.3
    assert expected_gain(history, state, 0, away) == 0
    assert expected_gain(history, state, 1, here) == 0


@pytest.mark.skipif(not COMPILED, reason="no tree is full after so few iterations")
@pytest.mark.usefixtures("evaluates_all")
def test_what_was_visited_once_is_recycled_without_a_difference() -> None:
    *_, (where, _, _) = random_game(11, 90)
    small, large = Search(where, memory=1), Search(where)
    for search in (small, large):
        search.run(iterations=4000)
    assert small._control[Control.HAND] > 0, "rows were recycled"
    assert small._control[Control.FEW] == 1
    assert [line.iterations for line in small.lines(99)] == [line.iterations for line in large.lines(99)]
    assert [line.value for line in small.lines(99)] == [line.value for line in large.lines(99)]


@pytest.mark.skipif(not COMPILED, reason="no tree is full after so few iterations")
@pytest.mark.parametrize("threads", [1, 2])
def test_a_win_is_proven_in_a_tree_that_is_too_small_for_it(threads: int) -> None:
    solved = puzzle("1d2d63c897")
    search = Search(solved.position, memory=SMALL)
    search.run(iterations=2 * BEYOND, threads=threads)
    assert search._control[Control.RECYCLED] > 0
    (line,) = search.lines(1)
    assert line.proven
    assert line.value[solved.seat] == 1
    assert format_action(line.actions[0], solved.position) == solved.solution[0]


def test_lines_are_legal_while_rows_are_recycled() -> None:
    where = EKO.new({"players": 2}, 1)
    infos = watch(Search(where, memory=SMALL), iterations=2 * BEYOND, lines=3, every=0.001)
    for line in [line for info in infos for line in info.lines]:
        play(where, *line.actions)


def test_what_asks_no_choice_asks_no_thought() -> None:
    where = next(
        before for seed in range(99) for before, _, _ in random_game(seed, 300) if len(before.codes) == 1
    )
    search = MASTER.begin(where)
    MASTER.run(search)
    assert search.iterations == 1
    assert MASTER.pick(search, Chance(1)) == where.legal()[0]


def test_search_limits_are_those_of_the_caller() -> None:
    where = EKO.new({"players": 2}, 1)
    search = MASTER.begin(where)
    MASTER.run(search, seconds=60, iterations=3)
    assert search.iterations == 3
    greedy = bot("eko", "greedy")
    assert decide(greedy, where, 0, Chance(1), Thought(iterations=1)) == greedy.choose(where, 0, Chance(1))


def test_analysis_reports_progress_and_the_end() -> None:
    where = EKO.new({"players": 2}, 1)
    *_, last = infos = list(watch(Search(where), iterations=STEPS, lines=2, every=0.001))
    assert last.iterations == STEPS
    assert [info.iterations for info in infos] == sorted(info.iterations for info in infos)
    shown = last.to_json(where)
    assert [len(line["value"]) for line in shown["lines"]] == [2, 2]


def test_analysis_that_is_closed_ends_its_search() -> None:
    infos = watch(Search(EKO.new({"players": 2}, 1)), every=0.001)
    assert next(infos).iterations >= 0
    infos.close()  # which waits for the thread


def test_a_game_without_a_search_is_not_analysed() -> None:
    dealt = next(where for where, seat, _ in random_ekko(1) if seat != CHANCE)
    with pytest.raises(NotationError, match="positions of ekko are not analysed"):
        begin_search(dealt.game, dealt, (), SMALL)


def test_networks_are_read_as_they_were_written() -> None:
    networks = {players: network_for(players) for players in (2, 3, 4)}
    again = read_networks(write_networks(networks, {}))
    assert all(again[players].tobytes() == networks[players].tobytes() for players in networks)


@pytest.mark.parametrize("broken", ["missing", "short", "fraction", "large"])
def test_broken_networks_are_refused_by_key(broken: str) -> None:
    value = json.loads(write_networks({players: network_for(players) for players in (2, 3, 4)}, {}))
    network = value["networks"]["3"]
    if broken == "missing":
        del network["points"]
    elif broken == "short":
        network["points"] = network["points"][:1]
    else:
        network["points"][0] = 0.5 if broken == "fraction" else 2**15
    with pytest.raises(PositionError, match=r"networks\.3\.points") as caught:
        read_networks(json.dumps(value))
    assert isinstance(caught.value, EkoesError)
