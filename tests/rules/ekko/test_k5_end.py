"""K5: the end of a round, and the score."""

from __future__ import annotations

import pytest

from ekoes.errors import PositionError
from ekoes.games.api.contract import CHANCE
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.position.action import Action
from tests.rules.ekko.cards import (
    CLOSE,
    DRAW,
    PASS,
    allowed,
    aside,
    deal_out,
    dealt_out,
    discard,
    go,
    hands,
    misplay,
    options,
    others_draw,
    play,
    refused,
    scores,
    turn,
)


def test_k5_1_the_last_card_ends_the_round() -> None:
    position = go(deal_out("2", "5 6", zone="38"), play(2))
    assert (turn(position), scores(position)) == ("0 deals", [0, 2])


def test_k5_1_it_may_be_mirrored_before_the_end() -> None:
    """Ruling: in the decision sequence the mirror's holder is asked first."""
    position = go(deal_out("37", "5 73", "6", zone="38", last=2), play(37))
    assert turn(position) == "1 is asked"
    assert options(position) == {PASS, others_draw(73), discard(73, 5)}
    assert turn(go(position, PASS)) == "0 deals"


def test_k5_1_the_reaction_time() -> None:
    """Ruling: at a live table the round goes on until it is closed, whoever holds the mirror."""
    for other in ("5 73", "5 6"):
        position = go(deal_out("37", other, zone="38", live=True), play(37))
        assert (turn(position), position.actors()) == ("0 leaves", (CHANCE,))
        assert options(position) == {CLOSE}
        assert turn(allowed(position, CLOSE)) == "0 deals"


def test_k5_1_the_reaction_time_runs_though_the_mirror_has_been_seen() -> None:
    """Ruling: after every last card."""
    position = go(deal_out("37", "5 6", zone="73 38", live=True), play(37))
    assert turn(position) == "0 leaves"


def test_k5_1_the_reaction_time_is_closed_once_and_by_nobody_at_the_table() -> None:
    position = go(deal_out("37", "5 6", zone="38", live=True), play(37))
    refused(position, CLOSE, "K2.1", "not-your-turn", seat=0)
    refused(deal_out("37 5", "6", zone="38", live=True), CLOSE, "K7.4", "nobody-leaving")


@pytest.mark.parametrize("live", [False, True])
def test_k5_2_mirrored_with_draw(*, live: bool) -> None:
    """Ruling: that draw is the one meant, one card and not two."""
    position = go(deal_out("37", "5 73", "6", zone="38", last=2, pile="91 92 93", live=live), play(37))
    after = allowed(position, others_draw(73))
    assert hands(after) == ["92", "5", "6 91"]
    assert turn(after) == "2 plays"


@pytest.mark.parametrize("live", [False, True])
def test_k5_2_mirrored_with_discard(*, live: bool) -> None:
    position = go(deal_out("37", "4 5 73", "6", zone="38", last=2, pile="91 92", live=live), play(37))
    after = allowed(position, discard(73, 5))
    assert (hands(after), aside(after)) == (["91", "4", "6"], ["", "5", ""])
    assert turn(after) == "2 plays"


def test_k5_2_the_draw_comes_before_the_discard() -> None:
    """Ruling: so it costs who was leaving a point if the mirror's player is out by the discard."""
    position = go(deal_out("37", "5 73", "6", zone="38", last=2, pile="11 92"), play(37))
    after = allowed(position, discard(73, 5))
    assert (turn(after), scores(after)) == ("1 deals", [2, 0, 1])


def test_k5_2_no_card_for_the_leaving_player() -> None:
    """Ruling: the round is over before a card is put aside; the mirror's player deals."""
    position = go(deal_out("37", "5 73", "6", zone="38", last=2, pile=""), play(37))
    after = allowed(position, discard(73, 5))
    assert (turn(after), scores(after)) == ("1 deals", [0, 1, 1])


def test_k5_2_a_last_card_mirrored_by_a_last_card() -> None:
    """Ruling: the leaving player draws with the others, and the round ends for the mirror's player."""
    position = go(deal_out("37", "73", "6", zone="38", last=2, pile="91 92 93"), play(37))
    after = allowed(position, others_draw(73))
    assert (turn(after), scores(after)) == ("1 deals", [1, 0, 2])


def test_k5_3_no_card_to_draw_in_turn() -> None:
    position = deal_out("2 4", "5 11", zone="37", pile="", last=1)
    assert options(position) == {DRAW}
    after = allowed(position, DRAW)
    assert (turn(after), scores(after)) == ("1 deals", [2, 3])


def test_k5_3_the_last_card_of_the_pile_is_still_drawn() -> None:
    position = go(deal_out("2 4", "5 11", zone="37", pile="3", last=1), DRAW)
    assert (turn(position), hands(position)[0], position.pile_size) == ("1 plays", "2 3 4", 0)


def test_k5_3_no_card_to_draw_after_a_multiple_of_11() -> None:
    position = go(deal_out("33", "5 6", zone="38", pile=""), play(33), DRAW)
    assert (turn(position), scores(position)) == ("0 deals", [0, 2])


def test_k5_3_no_card_for_a_misplay() -> None:
    position = deal_out("2 4", "5 11", zone="37", pile="", last=1, live=True)
    after = allowed(position, misplay(11))
    assert (turn(after), scores(after)) == ("1 deals", [2, 3])


def test_k5_3_no_card_for_a_mirror_s_effect() -> None:
    position = deal_out("2", "5 73", "6", zone="37", pile="91", phase="mirror", asked=1, last=2)
    after = allowed(position, others_draw(73))
    assert (turn(after), scores(after)) == ("1 deals", [1, 1, 2])


def test_k5_4_two_points_for_a_multiple_of_11_one_for_each_other_card() -> None:
    position = go(deal_out("2", "10 11 12", "77 88", "1 21", zone="38", scores="3 1 0 2", last=3), play(2))
    assert scores(position) == [3, 5, 4, 4]


def test_k5_4_every_multiple_of_11() -> None:
    position = go(deal_out("2", "11 22 33 44 55 66 77 88", zone="38"), play(2))
    assert scores(position) == [0, 16]


@pytest.mark.parametrize(
    ("hands_", "lying", "actions", "end"),
    [
        (("2", "5 66"), "38", (play(2),), ("last_card", 0, (0, 3), (0, 2))),
        (("37", "5 66"), "38", (play(37), CLOSE), ("last_card", 0, (0, 3), (0, 2))),
        (("2 4", "5 66"), "37", (DRAW,), ("pile_empty", 0, (2, 3), (2, 2))),
        (("2 4", "5 66"), "37", (misplay(5),), ("pile_empty", 1, (2, 3), (2, 2))),
        (("11 4", "5 73"), "37", (discard(73, 5),), ("aside", 1, (3, 0), (2, 0))),
    ],
)
def test_k5_4_how_the_round_ended(
    hands_: tuple[str, str], lying: str, actions: tuple[Action, ...], end: tuple[object, ...]
) -> None:
    """Why, by whom, the points of each and the cards left to each."""
    position = deal_out(*hands_, zone=lying, pile="", live=lying == "37" or CLOSE in actions)
    assert position.round_end is None
    shown = go(position, *actions).round_end
    assert shown is not None
    assert (shown.ending.name.lower(), shown.by, shown.points, shown.sizes) == end


def test_k5_4_how_the_round_ended_by_a_mirror() -> None:
    shown = go(deal_out("11 4", "73", zone="37", pile="1", live=True), others_draw(73)).round_end
    assert shown is not None
    assert (shown.ending.name.lower(), shown.by, shown.points, shown.sizes) == ("mirror", 1, (4, 0), (3, 0))


def test_k5_5_who_put_the_last_card_deals() -> None:
    assert turn(go(deal_out("2", "5 6", "7", zone="38", last=2, dealer=1), play(2))) == "0 deals"
    position = deal_out("2 4", "5 6", "7 8", zone="37", pile="", last=1, dealer=2)
    assert turn(go(position, DRAW)) == "1 deals"


def test_k5_6_the_game_ends_at_the_target() -> None:
    position = deal_out("2", "5 6", zone="38", scores="20 23")
    after = go(position, play(2))
    assert (turn(after), scores(after), after.actors()) == ("over", [20, 25], ())
    outcome = after.outcome()
    assert outcome is not None
    assert (outcome.winners, outcome.rule) == ((0,), "K5.6")
    assert after.to_json()["winners"] == [0]
    refused(after, play(5), "K5.6", "game-over")


def test_k5_6_it_goes_on_below_the_target() -> None:
    after = go(deal_out("2", "5 6", zone="38", scores="20 22"), play(2))
    assert (turn(after), scores(after), after.outcome()) == ("0 deals", [20, 24], None)


def test_k5_6_another_target() -> None:
    after = go(deal_out("2", "5 6", zone="38", scores="0 1", target=3), play(2))
    assert turn(after) == "over"
    after = go(deal_out("2", "5 6", zone="38", scores="20 30", target=60), play(2))
    assert turn(after) == "0 deals"
    assert EKKO.new({"players": 2, "target": 7}, 0).target == 7


def test_k5_6_the_lowest_total_wins_not_who_went_out() -> None:
    after = go(deal_out("2", "5 6", "7", zone="38", scores="24 24 0", last=2), play(2))
    assert after.winners == (2,)


def test_k5_6_a_tie() -> None:
    after = go(deal_out("2", "5 6", "7 8", "9", zone="38", scores="10 8 8 24", last=3), play(2))
    assert (scores(after), after.winners) == ([10, 10, 10, 25], (0, 1, 2))


def test_k5_6_as_the_last_round_ended() -> None:
    """Ruling: the cards lie as they lay, the turn stands as it stood."""
    after = go(deal_out("2", "5 6", "7", zone="38", scores="20 23 4", last=2, pile="1 3"), play(2))
    value = after.to_json()
    assert (value["hands"], value["zone"], value["pile"]) == ([[], [5, 6], [7]], [38, 2], [1, 3])
    assert value["turn"] == {"round": 1, "dealer": 2, "player": 1, "last": 0, "phase": "over"}


def test_k5_6_the_turn_had_passed_on_with_the_mirror() -> None:
    """Ruling: also where a mirror ends the game."""
    position = deal_out("5 6", "73", "7", "8", zone="37", scores="20 23 24 4", phase="mirror", asked=1)
    turn_of = go(position, others_draw(73)).to_json()["turn"]
    assert (turn_of["player"], turn_of["last"], turn_of["phase"]) == (2, 1, "over")


def test_k5_6_a_position_beyond_the_target_is_over() -> None:
    """Ruling: in any other phase it is refused, and so is another winner."""
    with pytest.raises(PositionError) as error:
        deal_out("2", "5 6", zone="38", scores="25 3")
    assert error.value.rule == "K5.6"
    value = dealt_out("2", "5 6", zone="38", scores="25 3", phase="over")
    assert EKKO.from_json(value | {"winners": [1]}).winners == (1,)
    with pytest.raises(PositionError) as error:
        EKKO.from_json(value | {"winners": [0]})
    assert error.value.rule == "K5.6"
