"""E4: the turn."""

from __future__ import annotations

from tests.rules.eko.board import (
    END,
    MARCH,
    TRIANGLE,
    allowed,
    draw,
    moon,
    move,
    options,
    phase,
    play,
    refused,
    reinforce,
)

SHUT_IN = "3E@-4,2 camp@-3,1"
"""A stack that can do nothing while -3,2 holds four enemies: behind it lie an own camp and a chasm."""

MOON_BOARD = [["O", *place] if name == "E" else [name, *place] for name, *place in TRIANGLE]


def test_e4_1_action_then_march_then_reinforcement() -> None:
    position = draw("2E@0,2 +4", "1E@-1,-1")
    assert phase(position) == "0 action"
    assert {action.type for action in options(position)} == {"move", "build"}
    position = allowed(position, move("0,2", "1,2"))
    assert phase(position) == "0 after"
    assert {action.type for action in options(position)} == {"march", "reinforce"}
    position = allowed(position, MARCH)
    assert phase(position) == "0 second"
    assert {action.type for action in options(position)} == {"move", "build"}
    position = allowed(position, move("1,2", "0,2"))
    assert phase(position) == "0 reinforce"
    assert options(position) == {reinforce("0,2", 1)}
    position = allowed(position, reinforce("0,2", 1))
    assert phase(position) == "1 action"
    assert position.to_json()["turn"]["number"] == 8


def test_e4_1_turns_go_clockwise() -> None:
    position = draw("1E@0,2", "1E@-1,-1", "1E@4,0", "1E@0,5", player=2)
    moves = [("4,0", "4,-1"), ("0,5", "0,4"), ("0,2", "1,2"), ("-1,-1", "-1,0"), ("4,-1", "4,0")]
    order = []
    for start, end in moves:
        order.append(phase(position))
        position = play(position, move(start, end))
    assert order == ["2 action", "3 action", "0 action", "1 action", "2 action"]


def test_e4_1_clockwise_however_a_turn_ends() -> None:
    """By a march declined, by a reinforcement, or because nothing is left to choose."""
    others = ("1E@4,0", "1E@0,5", "1E@-5,0")
    assert phase(play(draw("4E@0,2 +3", *others), move("0,2", "1,2"), END)) == "1 action"
    assert phase(play(draw("3E@0,2 +1", *others), move("0,2", "1,2"), reinforce("1,2", 1))) == "1 action"
    assert phase(play(draw("3E@0,2", *others), move("0,2", "1,2"))) == "1 action"


def test_e4_1_one_action_only() -> None:
    position = play(draw("1E@0,2 +1", "1E@-1,-1"), move("0,2", "1,2"))
    assert phase(position) == "0 after"
    refused(position, move("1,2", "0,2"), "E12.3", "wrong-phase")


def test_e4_1_nobody_acts_out_of_turn() -> None:
    position = draw("1E@0,2", "1E@-1,-1")
    assert list(position.legal(1)) == []
    refusal = position.why_not(1, move("-1,-1", "-1,0"))
    assert refusal is not None
    assert (refusal.rule, refusal.code) == ("E4.1", "not-your-turn")


def test_e4_2_an_action_is_compulsory() -> None:
    refused(draw("1E@0,2 +2", "1E@-1,-1"), END, "E4.2", "must-act")


def test_e4_2_without_an_action_on_to_reinforcement() -> None:
    """Ruling."""
    after = play(draw("4@-3,2 1E@0,2", f"{SHUT_IN} +1"), move("0,2", "1,2"))
    assert after.to_json()["turn"] == {"number": 8, "player": 1, "phase": "reinforce"}
    assert options(after) == {reinforce("-4,2", 1)}


def test_e4_2_who_can_do_nothing_is_passed_over() -> None:
    """Ruling: the turn comes back to player 0, and player 1 takes no number."""
    after = play(draw("4@-3,2 1E@0,2", SHUT_IN), move("0,2", "1,2"))
    assert after.to_json()["turn"] == {"number": 8, "player": 0, "phase": "action"}


def test_e4_3_a_player_without_discs_is_passed_over() -> None:
    """Ruling: nobody leaves the turn order; the buildings stay."""
    after = play(draw("1E@0,2", "camp@0,0 +3E", "1E@-1,-1"), move("0,2", "1,2"))
    assert phase(after) == "2 action"
    assert after.total(1) == 1


def test_e4_3_the_moon_brings_a_player_back() -> None:
    """Ruling."""
    after = play(
        draw("1E@0,2", "camp@-2,-1 +3E", "1E@-1,-1", tiles=MOON_BOARD),
        move("0,2", "1,2"),
    )
    assert phase(after) == "1 reinforce"
    assert END in options(after)
    back = allowed(after, moon("-1,0"))
    assert back.to_json()["stacks"]["-1,0"] == {"owner": 1, "height": 1, "emperor": False}
