"""E5: move, regroup, attack, kamikaze, capture, ransom."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ekoes.errors import PositionError
from ekoes.games.eko.position.action import Move
from tests.rules.eko.board import (
    BEACON,
    END,
    WONDERS,
    allowed,
    asked,
    at,
    draw,
    drawn,
    ended,
    move,
    of_type,
    options,
    phase,
    ransom,
    read,
    refused,
    reserve,
)

if TYPE_CHECKING:
    from ekoes.games.eko.position.position import EkoPosition


def targets(position: EkoPosition, start: str) -> set[str]:
    """Where a stack may move to."""
    moves = of_type(position, "move")
    return {str(a.target) for a in moves if isinstance(a, Move) and str(a.source) == start}


# --- E5.1 routes --------------------------------------------------------------------------


def test_e5_1_any_number_of_steps_over_empty_spaces() -> None:
    position = draw("1E@-4,2", "1E@3,-3")
    free = {
        str(s)
        for s, t in zip(position.layout.spaces, position.layout.terrain, strict=True)
        if t.word == "sand"
    }
    assert targets(position, "-4,2") == free - {"-4,2"}
    after = allowed(position, move("-4,2", "2,-4"))
    assert (at(after, "-4,2"), at(after, "2,-4")) == ("", "0:1E")


def test_e5_1_stacks_are_obstacles() -> None:
    """From the blind end -4,2 the only way leads over -3,2."""
    assert targets(draw("2E@-4,2 2@-3,2", "1E@0,2"), "-4,2") == {"-3,2"}
    assert targets(draw("2E@-4,2 4@2,2", "4@-3,2 1E@0,2"), "-4,2") == set()
    refused(draw("2E@-4,2 2@-3,2", "1E@0,2"), move("-4,2", "-3,3"), "E5.1", "no-path")


def test_e5_1_other_terrain_is_an_obstacle() -> None:
    position = draw("1E@-4,2", "1E@0,2")
    for where in ("-3,1", "-4,3", "0,0", "0,3"):
        refused(position, move("-4,2", where), "E5.1", "not-a-movement-space")


def test_e5_1_a_stack_is_never_split() -> None:
    after = allowed(draw("3E@0,2", "1E@-1,-1"), move("0,2", "1,2"))
    assert (at(after, "0,2"), at(after, "1,2")) == ("", "0:3E")


def test_e5_1_a_move_never_ends_where_it_began() -> None:
    refused(draw("1E@0,2", "1E@-1,-1"), move("0,2", "0,2"), "E5.1", "same-space")


def test_e5_1_a_path_may_cross_its_own_start() -> None:
    """Ruling: from -3,3 into the zone of the Beacon and back over -3,3 to the north."""
    position = draw("2E@-3,3 1@-2,3", "1E@0,2", tiles=WONDERS)
    after = allowed(position, move("-3,3", "-3,2", BEACON))
    assert (at(after, "-3,2"), reserve(after, 0)) == ("0:1E", "1")


def test_e5_1_only_own_stacks_move() -> None:
    position = draw("1E@0,2", "1E@-1,-1")
    for start in ("-1,-1", "1,2"):
        refused(position, move(start, "2,2"), "E5.1", "not-your-stack")


# --- E5.2 to E5.4: the example of the rulebook ----------------------------------------------

EXAMPLE = (
    "2@1,-1 1E@-2,0 2@3,0 3@0,2",  # A; regroup with the first two (C, D), not with the third (G)
    "1@-1,1 1@2,2 2E@4,-2 3@-3,3 4@0,-3",  # attack the first two (E), not the others (F)
)


def test_e5_2_example_of_the_rulebook() -> None:
    position = draw(*EXAMPLE)
    reached = targets(position, "1,-1")
    assert {"1,0", "2,1", "0,-2", "-4,2"} <= reached  # empty spaces (B)
    assert {"-2,0", "3,0"} <= reached  # regroup (C, D)
    assert {"-1,1", "2,2"} <= reached  # attack (E)
    for stronger in ("4,-2", "-3,3", "0,-3"):
        refused(position, move("1,-1", stronger), "E5.3", "too-weak")
    refused(position, move("1,-1", "0,2"), "E5.2", "too-high")
    for elsewhere in ("0,0", "1,1", "2,-2", "2,-3", "0,1"):
        refused(position, move("1,-1", elsewhere), "E5.1", "not-a-movement-space")


def test_e5_2_regroup_joins_the_stacks() -> None:
    position = draw(*EXAMPLE)
    assert at(allowed(position, move("1,-1", "-2,0")), "-2,0") == "0:3E"
    assert at(allowed(position, move("1,-1", "3,0")), "3,0") == "0:4"
    assert at(allowed(position, move("-2,0", "1,-1")), "1,-1") == "0:3E"


def test_e5_3_more_discs_win() -> None:
    for height in (2, 3, 4):
        position = draw(f"{height}@1,0 1E@-4,2", f"{height - 1}@1,2 1E@-1,-1")
        assert at(allowed(position, move("1,0", "1,2")), "1,2") == f"0:{height}"
    refused(draw("2@1,0 1E@-4,2", "3@1,2 1E@-1,-1"), move("1,0", "1,2"), "E5.3", "too-weak")


def test_e5_3_equal_stacks_need_the_emperor() -> None:
    for height in (1, 2, 3, 4):
        plain = draw(f"{height}@1,0 1E@-4,2", f"{height}@1,2 1E@-1,-1")
        refused(plain, move("1,0", "1,2"), "E5.3", "too-weak")
        crowned = draw(f"{height}E@1,0", f"{height}@1,2 1E@-1,-1")
        assert at(allowed(crowned, move("1,0", "1,2")), "1,2") == f"0:{height}E"


def test_e5_3_an_emperor_beats_an_emperor() -> None:
    after = allowed(draw("1E@1,0", "1E@1,2 1@-1,-1"), move("1,0", "1,2"))
    assert after.captives(0) == (1,)


def test_e5_3_the_emperor_does_not_beat_a_larger_stack() -> None:
    refused(draw("2E@1,0", "3@1,2 1E@-1,-1"), move("1,0", "1,2"), "E5.3", "too-weak")


def test_e5_3_one_disc_beats_exactly_four() -> None:
    allowed(draw("1@1,0 1E@-4,2", "4@1,2 1E@-1,-1"), move("1,0", "1,2"))
    for height in (1, 2, 3):
        position = draw("1@1,0 1E@-4,2", f"{height}@1,2 1E@-1,-1")
        refused(position, move("1,0", "1,2"), "E5.3", "too-weak")


def test_e5_3_nobody_attacks_an_own_stack() -> None:
    refused(draw("4E@1,0 1@1,2", "1E@-1,-1"), move("1,0", "1,2"), "E5.2", "too-high")
    refused(draw("1E@1,0 4@1,2", "1E@-1,-1"), move("1,0", "1,2"), "E5.2", "too-high")


def test_e5_4_the_defender_goes_home() -> None:
    after = allowed(draw("4@1,0 1E@-4,2", "3@1,2 1E@-1,-1"), move("1,0", "1,2"))
    assert (at(after, "1,0"), at(after, "1,2")) == ("", "0:4")
    assert reserve(after, 1) == "3"
    assert after.captives(0) == ()


def test_e5_4_the_emperor_is_captured() -> None:
    after = allowed(draw("4@1,0 1E@-4,2", "3E@1,2 1@-1,-1"), move("1,0", "1,2"))
    assert reserve(after, 1) == "2"
    assert after.captives(0) == (1,)


# --- E5.5 kamikaze ------------------------------------------------------------------------


def test_e5_5_both_stacks_leave() -> None:
    after = allowed(draw("1@1,0 1E@-4,2", "4@1,2 1E@-1,-1"), move("1,0", "1,2"))
    assert (at(after, "1,0"), at(after, "1,2")) == ("", "")
    assert (reserve(after, 0), reserve(after, 1)) == ("1", "4")


def test_e5_5_a_defending_emperor_is_captured() -> None:
    after = allowed(draw("1@1,0 1E@-4,2", "4E@1,2 1@-1,-1"), move("1,0", "1,2"))
    assert (reserve(after, 0), reserve(after, 1)) == ("1", "3")
    assert after.captives(0) == (1,)


def test_e5_5_a_lone_emperor_is_a_kamikaze() -> None:
    """Ruling; it goes to its own reserve and is not captured."""
    after = allowed(draw("1E@1,0 1@-4,2", "4E@1,2 1@-1,-1"), move("1,0", "1,2"))
    assert (at(after, "1,2"), reserve(after, 0), reserve(after, 1)) == ("", "0E", "3")
    assert (after.captives(0), after.captives(1)) == ((1,), ())


# --- E5.6, E5.7 captives ------------------------------------------------------------------


def test_e5_6_a_captive_is_worth_three_points() -> None:
    position = draw("4@1,0 1E@-4,2", "3E@1,2 1@-1,-1")
    assert position.total(0) == 0
    after = allowed(position, move("1,0", "1,2"))
    assert (after.points(0)["captives"], after.total(0)) == (3, 3)


def test_e5_7_captives_are_exchanged_at_once() -> None:
    """Player 1 holds player 0's Emperor; player 0 captures player 1's."""
    after = allowed(draw("4@1,0", "3E@1,2 1@-1,-1 holds0"), move("1,0", "1,2"))
    assert (reserve(after, 0), reserve(after, 1)) == ("0E", "2E")
    assert (after.captives(0), after.captives(1)) == ((), ())


def test_e5_7_any_emperor_ransoms_the_own_one() -> None:
    """Player 2 holds player 0's Emperor and gets player 1's for it."""
    after = allowed(draw("4@1,0", "3E@1,2 1@-1,-1", "1E@3,-3 holds0"), move("1,0", "1,2"))
    assert reserve(after, 0) == "0E"
    assert [after.captives(seat) for seat in range(3)] == [(), (), (1,)]


def test_e5_7_whichever_capture_came_first() -> None:
    """Ruling: player 1, whose Emperor is captured now, holds player 2's and must give it."""
    after = allowed(draw("4@1,0 1E@-4,2", "3E@1,2 1@-1,-1 holds2", "1@3,-3"), move("1,0", "1,2"))
    assert reserve(after, 1) == "2E"
    assert [after.captives(seat) for seat in range(3)] == [(2,), (), ()]


def test_e5_7_who_holds_several_chooses_even_out_of_turn() -> None:
    position = draw("4@1,0 1E@-4,2", "3E@1,2 1@-1,-1 holds2 holds3", "1@3,-3", "1@0,-3")
    asking = allowed(position, move("1,0", "1,2"))
    assert asking.to_json()["turn"] == {
        "number": 7,
        "player": 0,
        "phase": "ransom",
        "ransom": 1,
        "resume": "after",
    }
    assert asked(asking) == 1
    assert options(asking) == {ransom(2), ransom(3)}
    refused(asking, ransom(0), "E5.7", "ransom-not-held")
    refused(asking, END, "E12.7", "wrong-phase")
    waits = asking.why_not(0, END)
    assert waits is not None
    assert (waits.rule, waits.code) == ("E5.7", "ransom-first")
    given = allowed(asking, ransom(3))
    assert [given.captives(seat) for seat in range(4)] == [(3,), (2,), (), ()]
    assert reserve(given, 1) == "2E"
    assert phase(given) == "1 action"


def test_e5_7_the_player_to_act_comes_first() -> None:
    """Both owe one another; would player 1 come first, there would be a choice among two."""
    position = draw("4@1,0", "3E@1,2 1@-1,-1 holds0 holds2", "1@3,-3")
    after = allowed(position, move("1,0", "1,2"))
    assert [after.captives(seat) for seat in range(3)] == [(), (2,), ()]
    assert (reserve(after, 0), reserve(after, 1)) == ("0E", "2E")


def test_e5_7_one_exchange_may_call_for_another() -> None:
    """Player 3 held 0's Emperor and gets 1's for it; 1 then gives 2's to get it back."""
    position = draw("4@1,0", "3E@1,2 1@-1,-1 holds2", "1@3,-3", "1E@0,-3 holds0")
    after = allowed(position, move("1,0", "1,2"))
    assert [after.captives(seat) for seat in range(4)] == [(), (), (), (2,)]
    assert (reserve(after, 0), reserve(after, 1)) == ("0E", "2E")


def test_e5_7_is_no_action() -> None:
    """After the exchange the turn goes on where it was: the march is still offered."""
    position = draw("4@1,0 +3", "3E@1,2 1@-1,-1 holds0")
    after = allowed(position, move("1,0", "1,2"))
    assert phase(after) == "0 after"
    assert "march" in {action.type for action in options(after)}


def test_e5_7_victory_is_judged_after_it() -> None:
    """Nine points, a capital and the captive would be twelve; the captive has to be given away."""
    towers = "tower@0,0 tower@1,1 tower@-2,2 castle@0,3"
    free = draw(f"4@1,0 1E@-4,2 {towers}", "3E@1,2 1@-1,-1")
    assert ended(allowed(free, move("1,0", "1,2"))) == ((0,), "E11.2")
    owing = draw(f"4@1,0 {towers}", "3E@1,2 1@-1,-1 holds0")
    after = allowed(owing, move("1,0", "1,2"))
    assert after.outcome() is None
    assert after.total(0) == 9


def test_e5_7_a_position_that_owes_a_ransom_is_refused() -> None:
    value = drawn("1@1,0 holds1", "1@1,2 holds0")
    with pytest.raises(PositionError) as error:
        read(value)
    assert error.value.rule == "E5.7"
