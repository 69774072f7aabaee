"""Live tables: the first valid card counts (K7)."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

import pytest

from ekoes.errors import TableError
from ekoes.games.api.contract import RefusedError
from ekoes.games.api.reading import unix_milliseconds
from ekoes.games.ekko.live.state import Verdict
from ekoes.records import read_record, replay
from ekoes.tables.orders import Tick
from ekoes.tables.race import RaceTable
from ekoes.tables.submit import submit
from tests.kit.tables import next_move, open_record, past, refusal
from tests.kit.tables import record as record_of
from tests.unit.tables.racing import SECRET, Json, Race

# 37 lies on top: it is odd, so higher cards are valid; its mirror is 73. Seat 0 begins.
MIRROR_AND_PLAY = {0: [40, 50, 60], 1: [73, 2, 4]}


def receipt(race: Race) -> Json:
    shown: Json = race.state["receipt"]
    return shown


# ---------------------------------------------------------------- races


def test_k7_2_mirror_before_a_play_sends_the_play_back_without_penalty() -> None:
    race = Race(MIRROR_AND_PLAY)
    race.send(1, "mirror", card=73, on=37, effect="draw")
    late = race.send(0, "play", card=50, on=37, after=312)
    assert (late["verdict"], late["seat"], late["behind"], late["on"]) == ("late", 0, 312, 37)
    assert late["action"] == {"type": "play", "card": 50}
    assert 50 in race.hand(0)
    assert race.state["position"]["zone"] == [37, 73]
    assert race.state["position"]["turn"]["player"] == 2, "play goes on left of the mirror's player (K3.3)"
    assert receipt(race)["winner"] == {"seat": 1, "card": 73, "kind": "mirror"}
    assert receipt(race)["losers"] == [{"seat": 0, "card": 50, "kind": "play", "behind": 312}]


def test_k3_5_play_before_a_mirror_sends_the_mirror_back_without_penalty() -> None:
    race = Race(MIRROR_AND_PLAY)
    race.send(0, "play", card=50, on=37)
    late = race.send(1, "mirror", card=73, on=37, after=8)
    assert (late["verdict"], late["behind"], late["action"]) == ("late", 8, {"type": "mirror", "card": 73})
    assert 73 in race.hand(1)
    assert len(race.hand(1)) == 6
    assert receipt(race)["winner"] == {"seat": 0, "card": 50, "kind": "play"}
    assert receipt(race)["losers"] == [{"seat": 1, "card": 73, "kind": "mirror", "behind": 8}]


@pytest.mark.parametrize("first", [0, 1])
def test_k7_1_in_the_same_millisecond_the_order_of_arrival_decides(first: int) -> None:
    race = Race(MIRROR_AND_PLAY)
    cards = {0: 50, 1: 73}
    race.send(first, "play", card=cards[first], on=37)
    late = race.send(1 - first, "play", card=cards[1 - first], on=37)
    assert (late["verdict"], late["behind"], late["seat"]) == ("late", 0, 1 - first)
    assert cards[1 - first] in race.hand(1 - first)


def test_time_never_goes_back() -> None:
    race = Race(MIRROR_AND_PLAY)
    race.send(0, "play", card=50, on=37, after=100)
    race.at -= race.at - race.table.log[0].at
    late = race.send(1, "mirror", card=73, on=37)
    assert late["behind"] == 0
    assert late["at"] == unix_milliseconds(race.table.log[-2].at)


def test_k7_2_draw_that_comes_after_a_mirror_is_late() -> None:
    race = Race({0: [1, 2, 3, 5, 6, 7], 1: [73]}, pile=[4])
    race.send(1, "mirror", card=73, on=37, effect="discard", aside=race.hand(1)[0])
    late = race.send(0, "draw", on=37, after=20)
    assert (late["verdict"], late["action"], late["behind"]) == ("late", {"type": "draw"}, 20)
    assert len(race.hand(0)) == 6
    assert receipt(race)["losers"] == [], "no card of theirs was in the race"


def test_k7_2_late_draw_out_of_turn_is_refused() -> None:
    race = Race({1: [73]})
    race.send(1, "mirror", card=73, on=37, effect="draw")
    error = race.refused(2, "draw", on=37)
    assert isinstance(error, RefusedError)
    assert error.refusal.code == "not-your-turn"


def test_repeated_card_costs_nothing_and_another_costs_a_card() -> None:
    race = Race(MIRROR_AND_PLAY)
    race.send(0, "play", card=50, on=37)
    error = race.refused(0, "play", card=50, on=37)
    assert isinstance(error, RefusedError)
    assert error.refusal.code == "not-in-hand"
    wrong = race.send(0, "play", card=60, on=37)
    assert wrong["verdict"] == "misplay"
    assert len(race.hand(0)) == 6


def test_late_card_is_logged_once() -> None:
    race = Race(MIRROR_AND_PLAY)
    race.send(0, "play", card=50, on=37)
    race.send(1, "mirror", card=73, on=37, after=10)
    noted = race.table
    for _ in range(3):
        race.send(1, "play", card=73, on=37, after=10)
    assert (race.table.version, race.table.log) == (noted.version, noted.log)


def ended_round(**options: Any) -> Race:
    """Seat 1 has ended the round by the mirror of 37, its last card; seat 0, in turn, holds 50."""
    race = Race(MIRROR_AND_PLAY, **options)
    race.keep_only(1, 73)
    race.send(1, "mirror", card=73, on=37)
    assert (race.stage, race.last["verdict"], race.last["round"]) == ("look", "deal", 2)
    return race


@pytest.mark.parametrize("options", [{}, {"misplays": False}, {"open_hands": True}])
def test_k7_2_card_is_late_though_what_was_quicker_has_ended_the_round(options: dict[str, Any]) -> None:
    race = ended_round(**options)
    race.table = RaceTable.from_state(race.table.to_state())
    before = race.table.position
    late = race.send(0, "play", card=50, on=37, round=1, after=20)
    assert (late["verdict"], late["round"], late["behind"], late["on"]) == ("late", 1, 20, 37)
    assert late["action"] == {"type": "play", "card": 50}
    assert race.table.position == before
    assert race.state["receipt"] is None, "its race is over"
    assert past(race.table, race.table.length)["position"]["zone"] == []
    noted = race.table
    race.send(0, "play", card=50, on=37, round=1)
    assert race.table == noted, "logged once"


def test_k7_2_what_was_not_held_or_was_wrong_in_the_ended_round_is_refused() -> None:
    race = ended_round()
    own, others = race.hand(0)[0], race.hand(2)[0]
    for seat, card, on in ((0, 51, 37), (0, 50, 98), (0, 1, 37), (2, others, 37), (0, own, 73)):
        assert race.refused(seat, "play", card=card, on=on, round=1).rule == "K7.2"
    assert race.refused(0, "play", card=50, on=37, round=3).rule == "K7.2"
    race.begin()
    assert race.refused(0, "play", card=50, on=37, round=1).rule == "K7.2", "the next round has begun"


def test_accepted_order_adds_a_version_and_an_entry() -> None:
    race = Race(MIRROR_AND_PLAY)
    begun = race.table
    race.send(0, "play", card=50, on=37)
    assert race.table.version == begun.version + 1
    assert race.table.length == begun.length + 1 == 2


def test_draw_and_pass_for_a_card_that_was_never_on_top_are_refused() -> None:
    race = Race(MIRROR_AND_PLAY)
    assert race.refused(0, "draw", on=98).rule == "K7.2"
    assert race.refused(0, "pass", on=98).rule == "K7.2"


# ---------------------------------------------------------------- mirrors


def test_k3_4_mirror_is_a_mirror_also_when_it_is_sent_as_a_play_in_the_own_turn() -> None:
    race = Race({0: [73, 50]})
    claimed = race.send(0, "play", card=73, on=37)
    assert (claimed["verdict"], race.stage) == ("claim", "effect")
    assert race.state["claim"] == {"seat": 0, "card": 73, "on": 37}
    assert race.state["position"]["zone"] == [37]


def test_k3_2_effect_is_chosen_after_the_claim() -> None:
    race = Race({1: [73, 20], 2: [5]})
    race.send(1, "mirror", card=73, on=37)
    assert race.refused(2, "effect", effect="draw").code == "table/not-now"
    assert race.refused(1, "effect", effect="discard").rule == "K3.2"
    assert race.refused(1, "effect", effect="discard", aside=73).rule == "K3.2"
    assert race.refused(1, "effect", effect="draw", aside=20).code == "table/wrong-effect"
    mirror = race.send(1, "effect", effect="discard", aside=20, after=900)
    assert mirror["verdict"] == "mirror"
    assert mirror["action"] == {"type": "mirror", "card": 73, "effect": "discard", "on": 37}
    assert "20" not in mirror["notation"]
    assert race.table.position.aside[1] == (20,)
    assert race.stage == "race"
    assert race.table.own_state({1})["hands"]["1"]["aside"] == [20]


def test_effect_draw_makes_all_others_draw() -> None:
    race = Race({1: [73]})
    mirror = race.send(1, "mirror", card=73, on=37, effect="draw")
    assert mirror["draws"] == [[0, 1], [2, 1]]
    assert race.state["position"]["sizes"] == [7, 5, 7]


def test_effect_is_draw_when_its_clock_runs_out() -> None:
    race = Race({1: [73]}, turn_clock=5)
    race.send(1, "mirror", card=73, on=37)
    assert (race.state["remaining"], race.state["of"]) == (5000, 5000)
    race.wait(4999)
    assert race.stage == "effect"
    race.wait(1)
    assert (race.last["verdict"], race.last["action"]["effect"], race.last["clock"]) == (
        "mirror",
        "draw",
        True,
    )


def test_while_an_effect_is_chosen_cards_that_fit_are_late_and_nothing_is_a_misplay() -> None:
    race = Race({0: [50, 60, 1], 1: [73]})
    race.send(1, "mirror", card=73, on=37)
    late = race.send(0, "play", card=50, on=37, after=40)
    assert (late["verdict"], late["behind"]) == ("late", 40)
    assert race.refused(0, "play", card=1, on=37).rule == "K2.1"
    assert race.send(0, "draw", on=37, after=2)["behind"] == 42
    assert race.send(0, "pass", on=37) == race.last
    race.send(1, "effect", effect="draw", after=1000)
    assert [loser["behind"] for loser in receipt(race)["losers"]] == [40]
    late = race.send(0, "play", card=60, on=37)
    assert late["behind"] == 1042, "behind the claim, not behind the effect"


def test_k3_4_mirror_as_the_last_card_leaves_no_choice() -> None:
    race = Race({0: [73]})
    race.keep_only(0, 73)
    race.send(0, "mirror", card=73, on=37)
    mirror = race.table.entries_json()[-2]
    assert mirror["action"]["effect"] == "draw"
    assert mirror["draws"] == [[1, 1], [2, 1]]
    assert race.table.play.rounds[-1].reason == "mirror"
    assert race.table.play.rounds[-1].by == 0


# ---------------------------------------------------------------- misplays


@pytest.mark.parametrize(("seat", "card"), [(0, 1), (1, 98)])
def test_k4_1_wrong_card_or_wrong_turn_costs_a_card(seat: int, card: int) -> None:
    race = Race({0: [1, 50], 1: [98]}, pile=[60])
    wrong = race.send(seat, "play", card=card, on=37)
    assert (wrong["verdict"], wrong["draws"]) == ("misplay", [[seat, 1]])
    assert {card, 60} <= set(race.hand(seat))
    assert race.state["position"]["turn"]["player"] == 0
    assert race.table.own_state({seat})["hands"][str(seat)]["blocked"] == [60]
    assert race.stage == "race"


def test_k4_3_without_misplays_a_wrong_card_is_refused_and_nothing_happens() -> None:
    race = Race({0: [1, 50], 1: [98]}, misplays=False)
    assert race.refused(0, "play", card=1, on=37).rule == "K2.1"
    assert race.refused(1, "play", card=98, on=37).rule == "K2.1"


def test_misplay_does_not_stop_the_turn_clock() -> None:
    race = Race({0: [1, 50]}, turn_clock=10)
    race.send(0, "play", card=1, on=37, after=4000)
    assert race.state["remaining"] == 6000


def test_k5_3_misplay_with_an_empty_pile_ends_the_round() -> None:
    race = Race({0: [1, 50]})
    race.change(pile_size=0)
    race.send(0, "play", card=1, on=37)
    assert (race.table.play.rounds[-1].reason, race.table.play.rounds[-1].by) == ("pile-empty", None)
    assert race.stage == "look"


# ---------------------------------------------------------------- the reaction time


def leaving_race(**options: Any) -> Race:
    """Seat 0 has played the last card, 50; seat 1 holds its mirror 5."""
    race = Race({0: [50], 1: [5, 20], 2: [9]}, **options)
    race.keep_only(0, 50)
    race.send(0, "play", card=50, on=37)
    assert race.stage == "leaving"
    return race


def test_k5_1_round_ends_when_the_reaction_time_is_over() -> None:
    race = leaving_race()
    assert (race.state["remaining"], race.state["of"]) == (3000, 3000)
    race.wait(2999)
    assert race.stage == "leaving"
    race.wait(1)
    (finished,) = race.state["rounds"]
    assert (finished["reason"], finished["by"], finished["points"][0]) == ("last-card", 0, 0)
    assert finished["sizes"] == [0, 6, 6]
    assert [entry["verdict"] for entry in race.table.entries_json()][-2:] == ["close", "deal"]
    assert race.state["position"]["turn"]["dealer"] == 0, "who put the last card deals (K5.5)"
    assert race.stage == "look"


def test_k7_4_reaction_time_ends_when_all_others_pass() -> None:
    race = leaving_race()
    race.send(0, "pass", on=50)
    assert race.state["decided"] == []
    race.send(1, "pass", on=50, after=100)
    assert (race.state["decided"], race.stage) == ([1], "leaving")
    race.send(1, "pass", on=50)
    race.send(2, "pass", on=50, after=100)
    assert race.stage == "look"
    assert [e["verdict"] for e in race.table.entries_json()][-4:] == ["pass", "pass", "close", "deal"]


def test_k5_2_last_card_is_mirrored_within_the_reaction_time() -> None:
    race = leaving_race()
    mirror = race.send(1, "mirror", card=5, on=50, effect="draw", after=2999)
    assert mirror["draws"] == [[0, 1], [2, 1]], "one card for who was leaving, not two"
    assert race.stage == "race"
    assert race.table.play.rounds == ()


def test_mirror_at_the_very_end_of_the_reaction_time_is_too_late() -> None:
    race = leaving_race()
    race.wait(3000)
    late = race.send(1, "mirror", card=5, on=50, round=1, effect="draw", after=15)
    assert (late["verdict"], late["behind"], late["round"]) == ("late", 15, 1), "behind the close"
    before = race.table
    race.send(1, "pass", on=50)
    assert race.table.version == before.version, "a pass that was on its way is no fault"


def test_mirror_after_a_pass_counts_before_the_close() -> None:
    race = leaving_race()
    race.send(1, "pass", on=50)
    assert race.send(1, "play", card=5, on=50)["verdict"] == "claim"


def test_k7_4_other_cards_are_refused_without_penalty_while_somebody_leaves() -> None:
    race = leaving_race()
    for seat, card in ((1, 20), (2, 9)):
        assert race.refused(seat, "play", card=card, on=50).rule == "K7.4"
    assert race.refused(1, "draw", on=50).rule == "K7.4"


# ---------------------------------------------------------------- the turn clock


def test_k7_5_clock_draws_for_who_holds_no_valid_card() -> None:
    race = Race({0: [1, 2, 3, 5, 6, 7]}, turn_clock=5)
    race.wait(5000)
    assert (race.last["seat"], race.last["verdict"], race.last["clock"]) == (0, "draw", True)
    assert race.state["position"]["turn"]["player"] == 1


def test_k7_5_clock_plays_the_lowest_valid_card_that_is_no_mirror() -> None:
    race = Race({0: [1, 73, 45, 60]}, turn_clock=5)
    race.wait(5000)
    assert race.last["action"] == {"type": "play", "card": 45}


def test_k7_5_clock_plays_the_mirror_where_nothing_else_is_left() -> None:
    race = Race({0: [73, 1, 2, 3, 5, 6]}, turn_clock=5)
    race.wait(5000)
    assert race.last["action"] == {"type": "mirror", "card": 73, "effect": "draw", "on": 37}


def test_each_turn_has_its_own_clock() -> None:
    race = Race({0: [50], 1: [20]}, turn_clock=5)
    race.send(0, "play", card=50, on=37, after=4000)
    assert race.state["remaining"] == 5000
    race.wait(4999)
    assert race.state["position"]["turn"]["player"] == 1


def test_no_clock_runs_without_one() -> None:
    race = Race(turn_clock=None)
    assert (race.state["remaining"], race.state["of"]) == (None, None)
    race.wait(10**7)
    assert race.table.length == 1


def test_clock_that_strikes_too_early_is_refused() -> None:
    race = Race()
    assert refusal(submit, race.table, Tick(key="t"), None, race.at) == "table/not-now"


# ---------------------------------------------------------------- looking at the hand


def test_k1_3_first_card_is_hidden_until_all_are_ready() -> None:
    race = Race(MIRROR_AND_PLAY, begins=False)
    assert race.stage == "look"
    position = race.state["position"]
    assert (position["zone"], position["pile"]) == ([], 80)
    assert position["turn"] == {"round": 1, "dealer": 2, "phase": "deal"}
    assert past(race.table, 1)["position"] == position
    assert race.table.own_state({0})["hands"]["0"]["hand"] == list(race.hand(0))
    assert race.refused(0, "draw", on=37).code == "table/not-now"
    for seat in (2, 0):
        race.send(seat, "ready", round=1)
    assert (race.stage, race.state["ready"]) == ("look", [0, 2])
    version = race.table.version
    race.send(0, "ready", round=1)
    assert race.table.version == version
    race.send(1, "ready", round=1)
    assert (race.stage, race.state["position"]["zone"]) == ("race", [37])


def test_ready_for_another_round() -> None:
    race = Race(begins=False)
    assert race.refused(0, "ready", round=2).code == "table/not-now"
    race.begin()
    before = race.table
    race.send(0, "ready", round=1)
    assert race.table.version == before.version


def test_round_begins_when_the_looking_time_is_over() -> None:
    race = Race(begins=False, turn_clock=5)
    race.wait(5000)
    assert race.stage == "race"


def test_resigning_while_all_look_does_not_show_the_first_card() -> None:
    race = Race(MIRROR_AND_PLAY, begins=False)
    race.resign(2)
    assert race.stage == "look"
    assert past(race.table, race.table.length)["position"]["zone"] == []
    race.begin()
    assert race.stage == "race"


def test_round_does_not_wait_for_a_player_who_resigned() -> None:
    race = Race(begins=False)
    for seat in (0, 1):
        race.send(seat, "ready", round=1)
    race.resign(2)
    assert race.stage == "race"


# ---------------------------------------------------------------- who leaves, and again


def test_resignation_of_one_of_two_ends_the_game() -> None:
    race = Race(players=2)
    race.resign(0)
    assert race.state["outcome"] == {"winners": [1], "reason": "resignation", "rule": "K5.6"}
    assert (race.stage, race.state["of"]) == ("over", None)
    assert "resign" in record_of(race.table)
    assert read_record(record_of(race.table)).outcome == race.table.outcome
    assert race.refused(1, "play", card=1, on=37).code == "table/game-over"


def test_bot_takes_the_seat_of_one_of_three_who_resigns() -> None:
    race = Race()
    race.resign(1)
    assert (race.table.seats[1].kind, race.table.seats[1].bot, race.table.outcome) == ("bot", "skilled", None)
    assert race.last["verdict"] == "resign"
    assert list(replay(read_record(open_record(race.table))))[-1] == race.table.position


def test_bot_chooses_an_effect_for_who_left_in_the_midst_of_a_mirror() -> None:
    race = Race({1: [73]}, turn_clock=None)
    race.send(1, "mirror", card=73, on=37)
    race.resign(1)
    move = next_move(race.table, race.at, SECRET)
    assert move is not None
    assert move.order is not None
    race.give(move.order, None)
    assert (race.entry.verdict, race.stage) == (Verdict.MIRROR, "race")


def test_rematch_needs_all_people() -> None:
    race = Race(players=2)
    assert refusal(race.agree, 0) == "table/not-over"
    race.resign(0)
    race.agree(0)
    assert race.state["rematch"] == {"agreed": [0], "table": None}
    alone = race.table
    race.agree(1)
    assert (alone.wants_rematch, race.table.wants_rematch) == (False, True)


def test_record_can_be_had_when_the_game_is_over() -> None:
    with pytest.raises(TableError) as error:
        record_of(Race().table)
    assert (error.value.code, error.value.rule) == ("table/not-over", "K6.4")


def test_seed_is_hidden() -> None:
    assert "seed" not in Race().table.options_json()


def test_k7_5_a_clock_begins_anew_no_sooner_than_the_latest_order() -> None:
    """Another server goes on with the table; its clock on the wall is a minute behind."""
    race = Race({0: [50, 60]}, turn_clock=10)
    race.send(0, "play", card=50, on=37, after=2000)
    elsewhere = race.table.resumed(race.at - timedelta(minutes=1))
    strikes = race.at + timedelta(seconds=10)
    assert elsewhere.deadline == race.table.deadline == strikes
    judged_again = submit(race.table, Tick(key="tick"), None, strikes)
    assert judged_again.version > race.table.version


# ---------------------------------------------------------------- listed actions


@pytest.mark.parametrize("calm", [False, True])
def test_with_hints_every_listed_action_is_accepted(*, calm: bool) -> None:
    race, chance = Race(players=3, calm=calm, hints=True, target=20, begins=False), random.Random(3)
    kinds = set()
    while race.table.outcome is None:
        seat, actions = chance.choice([*race.table.actions_json(range(3)).items()])
        wish = dict(chance.choice(actions))
        kinds.add(wish["type"])
        race.send(int(seat), wish.pop("type"), **wish)
    assert kinds >= {"ready", "play", "draw", "pass"}
    assert race.table.actions_json(range(3)) == {}


def test_without_hints_all_cards_are_listed_in_turn_and_none_out_of_turn() -> None:
    race = Race({0: [2, 40], 1: [73]}, turned=37, hints=False)
    assert race.table.actions_json([1, 2]) == {}
    (listed,) = race.table.actions_json([0, 1]).values()
    assert [one["card"] for one in listed if one["type"] == "play"] == sorted(race.table.position.hands[0])
    assert listed[-1] == {"type": "draw", "on": 37}


def test_effects_of_a_claimed_mirror_are_listed_for_its_player_alone() -> None:
    race = Race({1: [73, 12]}, turned=37)
    race.send(1, "mirror", card=73, on=37)
    (listed,) = race.table.actions_json(range(3)).values()
    assert {"type": "effect", "effect": "draw"} in listed
    assert {"type": "effect", "effect": "discard", "aside": 12} in listed
    assert not any(one.get("aside") == 73 for one in listed)
