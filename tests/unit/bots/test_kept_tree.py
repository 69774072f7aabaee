"""The tree of Ekö's search is kept from one decision to the next, and is never more than a cache."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ekoes.bots import KeptSearch, Thought, bot, bots, decide, seated
from ekoes.games.api.chance import Chance
from ekoes.games.eko.bots.levels import MASTER, STRONG
from ekoes.games.eko.bots.search import Search
from ekoes.games.eko.bots.tree import ROOT, Control
from ekoes.games.eko.game import EKO
from ekoes.games.eko.position.position import EkoPosition
from ekoes.games.kernels import COMPILED
from tests.kit.examples import property_settings
from tests.rules.eko.board import play
from tests.unit.bots.test_search import ANY_GAME, SMALL, STEPS, free_rows, rows_in_tree
from tests.unit.games import random_game

BOARD = EKO.new({"players": 2}, 1)


def searched(where: EkoPosition, steps: int = STEPS, **options: Any) -> Search:
    search = Search(where, **options)
    search.run(iterations=steps)
    return search


def visits(search: Search) -> int:
    return int(search._nodes[ROOT]["visits"])


@property_settings(20, interpreted=3)
@given(seed=st.integers(0, 2**32), options=ANY_GAME, length=st.integers(1, 200), far=st.integers(1, 6))
def test_what_was_searched_below_a_position_is_kept(
    seed: int, options: dict[str, Any], length: int, far: int
) -> None:
    *_, (where, _, _) = random_game(seed, length, **options)
    search = searched(where)
    (line,) = search.lines(1)
    there = play(where, *line.actions[:far])
    if there.outcome() is not None:
        return
    search.move_to(there)
    kept, value = visits(search), search.value
    assert search.iterations == search.depth == 0
    if far == 1 and line.iterations > 0:
        assert kept == line.iterations
        assert value == line.value
    search.run(iterations=STEPS)
    assert visits(search) == kept + search.iterations
    assert search.iterations == STEPS or search._nodes[ROOT]["proven"]
    assert sorted(map(repr, search.ranking())) == sorted(map(repr, there.legal()))
    for line in search.lines(3):
        play(there, *line.actions)


@pytest.mark.usefixtures("evaluates_all")
def test_a_kept_tree_is_what_as_many_iterations_of_a_new_one_make() -> None:
    search = searched(BOARD, 10 * STEPS)
    (line,) = search.lines(1)
    there = play(BOARD, line.actions[0])
    search.move_to(there)
    search.run(iterations=STEPS)
    fresh = searched(there, line.iterations + STEPS)
    found = {one.actions[0]: one.iterations for one in search.lines(999)}
    assert found == {one.actions[0]: one.iterations for one in fresh.lines(999)}


def test_a_position_can_be_searched_on() -> None:
    search = searched(BOARD)
    search.stop()
    search.move_to(BOARD)
    search.run(iterations=STEPS)
    assert search.iterations == STEPS
    assert visits(search) == 2 * STEPS
    assert search.lines(99) == searched(BOARD, 2 * STEPS).lines(99)


@pytest.mark.parametrize("other", ["another board", "before", "more players"])
def test_a_position_that_is_not_in_the_tree_begins_anew(other: str) -> None:
    where = play(BOARD, BOARD.legal()[0])
    there = {
        "another board": EKO.new({"players": 2}, 2),
        "before": BOARD,
        "more players": EKO.new({"players": 4}, 1),
    }[other]
    search = searched(where)
    search.move_to(there)
    assert search.value == (0,) * there.players, "nothing is known yet"
    search.run(iterations=STEPS)
    fresh = searched(there)
    assert search.lines(999) == fresh.lines(999)
    assert search.value == fresh.value


def test_where_a_third_repetition_ends_the_game_nothing_is_kept() -> None:
    where, action = next(
        (before, action)
        for before, _, action in random_game(5, 90)
        if before.turn_number > 3 and before.play(before.actors()[0], action).turn_number > before.turn_number
    )
    seen = [play(where, action).digest()] * 2
    search = searched(where)
    search.move_to(where, seen)
    search.run(iterations=STEPS)
    fresh = Search(where, seen)
    fresh.run(iterations=STEPS)
    assert search.lines(999) == fresh.lines(999)
    search.move_to(where)
    search.run(iterations=STEPS)
    assert search.lines(999) == searched(where).lines(999), "nor is what was true with the repetitions"


def game_of_one_tree(search: Search, steps: int) -> Iterator[EkoPosition]:
    """The positions of a game of a search with itself, each after its search."""
    where = BOARD
    while where.outcome() is None and where.turn_number < (40 if COMPILED else 2):
        search.move_to(where)
        search.run(iterations=steps)
        yield where
        where = play(where, search.ranking()[0])


def test_memory_is_bounded_through_a_whole_game_and_no_row_is_lost() -> None:
    search = Search(BOARD, memory=SMALL)
    rows, recycled = len(search._nodes), False
    for _ in game_of_one_tree(search, 400 if COMPILED else 2):
        assert len(search._nodes) == rows
        tree, free = list(rows_in_tree(search)), list(free_rows(search))
        assert sorted(tree + free) == list(range(search._control[Control.USED]))
        recycled = recycled or search._control[Control.HAND] > 0
    assert recycled or not COMPILED


def test_a_game_is_searched_on_from_decision_to_decision() -> None:
    search = Search(BOARD)
    kept = [visits(search) - search.iterations for _ in game_of_one_tree(search, STEPS)]
    assert sum(kept) > 0


def test_master_has_a_tree_at_each_seat_and_the_other_levels_none() -> None:
    for name in bots("eko"):
        player = bot("eko", name)
        assert (seated(player) is player) == (name != "master")
    one, other = seated(bot("eko", "master")), seated(bot("eko", "master"))
    assert one is not other
    assert one.name == "master"
    where = BOARD
    for _ in range(6):
        (seat,) = where.actors()
        action = decide((one, other)[seat], where, seat, Chance(1), Thought(iterations=STEPS))
        where = where.play(seat, action)
    assert decide(one, BOARD, 0, Chance(1), Thought(iterations=STEPS)) == decide(
        bot("eko", "master"), BOARD, 0, Chance(1), Thought(iterations=STEPS)
    ), "after a takeback it begins anew"


def test_master_ponders_in_the_position_that_it_left_until_its_steps_are_done() -> None:
    player = replace(MASTER, iterations=3 * STEPS, kept=[])
    assert not player.ponder(60), "it has not decided yet"
    (seat,) = BOARD.actors()
    there = play(BOARD, decide(player, BOARD, seat, Chance(1), Thought(iterations=STEPS)))
    assert player.kept
    (search,) = player.kept
    assert search.position == there
    while player.ponder(0.001):
        assert search.iterations < 3 * STEPS
    assert search.iterations == 3 * STEPS
    assert not player.ponder(60)
    assert search.iterations == 3 * STEPS
    assert not MASTER.ponder(60), "without a seat there is nothing to keep"


def test_a_search_is_kept_for_the_same_key_only() -> None:
    kept, begun = KeptSearch(), []

    def begin() -> Search:
        begun.append(Search(BOARD, memory=SMALL))
        return begun[-1]

    first = kept.next("a", BOARD, (), begin)
    assert kept.next("a", BOARD, (), begin) is first
    assert kept.next("b", BOARD, (), begin) is not first
    assert kept.next("a", BOARD, (), begin) is not first, "one is kept"
    kept.drop()
    kept.next("a", BOARD, (), begin)
    assert len(begun) == 4


def test_a_level_that_keeps_nothing_chooses_the_same_whatever_came_before() -> None:
    player, thought = seated(STRONG), Thought(iterations=STEPS)
    assert decide(player, BOARD, 0, Chance(1), thought) == decide(player, BOARD, 0, Chance(1), thought)
