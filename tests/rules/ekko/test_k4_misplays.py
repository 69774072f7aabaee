"""K4: misplays."""

from __future__ import annotations

import pytest

from ekoes.games.ekko.live.machine import judge_card
from ekoes.games.ekko.live.state import Verdict
from ekoes.games.ekko.position.position import EkkoPosition
from tests.rules.ekko.cards import (
    DRAW,
    allowed,
    blocked,
    discard,
    go,
    hands,
    misplay,
    options,
    others_draw,
    play,
    refused,
    scores,
    table,
    turn,
    zone,
)


def verdict(position: EkkoPosition, seat: int, card: int, *, misplays: bool = True) -> tuple[str, str | None]:
    """What a card comes to whose player sees the top card as it is, and why."""
    judged = judge_card(position, seat, card, position.top or 0, position, misplays=misplays)
    return judged.verdict.value, judged.refusal.code if judged.refusal else None


def test_k4_1_the_card_goes_back_and_its_player_draws() -> None:
    position = allowed(table("2 40", "5 6", zone="37", pile="88 89"), misplay(2))
    assert (hands(position), zone(position)) == (["2 40 88", "5 6"], "37")


def test_k4_1_play_stands_where_it_stood() -> None:
    position = table("2 40", "5 6", zone="37", pile="88 89")
    assert turn(allowed(position, misplay(2))) == "0 plays"
    assert turn(allowed(position, misplay(6))) == "0 plays"
    chain = table("2 40", "5 6", zone="38 33", last=0, again=True, pile="88 89")
    assert turn(allowed(chain, misplay(2))) == "0 plays again"


@pytest.mark.parametrize(("card", "comes_to"), [(40, "play"), (73, "mirror")])
def test_k4_1_a_valid_card_and_the_mirror_are_no_misplays(card: int, comes_to: str) -> None:
    position = table("2 15 36 40 73", "5 6", zone="51 37")
    assert verdict(position, 0, card) == (comes_to, None)
    refused(position, misplay(card), "K4.1", "no-misplay")


def test_k4_1_a_mirror_is_no_misplay_out_of_turn_or_invalid() -> None:
    for hands_ in (("2 3", "15 4"), ("15 4", "2 3")):
        position = table(*hands_, zone="51")
        refused(position, misplay(15), "K4.1", "no-misplay")


@pytest.mark.parametrize("card", [2, 15, 36])
def test_k4_1_neither_valid_nor_the_mirror(card: int) -> None:
    """15 is the mirror of 51, which is not the top card any more."""
    position = table("2 15 36 40 73", "5 6", zone="51 37")
    assert verdict(position, 0, card) == ("misplay", "too-low")
    allowed(position, misplay(card))


def test_k4_1_the_right_value_out_of_turn() -> None:
    """Ruling: that is a misplay too."""
    position = table("2 40", "50 60", zone="37", pile="88 89")
    assert verdict(position, 1, 50) == ("misplay", "not-your-turn")
    after = allowed(position, misplay(50))
    assert (hands(after)[1], blocked(after)) == ("50 60 88", [[], [88]])


def test_k4_1_the_drawn_card_is_blocked() -> None:
    position = allowed(table("2 40", "5 6", zone="37", pile="88 89"), misplay(2))
    assert blocked(position) == [[88], []]
    refused(position, play(88), "K4.1", "blocked")
    assert verdict(position, 0, 88) == ("misplay", "blocked")
    assert options(position) == {play(40)}


def test_k4_1_who_has_but_blocked_cards_that_fit_draws() -> None:
    """Ruling: a blocked card obliges nobody."""
    position = go(table("2 4", "5 6", zone="37", pile="88 89 90"), misplay(2))
    assert options(position) == {DRAW}
    after = allowed(position, DRAW)
    assert (hands(after)[0], turn(after)) == ("2 4 88 89", "1 plays")


def test_k4_1_a_blocked_card_is_no_mirror() -> None:
    """Ruling: to claim one is a misplay once more."""
    position = go(table("2 40", "5 6", zone="37", pile="73 89"), misplay(2))
    refused(position, others_draw(73), "K4.1", "blocked")
    assert verdict(position, 0, 73)[0] == "misplay"
    assert blocked(allowed(position, misplay(73))) == [[73, 89], []]


def test_k4_1_blocked_until_another_card_lies() -> None:
    """Ruling: whoever puts it."""
    position = table("2 40", "50 60", "6 73 90", zone="37", last=2, pile="88 89 91 92 93")
    position = go(position, misplay(2), misplay(50), misplay(6))
    assert blocked(position) == [[88], [89], [91]]
    assert blocked(go(position, play(40))) == [[], [], []]
    assert blocked(go(position, discard(73, 6))) == [[], [], []]


def test_k4_1_blocked_until_the_next_own_turn_begins() -> None:
    """Ruling: a draw that ends another's turn frees the next one's cards, and those alone."""
    position = table("2 4", "5 6", "7 8", zone="37", pile="88 89 90 91")
    position = go(position, misplay(5), misplay(7), DRAW)
    assert (turn(position), blocked(position)) == ("1 plays", [[], [], [89]])
    assert options(position) == {play(88)}


def test_k4_1_blocked_cards_stay_blocked_through_the_own_draw() -> None:
    position = go(table("2 4", "5 6", "7 8", zone="37", pile="88 89 90 91"), misplay(2), DRAW, DRAW)
    assert (turn(position), blocked(position)) == ("2 plays", [[88], [], []])


def test_k4_1_blocked_even_if_nobody_followed() -> None:
    """Ruling: a blocked card isn't valid by K2.4 either."""
    position = table("2 4", "5 6", zone="37", last=0, blocked=[[2], []])
    assert options(position) == {play(4)}
    assert options(table("2", "5 6", zone="37", last=0, blocked=[[2], []])) == {DRAW}


def test_k4_1_a_blocked_card_can_be_put_aside() -> None:
    """Ruling: putting aside is not playing."""
    position = table("2 73", "5 6", zone="37", blocked=[[2], []])
    assert scores(allowed(position, discard(73, 2))) == [0, 2]


def test_k4_2_a_late_mirror_is_no_misplay() -> None:
    before = table("40 2", "73 5", zone="37", pile="88")
    after = go(before, play(40))
    judged = judge_card(after, 1, 73, 37, before, misplays=True)
    assert judged.verdict is Verdict.LATE
    assert judged.refusal is not None
    assert judged.refusal.rule == "K3.5"


def test_k4_2_lateness_is_judged_by_the_name() -> None:
    """73 claimed for 40, the top card, is no mirror at all, and no card of this turn."""
    before = table("40 2", "5 73", zone="37", pile="88")
    after = go(before, play(40))
    assert judge_card(after, 1, 73, 40, after, misplays=True).verdict is Verdict.MISPLAY


def test_k4_3_without_misplays_the_card_is_refused() -> None:
    position = table("2 40", "50 60", zone="37", pile="88 89")
    assert verdict(position, 0, 2, misplays=False) == ("refused", "too-low")
    assert verdict(position, 1, 50, misplays=False) == ("refused", "not-your-turn")
    assert verdict(position, 0, 40, misplays=False) == ("play", None)
