from __future__ import annotations

from dataclasses import replace

import pytest

from ekoes.tournaments.pairing import next_round, rounds_of, sizes
from ekoes.tournaments.state import Entrant, Game, Tournament
from tests.unit.tournament.playing import begun, played, to_the_end


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


def test_late_joiner_plays_from_the_next_round_on() -> None:
    after = played(begun(6, "swiss"))
    assert after is not None
    late = replace(after, entrants=(*after.entrants, Entrant(7, "Late", "late", joined=1)))
    drawn = next_round(late)
    assert drawn is not None
    assert sorted(number for game in drawn for number in game.seats) == list(range(1, 8))


def test_a_swiss_tournament_has_no_more_rounds_than_there_are_others() -> None:
    assert rounds_of(begun(4, "swiss", rounds=9)) == 3
    assert len(to_the_end(begun(4, "swiss", rounds=9)).rounds) <= 3


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
