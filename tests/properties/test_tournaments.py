"""Invariants of tournaments with entrants who join late, withdraw, win or stay away."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from hypothesis import example, given
from hypothesis import strategies as st

from ekoes.tournaments.pairing import next_round
from ekoes.tournaments.standings import after_rounds, standings
from ekoes.tournaments.state import Entrant, Game, Tournament
from tests.kit.examples import property_settings
from tests.unit.tournament.playing import begun

FORMS = st.sampled_from([("robin", 2), ("swiss", 2), ("tables", 3), ("tables", 4)])


def is_due(tournament: Tournament, games: tuple[Game, ...]) -> None:
    """Everybody who plays on is in just one game of a round; who has left, in none that is played."""
    seated = Counter(number for game in games for number in game.seats)
    assert set(seated.values()) <= {1}
    assert {one.number for one in tournament.active} <= seated.keys()
    gone = {one.number for one in tournament.entrants if one.left is not None}
    assert all(game.absent for game in games if gone.intersection(game.seats))


def over(draw: st.DrawFn, game: Game) -> Game:
    if game.places is not None:
        return game
    merits = draw(st.lists(st.integers(0, 2), min_size=len(game.seats), max_size=len(game.seats)))
    absent = draw(st.sets(st.integers(0, len(game.seats) - 1))) if draw(st.integers(0, 5)) == 5 else set()
    places = tuple(sum(other > own for other in merits) for own in merits)
    return replace(game, places=places, absent=frozenset(absent))


def changed_people(draw: st.DrawFn, tournament: Tournament) -> Tournament:
    """Let an entrant withdraw, or a new one join."""
    entrants, made = list(tournament.entrants), len(tournament.rounds)
    if draw(st.integers(0, 3)) == 3:
        gone = draw(st.integers(0, len(entrants) - 1))
        entrants[gone] = replace(entrants[gone], left=made)
    if tournament.plan.form != "robin" and draw(st.integers(0, 3)) == 3:
        entrants.append(Entrant(len(entrants) + 1, "Late", "late", joined=made))
    return replace(tournament, entrants=tuple(entrants))


@property_settings(60)
@given(st.data())
def test_rounds_are_whole_and_points_add_up(data: st.DataObject) -> None:
    (form, players), number = data.draw(FORMS), data.draw(st.integers(2, 11))
    tournament = begun(number, form, players, rounds=data.draw(st.integers(1, 6)))
    while (games := next_round(tournament)) is not None:
        is_due(tournament, games)
        played = tuple(data.draw(st.composite(over)(game)) for game in games)
        tournament = replace(tournament, rounds=(*tournament.rounds, played))
        tournament = data.draw(st.composite(changed_people)(tournament))
    shown = standings(tournament)
    points = after_rounds(tournament)
    assert {it.entrant: it.points for it in shown} == points
    whole = [game for games in tournament.rounds for game in games if not game.absent]
    brought = sum(
        (Fraction(1) if game.is_bye else Fraction(len(game.seats), 2) for game in whole), Fraction(0)
    )
    absent = [game for games in tournament.rounds for game in games if game.absent]
    halves = Fraction(sum(min(one.joined, 2) for one in tournament.entrants), 2)
    assert (
        brought + halves <= sum(points.values()) <= brought + halves + sum(len(one.seats) for one in absent)
    )
    assert [it.rank for it in shown] == sorted(it.rank for it in shown)


@property_settings(40)
@given(st.integers(4, 14), st.integers(1, 5), st.randoms(use_true_random=False))
def test_swiss_has_no_second_meeting_no_second_bye_and_balanced_starts(
    number: int, rounds: int, chance: object
) -> None:
    tournament = begun(number, "swiss", rounds=min(rounds, number // 2))
    while (games := next_round(tournament)) is not None:
        played = tuple(
            replace(game, places=(0,) if game.is_bye else chance.choice([(0, 1), (1, 0), (0, 0)]))  # type: ignore[attr-defined]
            for game in games
        )
        tournament = replace(tournament, rounds=(*tournament.rounds, played))
    assert len(tournament.rounds) == min(rounds, number // 2)
    games_played = [game.seats for games in tournament.rounds for game in games if not game.is_bye]
    assert max(Counter(map(frozenset, games_played)).values()) == 1
    byes = Counter(game.seats[0] for games in tournament.rounds for game in games if game.is_bye)
    assert all(number == 1 for number in byes.values())
    begins, ends = (Counter(seats[seat] for seats in games_played) for seat in (0, 1))
    assert all(abs(begins[one] - ends[one]) <= 2 for one in range(1, number + 1))


@property_settings(30)
@given(st.integers(3, 40), st.integers(3, 8), st.integers(1, 10))
@example(10, 4, 3)
def test_tables_repeat_meetings_no_more_than_the_rounds_need(number: int, players: int, rounds: int) -> None:
    tournament = begun(number, "tables", players, rounds)
    seen: Counter[frozenset[int]] = Counter()
    while (games := next_round(tournament)) is not None:
        sizes = sorted(len(game.seats) for game in games)
        assert sizes[-1] <= players
        assert sizes[-1] - sizes[0] <= 1
        seen.update(frozenset(pair) for game in games for pair in combinations(game.seats, 2))
        played = tuple(replace(game, places=tuple(range(len(game.seats)))) for game in games)
        tournament = replace(tournament, rounds=(*tournament.rounds, played))
    pairs = number * (number - 1) // 2
    needed = -(-sum(seen.values()) // pairs)
    assert max(seen.values()) <= needed + 1
