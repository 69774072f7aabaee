"""E12: what is asked, in which order."""

from __future__ import annotations

from ekoes.games.eko.game import playouts
from tests.rules.eko.board import (
    END,
    MARCH,
    WONDERS,
    allowed,
    build,
    draw,
    moon,
    move,
    of_type,
    options,
    phase,
    play,
    ransom,
    refused,
    reinforce,
    sandtemple,
)
from tests.rules.eko.test_e03_setup import new, spaces_of

SHUT_IN = "4@-4,2 camp@-3,1 camp@3,1"
"""Four without the Emperor behind four enemies on -3,2 and -4,1, with the Temple of the Sand."""

GUARDS = "4@-3,2 4@-4,1 1E@0,2"


def test_e12_1_set_up_decisions() -> None:
    position = new()
    seat = position.actors()[0]
    assert len(options(position)) == 1 + len(spaces_of(position, seat, emperor=False)) == 16
    draft = new(setup="draft")
    assert len(options(draft)) == 2 * 32


def test_e12_2_moves_constructions_and_the_temple_of_the_sand() -> None:
    position = draw("2E@0,2 camp@3,1 +2", "2E@-1,-1", tiles=WONDERS)
    assert {a.type for a in options(position)} == {"move", "build", "sandtemple"}
    after = allowed(position, sandtemple("-1,-1"))
    assert after.to_json()["turn"] == {"number": 7, "player": 0, "phase": "action", "sandtemple_used": True}
    assert {a.type for a in options(after)} == {"move", "build"}


def test_e12_2_end_where_the_temple_is_all_there_is() -> None:
    """Declining leads to reinforcement: here the Emperor's disc is placed by the Moon."""
    position = play(draw(GUARDS, f"{SHUT_IN} +2E", tiles=WONDERS), move("0,2", "1,2"))
    assert {a.type for a in options(position)} == {"sandtemple", "end"}
    moonlit = play(draw(GUARDS, f"{SHUT_IN} camp@-2,-1 +2E", tiles=WONDERS), move("0,2", "1,2"), END)
    assert phase(moonlit) == "1 reinforce"
    assert {a.type for a in options(moonlit)} == {"moon", "end"}


def test_e12_2_otherwise_skipped_without_a_decision() -> None:
    position = play(draw("4@-3,2 1E@0,2", "3E@-4,2 camp@-3,1 +1"), move("0,2", "1,2"))
    assert phase(position) == "1 reinforce"


def test_e12_3_march_and_reinforcement_in_one_decision() -> None:
    position = draw("3E@0,2 +3", "1E@-1,-1", phase="after")
    assert options(position) == {MARCH, reinforce("0,2", 1)}
    declined = allowed(position, reinforce("0,2", 1))
    assert phase(declined) == "1 action"


def test_e12_3_march_without_a_reinforcement_can_be_declined() -> None:
    position = draw("4E@0,2 +3", "1E@-1,-1", phase="after")
    assert options(position) == {MARCH, END}
    assert phase(allowed(position, END)) == "1 action"


def test_e12_3_moon_without_a_reinforcement_can_be_declined() -> None:
    position = draw("4@0,2 camp@-2,-1 +2E", "1E@-1,-1", tiles=WONDERS, phase="after")
    assert {a.type for a in options(position)} == {"moon", "end"}
    assert phase(allowed(position, END)) == "1 action"


def test_e12_3_neither_ends_the_turn() -> None:
    position = play(draw("4E@0,2 +2", "1E@-1,-1"), move("0,2", "1,2"))
    assert phase(position) == "1 action"


def test_e12_4_second_action_then_reinforcement() -> None:
    position = play(draw("4E@0,2 +3", "1E@-1,-1", phase="after"), MARCH)
    assert {a.type for a in options(position)} == {"move", "build"}
    refused(position, END, "E4.2", "must-act")
    after = play(position, build("0,2", "0,3", "camp"))
    assert after.to_json()["turn"] == {"number": 7, "player": 0, "phase": "reinforce", "marched": True}


def test_e12_5_every_ordinary_option_has_the_emperor() -> None:
    position = draw("1@0,2 2@2,2 +1E", "1E@-1,-1", phase="reinforce")
    wanted = {reinforce(space, count, emperor=True) for space in ("0,2", "2,2") for count in (1, 2)}
    assert options(position) == wanted


def test_e12_5_exception_options_are_ordinary_ones() -> None:
    """The Moon is offered beside the exception of E8.5, and no end: E8.1 asks for a disc."""
    position = draw("1@0,2 camp@-2,-1 +3E", "1E@-1,-1 camp@0,3", tiles=WONDERS, phase="reinforce")
    assert of_type(position, "reinforce") == {reinforce("0,2", 1, emperor=True)}
    assert moon("1,2") in options(position)
    assert moon("1,2", emperor=True) in options(position)
    refused(position, END, "E8.1", "must-reinforce")


def test_e12_6_the_turn_ends_with_the_placement() -> None:
    position = draw("1E@0,2 1@2,2 +3", "1E@-1,-1", phase="reinforce")
    assert phase(play(position, reinforce("0,2", 1))) == "1 action"


def test_e12_6_the_moon_after_a_placement() -> None:
    position = draw("1E@0,2 camp@-2,-1 +4", "1E@-1,-1", tiles=WONDERS, phase="reinforce")
    after = play(position, reinforce("0,2", 1))
    assert {a.type for a in options(after)} == {"moon", "end"}
    assert phase(play(after, END)) == "1 action"
    assert phase(play(after, moon("1,2"))) == "1 action"


def test_e12_6_placements_after_the_moon() -> None:
    position = draw("1E@0,2 camp@-2,-1 +4", "1E@-1,-1", tiles=WONDERS, phase="reinforce")
    after = play(position, moon("1,2"))
    assert options(after) == {reinforce("0,2", 1), reinforce("1,2", 1), END}


def test_e12_6_no_end_while_the_emperor_can_be_placed() -> None:
    position = draw("1@0,2 camp@-2,-1 +3E", "1E@-1,-1", tiles=WONDERS, phase="reinforce")
    after = play(position, moon("1,2"))
    assert options(after) == {reinforce(space, 1, emperor=True) for space in ("0,2", "1,2")}
    refused(after, END, "E8.4", "must-bring-emperor")


def test_e12_6_nor_while_the_exception_can_take_it() -> None:
    """The disc of the Moon stands next to the enemy camp as well, so E8.5 holds for both stacks."""
    position = draw("1@0,2 camp@-2,-1 +3E", "1E@-1,-1 camp@0,3", tiles=WONDERS, phase="reinforce")
    after = play(position, moon("1,2"))
    assert options(after) == {reinforce(space, 1, emperor=True) for space in ("0,2", "1,2")}


def test_e12_6_end_where_the_emperor_can_not_be_placed() -> None:
    position = draw("4@0,2 camp@-2,-1 +6E", "1E@-1,-1 camp@0,3", tiles=WONDERS, phase="reinforce")
    after = play(position, moon("1,3"))
    assert phase(after) == "1 action"


def test_e12_6_the_wind_in_any_order() -> None:
    position = draw("1E@0,2 1@2,2 camp@4,-1 +2", "1E@-1,-1", tiles=WONDERS, phase="reinforce")
    one, other = reinforce("0,2", 1), reinforce("2,2", 1)
    assert play(position, one, other).to_json() == play(position, other, one).to_json()
    assert options(play(position, one)) == {other, END}


def test_e12_6_wind_and_moon_together() -> None:
    board = "1E@0,2 1@2,2 camp@4,-1 camp@-2,-1 +6"
    position = draw(board, "1E@-1,-1", tiles=WONDERS, phase="reinforce")
    after = play(position, reinforce("0,2", 1), moon("1,2"))
    assert options(after) == {reinforce(s, n) for s in ("2,2", "1,2") for n in (1, 2)} | {END}
    assert after.to_json()["turn"] == {
        "number": 7,
        "player": 0,
        "phase": "reinforce",
        "moon_used": True,
        "placed": ["0,2"],
    }


def test_e12_7_ransom_only_when_there_is_a_choice() -> None:
    chosen = draw("4@1,0 1E@-4,2", "3E@1,2 1@-1,-1 holds2 holds3", "1@3,-3", "1@0,-3")
    asking = play(chosen, move("1,0", "1,2"))
    assert phase(asking) == "0 ransom"
    assert options(asking) == {ransom(2), ransom(3)}
    forced = draw("4@1,0 1E@-4,2", "3E@1,2 1@-1,-1 holds2", "1@3,-3", "1E@0,-3")
    assert phase(play(forced, move("1,0", "1,2"))) == "1 action"


def test_e12_7_after_the_ransom_the_turn_goes_on() -> None:
    players = ("4@1,0 1E@-4,2 +3", "3E@1,2 1@-1,-1 holds2 holds3", "1@3,-3", "1@0,-3")
    first = play(draw(*players), move("1,0", "1,2"), ransom(2))
    assert phase(first) == "0 after"
    assert MARCH in options(first)
    second = play(draw(*players, phase="second", marched=True), move("1,0", "1,2"))
    assert second.to_json()["turn"]["resume"] == "reinforce"
    assert phase(play(second, ransom(2))) == "0 reinforce"


def test_e12_8_a_single_option_is_asked_for() -> None:
    position = draw("3E@0,2 +1", "1E@-1,-1", phase="reinforce")
    assert options(position) == {reinforce("0,2", 1)}


def test_e12_8_but_never_end_alone() -> None:
    """The wind's last placement used the reserve up: nothing is asked any more."""
    position = draw("1E@0,2 1@2,2 camp@4,-1 +1", "1E@-1,-1", tiles=WONDERS, phase="reinforce")
    assert phase(play(position, reinforce("0,2", 1))) == "1 action"


def test_e12_9_the_limit_counts_turn_numbers() -> None:
    """With a limit of 8 the eighth turn is still played, the ninth is not begun."""
    position = draw("1E@-4,2", "1E@4,-2", number=8)
    one_turn = playouts(position, 20, 3, turn_limit=8)
    assert one_turn.drawn + sum(one_turn.wins) == 20
    assert one_turn.decisions >= 20
    assert playouts(position, 20, 3, turn_limit=7).decisions == 0
