"""E7: forced march."""

from __future__ import annotations

from tests.rules.eko.board import (
    MARCH,
    WEST,
    WONDERS,
    allowed,
    draw,
    move,
    options,
    phase,
    play,
    refused,
    reserve,
    sandtemple,
)


def test_e7_1_three_discs_for_one_more_action() -> None:
    position = draw("1E@0,2 +4", "1E@-1,-1", phase="after")
    after = allowed(position, MARCH)
    assert (phase(after), reserve(after, 0)) == ("0 second", "1")
    assert after.to_json()["removed"][0] == position.to_json()["removed"][0] + 3
    assert after.to_json()["turn"]["marched"] is True


def test_e7_1_three_ordinary_discs_are_needed() -> None:
    refused(draw("1@0,2 +2E", "1E@-1,-1", phase="after"), MARCH, "E7.1", "march-reserve")
    after = allowed(draw("1@0,2 +3E", "1E@-1,-1", phase="after"), MARCH)
    assert reserve(after, 0) == "0E"


def test_e7_1_once_a_turn() -> None:
    position = play(draw("1E@0,2 +9", "1E@-1,-1", phase="after"), MARCH, move("0,2", "1,2"))
    refused(position, MARCH, "E7.1", "march-used")


def test_e7_1_after_the_first_action_only() -> None:
    refused(draw("1E@0,2 +3", "1E@-1,-1"), MARCH, "E12.2", "wrong-phase")


def test_e7_1_not_in_a_turn_without_an_action() -> None:
    position = draw("3E@-4,2 camp@-3,1 +3", "4@-3,2 1E@0,2", phase="reinforce")
    refused(position, MARCH, "E12.5", "wrong-phase")


def test_e7_1_discs_that_came_this_turn_serve() -> None:
    """Ruling: the kamikaze's disc is the third one."""
    position = play(draw("1@1,0 1E@-4,2 +2", "4@1,2 1E@-1,-1"), move("1,0", "1,2"))
    assert reserve(position, 0) == "3"
    allowed(position, MARCH)


def test_e7_1_only_if_an_action_will_be_possible() -> None:
    """Ruling: the stack is shut in between four enemies, an own camp and a chasm."""
    position = draw("3E@-4,2 camp@-3,1 +3", "4@-3,2 1E@0,2", phase="after")
    refused(position, MARCH, "E7.1", "march-no-action")
    open_way = draw("3E@-4,2 camp@-3,1 +3", "1E@0,2", phase="after")
    allowed(open_way, MARCH)


def test_e7_1_a_temple_is_no_action() -> None:
    """Ruling: the Temple of the Sand comes before the first action alone."""
    position = play(draw("1E@0,2 camp@3,1 +5", "2E@-1,-1", tiles=WONDERS, phase="after"), MARCH)
    refused(position, sandtemple("-1,-1"), "E12.4", "wrong-phase")


def test_e7_1_a_last_disc_lost_to_a_tempest_is_an_action() -> None:
    shut_in = ("1E@-4,2 camp@-3,1 +3", "3@-3,2 2E@0,2")
    allowed(draw(*shut_in, tiles=WONDERS, phase="after"), MARCH)
    position = play(draw(*shut_in, tiles=WONDERS, phase="after"), MARCH)
    assert options(position) == {move("-4,2", "-4,1", WEST, emperor_lost=True)}
