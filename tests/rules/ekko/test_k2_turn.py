"""K2: the turn."""

from __future__ import annotations

import pytest

from tests.rules.ekko.cards import (
    DRAW,
    PASS,
    allowed,
    deal,
    deal_out,
    discard,
    go,
    hands,
    options,
    others_draw,
    play,
    refused,
    turn,
    undealt,
    zone,
)

WIDE = "1 36 38 98"


def test_k2_1_higher_after_an_odd_card() -> None:
    position = deal_out(WIDE, "2 3", zone="37")
    assert options(position) == {play(38), play(98)}
    refused(position, play(36), "K2.1", "too-low")
    after = allowed(position, play(98))
    assert (zone(after), hands(after)[0], turn(after)) == ("37 98", "1 36 38", "1 plays")


def test_k2_1_lower_after_an_even_card() -> None:
    position = deal_out("1 35 37 98", "2 3", zone="36")
    assert options(position) == {play(1), play(35)}
    refused(position, play(37), "K2.1", "too-high")
    assert turn(allowed(position, play(35))) == "1 plays"


def test_k2_1_in_turn_only_and_from_the_own_hand() -> None:
    position = deal_out(WIDE, "60 2", zone="37")
    refused(position, play(60), "K2.1", "not-your-turn", seat=1)
    refused(position, play(60), "K2.1", "not-in-hand", seat=0)
    refused(position, DRAW, "K2.1", "not-your-turn", seat=1)


def test_k2_1_a_valid_card_must_be_played() -> None:
    refused(deal_out(WIDE, "2 3", zone="37"), DRAW, "K2.2", "must-play")


def test_k2_2_without_a_valid_card_one_is_drawn_and_the_turn_ends() -> None:
    position = deal_out("1 36", "2 3", zone="37", pile="38 5")
    assert options(position) == {DRAW}
    after = allowed(position, DRAW)
    assert (hands(after)[0], zone(after), turn(after)) == ("1 36 38", "37", "1 plays")


def test_k2_2_drawing_with_a_valid_card_is_not_allowed() -> None:
    refused(deal_out("1 36 38", "2 3", zone="37"), DRAW, "K2.2", "must-play")


def test_k2_2_a_mirror_that_is_not_valid_does_not_oblige() -> None:
    """Ruling: 15 is lower than 51, so its holder may let it go by, and then draws."""
    position = deal_out("15 36", "2 3", zone="51", phase="mirror", asked=0, pile="98 5")
    position = allowed(position, PASS)
    assert options(position) == {DRAW}
    refused(position, others_draw(15), "K6.1", "nothing-asked")
    assert hands(allowed(position, DRAW))[0] == "15 36 98"


def test_k2_2_a_mirror_that_is_valid_obliges() -> None:
    position = go(deal_out("36 73", "2 3", zone="37", phase="mirror", asked=0), PASS)
    assert options(position) == {others_draw(73), discard(73, 36)}
    refused(position, DRAW, "K2.2", "must-play")


def test_k2_3_after_a_multiple_of_11_its_player_plays_on() -> None:
    """The example of the rulebook: 33 on 38, and 67 on it."""
    position = allowed(deal_out("33 40 67", "2 3", zone="38"), play(33))
    assert turn(position) == "0 plays again"
    assert options(position) == {play(40), play(67)}
    assert turn(allowed(position, play(67))) == "1 plays"


@pytest.mark.parametrize("card", [11, 22, 33, 44, 55, 66, 77, 88])
def test_k2_3_each_multiple_of_11(card: int) -> None:
    position = go(deal_out(f"{card} 1 98", "2 3", zone="90"), play(card))
    assert turn(position) == "0 plays again"
    assert options(position) == {play(98 if card % 2 else 1)}


@pytest.mark.parametrize("card", [1, 10, 21, 65, 78, 89])
def test_k2_3_no_other_card(card: int) -> None:
    assert turn(go(deal_out(f"{card} 2", "3 4", zone="90"), play(card))) == "1 plays"


def test_k2_3_it_must_be_a_valid_card() -> None:
    """Not any card, as if nobody had followed (K2.4)."""
    position = go(deal_out("20 33 67", "2 3", zone="38"), play(33))
    refused(position, play(20), "K2.1", "too-low")
    refused(position, DRAW, "K2.2", "must-play")


def test_k2_3_chains() -> None:
    position = go(deal_out("33 50 66 77", "2 3", zone="38"), play(33), play(77))
    assert turn(position) == "0 plays again"
    assert options(position) == {DRAW}
    position = go(deal_out("33 50 66 77", "2 3", zone="38"), play(33), play(66))
    assert (turn(position), options(position)) == ("0 plays again", {play(50)})


def test_k2_3_without_a_valid_card_one_is_drawn_and_the_turn_ends() -> None:
    position = go(deal_out("20 33", "50 60", zone="38", pile="67 5"), play(33))
    assert options(position) == {DRAW}
    position = go(position, DRAW)
    assert (hands(position)[0], turn(position)) == ("20 67", "1 plays")
    assert options(position) == {play(50), play(60)}


@pytest.mark.parametrize("live", [False, True])
def test_k2_3_no_round_ends_by_a_multiple_of_11(*, live: bool) -> None:
    position = go(deal_out("33", "50 60", zone="38", pile="67 5", live=live), play(33))
    assert (turn(position), hands(position)[0], options(position)) == ("0 plays again", "", {DRAW})
    position = go(position, DRAW)
    assert (turn(position), hands(position)[0]) == ("1 plays", "67")


def test_k2_3_a_turned_over_multiple_of_11_obliges_the_dealer() -> None:
    first = "1 2 3 4 5 6  20 30 40 50 60 70  33 7"
    position = go(undealt(2, dealer=1), deal(first))
    assert turn(position) == "1 plays again"
    assert options(position) == {play(40), play(50), play(60), play(70)}


def test_k2_3_the_dealer_draws_without_a_valid_card() -> None:
    first = "1 2 3 4 5 6  20 30 40 50 60 70  77 7"
    position = go(undealt(2, dealer=1), deal(first), DRAW)
    assert (turn(position), hands(position)[1]) == ("0 plays", "7 20 30 40 50 60 70")
    assert options(position) == {DRAW}


def test_k2_4_nobody_followed() -> None:
    """The example of the rulebook: 95, nobody has more, so that even 3 will do."""
    position = go(deal_out("3 95 98", "2 4", "5 6", zone="38 93", last=2, pile="7 8 9"), play(95), DRAW, DRAW)
    assert (turn(position), position.last) == ("0 plays", 0)
    assert options(position) == {play(3), play(98)}
    assert turn(allowed(position, play(3))) == "1 plays"


def test_k2_4_a_card_must_be_played_then() -> None:
    refused(deal_out("3 7", "2 4", zone="95", last=0), DRAW, "K2.4", "nobody-followed")


def test_k2_4_not_if_somebody_followed() -> None:
    position = go(deal_out("3 95", "2 97", "5 6", zone="38 93", last=2), play(95), play(97), DRAW)
    assert options(position) == {DRAW}


def test_k2_4_for_the_turned_over_card_too() -> None:
    first = "1 2 4 5 6 7  20 30 40 50 60 70  97 8 10"
    position = go(undealt(2, dealer=1), deal(first), DRAW)
    assert turn(position) == "1 plays"
    assert options(position) == {play(card) for card in (20, 30, 40, 50, 60, 70)}


def test_k2_4_for_a_mirror_too() -> None:
    position = deal_out("15 3 98", "2 4", zone="38 51", last=1, phase="mirror", asked=0, pile="5 6 7")
    position = go(position, others_draw(15), DRAW)
    assert (turn(position), options(position)) == ("0 plays", {play(3), play(98)})


def test_k2_4_after_a_multiple_of_11_without_a_following_card() -> None:
    """The own multiple of 11 counts as played, once the turn comes round."""
    position = go(deal_out("77 20", "2 3", zone="75", last=1, pile="5 6 8"), play(77), DRAW, DRAW)
    assert (turn(position), options(position)) == ("0 plays", {play(5), play(20)})


def test_k2_4_the_own_mirror_is_valid_then() -> None:
    """As a mirror, with an effect (K3.4)."""
    position = go(deal_out("59 3", "2 4", zone="95", last=0, phase="mirror", asked=0), PASS)
    assert options(position) == {play(3), others_draw(59), discard(59, 3)}
