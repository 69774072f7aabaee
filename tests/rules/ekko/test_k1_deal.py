"""K1: components and deal."""

from __future__ import annotations

import pytest

from ekoes.errors import PositionError
from ekoes.games.api.contract import CHANCE
from ekoes.games.ekko.game import EKKO
from tests.rules.ekko.cards import (
    DRAW,
    deal,
    deal_out,
    dealt_out,
    go,
    hands,
    options,
    others_draw,
    pile,
    play,
    refused,
    turn,
    undealt,
    zone,
)


@pytest.mark.parametrize("players", [1, 9])
def test_k1_1_two_to_eight_players(players: int) -> None:
    with pytest.raises(PositionError, match="players"):
        EKKO.new({"players": players}, 0)
    assert list(EKKO.players) == [2, 3, 4, 5, 6, 7, 8]


def test_k1_1_clockwise() -> None:
    position = deal_out("1 2", "3 4", "5 6", zone="97", player=1, last=0)
    assert turn(go(position, DRAW)) == "2 plays"
    assert turn(go(position, DRAW, DRAW)) == "0 plays"


@pytest.mark.parametrize("card", [0, 99])
def test_k1_1_cards_from_1_to_98(card: int) -> None:
    with pytest.raises(PositionError) as error:
        EKKO.from_json(dealt_out("1 2", f"3 {card}", zone="97", pile="5"))
    assert (error.value.rule, error.value.key) == ("K1.1", "hands[1]")


def test_k1_1_each_card_once() -> None:
    with pytest.raises(PositionError) as error:
        EKKO.from_json(dealt_out("1 2", "3 4", zone="97", pile="5 2"))
    assert error.value.rule == "K1.1"


def test_k1_1_cards_named_nowhere_are_out_of_play() -> None:
    """Ruling: until the next deal, which needs all 98."""
    position = deal_out("1 2", "97", zone="50", pile="", last=0, player=1)
    position = go(position, DRAW)
    assert turn(position) == "0 deals"
    position = go(position, deal())
    assert len(position.pile) + 1 + 12 == 98


@pytest.mark.parametrize(("players", "size"), [(2, 6), (3, 6), (4, 5), (5, 5), (6, 4), (7, 4), (8, 4)])
def test_k1_2_six_five_or_four_cards_each(players: int, size: int) -> None:
    position = go(undealt(players), deal())
    assert [len(hand) for hand in position.hands] == [size] * players
    assert position.pile_size == 98 - players * size - 1


def test_k1_2_a_game_is_several_rounds() -> None:
    position = deal_out("2", "7", zone="50", pile="", round=3, last=1, dealer=1)
    position = go(position, play(2))
    assert turn(position) == "0 deals"
    assert (position.round, hands(position), zone(position), pile(position)) == (4, ["", ""], "", "")
    position = go(position, deal())
    assert [len(hand) for hand in position.hands] == [6, 6]


def test_k1_3_the_first_dealer_is_drawn() -> None:
    """Ruling: at random; here from the seed of the game."""
    dealers = {EKKO.new({"players": 4}, seed).dealer for seed in range(40)}
    assert dealers == {0, 1, 2, 3}


def test_k1_3_the_turned_over_card_counts_as_played_by_the_dealer() -> None:
    first = "3 4 5 6 7 8  12 13 14 15 16 17  21 23 24 25 26 27  50 60"
    position = go(undealt(3, dealer=1), deal(first))
    assert (zone(position), position.last, pile(position, 1)) == ("50", 1, "60")


def test_k1_3_left_of_the_dealer_begins() -> None:
    first = "3 4 6 7 8 9  12 13 14 15 16 17  21 23 24 25 26 27  50 60"
    assert turn(go(undealt(3, dealer=1), deal(first))) == "2 plays"
    assert turn(go(undealt(3, dealer=2), deal(first))) == "0 plays"


def test_k1_4_the_top_card_and_the_last_player() -> None:
    position = deal_out("40 45", "73 10", zone="38 37", last=1, live=True)
    assert (position.top, position.last) == (37, 1)
    position = go(position, others_draw(73))
    assert (position.top, position.last) == (73, 1)
    position = go(position, DRAW)
    assert (position.top, position.last) == (73, 1)


def test_k1_4_the_turn_is_the_next_player_s_as_soon_as_a_card_lies() -> None:
    """Ruling: also while the mirror's holder is asked."""
    position = go(deal_out("40 1", "97 98", "4 5", zone="38", last=2), play(1))
    assert turn(position) == "1 plays"
    position = go(deal_out("37 1", "97 98", "73 5", zone="38", last=2), play(37))
    assert (turn(position), position.player) == ("2 is asked", 1)


def test_k1_3_nothing_is_played_before_the_deal() -> None:
    position = undealt(2)
    assert position.actors() == (CHANCE,)
    refused(position, play(1), "K6.0", "deal-first", seat=0)
    assert {action.type for action in options(position)} == {"deal"}
