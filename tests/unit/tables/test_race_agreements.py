"""Agreements at tables of EKKO, and idle players."""

from __future__ import annotations

from typing import Any

import pytest

from ekoes.errors import TableError
from ekoes.games.api.contract import Outcome
from ekoes.games.ekko.live.machine import clock_action
from ekoes.games.ekko.position.action import Play
from ekoes.records import read_record, replay
from ekoes.tables.orders import Absent, GoOn, Propose, Sit, Vote
from ekoes.tables.race import RaceTable
from ekoes.tables.settings import Agreements
from tests.kit.tables import open_record, record, refusal
from tests.unit.tables.racing import Race

SET = Agreements(absence=3, back=30)
HANDS = {0: [40, 50, 60], 1: [2, 4, 6], 2: [8, 10, 12]}
"""37 lies on top, seat 0 begins; 40 can be played on it."""


def race(hands: Any = HANDS, **options: Any) -> Race:
    """A table with short absence limits."""
    found = Race(hands, begins=False, **options)
    found.table = found.table.with_agreements(SET)
    found.begin()
    return found


def propose(found: Race, seat: int, what: Any, **more: Any) -> None:
    found.give(Propose(key="k", seat=seat, what=what, **more), f"p{seat}")


def agree(found: Race, *seats: int) -> None:
    for seat in seats:
        number = found.table.agreements.count
        found.give(Vote(key="k", seat=seat, number=number, agree=True), f"p{seat}")


def decide(found: Race, seat: int) -> None:
    """Let a seat do what the clock would do for it, by itself."""
    position = found.table.position
    action = clock_action(position)
    if isinstance(action, Play):
        found.send(seat, "play", card=action.card, on=position.top)
    else:
        found.send(seat, "draw", on=position.top)


def others_decide(found: Race) -> None:
    """Let all others decide until it is seat 0's turn."""
    while found.table.position.player != 0:
        decide(found, found.table.position.player)


def test_clock_of_an_idle_player_halves_down_to_three_seconds() -> None:
    found = race(turn_clock=30)
    waits = []
    for _ in range(5):
        others_decide(found)
        waits.append(found.state["remaining"])
        found.wait(waits[-1])
        assert found.last["clock"] is True
    assert waits == [30_000, 15_000, 7_500, 3_750, 3_000]
    assert found.table.agreements_json()["timed_out"] == [0]


def test_first_own_decision_brings_all_the_time_back() -> None:
    found = race(turn_clock=30)
    for _ in range(2):
        others_decide(found)
        found.wait(found.state["remaining"])
    others_decide(found)
    assert found.state["remaining"] == 7_500
    decide(found, 0)
    others_decide(found)
    assert found.state["remaining"] == 30_000


def test_idle_player_with_an_open_connection_can_be_replaced() -> None:
    found = race(turn_clock=30)
    with pytest.raises(TableError, match="still there"):
        propose(found, 1, "bot", about=0)
    for _ in range(3):
        others_decide(found)
        found.wait(found.state["remaining"])
    propose(found, 1, "bot", about=0)
    agree(found, 2)
    assert found.table.seats[0].kind == "bot"
    assert found.table.agreements_json()["timed_out"] == []
    found.give(Sit(key="k", seat=0), "p0")
    assert found.table.seats[0].session == "p0"
    assert found.state["of"] == 30_000


def test_table_without_absence_rule_gives_the_full_time() -> None:
    found = Race(HANDS, turn_clock=30)
    for _ in range(2):
        others_decide(found)
        assert found.state["remaining"] == 30_000
        found.wait(30_000)


def test_round_does_not_wait_for_a_player_replaced_while_looking() -> None:
    found = Race(HANDS, begins=False)
    found.table = found.table.with_agreements(SET)
    for seat in (0, 1):
        found.send(seat, "ready", round=1)
    found.give(Absent(key="k", seat=2, absent=True), None)
    propose(found, 0, "bot", about=2)
    agree(found, 1)
    assert found.stage == "race"


def test_draw_by_absence_ends_the_game_with_the_totals_as_they_are() -> None:
    found = race()
    found.give(Absent(key="k", seat=2, absent=True), None)
    propose(found, 0, "draw", about=2)
    agree(found, 1)
    assert found.table.outcome == Outcome((), "agreement", "K5.6")
    assert found.stage == "over"
    text = record(found.table)
    assert read_record(text).outcome == found.table.outcome


def test_pause_preserves_the_rest_of_the_reaction_time() -> None:
    found = race(reaction=3)
    found.keep_only(0, 40)
    found.send(0, "play", card=40, on=37)
    assert found.stage == "leaving"
    found.wait(1_000)
    propose(found, 0, "pause")
    agree(found, 1, 2)
    found.wait(600_000)
    assert (found.stage, found.state["remaining"]) == ("leaving", 2_000)
    with pytest.raises(TableError, match="is paused"):
        found.send(1, "pass", on=40)
    found.give(GoOn(key="k", seat=2), "p2")
    found.wait(3_000)
    assert found.state["remaining"] == 2_000
    found.wait(1_999)
    assert found.stage == "leaving"
    found.send(1, "pass", on=40)
    found.wait(1)
    assert found.stage == "look"


def test_record_of_a_paused_game_is_verified() -> None:
    found = race(turn_clock=30)
    found.send(0, "play", card=40, on=37, after=1_000)
    propose(found, 0, "pause")
    agree(found, 1, 2)
    found.wait(3_600_000)
    found.give(GoOn(key="k", seat=2), "p2")
    found.wait(3_000)
    found.wait(500)
    decide(found, 1)
    assert "{at 1.5" in open_record(found.table)
    assert list(replay(read_record(open_record(found.table))))[-1] == found.table.position


def test_agreed_open_hands_are_shown_at_the_end_of_the_round() -> None:
    found = race(reaction=1)
    propose(found, 0, "hands")
    agree(found, 1)
    assert found.table.options.get("open_hands") is None, "one has not agreed"
    agree(found, 2)
    assert found.table.options["open_hands"] is True
    assert "hands" not in found.table.agreements_json()["may"]
    found.keep_only(0, 40)
    others = [sorted(found.hand(seat)) for seat in (1, 2)]
    found.send(0, "play", card=40, on=37)
    assert found.state["rounds"] == []
    found.wait(1_000)
    assert [sorted(hand) for hand in found.state["rounds"][0]["hands"]] == [[], *others]
    assert found.state["rounds"][0]["sizes"] == [0, 6, 6]


def test_hands_stay_hidden_without_agreement() -> None:
    found = race(reaction=1)
    found.keep_only(0, 40)
    found.send(0, "play", card=40, on=37)
    found.wait(1_000)
    assert "hands" not in found.state["rounds"][0]


def test_races_have_no_takebacks() -> None:
    found = race()
    assert refusal(propose, found, 0, "take_back") == "table/no-take-back"


def test_all_of_it_is_stored_and_read_again() -> None:
    found = race(turn_clock=30, open_hands=True)
    found.wait(30_000)
    propose(found, 0, "pause")
    agree(found, 1, 2)
    assert RaceTable.from_state(found.table.to_state()).to_state() == found.table.to_state()
