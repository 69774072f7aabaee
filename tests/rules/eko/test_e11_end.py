"""E11: points, winning, and the end without a winner."""

from __future__ import annotations

import pytest

from ekoes.errors import PositionError
from ekoes.games.eko.game import playouts
from tests.rules.eko.board import (
    END,
    HEXAGON,
    PYRAMID,
    SOUTH,
    TRIANGLE,
    WONDERS,
    allowed,
    build,
    draw,
    drawn,
    ended,
    move,
    play,
    read,
    refused,
    sandtemple,
)

NINE = "tower@0,0 tower@1,1 tower@-2,2 castle@0,3"
"""Nine points, two of them on the capital."""

ELEVEN = f"{NINE} camp@0,1 camp@-1,2"


def test_e11_1_points() -> None:
    position = draw(
        "1E@5,-4 tower@0,0 castle@0,3 camp@-1,2",
        "2E@0,2 camp@3,-2 camp@2,-3 holds2",
        "4@-1,-1",
        tiles=_pyramid_board(),
    )
    mine, theirs = position.points(0), position.points(1)
    assert mine == {"camps": 1, "towers": 2, "castles": 3, "captives": 0, "pyramids": 2}
    assert theirs == {"camps": 2, "towers": 0, "castles": 0, "captives": 3, "pyramids": 0}
    assert (position.total(0), position.total(1)) == (8, 5)


def _pyramid_board() -> list[list[object]]:
    """TRIANGLE with the pyramid of WONDERS: 5,-4 6,-4 5,-3."""
    return [*TRIANGLE, ["S", 5, -4, 0]]


# --- E11.2 twelve points and a capital --------------------------------------------------------


def test_e11_2_twelve_points_with_a_capital_win_at_once() -> None:
    """Discs that could march or reinforce are left in the reserve: the game is over."""
    after = play(draw(f"2E@-3,2 {ELEVEN} +3", "1E@-1,-1"), build("-3,2", "-3,1", "camp"))
    assert ended(after) == ((0,), "E11.2")
    assert after.to_json()["turn"] == {"number": 7, "player": 0, "phase": "over"}


def test_e11_2_no_capital_no_victory() -> None:
    away = "tower@1,1 tower@-2,2 tower@3,-2 castle@0,3 camp@0,1 camp@-1,2"
    after = allowed(draw(f"2E@-3,2 {away}", "1E@-1,-1"), build("-3,2", "-3,1", "camp"))
    assert after.outcome() is None
    assert after.total(0) == 12


def test_e11_2_eleven_points_are_not_enough() -> None:
    after = allowed(draw(f"2E@-3,2 {NINE} camp@0,1", "1E@-1,-1"), build("-3,2", "-3,1", "camp"))
    assert after.total(0) == 11
    assert after.outcome() is None


def test_e11_2_the_capital_may_come_last() -> None:
    away = "tower@1,1 tower@-2,2 tower@3,-2 castle@0,3 camp@0,1 camp@-1,2"
    position = draw(f"2E@1,0 {away}", "1E@-1,-1")
    assert ended(allowed(position, build("1,0", "0,0", "camp"))) == ((0,), "E11.2")


def test_e11_2_any_player_may_win_by_any_decision() -> None:
    """Player 0 gives up a tie around the pyramid, and player 1 has twelve points."""
    position = draw("2@5,-4 1E@-4,2", f"1E@6,-4 {NINE} camp@0,1", tiles=WONDERS)
    after = play(position, move("5,-4", "4,-3", PYRAMID))
    assert ended(after) == ((1,), "E11.2")
    assert after.to_json()["turn"]["player"] == 0


def test_e11_2_a_temple_can_decide_too() -> None:
    """The Temple of the Sand takes the disc that kept the pyramid undecided."""
    position = draw(f"1E@5,-4 {NINE} camp@3,1 +2", "1@6,-4 2E@-1,-1", tiles=WONDERS)
    assert position.total(0) == 10
    assert ended(allowed(position, sandtemple("6,-4"))) == ((0,), "E11.2")


def test_e11_2_a_decided_position_is_refused() -> None:
    for value in (
        drawn(f"2E@-3,2 {ELEVEN} camp@-3,1", "1E@-1,-1"),
        drawn("2E@-3,2", "camp@0,0 +E"),
    ):
        with pytest.raises(PositionError) as error:
            read(value)
        assert str(error.value.rule).startswith("E11")


# --- E11.3 alone on the board -----------------------------------------------------------------


def test_e11_3_the_only_one_with_discs_wins() -> None:
    assert ended(play(draw("2E@0,2", "1E@1,2"), move("0,2", "1,2"))) == ((0,), "E11.3")


def test_e11_3_what_ended_the_game_is_why_nothing_more_is_played() -> None:
    over = play(draw("2E@0,2", "1E@1,2"), move("0,2", "1,2"))
    refusal = over.why_not(0, END)
    assert refusal is not None
    assert (refusal.rule, refusal.code) == ("E11.3", "game-over")


def test_e11_3_not_while_a_third_player_has_discs() -> None:
    after = play(draw("2E@0,2", "1E@1,2", "1E@-1,-1"), move("0,2", "1,2"))
    assert after.outcome() is None


def test_e11_3_the_last_disc_lost_to_a_tempest() -> None:
    position = draw("1E@2,2", "1E@-1,-1", tiles=WONDERS)
    after = play(position, move("2,2", "1,3", SOUTH, emperor_lost=True))
    assert ended(after) == ((1,), "E11.3")


def test_e11_3_the_last_discs_spent_on_a_building() -> None:
    after = play(draw("1E@0,2", "1E@-1,-1"), build("0,2", "0,3", "camp", emperor=True))
    assert ended(after) == ((1,), "E11.3")


# --- E11.4 special endings --------------------------------------------------------------------


def test_e11_4_both_win() -> None:
    """The last disc captures the Emperor for twelve points; only the enemy has discs left."""
    position = draw(f"1@1,0 {NINE} +E", "4E@1,2 1@-1,-1")
    after = play(position, move("1,0", "1,2"))
    assert ended(after) == ((0, 1), "E11.4")


def test_e11_4_everybody_loses() -> None:
    """The last disc takes the last four with it, and nobody has twelve points."""
    after = play(draw("1@1,0 tower@0,0 +E", "4E@1,2"), move("1,0", "1,2"))
    assert ended(after) == ((), "E11.4")


def test_e11_4_twelve_points_win_on_an_empty_board() -> None:
    """Ruling."""
    after = play(draw(f"1@1,0 {NINE} +E", "4E@1,2"), move("1,0", "1,2"))
    assert ended(after) == ((0,), "E11.2")


def test_e11_4_several_reach_twelve_at_one_instant() -> None:
    """Ruling: leaving the pyramid to capture an Emperor gives three points here, two there."""
    north = "castle@2,-3 tower@5,-1 tower@1,-4 tower@-3,0 camp@-3,1"
    position = draw(f"4@5,-4 1E@-4,2 {NINE}", f"1E@6,-4 {north}", "2E@4,-2", tiles=_pyramid_board())
    assert [position.total(seat) for seat in range(3)] == [9, 10, 0]
    after = play(position, move("5,-4", "4,-2", PYRAMID))
    assert ended(after) == ((0, 1), "E11.2")


# --- E11.5, E11.6 no end in sight -------------------------------------------------------------


def test_e11_5_the_rules_know_no_turn_limit() -> None:
    """Ruling: limits belong to tables and simulations."""
    position = draw("1E@0,2", "1E@-1,-1", number=5000)
    assert play(position, move("0,2", "1,2")).to_json()["turn"]["number"] == 5001


def test_e11_5_simulations_stop_at_400_turns_without_a_winner() -> None:
    late = draw("4E@0,2", "4E@-1,-1", number=401)
    result = playouts(late, 5, 1)
    assert (result.games, result.drawn, result.wins, result.decisions) == (5, 5, [0, 0], 0)


def test_e11_5_simulations_count_the_winners() -> None:
    """All winners of a game count; here it is decided already."""
    both = play(draw(f"1@1,0 {NINE} +E", "4E@1,2 1@-1,-1"), move("1,0", "1,2"))
    assert ended(both)[0] == (0, 1)
    result = playouts(both, 3, 1)
    assert (result.wins, result.drawn, result.decisions) == ([3, 3], 0, 0)
    random = playouts(draw("2E@0,2", "1E@-1,-1"), 30, 1)
    assert sum(random.wins) + random.drawn == 30
    assert sum(random.wins) > 0


def test_e11_6_what_makes_a_position_the_same() -> None:
    """Ruling: stacks, buildings, reserves, removed discs, captives, player to act; not the turn."""
    base = ("2E@0,2 camp@0,3 +1", "1E@-1,-1")
    same = draw(*base).identity()
    assert draw(*base, number=99).identity() == same
    others = [
        draw("2E@1,2 camp@0,3 +1", "1E@-1,-1"),
        draw("2@0,2 camp@0,3 +1E", "1E@-1,-1"),
        draw("2E@0,2 camp@0,1 +1", "1E@-1,-1"),
        draw("2E@0,2 tower@0,3 +1", "1E@-1,-1"),
        draw("2E@0,2 +1", "1E@-1,-1 camp@0,3"),
        draw("2E@0,2 camp@0,3", "1E@-1,-1"),
        draw("2E@0,2 camp@0,3 +1", "1@-1,-1 +E"),
        draw(*base, player=1),
    ]
    assert len({position.identity() for position in others} | {same}) == len(others) + 1
    captive = draw("2E@0,2 holds1", "1@-1,-1", "1E@3,-3").identity()
    assert captive != draw("2E@0,2", "1@-1,-1", "1E@3,-3 holds1").identity()


def test_e11_6_the_rules_know_no_history() -> None:
    """The same position as often as one likes: a position alone never ends by repetition."""
    position = draw("1E@0,2", "1E@-1,-1", tiles=HEXAGON)
    first = position.identity()
    for _ in range(4):
        for start, end in (("0,2", "1,2"), ("-1,-1", "-1,0"), ("1,2", "0,2"), ("-1,0", "-1,-1")):
            position = play(position, move(start, end))
        assert position.identity() == first
    assert position.outcome() is None
    refused(position, END, "E4.2", "must-act")
