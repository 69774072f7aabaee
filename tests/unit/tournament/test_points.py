from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from ekoes.tournaments.standings import after_rounds, points_of, standings
from ekoes.tournaments.state import Entrant, Game, Tournament
from tests.unit.tournament.playing import begun, people, plan, to_the_end

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
