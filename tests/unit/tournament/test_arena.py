"""Arenas as values: who is paired, and what games won in a row, berserk and too soon bring."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from time import perf_counter
from typing import Any

import pytest

from ekoes.tournaments.arena import PATIENCE, paired
from ekoes.tournaments.standings import sheets, standings
from ekoes.tournaments.state import Game, Tournament
from tests.unit.tournament.playing import people, plan


def arena(number: int, *games: Game, players: int = 2) -> Tournament:
    """An arena in which each game was paired alone."""
    return Tournament(plan("arena", players), people(number), tuple((game,) for game in games), "running")


def won(one: int, other: int, **how: Any) -> Game:
    return Game((one, other), "t", (0, 1), **how)


def drawn(one: int, other: int) -> Game:
    return Game((one, other), "t", (0, 0))


def pairs(tournament: Tournament, waited: dict[int, float]) -> set[frozenset[int]]:
    return {frozenset(game.seats) for game in paired(tournament, waited)}


def test_third_win_in_a_row_counts_double_until_a_game_is_not_won() -> None:
    games = [won(1, 2), won(1, 3), won(1, 4), won(1, 5), drawn(1, 6), won(1, 2), won(3, 1)]
    sheet = sheets(arena(6, *games))[0][1]
    assert sheet.scores == [2, 2, 4, 4, 2, 2, 0]
    assert sheet.points == 16
    assert (sheet.wins, sheet.streak) == (5, 0)


def test_berserk_brings_a_point_more_for_a_win_alone() -> None:
    berserk = frozenset({0})
    games = [won(1, 2, berserk=berserk), won(3, 1, berserk=berserk), replace(drawn(1, 2), berserk=berserk)]
    found = sheets(arena(3, *games))[0]
    assert [found[number].scores for number in (1, 2, 3)] == [[3, 0, 1], [0, 1], [3]]


def test_brief_game_brings_nothing_but_for_waiting_and_ends_the_streak_of_its_loser() -> None:
    """So two who give up to each other at once gain nothing."""
    both = frozenset({0, 1})
    games = [won(1, 2), won(1, 2), won(1, 3, brief=True, berserk=both), won(1, 4), won(2, 1, brief=True)]
    found = sheets(arena(4, *games))[0]
    assert [found[number].scores for number in (1, 3)] == [[2, 2, 0, 4, 0], [0]]
    assert found[1].streak == 0
    waited = sheets(arena(2, won(1, 2), won(1, 2), won(1, 2, brief=True, absent=frozenset({1}))))[0][1]
    assert waited.scores == [2, 2, 2]
    assert waited.streak == 2


def test_at_tables_of_several_points_go_by_place() -> None:
    game = Game((1, 2, 3, 4), "t", (0, 1, 2, 3))
    found = sheets(arena(4, game, game, game, players=4))[0]
    assert [found[number].points for number in (1, 2, 3, 4)] == [8, 4, 2, 0]
    assert found[2].scores == [Fraction(4, 3)] * 3


def test_ties_are_broken_by_wins_then_by_fewer_games() -> None:
    games = [won(1, 5), drawn(2, 3), drawn(2, 3), won(4, 6), won(6, 4)]
    shown = {it.entrant: it for it in standings(arena(6, *games))}
    assert [shown[number].points for number in (1, 2, 4)] == [2, 2, 2]
    assert [shown[number].rank for number in (1, 4, 6, 2, 3, 5)] == [1, 2, 2, 4, 4, 6]


def test_neighbours_in_the_standings_meet_but_not_those_who_have_just_met() -> None:
    games = [won(1, 4), won(2, 5), won(3, 6)]
    free = dict.fromkeys(range(1, 7), 0.0)
    assert pairs(arena(6), free) == {frozenset(pair) for pair in ((1, 2), (3, 4), (5, 6))}
    met = arena(6, *games, won(1, 2), drawn(3, 4), drawn(5, 6))
    order = [it.entrant for it in standings(met)]
    found = pairs(met, free)
    assert not found & {frozenset(pair) for pair in ((1, 2), (3, 4), (5, 6))}
    assert all(abs(order.index(one) - order.index(other)) <= 3 for one, other in found)


def test_with_an_odd_number_the_newest_waits_unless_two_would_meet_again() -> None:
    waited = {1: 5.0, 2: 2.0, 3: 9.0}
    assert pairs(arena(3), waited) == {frozenset({1, 3})}
    assert pairs(arena(3, won(1, 3)), waited) == {frozenset({2, 3})}


def test_two_alone_meet_again_after_a_while_and_not_four_times_in_a_row_while_others_are_there() -> None:
    waited = {1: 0.0, 2: 0.0}
    once = arena(4, won(1, 2))
    assert not pairs(once, waited)
    assert pairs(once, dict.fromkeys(waited, PATIENCE)) == {frozenset({1, 2})}
    often = arena(4, won(1, 2), won(2, 1), won(1, 2))
    assert not pairs(often, dict.fromkeys(waited, 500.0))
    nobody = replace(
        often, entrants=tuple(replace(one, left=0 if one.number > 2 else None) for one in people(4))
    )
    assert pairs(nobody, dict.fromkeys(waited, PATIENCE)) == {frozenset({1, 2})}


@pytest.mark.parametrize(("waits", "sizes"), [(0.0, [4]), (PATIENCE, [3, 3])])
def test_tables_wait_a_while_until_they_are_full(waits: float, sizes: list[int]) -> None:
    tournament = arena(9, players=4)
    found = paired(tournament, dict.fromkeys(range(1, 7), waits))
    assert [len(game.seats) for game in found] == sizes
    all_free = paired(tournament, dict.fromkeys(range(1, 10), 0.0))
    assert sorted(len(game.seats) for game in all_free) == [3, 3, 3]


def test_hundred_are_paired_in_no_time() -> None:
    games = [won(one, one % 100 + 1) for _ in range(20) for one in range(1, 101)]
    tournament, waited = arena(100, *games), dict.fromkeys(range(1, 101), 0.0)
    begun = perf_counter()
    assert len(paired(tournament, waited)) == 50
    assert perf_counter() - begun < 1
