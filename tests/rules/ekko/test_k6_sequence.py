"""K6: the decision sequence."""

from __future__ import annotations

import json

import pytest

from ekoes.errors import IllegalActionError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE
from ekoes.games.ekko.position.action import Deal
from tests.rules.ekko.cards import (
    CLOSE,
    DRAW,
    PASS,
    allowed,
    blocked,
    deal,
    deal_out,
    discard,
    go,
    hands,
    misplay,
    options,
    others_draw,
    pile,
    play,
    refused,
    turn,
    undealt,
    zone,
)

FOUR_HANDS = "1 3 5 7 9  12 14 16 18 20  23 25 27 29 31  42 45 47 49 51  60 71 72 73"


def test_k6_0_blocks_clockwise_from_the_dealer_s_left() -> None:
    position = go(undealt(4, dealer=2), deal(FOUR_HANDS))
    assert hands(position) == ["12 14 16 18 20", "23 25 27 29 31", "42 45 47 49 51", "1 3 5 7 9"]
    assert (zone(position), pile(position, 4)) == ("60", "71 72 73 2")


def test_k6_0_the_pile_is_drawn_in_that_order() -> None:
    first = "1 3 5 7 9 2  12 14 16 18 20 24  26 28 30 32 34 36  97 71 72 73"
    position = go(undealt(3), deal(first), DRAW, DRAW)
    assert hands(position)[1:] == ["1 2 3 5 7 9 71", "12 14 16 18 20 24 72"]


def test_k6_0_the_deal_is_chance() -> None:
    position = undealt(3)
    assert position.actors() == (CHANCE,)
    assert position.legal(0) == ()
    drawn = position.chance_action(Chance(7))
    assert isinstance(drawn, Deal)
    assert sorted(drawn.order) == list(range(1, 99))
    assert drawn == position.chance_action(Chance(7))
    assert drawn != position.chance_action(Chance(8))


def test_k6_0_everything_else_is_deterministic() -> None:
    position = go(undealt(2), deal("1 3 5 7 9 2  12 14 16 18 20 24  97"))
    for _ in range(2):
        assert go(position, DRAW).to_json() == go(position, DRAW).to_json()
    with pytest.raises(IllegalActionError):
        position.chance_action(Chance(1))


@pytest.mark.parametrize("order", [(), (1, 2, 3), (7,) * 98, tuple(range(98)), tuple(range(1, 100))])
def test_k6_0_each_card_once(order: tuple[int, ...]) -> None:
    refused(undealt(2), Deal(order), "K6.0", "deal-order")


def test_k6_0_only_before_the_round_and_by_nobody_at_the_table() -> None:
    refused(undealt(2), deal(), "K2.1", "not-your-turn", seat=0)
    refused(go(undealt(2), deal()), deal(), "K6.0", "already-dealt", seat=CHANCE)


def test_k6_1_asked_after_the_turn_over() -> None:
    position = go(undealt(4, dealer=3), deal("1 3 5 6 9  12 14 16 18 20  73 25 27 29 31  42 45 47 49 51  37"))
    assert (turn(position), position.player) == ("2 is asked", 0)


def test_k6_1_asked_after_every_card() -> None:
    position = go(deal_out("37 2", "5 6", "7 73", zone="38", last=2), play(37))
    assert (turn(position), position.actors()) == ("2 is asked", (2,))
    assert options(position) == {PASS, discard(73, 7), others_draw(73)}


def test_k6_1_asked_after_a_draw_that_ended_a_turn() -> None:
    position = go(deal_out("3 2", "5 6", "7 8", zone="37", last=2, pile="73"), DRAW)
    assert (turn(position), position.player) == ("0 is asked", 1)


def test_k6_1_nobody_is_asked_if_nobody_holds_it() -> None:
    for more in ({"pile": "73"}, {"pile": "1", "aside": {0: "73"}}):
        position = go(deal_out("37 2", "5 6", zone="38", **more), play(37))
        assert turn(position) == "1 plays"


def test_k6_1_after_a_pass_the_player_in_turn() -> None:
    position = go(deal_out("37 2", "5 6", "7 73", zone="38", last=2), play(37), PASS)
    assert turn(position) == "1 plays"
    refused(position, PASS, "K6.1", "nothing-asked")


def test_k6_1_asked_again_after_the_next_draw_only() -> None:
    position = go(deal_out("37 2", "5 6", "7 73", zone="38", last=2), play(37), PASS, DRAW)
    assert (turn(position), position.player) == ("2 is asked", 2)
    assert turn(go(position, PASS)) == "2 plays"


def test_k6_1_the_asked_player_alone_decides_and_before_the_turn() -> None:
    position = go(deal_out("37 2", "50 6", "7 73", zone="38", last=2), play(37))
    refused(position, play(50), "K6.1", "mirror-first", seat=1)
    refused(position, DRAW, "K6.1", "mirror-first", seat=0)
    refused(position, PASS, "K6.1", "nothing-asked", seat=1)
    refused(position, play(7), "K6.1", "answer-mirror", seat=2)
    refused(position, DRAW, "K6.1", "answer-mirror", seat=2)


def test_k6_2_every_valid_card() -> None:
    position = deal_out("11 36 37 38 98", "2 4", zone="35")
    assert options(position) == {play(36), play(37), play(38), play(98)}


def test_k6_2_the_valid_mirror_is_offered_as_its_plays() -> None:
    position = go(deal_out("36 73 98", "2 4", zone="37", phase="mirror", asked=0), PASS)
    assert options(position) == {play(98), discard(73, 36), discard(73, 98), others_draw(73)}


def test_k6_2_draw_if_there_is_none_though_it_is_one_option() -> None:
    position = deal_out("2 4", "5 6", zone="37", pile="")
    assert (position.actors(), options(position)) == ((0,), {DRAW})


def test_k6_3_no_misplays() -> None:
    """They are listed neither here nor at a live table; a position takes one that happened (K7.3)."""
    for live in (False, True):
        position = deal_out("2 40", "5 6", zone="37", pile="88 89", live=live)
        assert options(position) == {play(40)}
        assert blocked(allowed(position, misplay(2))) == [[88], []]


def test_k6_3_a_mirror_that_names_its_card_is_taken() -> None:
    """Ruling: what happened at a live table can be replayed from a file."""
    position = deal_out("2 40", "5 73", zone="37")
    assert turn(allowed(position, others_draw(73, on=37))) == "0 plays"
    refused(position, others_draw(73), "K6.1", "nothing-asked")
    refused(position, CLOSE, "K7.4", "nobody-leaving")


def test_k6_3_a_reaction_time_from_a_file() -> None:
    """Ruling: its mirror and its close are taken, and then the sequence goes on as ever."""
    position = deal_out("", "5 73", zone="38 37", player=1, last=0, leaving=0, pile="8 9")
    assert options(position) == {CLOSE}
    assert turn(allowed(position, others_draw(73))) == "0 plays"
    order = "1 3 5 6 9 13  12 14 16 18 20 73  37 40 41"
    assert turn(go(position, CLOSE, deal(order))) == "0 is asked"


def test_k6_4_what_a_player_knows() -> None:
    position = deal_out(
        "2 4", "5 90", "7 73", zone="38 37", aside={0: "50", 2: "60 61"}, scores="3 4 5", pile="80"
    )
    assert position.view(2) == {
        "game": "ekko",
        "version": 1,
        "players": 3,
        "target": 25,
        "pile": 1,
        "zone": [38, 37],
        "sizes": [2, 2, 2],
        "hand": [7, 73],
        "set_aside": [1, 0, 2],
        "aside": [60, 61],
        "scores": [3, 4, 5],
        "drew": [],
        "turn": {"round": 1, "dealer": 2, "player": 0, "last": 2, "phase": "play"},
    }
    assert set(position.view(None)) == set(position.view(2)) - {"hand", "aside"}


def test_k6_4_who_drew_when() -> None:
    position = go(deal_out("12 14", "5 90", "7 8", zone="38 37", pile="9 10 13"), DRAW)
    position = go(position, play(90), PASS, play(8), DRAW)
    for eye in (0, 1, 2, None):
        assert position.view(eye)["drew"] == [[0, 2, "turn"], [0, 4, "turn"]]


def test_k6_4_why_somebody_drew() -> None:
    position = deal_out("3 37", "5 6 73", "7", zone="38", last=2, pile="80 81 82 83 84 85 86", live=True)
    position = go(position, misplay(5), play(37), others_draw(73))
    assert position.view(None)["drew"] == [[1, 1, "misplay"], [2, 3, "effect"], [0, 3, "effect"]]
    position = go(deal_out("37", "5 6 73", "7", zone="38", last=2), play(37), discard(73, 5))
    assert position.view(None)["drew"] == [[0, 3, "leaving"]]


def test_k6_4_who_is_asked_knows_it_alone() -> None:
    asked = deal_out("2 4", "5 90", "7 73", zone="38 37", phase="mirror", asked=2)
    not_asked = deal_out("2 4", "5 90", "7 8", zone="38 37")
    for eye in (0, 1, None):
        assert json.dumps(asked.view(eye)) == json.dumps(not_asked.view(eye))
    assert asked.view(2)["turn"]["asked"] == 2


def test_k6_4_the_own_blocked_cards_only() -> None:
    position = deal_out("2 4", "5 90", zone="37", blocked=[[4], [90]], live=True)
    assert position.view(0)["turn"]["blocked"] == [4]
    assert position.view(1)["turn"]["blocked"] == [90]
    assert "blocked" not in position.view(None)["turn"]


def test_k6_4_hands_stay_closed_at_the_end() -> None:
    over = go(deal_out("2", "5 6", "7", zone="38", scores="20 23 4", last=2, pile="1 3"), play(2))
    assert over.view(None)["winners"] == [2]
    assert "hand" not in over.view(None)
    assert over.view(1)["hand"] == [5, 6]
    assert over.view(1)["sizes"] == [0, 2, 1]
