"""K3: the mirror."""

from __future__ import annotations

import pytest

from ekoes.errors import NotationError
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.position.action import Effect, Mirror
from tests.rules.ekko.cards import (
    DRAW,
    PASS,
    allowed,
    aside,
    deal_out,
    discard,
    go,
    hands,
    options,
    others_draw,
    pile,
    play,
    refused,
    scores,
    turn,
    zone,
)


@pytest.mark.parametrize(("card", "mirror"), [(37, 73), (73, 37), (1, 10), (10, 1), (9, 90), (98, 89)])
def test_k3_1_the_two_digits_reversed(card: int, mirror: int) -> None:
    position = deal_out(f"{mirror} 50", "2 3", zone=f"51 {card}", live=True)
    assert zone(allowed(position, others_draw(mirror))) == f"51 {card} {mirror}"


def test_k3_1_no_other_card_is_a_mirror() -> None:
    position = deal_out("38 72 73", "2 3", zone="37", live=True)
    for card in (38, 72):
        refused(position, others_draw(card), "K3.1", "no-mirror")


@pytest.mark.parametrize("card", [11, 22, 33, 44, 55, 66, 77, 88])
def test_k3_1_multiples_of_11_have_none(card: int) -> None:
    others = [str(other) for other in range(1, 99) if other != card]
    position = deal_out(" ".join(others), "", zone=f"{card}", last=1, player=1, again=True, live=True)
    for other in others:
        refused(position, others_draw(int(other)), "K3.1", "no-mirror")


def test_k3_2_in_turn_and_out_of_turn() -> None:
    for seat in range(3):
        cards = ["2 4", "2 4", "2 4"]
        cards[seat] = "73 90"
        cards[seat - 1] = "5 6"
        position = deal_out(*cards, zone="37", last=2, live=True)
        assert turn(allowed(position, others_draw(73))) == f"{(seat + 1) % 3} plays"


def test_k3_2_who_played_the_top_card_may_mirror_it() -> None:
    position = go(deal_out("37 73 5 6", "2 4", zone="30 35", pile="98 97"), play(37))
    assert turn(position) == "0 is asked"
    after = allowed(position, discard(73, 5))
    assert (zone(after), hands(after)[0], aside(after)[0]) == ("30 35 37 73", "6", "5")


def test_k3_2_who_has_just_drawn_may_mirror() -> None:
    position = go(deal_out("3 5", "2 4", zone="37", pile="73 8"), DRAW)
    assert turn(position) == "0 is asked"
    after = allowed(position, others_draw(73))
    assert (turn(after), hands(after)) == ("1 plays", ["3 5", "2 4 8"])


def test_k3_2_it_ignores_the_numbers() -> None:
    position = deal_out("15 3", "2 4", zone="51", phase="mirror", asked=0)
    refused(go(position, PASS), play(15), "K2.1", "too-low")
    after = allowed(position, others_draw(15))
    assert (after.top, after.last) == (15, 0)


def test_k3_2_discard_puts_a_card_aside_face_down() -> None:
    position = deal_out("2 4", "73 5 90", zone="37", phase="mirror", asked=1)
    after = allowed(position, discard(73, 5))
    assert (hands(after), aside(after), zone(after)) == (["2 4", "90"], ["", "5"], "37 73")
    seen = after.view(0)
    assert seen["set_aside"] == [0, 1]
    assert seen["aside"] == []
    assert after.view(1)["aside"] == [5]


def test_k3_2_what_lies_aside_is_out_of_the_round() -> None:
    """It doesn't count at the end, and comes back with the next deal."""
    position = deal_out("2", "5 90", zone="38", aside={0: "11", 1: "22 33"}, pile="")
    after = go(position, play(2))
    assert (scores(after), aside(after)) == ([0, 2], ["", ""])


def test_k3_2_discarding_the_last_card_ends_the_round() -> None:
    position = deal_out("2 4", "73 5", zone="37", phase="mirror", asked=1)
    after = allowed(position, discard(73, 5))
    assert (turn(after), scores(after)) == ("1 deals", [2, 0])


def test_k3_2_another_card_of_the_own_hand_is_put_aside() -> None:
    position = deal_out("2 4", "73 5", zone="37", phase="mirror", asked=1)
    refused(position, discard(73, 73), "K3.2", "aside-not-in-hand")
    refused(position, discard(73, 4), "K3.2", "aside-not-in-hand")


def test_k3_2_draw_lets_every_other_player_draw() -> None:
    position = deal_out("2", "73 5", "6", "7", zone="37", phase="mirror", asked=1, pile="91 92 93 94")
    after = allowed(position, others_draw(73))
    assert hands(after) == ["2 93", "5", "6 91", "7 92"]
    assert pile(after) == "94"


def test_k3_2_they_draw_clockwise() -> None:
    """Ruling: it matters when the pile runs out; the first one without a card to draw ends the round."""
    position = deal_out("2", "73 5", "6", "8", zone="37", phase="mirror", asked=1, pile="11 22")
    after = allowed(position, others_draw(73))
    assert (turn(after), scores(after)) == ("1 deals", [1, 1, 3, 3])


@pytest.mark.parametrize("live", [False, True])
def test_k3_2_one_effect_not_both_and_not_none(*, live: bool) -> None:
    position = deal_out("5 73 90", "2 4", zone="37", live=live)
    refused(position, Mirror(73, Effect.DRAW, 5), "K3.2", "aside-not-in-hand")
    refused(position, Mirror(73, Effect.DISCARD), "K3.2", "aside-not-in-hand")


def test_k3_2_an_effect_is_written_with_its_card() -> None:
    for value in (
        {"type": "mirror", "card": 73, "effect": "draw", "aside": 5},
        {"type": "mirror", "card": 73, "effect": "discard"},
        {"type": "mirror", "card": 73},
    ):
        with pytest.raises(NotationError):
            EKKO.parse_action(value)


def test_k3_3_play_goes_on_left_of_the_mirror_s_player() -> None:
    position = deal_out("2 4", "40 6", "73 5 98", "80 90", zone="37", phase="mirror", asked=2)
    assert turn(allowed(position, discard(73, 5))) == "3 plays"
    assert turn(allowed(position, others_draw(73))) == "3 plays"


def test_k3_3_whatever_the_turn_was_before() -> None:
    """A player can be passed over, or have a second turn at once."""
    position = deal_out("2 4", "40 6", "5 73", zone="37", player=1, last=0, phase="mirror", asked=2)
    assert turn(allowed(position, others_draw(73))) == "0 plays"
    position = deal_out("2 73", "40 6", "5 8", zone="37", player=2, last=1, phase="mirror", asked=0)
    assert turn(allowed(position, others_draw(73))) == "1 plays"


def test_k3_4_the_mirror_is_always_played_as_a_mirror() -> None:
    """Ruling: with its effect, also in the own turn."""
    position = go(deal_out("73 90", "2 4", zone="37", phase="mirror", asked=0), PASS)
    refused(position, play(73), "K3.4", "mirror-as-mirror")
    assert options(position) == {play(90), others_draw(73), discard(73, 90)}
    refused(deal_out("73 90", "2 4", zone="37", live=True), play(73), "K3.4", "mirror-as-mirror")


def test_k3_4_the_mirror_as_the_last_card() -> None:
    """Ruling: there is nothing to put aside, so the others draw, and the round ends."""
    position = deal_out("2 4", "73", zone="37", phase="mirror", asked=1, pile="55 8 9")
    assert options(position) == {others_draw(73), PASS}
    refused(position, discard(73, 73), "K3.4", "mirror-was-last")
    after = allowed(position, others_draw(73))
    assert (turn(after), scores(after)) == ("1 deals", [4, 0])


@pytest.mark.parametrize("live", [False, True])
def test_k3_4_no_reaction_to_a_mirror(*, live: bool) -> None:
    """Its own mirror lies in the play zone already."""
    position = deal_out("2 4", "73", zone="37", player=1, last=0, pile="55 8 9", live=live)
    assert turn(allowed(position, others_draw(73))) == "1 deals"


def test_k3_5_too_late() -> None:
    position = go(deal_out("40 2", "73 5", zone="37", live=True), play(40))
    refused(position, others_draw(73, on=37), "K3.5", "mirror-late")
    assert hands(position)[1] == "5 73"


def test_k3_5_a_draw_covers_nothing() -> None:
    position = go(deal_out("3 2", "73 5", zone="37", live=True), DRAW)
    assert zone(allowed(position, others_draw(73, on=37))) == "37 73"
