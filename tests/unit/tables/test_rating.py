"""Ratings after games of any number of players, with shared ranks."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ekoes.games.api.chance import Chance
from ekoes.games.api.reading import moment_text
from ekoes.games.api.values import changed
from ekoes.games.ekko.live.machine import clock_action
from ekoes.games.ekko.position.action import Play
from ekoes.tables.create import new_table, rematch_table
from ekoes.tables.orders import Abort, Absent, Propose, Resign, Sit, Undo, Vote
from ekoes.tables.ratings import NEW, Rating, after_game
from ekoes.tables.settings import Agreements, ClockPlan, Seat
from ekoes.tables.submit import submit
from ekoes.tables.table import Table
from tests.kit.tables import NOW, act, refusal
from tests.unit.tables.racing import Race

ABORT = Abort(key="abort", seat=0)


@st.composite
def games(draw: st.DrawFn) -> tuple[list[Rating], list[int]]:
    """Return players and the ranks they may have come to: how many came before each."""
    number = draw(st.integers(2, 8))
    players = draw(
        st.lists(st.builds(Rating, st.floats(0, 50), st.floats(1, 8.3)), min_size=number, max_size=number)
    )
    merits = draw(st.lists(st.integers(0, 4), min_size=number, max_size=number))
    return players, [sum(other > own for other in merits) for own in merits]


@given(st.lists(st.integers(0, 4), min_size=2, max_size=8))
def test_equal_players_gain_by_rank(merits: list[int]) -> None:
    ranks = [sum(other > own for other in merits) for own in merits]
    gained = sorted(zip(ranks, after_game([NEW] * len(merits), ranks), strict=True), key=lambda it: it[0])
    for (rank, one), (behind, other) in pairwise(gained):
        assert one.mean > other.mean if behind > rank else one.mean == pytest.approx(other.mean)


@given(games())
def test_first_alone_gains_and_last_alone_loses(game: tuple[list[Rating], list[int]]) -> None:
    players, ranks = game
    fresh = after_game(players, ranks)
    for before, after, rank in zip(players, fresh, ranks, strict=True):
        if rank == 0 and ranks.count(0) == 1:
            assert after.mean >= before.mean
        if rank == len(ranks) - 1:
            assert after.mean <= before.mean


def test_upset_moves_more_than_what_was_expected() -> None:
    strong, weak = Rating(35.0, 3.0), Rating(20.0, 3.0)
    (expected, _), (upset, _) = after_game([strong, weak], [0, 1]), after_game([strong, weak], [1, 0])
    assert strong.mean - upset.mean > 5 * (expected.mean - strong.mean)


def test_new_player_is_shown_1500_give_or_take_250_and_is_provisional_for_some_games() -> None:
    assert NEW.to_json() == {"rating": 1500, "deviation": 250, "provisional": True}
    one = other = NEW
    games = 0
    while one.is_provisional:
        one, other = after_game([one, other], [games % 2, 1 - games % 2])
        games += 1
    assert 10 < games < 25


def rated(players: int = 2, game: str = "eko", *, is_rated: bool = True) -> Any:
    seats = tuple(Seat("open", f"P{seat}", seat, session=f"p{seat}") for seat in range(players))
    return new_table(game, {"players": players}, 7, seats, rated=is_rated)


def refused(table: Table) -> str:
    return refusal(submit, table, ABORT, "p0", NOW)


def test_rated_game_can_be_aborted_until_each_player_has_decided_twice() -> None:
    table, by_seat = rated(), [0, 0]
    while not table.counts:
        assert min(by_seat) < 2
        assert table.shared_state(NOW)["abort"] == {"until": None}
        over = submit(table, ABORT, "p0", NOW)
        assert over.outcome is not None
        assert (over.outcome.winners, over.outcome.reason, over.version) == ((), "aborted", table.version + 1)
        again = type(table).from_state(json.loads(json.dumps(table.to_state())))
        assert (again.decided, again.can_abort, again.to_state()) == (table.decided, True, table.to_state())
        by_seat[table.asked[0]] += 1
        table = act(table)
    assert by_seat[0] >= 2
    assert by_seat[1] == 2
    assert refused(table) == "table/no-abort"
    assert "abort" not in table.shared_state(NOW)


def test_aborted_game_takes_no_orders_and_its_rematch_is_rated_anew() -> None:
    over = submit(act(rated()), ABORT, "p0", NOW)
    assert refused(over) == "table/game-over"
    again = rematch_table(over, 5)
    assert (again.rated, again.decided) == (True, ())


def test_decision_that_is_undone_does_not_count() -> None:
    table = act(act(rated()))  # the choice of sides
    assert table.asked == (0,)
    held = act(table, hold=True)
    assert held.decided == (0, 1, 0)
    undone = submit(held, Undo(key="u", version=held.version, seat=0), "p0", NOW)
    assert undone.decided == (0, 1)
    again = type(held).from_state(json.loads(json.dumps(held.to_state())))
    assert submit(again, Undo(key="u", version=held.version, seat=0), "p0", NOW).decided == (0, 1)


def passing(players: int) -> Any:
    """A rated table of Ekö at which the server passes a turn whose time is up."""
    clock = ClockPlan(base=60, increment=5, up="pass")
    return rated(players).with_clock(clock)


def on_the_clock(table: Any, at: datetime) -> tuple[Any, datetime]:
    """Return the table after the next order that the clock gives, and the time of it."""
    while (due := table.automatic_order(at, Chance(0))) is None:
        at = table.deadline
    return submit(table, due[0], None, at), at


@pytest.mark.parametrize("idle", [{1}, {0, 1}, {2}])
def test_decisions_of_the_clock_end_the_time_in_which_a_game_can_be_aborted(idle: set[int]) -> None:
    table, at = passing(3 if idle == {2} else 2), NOW
    while len(set(table.decided)) < len(table.seats):
        table = act(table, at=at)
    turns = [0] * len(table.seats)
    while min(turns) < 2:
        before, seat = table.length, table.asked[0]
        if seat in idle:
            table, at = on_the_clock(table, at)
        else:
            table = act(table, at=at)
        assert table.outcome is None
        turns[seat] += table.length - before
    assert table.counts
    assert refused(table) == "table/no-abort"


def test_decisions_of_a_substitute_count_as_its_player_is_back() -> None:
    table = act(act(act(rated(3)))).with_agreements(Agreements(back=30))
    away = submit(table, Absent(key="a", seat=1, absent=True), None, NOW)
    table = submit(away, Propose(key="p", seat=0, what="bot", about=1), "p0", NOW)
    table = submit(table, Vote(key="v", seat=2, number=1, agree=True), "p2", NOW)
    while not table.counts:
        assert table.seats[1].kind == "bot"
        table = act(table)
    back = submit(table, Sit(key="s", seat=1), "p1", NOW)
    assert back.people == {0, 1, 2}
    assert refused(back) == "table/no-abort"


def test_first_turn_that_the_clock_would_pass_aborts_the_game() -> None:
    table = rated().with_clock(ClockPlan(base=0, increment=5, up="pass"))
    table, at = act(table), NOW
    table, at = on_the_clock(table, at)
    assert table.shared_state(at)["abort"] == {"until": moment_text(table.clocks.deadline)}
    over, _ = on_the_clock(table, at)
    assert over.is_aborted


def test_casual_game_and_that_of_a_free_seat_can_not_be_aborted() -> None:
    assert refused(rated(is_rated=False)) == "table/no-abort"
    assert refused(rated().with_seat(1, session=None)) == "table/no-abort"


def test_game_of_three_counts_once_those_who_stayed_have_decided_twice() -> None:
    table = submit(rated(3), Resign(key="r", version=0, seat=2), "p2", NOW)
    for decisions, counts in (((0, 0, 1), False), ((0, 0, 1, 1), True), ((0, 0, 2, 2), False)):
        assert changed(table, decided=decisions).counts == counts
    alone = submit(table, Resign(key="r", version=1, seat=1), "p1", NOW)
    assert not changed(alone, decided=(0, 0)).counts
    assert changed(alone, decided=(0, 0, 1, 1)).counts


def test_intents_that_are_logged_are_decisions_of_a_race() -> None:
    race = Race({0: [38, 39, 40], 1: [2, 51, 60, 61]}, players=2)
    race.table = race.table.as_rated()
    race.send(0, "ready", round=1)  # is no entry of the log
    race.send(0, "play", card=38, on=37)
    race.send(1, "play", card=2, on=38)
    assert race.table.decided == (0, 1)
    assert race.table.can_abort
    over = submit(race.table, ABORT, "p0", race.at)
    assert over.shared_state(race.at)["stage"] == "over"
    assert over.outcome is not None
    assert over.outcome.reason == "aborted"
    assert type(over).from_state(json.loads(json.dumps(over.to_state()))).outcome == over.outcome
    assert race.table.automatic_order(race.at, Chance(1)) is None


def rated_race(players: int, **options: Any) -> Race:
    race = Race(turned=37, players=players, begins=False, turn_clock=30, **options)
    race.table = race.table.as_rated()
    race.begin()
    return race


def take_turn(race: Race, *, by_clock: bool) -> None:
    """Let the player in turn decide, or the clock for them."""
    (seat,) = race.table.play.awaited
    if by_clock:
        race.wait(30_000)
        return
    action = clock_action(race.table.position)
    top = race.table.position.top
    if isinstance(action, Play):
        race.send(seat, "play", card=action.card, on=top)
    else:
        race.send(seat, "draw", on=top)


@pytest.mark.parametrize("idle", [{1}, {0, 1}, {2}])
def test_turns_that_the_clock_plays_end_the_time_in_which_a_race_can_be_aborted(idle: set[int]) -> None:
    race = rated_race(3 if idle == {2} else 2)
    turns = [0] * len(race.table.seats)
    while min(turns) < 2:
        (seat,) = race.table.play.awaited
        take_turn(race, by_clock=turns[seat] > 0 and seat in idle)
        turns[seat] += 1
    assert race.table.outcome is None
    assert refusal(submit, race.table, ABORT, "p0", race.at) == "table/no-abort"


def test_race_is_aborted_at_the_end_of_a_first_turn_in_which_nobody_decides() -> None:
    race = rated_race(2)
    take_turn(race, by_clock=False)
    ends = race.at + timedelta(seconds=30)
    assert race.state["abort"] == {"until": moment_text(ends)}
    race.wait(29_999)
    assert race.table.outcome is None
    race.wait(1)
    assert race.table.is_aborted


def test_race_of_a_tournament_goes_on_without_who_never_came_and_does_not_count() -> None:
    race = rated_race(2)
    race.table = changed(race.table, binding=True)
    for _ in range(8):
        take_turn(race, by_clock=1 in race.table.play.awaited)
    assert race.table.outcome is None
    assert not race.table.counts
