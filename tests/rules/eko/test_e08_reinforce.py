"""E8: reinforcement."""

from __future__ import annotations

import pytest

from tests.rules.eko.board import (
    END,
    WONDERS,
    allowed,
    at,
    draw,
    move,
    options,
    phase,
    play,
    refused,
    reinforce,
    reserve,
)


def test_e8_1_at_least_one_disc_must_come_back() -> None:
    position = draw("1E@0,2 +2", "1E@-1,-1", phase="reinforce")
    assert options(position) == {reinforce("0,2", 1), reinforce("0,2", 2)}
    refused(position, END, "E8.1", "must-reinforce")
    refused(position, reinforce("0,2", 0), "E8.1", "must-reinforce")


def test_e8_1_no_more_than_the_reserve_holds() -> None:
    position = draw("1E@0,2 +2", "1E@-1,-1", phase="reinforce")
    refused(position, reinforce("0,2", 3), "E8.1", "reserve-too-small")
    assert reserve(allowed(position, reinforce("0,2", 2)), 0) == "0"


def test_e8_1_an_empty_reserve_skips_the_phase() -> None:
    assert phase(play(draw("1E@0,2", "1E@-1,-1"), move("0,2", "1,2"))) == "1 action"


def test_e8_2_on_one_own_stack() -> None:
    position = draw("1E@0,2 1@-1,1 +2", "1E@-1,-1", phase="reinforce")
    assert options(position) == {reinforce(s, n) for s in ("0,2", "-1,1") for n in (1, 2)}
    refused(position, reinforce("-1,-1", 1), "E8.2", "not-your-stack")
    assert phase(allowed(position, reinforce("0,2", 1))) == "1 action"


def test_e8_2_never_on_an_empty_space() -> None:
    position = draw("1E@0,2 +2", "1E@-1,-1", phase="reinforce")
    refused(position, reinforce("1,2", 1), "E8.2", "reinforce-empty-space")


def test_e8_2_never_above_four() -> None:
    position = draw("3E@0,2 4@-1,1 +2", "1E@-1,-1", phase="reinforce")
    assert options(position) == {reinforce("0,2", 1)}
    refused(position, reinforce("0,2", 2), "E8.2", "reinforce-too-high")
    refused(position, reinforce("-1,1", 1), "E8.2", "reinforce-too-high")


def test_e8_3_not_next_to_an_enemy_building() -> None:
    """0,2 lies next to an enemy camp on 0,1 and to an own one on 0,3; 2,2 to neither."""
    position = draw("1E@0,2 1@2,2 camp@0,3 +2", "1E@-1,-1 camp@0,1", phase="reinforce")
    assert options(position) == {reinforce("2,2", 1), reinforce("2,2", 2)}
    refused(position, reinforce("0,2", 1), "E8.3", "near-enemy-building")


@pytest.mark.parametrize("building", ["camp@0,1", "camp@1,1", "tower@1,1", "tower@0,3", "castle@0,3"])
def test_e8_3_whatever_the_enemy_building_is(building: str) -> None:
    position = draw("1E@0,2 1@-1,1 +2", f"1E@-1,-1 {building}", phase="reinforce")
    assert reinforce("0,2", 1) not in options(position)


def test_e8_3_not_next_to_any_enemy_s_building() -> None:
    position = draw("1E@0,2 +2", "1E@-1,-1", "1E@4,0 camp@0,3", phase="after")
    assert reinforce("0,2", 1) not in options(position)


def test_e8_3_portals_are_no_neighbourhood() -> None:
    """3,0 lies before a portal; the enemy camp stands next to the other one's front."""
    position = draw("1E@3,0 +1", "1E@0,2 camp@-2,-1", tiles=WONDERS, phase="reinforce")
    assert options(position) == {reinforce("3,0", 1)}


def test_e8_3_not_on_a_tempest() -> None:
    position = draw("1E@1,2 2@1,3 +2", "1E@-1,-1", tiles=WONDERS, phase="reinforce")
    assert options(position) == {reinforce("1,2", 1), reinforce("1,2", 2)}
    refused(position, reinforce("1,3", 1), "E8.3", "on-tempest")


def test_e8_4_the_emperor_comes_with_the_first() -> None:
    position = draw("1@0,2 +2E", "1E@-1,-1", phase="reinforce")
    assert options(position) == {reinforce("0,2", count, emperor=True) for count in (1, 2, 3)}
    refused(position, reinforce("0,2", 1), "E8.4", "emperor-first")
    one = allowed(position, reinforce("0,2", 1, emperor=True))
    assert (at(one, "0,2"), reserve(one, 0)) == ("0:2E", "2")
    three = allowed(position, reinforce("0,2", 3, emperor=True))
    assert (at(three, "0,2"), reserve(three, 0)) == ("0:4E", "0")


def test_e8_5_the_emperor_alone_next_to_an_enemy_building() -> None:
    position = draw("1@0,2 4@2,2 +2E", "1E@-1,-1 camp@0,1", phase="reinforce")
    assert options(position) == {reinforce("0,2", 1, emperor=True)}
    refused(position, reinforce("0,2", 2, emperor=True), "E8.5", "emperor-alone")
    after = allowed(position, reinforce("0,2", 1, emperor=True))
    assert (at(after, "0,2"), reserve(after, 0)) == ("0:2E", "2")
    assert phase(after) == "1 action"


def test_e8_5_only_if_no_other_stack_can_take_it() -> None:
    position = draw("1@0,2 3@2,2 +2E", "1E@-1,-1 camp@0,1", phase="reinforce")
    assert options(position) == {reinforce("2,2", 1, emperor=True)}
    refused(position, reinforce("0,2", 1, emperor=True), "E8.3", "near-enemy-building")


def test_e8_5_ordinary_discs_have_no_such_exception() -> None:
    """With its only stack next to an enemy building player 0 can bring nothing back."""
    after = play(draw("2E@2,2 +2", "1E@-1,-1 camp@0,1"), move("2,2", "0,2"))
    assert phase(after) == "1 action"
    assert reserve(after, 0) == "2"


def test_e8_5_never_above_four_nor_on_a_tempest() -> None:
    full = play(draw("4@2,2 +E", "1E@-1,-1 camp@0,1"), move("2,2", "0,2"))
    assert phase(full) == "1 action"
    position = draw("1@1,3 +1E", "1E@-1,-1 camp@0,3", tiles=WONDERS, phase="after")
    assert reinforce("1,3", 1, emperor=True) not in options(position)
