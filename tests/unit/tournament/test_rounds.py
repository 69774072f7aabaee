"""Rounds of tournaments: who meets whom, what a game is worth, and round robins."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest

from ekoes.tournaments.pairing import berger, next_round, rounds_of, sizes
from ekoes.tournaments.standings import after_rounds, points_of, standings
from ekoes.tournaments.state import Entrant, Game, Tournament
from tests.unit.tournament.playing import begun, people, plan, played, to_the_end


def test_first_round_of_a_swiss_tournament_is_that_of_the_handbook() -> None:
    """FIDE C.04.3, E.5: the top half against the bottom half, those with odd numbers begin."""
    games = next_round(begun(8, "swiss"))
    assert games is not None
    assert [game.seats for game in games] == [(1, 5), (6, 2), (3, 7), (8, 4)]


def test_second_round_of_a_swiss_tournament_pairs_winners_and_losers() -> None:
    """FIDE C.04.3: 1 to 4 have won, the upper two meet the lower two, and whoever began does not."""
    after = played(begun(8, "swiss"))
    assert after is not None
    games = next_round(after)
    assert games is not None
    assert [game.seats for game in games] == [(4, 1), (2, 3), (5, 8), (7, 6)]


def test_last_has_the_bye_and_no_one_has_two() -> None:
    after = to_the_end(begun(5, "swiss", rounds=5))
    byes = [game.seats[0] for games in after.rounds for game in games if game.is_bye]
    assert byes[0] == 5
    assert len(set(byes)) == len(byes) == len(after.rounds)


def test_withdrawn_entrant_is_not_paired_and_loses() -> None:
    gone = tuple(replace(one, left=1) if one.number == 2 else one for one in begun(4, "robin").entrants)
    swiss = replace(begun(4, "swiss"), entrants=gone)
    assert all(2 not in game.seats for game in next_round(swiss) or ())
    robin = replace(begun(4, "robin"), entrants=gone)
    games = next_round(robin)
    assert games == (Game((1, 4)), Game((2, 3), places=(1, 0), absent=frozenset({0})))


def test_withdrawn_entrants_have_no_game_with_each_other() -> None:
    gone = tuple(replace(one, left=1) if one.number in {2, 3} else one for one in begun(4, "robin").entrants)
    assert next_round(replace(begun(4, "robin"), entrants=gone)) == (Game((1, 4)),)


@pytest.mark.parametrize("absent", [{0}, {0, 1}])
def test_two_meet_once_though_one_or_both_did_not_come(absent: set[int]) -> None:
    """Else a Swiss of four pairs two no-shows again in the next round."""
    tournament = begun(4, "swiss", rounds=3)
    while (games := next_round(tournament)) is not None:
        over = tuple(replace(game, places=(1, 0), absent=frozenset(absent)) for game in games)
        tournament = replace(tournament, rounds=(*tournament.rounds, over))
    met = [frozenset(game.seats) for games in tournament.rounds for game in games]
    assert len(set(met)) == len(met) == 6


def test_late_joiner_plays_from_the_next_round_on() -> None:
    after = played(begun(6, "swiss"))
    assert after is not None
    late = replace(after, entrants=(*after.entrants, Entrant(7, "Late", "late", joined=1)))
    drawn = next_round(late)
    assert drawn is not None
    assert sorted(number for game in drawn for number in game.seats) == list(range(1, 8))


def test_a_swiss_tournament_has_no_more_rounds_than_there_are_others() -> None:
    assert rounds_of(begun(4, "swiss", rounds=9)) == 3
    assert len(to_the_end(begun(4, "swiss", rounds=9)).rounds) == 3


def test_two_who_are_left_of_a_swiss_tournament_are_paired_again_and_it_says_so() -> None:
    after = played(begun(4, "swiss", rounds=3))
    assert after is not None
    left = after.rounds[0][0].seats
    gone = tuple(one if one.number in left else replace(one, left=1) for one in after.entrants)
    ended = to_the_end(replace(after, entrants=gone))
    assert [[set(game.seats) for game in games] for games in ended.rounds[1:]] == [[set(left)]] * 2
    assert [ended.is_rematch(games[0], number) for number, games in enumerate(ended.rounds)] == [
        False,
        True,
        True,
    ]


@pytest.mark.parametrize("number", [0, 1])
def test_nobody_plays_alone(number: int) -> None:
    assert next_round(begun(number, "swiss")) is None


@pytest.mark.parametrize(
    ("number", "most", "least", "shown"),
    [
        (10, 4, 2, (4, 3, 3)),
        (5, 4, 2, (3, 2)),
        (7, 3, 2, (3, 2, 2)),
        (4, 3, 3, (3,)),
        (8, 3, 3, (3, 3)),
        (2, 3, 3, ()),
    ],
)
def test_tables_are_as_even_as_can_be(number: int, most: int, least: int, shown: tuple[int, ...]) -> None:
    assert sizes(number, most, least) == shown


def test_nine_at_tables_of_three_meet_everybody_once_in_four_rounds() -> None:
    after = to_the_end(begun(9, "tables", 3, rounds=4))
    met = [
        frozenset((one, other))
        for games in after.rounds
        for game in games
        for one in game.seats
        for other in game.seats
        if one < other
    ]
    assert len(met) == len(set(met)) == 36


def test_four_at_one_table_sit_at_each_seat_once() -> None:
    after = to_the_end(begun(4, "tables", 4, rounds=4))
    for seat in range(4):
        assert {games[0].seats[seat] for games in after.rounds} == {1, 2, 3, 4}


def test_tournament_of_which_all_but_one_have_left_ends() -> None:
    gone = tuple(replace(one, left=0) for one in begun(4, "swiss").entrants[1:])
    assert next_round(Tournament(begun(4, "swiss").plan, (*begun(1, "swiss").entrants, *gone))) is None


PUBLISHED = {
    4: "1-4 2-3, 4-3 1-2, 2-4 3-1",
    6: "1-6 2-5 3-4, 6-4 5-3 1-2, 2-6 3-1 4-5, 6-5 1-4 2-3, 3-6 4-2 5-1",
    8: "1-8 2-7 3-6 4-5, 8-5 6-4 7-3 1-2, 2-8 3-1 4-7 5-6, 8-6 7-5 1-4 2-3, "
    "3-8 4-2 5-1 6-7, 8-7 1-6 2-5 3-4, 4-8 5-3 6-2 7-1",
}
"""FIDE Handbook, C.05, annex 1: details of Berger tables."""


@pytest.mark.parametrize("number", PUBLISHED)
def test_tables_are_those_that_fide_publishes(number: int) -> None:
    shown = ", ".join(" ".join(f"{one}-{other}" for one, other in pairs) for pairs in berger(number))
    assert shown == PUBLISHED[number]


@pytest.mark.parametrize("number", range(2, 20))
def test_everybody_meets_everybody_once_and_begins_as_often_as_not(number: int) -> None:
    rounds = berger(number)
    assert all(sorted(sum(pairs, ())) == list(range(1, number + 1)) for pairs in rounds)
    games = [pair for pairs in rounds for pair in pairs if len(pair) == 2]
    assert Counter(tuple(sorted(pair)) for pair in games) == Counter(combinations(range(1, number + 1), 2))
    begun, ended = (Counter(pair[seat] for pair in games) for seat in (0, 1))
    assert all(abs(begun[one] - ended[one]) <= 1 for one in range(1, number + 1))
    byes = [pair for pairs in rounds for pair in pairs if len(pair) == 1]
    assert sorted(byes) == ([(one,) for one in range(1, number + 1)] if number % 2 else [])


HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("places", "points"),
    [
        ((0, 1), (1, 0)),
        ((0, 0), (HALF, HALF)),
        ((2, 0, 1), (0, 1, HALF)),
        ((0, 0, 2, 3), (Fraction(5, 6), Fraction(5, 6), Fraction(1, 3), 0)),
        ((0, 1, 1, 1, 1), (1, *(Fraction(3, 8),) * 4)),
    ],
)
def test_points_are_the_share_of_opponents_ranked_behind(
    places: tuple[int, ...], points: tuple[Fraction, ...]
) -> None:
    game = Game(tuple(range(1, len(places) + 1)), places=places)
    assert tuple(points_of(game, seat) for seat in range(len(places))) == points
    assert sum(points) == Fraction(len(places), 2)


def test_absent_entrant_gets_no_points_and_the_opponent_all() -> None:
    alone = Game((1, 2), places=(0, 1), absent=frozenset({1}))
    assert [points_of(alone, seat) for seat in (0, 1)] == [1, 0]
    nobody = Game((1, 2), places=(0, 0), absent=frozenset({0, 1}))
    assert [points_of(nobody, seat) for seat in (0, 1)] == [0, 0]
    three = Game((1, 2, 3), places=(0, 1, 2), absent=frozenset({0}))
    assert [points_of(three, seat) for seat in range(3)] == [0, 1, HALF]


def test_late_joiner_has_half_a_point_for_each_of_two_missed_rounds() -> None:
    late = [Entrant(number, f"P{number}", joined=number - 5) for number in (5, 6, 7, 8)]
    tournament = Tournament(plan("swiss"), (*people(4), *late))
    for _ in range(3):
        games = (Game((1, 2), places=(0, 1)), Game((3, 4), places=(0, 1)))
        tournament = replace(tournament, rounds=(*tournament.rounds, games))
    points = after_rounds(tournament)
    assert [points[number] for number in (5, 6, 7, 8)] == [0, HALF, 1, 1]


def test_buchholz_and_berger_part_those_with_equal_points() -> None:
    # 1 and 3 have a point each; 1 has beaten 2, who has one more, and 3 has beaten 4, who has none
    games = (
        (Game((1, 2), places=(0, 1)), Game((3, 4), places=(0, 1))),
        (Game((2, 4), places=(0, 1)), Game((5, 1), places=(0, 1)), Game((6, 3), places=(0, 1))),
    )
    shown = {it.entrant: it for it in standings(Tournament(plan("swiss"), people(6), games))}
    assert shown[1].points == shown[3].points == 1
    assert list(shown[1].breaks) == [1 + 1 + 0, 1, 1]
    assert list(shown[3].breaks) == [0 + 1 + 0, 0, 1]
    assert shown[1].rank < shown[3].rank


def test_bye_counts_as_a_game_against_an_equal() -> None:
    games = ((Game((1,), places=(0,)), Game((2, 3), places=(0, 1))),)
    shown = {it.entrant: it for it in standings(Tournament(plan("swiss"), people(3), games))}
    assert [shown[1].points, *shown[1].breaks] == [1, 1, 1, 0]
    assert [shown[2].points, *shown[2].breaks] == [1, 0, 0, 1]


def test_running_round_counts_for_no_one_before_it_ends() -> None:
    """Else its bye lifts the loser of the first round above the winner, who is still playing."""
    first = (Game((1, 2), places=(0, 1)), Game((3,), places=(0,)))
    running = (Game((1, 3)), Game((2,), places=(0,)))
    shown = standings(Tournament(plan("swiss"), people(3), (first, running)))
    assert [it.entrant for it in shown] == [3, 1, 2]
    assert [it.points for it in shown] == [1, 1, 0]
    assert shown == standings(Tournament(plan("swiss"), people(3), (first,)))


def test_at_tables_the_sum_of_places_decides_and_few_are_better() -> None:
    first = (Game((1, 2, 3), places=(0, 1, 2)), Game((4, 5), places=(0, 1)))
    shown = {it.entrant: it for it in standings(Tournament(plan("tables", 3), people(5), (first,)))}
    assert [shown[number].breaks[0] for number in (1, 2, 3, 4, 5)] == [1, 2, 3, 1, 3]
    assert shown[1].rank == shown[4].rank == 1


@pytest.mark.parametrize("form", ["robin", "swiss"])
def test_the_strongest_of_eight_win(form: str) -> None:
    after = to_the_end(begun(8, form, rounds=3))
    table = standings(after)
    assert table[0].entrant == 1
    assert len(after.rounds) == (7 if form == "robin" else 3)
    if form == "robin":
        assert [it.entrant for it in table] == list(range(1, 9))
        assert [it.points for it in table] == list(range(7, -1, -1))
