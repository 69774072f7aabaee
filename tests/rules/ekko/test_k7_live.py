"""K7: live tables. What is said here of cards and turns holds for every table; clocks: tests of tables."""

from __future__ import annotations

import json

import pytest

from ekoes.games.api.contract import CHANCE
from ekoes.games.ekko.live.machine import clock_action, judge_card, may_be_mirrored
from ekoes.games.ekko.live.state import Verdict
from ekoes.games.ekko.position.position import EkkoPosition
from tests.rules.ekko.cards import (
    CLOSE,
    DRAW,
    PASS,
    allowed,
    blocked,
    deal,
    discard,
    go,
    hands,
    misplay,
    options,
    others_draw,
    play,
    refused,
    table,
    turn,
    undealt,
    zone,
)


def judge(
    position: EkkoPosition, seat: int, card: int, on: int, seen: EkkoPosition | None, *, misplays: bool = True
) -> str:
    return judge_card(position, seat, card, on, seen, misplays=misplays).verdict.value


def test_k7_1_nobody_is_asked_for_a_mirror() -> None:
    first = "1 3 5 6 9 13  12 14 16 18 20 73  37 40 41"
    assert turn(go(undealt(2), deal(first))) == "0 is asked"
    assert turn(go(undealt(2, live=True), deal(first))) == "1 plays"
    position = go(table("37 2", "5 6", "7 73", zone="38", last=2), play(37))
    assert (turn(position), position.actors()) == ("1 plays", (1,))


def test_k7_1_whoever_holds_it_whenever_they_notice() -> None:
    position = go(table("37 2", "5 6", "7 8 73", zone="38", last=2, pile="80 81 82 83 84"), play(37))
    for later in (position, go(position, misplay(5)), go(position, DRAW)):
        assert zone(allowed(later, others_draw(73))) == "38 37 73"
        assert zone(allowed(later, discard(73, 7))) == "38 37 73"


def test_k7_1_as_long_as_that_card_is_on_top() -> None:
    position = go(table("37 2", "45 6", "7 73", zone="38", last=2), play(37), play(45))
    refused(position, others_draw(73), "K3.1", "no-mirror")


def test_k7_1_one_at_a_time_in_order_of_arrival() -> None:
    """Two intents for one moment: the first one counts, the second is late."""
    before = table("40 2", "73 5", zone="37", pile="88 89")
    assert judge(before, 0, 40, 37, before) == "play"
    assert judge(before, 1, 73, 37, before) == "mirror"
    assert judge(go(before, play(40)), 1, 73, 37, before) == "late"
    assert judge(go(before, others_draw(73)), 0, 40, 37, before) == "late"


def test_k7_2_a_late_play_goes_back_without_penalty() -> None:
    """Ruling: it was valid on the card its player saw, and only a quicker mirror made it late."""
    before = table("40 2", "73 5", zone="37", pile="88 89")
    after = go(before, others_draw(73))
    judged = judge_card(after, 0, 40, 37, before, misplays=True)
    assert judged.verdict is Verdict.LATE
    assert judged.refusal is not None
    assert (judged.refusal.rule, judged.refusal.code) == ("K7.2", "play-late")


def test_k7_2_late_though_it_would_fit() -> None:
    """Ruling: its player meant another card."""
    before = table("90 2", "73 5", zone="37", pile="88 89")
    after = go(before, others_draw(73))
    assert turn(after) == "0 plays"
    assert judge(after, 0, 90, 37, before) == "late"
    assert judge(after, 0, 90, 73, after) == "play"


def test_k7_2_what_was_wrong_then_is_no_late_play() -> None:
    before = table("90 2", "73 5", zone="37", pile="88 89")
    after = go(before, others_draw(73))
    assert judge(after, 0, 2, 37, before) == "misplay"


def test_k7_2_what_would_have_cost_nothing_then_costs_nothing_now() -> None:
    """Nothing but the mirror was possible on what its player saw (K7.4): no late play, and no misplay."""
    before = leaving("50 60", "73 6", pile="88 89 90")
    after = go(before, others_draw(73))
    assert judge(before, 1, 50, 37, before) == "refused"
    assert judge(after, 1, 50, 37, before) == "refused"
    assert judge(after, 1, 50, 73, after) == "misplay"
    later = go(after, play(88))
    assert judge(later, 1, 50, 37, before) == "misplay"


def test_k7_2_what_fits_now_stands_though_it_did_not_then() -> None:
    """Ruling: a card that wasn't valid on what its player saw, but is when it arrives."""
    before = table("20 60", "38 5", zone="37", player=1, last=0, pile="88 89")
    after = go(before, play(38))
    assert judge(before, 0, 20, 37, before) == "misplay"
    assert judge(after, 0, 20, 37, before) == "play"


def test_k7_2_a_mirror_is_judged_by_the_card_that_it_names() -> None:
    before = table("40 2", "5 73", "4 6", zone="37", last=2, pile="88 89")
    after = go(before, play(40))
    assert judge(after, 1, 73, 37, before) == "late"
    assert judge(after, 1, 73, 40, after) == "misplay"
    refused(after, others_draw(73, on=37), "K3.5", "mirror-late")


def test_k7_2_the_mirror_of_the_top_card_is_a_mirror_whatever_was_meant() -> None:
    """K3.4: 73 fits on nothing here, but it is the mirror of 37."""
    before = table("37 2", "5 73", "4 6", zone="38", last=2, pile="88 89")
    after = go(before, play(37))
    assert judge(after, 1, 73, 38, before) == "mirror"
    assert judge(after, 1, 73, 37, after) == "mirror"


def test_k7_2_a_card_that_was_never_on_top() -> None:
    """Ruling: nobody can have seen it, so it is a misplay; where there are none, it is refused."""
    position = table("40 2", "5 72", zone="37")
    assert judge_card(position, 1, 72, 50, None, misplays=True).verdict is Verdict.MISPLAY
    judged = judge_card(position, 1, 72, 50, None, misplays=False)
    assert judged.verdict is Verdict.REFUSED
    assert judged.refusal is not None
    assert judged.refusal.code == "never-top"


def test_k7_2_a_right_card_that_names_what_was_never_on_top_is_no_misplay() -> None:
    position = table("40 2", "5 73", zone="37", last=1)
    for seat, card in ((1, 73), (0, 40)):
        assert judge(position, seat, card, 50, None) == "refused"


@pytest.mark.parametrize(("card", "verdict"), [(73, "mirror"), (8, "play")])
def test_k7_2_a_card_that_fits_by_luck_stands_only_where_a_wrong_one_costs(card: int, verdict: str) -> None:
    """Ruling. Sent for 38, on which neither was a play of seat 1; now 36 or 37 lies on it."""
    before = table("37 36 2", "5 8 73", "4 6", zone="38", last=2, pile="88 89")
    after = go(before, play(37 if card == 73 else 36))
    assert judge(after, 1, card, 38, before) == verdict
    assert judge(after, 1, card, 38, before, misplays=False) == "refused"


def test_k7_2_a_card_of_another_hand_is_refused() -> None:
    position = table("40 2", "5 73", zone="37")
    assert judge(position, 0, 73, 37, position) == "refused"


def test_k7_3_an_invalid_card_becomes_a_misplay() -> None:
    position = table("40 2", "5 73", zone="37", pile="88 89")
    assert judge(position, 0, 2, 37, position) == "misplay"
    after = allowed(position, misplay(2))
    assert (hands(after)[0], blocked(after)) == ("2 40 88", [[88], []])


def test_k7_3_else_it_is_refused() -> None:
    position = table("40 2", "5 73", zone="37")
    assert judge(position, 0, 2, 37, position, misplays=False) == "refused"
    assert judge(position, 1, 5, 37, position, misplays=False) == "refused"
    assert judge(position, 1, 73, 37, position, misplays=False) == "mirror"


def leaving(*others: str, pile: str = "88 89") -> EkkoPosition:
    """Seat 0 has just played 37 as the last card."""
    return go(table("37", *others, zone="38", last=len(others), pile=pile), play(37))


def test_k7_4_the_phase_stays_play() -> None:
    position = leaving("50 73", "4 6")
    assert turn(position) == "0 leaves"
    value = position.to_json()["turn"]
    assert (value["phase"], value["player"], value["leaving"]) == ("play", 1, 0)


def test_k7_4_nobody_draws() -> None:
    position = leaving("2 4", "5 6")
    for seat in range(3):
        refused(position, DRAW, "K7.4", "leaving", seat=seat)
        refusal = position.why_not(seat, DRAW)
        assert refusal is not None
        assert refusal.rule == "K7.4"
    refused(position, DRAW, "K7.4", "leaving", seat=position.seat_of(DRAW))


def test_k7_4_any_other_card_is_refused_without_penalty() -> None:
    position = leaving("50 73", "4 6")
    for seat, card in ((1, 50), (2, 4)):
        assert judge(position, seat, card, 37, position) == "refused"
        refused(position, misplay(card), "K7.4", "leaving")
        refused(position, play(card), "K7.4", "leaving", seat=seat)


def test_k7_4_the_mirror_is_still_possible() -> None:
    position = leaving("50 73", "4 6")
    assert judge(position, 1, 73, 37, position) == "mirror"
    assert turn(allowed(position, others_draw(73, on=37))) == "2 plays"


def test_k7_4_closed_by_chance_alone() -> None:
    position = leaving("50 73", "4 6")
    assert (position.actors(), options(position)) == ((CHANCE,), {CLOSE})
    refused(position, PASS, "K6.1", "nothing-asked", seat=1)
    assert turn(allowed(position, CLOSE)) == "0 deals"


def test_k7_5_the_clock_draws_without_a_valid_card() -> None:
    assert clock_action(table("2 36", "5 6", zone="37")) == DRAW
    assert clock_action(table("2 38", "5 6", zone="37", blocked=[[38], []])) == DRAW


def test_k7_5_else_the_lowest_valid_card() -> None:
    assert clock_action(table("2 38 40", "5 6", zone="37")) == play(38)
    assert clock_action(table("2 38 40", "5 6", zone="39 41", last=0)) == play(2)


def test_k7_5_but_not_the_mirror() -> None:
    assert clock_action(table("2 73 90", "5 6", zone="37")) == play(90)


def test_k7_5_unless_it_is_the_only_one() -> None:
    position = table("2 73", "5 6", zone="37", pile="88 89")
    after = go(position, clock_action(position))
    assert (zone(after), hands(after)) == ("37 73", ["2", "5 6 88"])


def test_k7_5_a_mirror_that_is_not_valid_stays_in_hand() -> None:
    assert clock_action(table("2 15", "5 6", zone="51")) == DRAW


def test_k7_6_no_view_tells_whether_somebody_holds_a_mirror() -> None:
    held = table("2 4", "5 73", "7 8", zone="38 37", pile="80 81")
    not_held = table("2 4", "5 80", "7 8", zone="38 37", pile="73 81")
    assert held.actors() == not_held.actors()
    for eye in (0, 2, None):
        assert json.dumps(held.view(eye)) == json.dumps(not_held.view(eye))


def test_k7_6_the_reaction_time_looks_the_same() -> None:
    held, not_held = leaving("5 73", "4 6", pile="88 89"), leaving("5 88", "4 6", pile="73 89")
    assert held.actors() == not_held.actors() == (CHANCE,)
    assert options(held) == options(not_held)
    for eye in (0, 2, None):
        assert json.dumps(held.view(eye)) == json.dumps(not_held.view(eye))


@pytest.mark.parametrize(
    ("lying", "may"),
    [("38 37", True), ("38 33", False), ("73 37", False), ("10 91 1", False), ("90 1", True)],
)
def test_k7_6_what_everybody_knows_of_the_mirror(lying: str, *, may: bool) -> None:
    """Calm mode: a window opens by what has been seen alone, wherever the mirror lies hidden."""
    assert may_be_mirrored(table("4 5", "2 3", zone=lying, last=1).zone) is may
    if may:
        mirrors = {37: "73", 1: "10"}
        mirror = mirrors[int(lying.rsplit(maxsplit=1)[-1])]
        assert may_be_mirrored(table("4 5", "2 3", zone=lying, aside={0: mirror}).zone)
        assert may_be_mirrored(table("4 5", f"2 {mirror}", zone=lying).zone)
