"""Invariants of tournaments with entrants who join late, withdraw, win or stay away."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from random import Random

from hypothesis import example, given
from hypothesis import strategies as st

from ekoes.tournaments.pairing import next_round, rounds_of
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


def decided(games: tuple[Game, ...], chance: Random, forfeits: float = 0) -> tuple[Game, ...]:
    """Decide games by chance. forfeits: how likely one of the two does not come."""
    return tuple(
        game
        if game.is_bye
        else replace(game, places=(0, 1), absent=frozenset({1}))
        if chance.random() < forfeits
        else replace(game, places=chance.choice([(0, 1), (1, 0), (0, 0)]))
        for game in games
    )


SIZES = st.one_of(
    st.integers(4, 10).flatmap(lambda number: st.tuples(st.just(number), st.integers(1, 9))),
    st.integers(11, 14).flatmap(lambda number: st.tuples(st.just(number), st.integers(1, 5))),
)


@property_settings(60)
@given(SIZES, st.randoms(use_true_random=False))
@example((5, 5), Random(1))
@example((6, 5), Random(2))
@example((8, 7), Random(3))
def test_swiss_has_its_rounds_no_second_meeting_no_second_bye_and_balanced_starts(
    size: tuple[int, int], chance: Random
) -> None:
    number, rounds = size
    tournament = begun(number, "swiss", rounds=rounds)
    while (games := next_round(tournament)) is not None:
        tournament = replace(tournament, rounds=(*tournament.rounds, decided(games, chance)))
    assert len(tournament.rounds) == min(rounds, number + number % 2 - 1)
    games_played = [game.seats for games in tournament.rounds for game in games if not game.is_bye]
    assert max(Counter(map(frozenset, games_played)).values()) == 1
    byes = Counter(game.seats[0] for games in tournament.rounds for game in games if game.is_bye)
    assert all(number == 1 for number in byes.values())
    begins, ends = (Counter(seats[seat] for seats in games_played) for seat in (0, 1))
    assert all(abs(begins[one] - ends[one]) <= 2 for one in range(1, number + 1))


def without_rematch(numbers: tuple[int, ...], pairs: set[frozenset[int]], free: set[int]) -> bool:
    """Whether these can be paired so that no two meet again. free: who may have the bye."""
    if not numbers:
        return True
    first, *others = numbers
    left = [tuple(one for one in others if one != other) for other in others]
    meets = (
        frozenset((first, other)) not in pairs and without_rematch(rest, pairs, free)
        for other, rest in zip(others, left, strict=True)
    )
    has_bye = len(numbers) % 2 == 1 and first in free and without_rematch(tuple(others), pairs, free)
    return has_bye or any(meets)


@property_settings(60)
@given(st.integers(5, 8), st.integers(3, 7), st.randoms(use_true_random=False))
def test_swiss_of_whom_some_leave_or_stay_away_has_its_rounds_and_rematches_only_without_another_pairing(
    number: int, rounds: int, chance: Random
) -> None:
    tournament = begun(number, "swiss", rounds=rounds)
    while (games := next_round(tournament)) is not None:
        seen = [game for games in tournament.rounds for game in games]
        pairs = {frozenset(game.seats) for game in seen if not game.is_bye}
        if any(frozenset(game.seats) in pairs for game in games):
            had = {game.seats[0] for game in seen if game.is_bye or game.absent}
            active = {one.number for one in tournament.active}
            assert not without_rematch(tuple(sorted(active)), pairs, active - had)
        tournament = replace(tournament, rounds=(*tournament.rounds, decided(games, chance, 0.1)))
        if chance.random() < 0.2 and len(tournament.active) > 2:
            gone, made = chance.choice(tournament.active), len(tournament.rounds)
            entrants = (replace(one, left=made) if one == gone else one for one in tournament.entrants)
            tournament = replace(tournament, entrants=tuple(entrants))
    assert len(tournament.rounds) == rounds_of(tournament) == min(rounds, number + number % 2 - 1)


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
