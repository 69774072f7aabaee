"""Everybody plays everything, in every seat."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import pytest

from ekoes.arena.schedule import Pairing, Schedule
from tests.unit.arena.plans import plan

NAMED = [{"name": name, "bot": "random"} for name in "abcde"]
LAYOUTS = [{"name": "one", "seed": 5}, {"name": "two"}]
VARIANTS = [{"name": "plain"}, {"name": "moon", "options": {"variants": ["moon"]}}]


def games(**more: Any) -> list[Pairing]:
    schedule = Schedule(plan(**more))
    return [schedule[number] for number in range(len(schedule))]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_player_sits_in_every_seat_on_every_layout_with_every_variant(seats: int) -> None:
    sat: Counter[Any] = Counter(
        (place, seat, pairing.layout.name, pairing.variant.name)
        for pairing in games(players=NAMED, seats=seats, layouts=LAYOUTS, variants=VARIANTS)
        for seat, place in enumerate(pairing.seats)
    )
    assert len(sat) == len(NAMED) * seats * len(LAYOUTS) * len(VARIANTS)
    assert len(set(sat.values())) == 1


@pytest.mark.parametrize(("players", "seats"), [(2, 3), (2, 4), (3, 4), (1, 2)])
def test_fewer_players_than_seats_sit_there_several_times(players: int, seats: int) -> None:
    sat = Counter(
        (place, seat)
        for pairing in games(players=NAMED[:players], seats=seats)
        for seat, place in enumerate(pairing.seats)
    )
    assert len(sat) == players * seats
    assert len(set(sat.values())) == 1


def test_games_of_an_opening_begin_alike_and_its_players_change_seats() -> None:
    openings = defaultdict(list)
    for pairing in games(players=NAMED, layouts=LAYOUTS):
        openings[pairing.opening].append(pairing)
    for together in openings.values():
        assert len({(pairing.seed, pairing.deals, pairing.layout.name) for pairing in together}) == 1
    assert len({together[0].deals for together in openings.values()}) == len(openings)


def test_a_layout_with_a_seed_begins_alike_in_every_round() -> None:
    seeds = {(pairing.layout.name, pairing.seed) for pairing in games(layouts=LAYOUTS, rounds=4)}
    assert Counter(name for name, _ in seeds) == {"one": 1, "two": 4}
    assert ("one", 5) in seeds


def test_each_game_has_a_chance_of_its_own_and_another_seed_another() -> None:
    chances = [pairing.chance for seed in (1, 2) for pairing in games(seed=seed, rounds=50)]
    assert len(set(chances)) == len(chances)


def test_more_rounds_leave_the_first_ones_as_they_are() -> None:
    short, long = games(players=NAMED), games(players=NAMED, rounds=6)
    assert long[: len(short)] == short
    assert len(long) == 2 * len(short)


def test_line_ups_that_are_named_are_those_that_play() -> None:
    seats = {frozenset(pairing.seats) for pairing in games(players=NAMED, lineups=[["a", "b"], ["c", "b"]])}
    assert seats == {frozenset({0, 1}), frozenset({2, 1})}


def test_there_is_no_game_beyond_the_last() -> None:
    schedule = Schedule(plan())
    with pytest.raises(IndexError):
        schedule[len(schedule)]
