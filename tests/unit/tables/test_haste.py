"""Hands at a live table: cards before their time, two at once, misplays faster than a hand (K4.1, K7.2)."""

from __future__ import annotations

from typing import Any

import pytest

from ekoes.errors import EkoesError, RecordError
from ekoes.games.api.contract import RefusedError
from ekoes.games.ekko.live.machine import AFTER_HASTE, AFTER_MISPLAY
from ekoes.records import read_record, replay
from tests.kit.tables import open_record
from tests.unit.tables.racing import Race

CLAIMER = {0: [42, 50, 60, 61, 62, 63], 1: [73, 24, 26, 28, 30, 32]}
"""37 is turned over, seat 0 begins; seat 1 holds 24, the mirror of 42."""
STEP = 9
"""Milliseconds between two cards of a program."""


def code(error: EkoesError) -> str:
    assert isinstance(error, RefusedError)
    return error.refusal.code


def volley(race: Race, milliseconds: int, seat: int = 1, **content: Any) -> list[str]:
    """Send the same card again and again; return what each came to."""
    came = []
    for _ in range(0, milliseconds, STEP):
        before = race.table
        try:
            race.send(seat, "mirror", after=STEP, **content)
        except RefusedError as error:
            came.append(error.refusal.code)
        else:
            came.append(race.last["verdict"] if race.table.length > before.length else "taken")
    return came


# ---------------------------------------------------------------- before its time


def test_k7_2_card_for_what_is_not_on_top_yet_is_a_misplay_and_a_record_says_so() -> None:
    race = Race(CLAIMER)
    wrong = race.send(1, "mirror", card=24, on=42, after=10)
    assert (wrong["verdict"], wrong["on"], wrong["action"]) == (
        "misplay",
        42,
        {"type": "misplay", "card": 24},
    )
    assert len(race.hand(1)) == 7
    assert "seat 1: 24?{at 0.01, saw 42}" in open_record(race.table)
    assert list(replay(read_record(open_record(race.table))))[-1] == race.table.position


def test_k7_2_claims_ahead_of_their_card_land_no_sooner_than_a_hand_can() -> None:
    """They cost a card every half second, and the hand is never ready the moment the card comes."""
    race = Race(CLAIMER)
    came = volley(race, 1600, card=24, on=42)
    assert came.count("misplay") == 4
    assert set(came) == {"misplay", "hand-busy"}
    assert len(race.hand(1)) == 6 + 4
    race.send(0, "play", card=42, on=37)
    assert set(volley(race, 300, card=24, on=42)) == {"hand-busy"}


def test_k7_2_without_misplays_haste_shuts_the_hand_for_a_while() -> None:
    race = Race(CLAIMER, misplays=False)
    before = race.table
    came = volley(race, 1000, card=24, on=42)
    assert (came[0], set(came[1:])) == ("taken", {"hand-busy"})
    assert (race.table.version, race.table.length) == (before.version + 1, before.length), "noted once"
    busy_until = AFTER_HASTE - len(came) * STEP + STEP
    race.wait(busy_until - 1)
    assert code(race.refused(1, "mirror", card=73, on=37)) == "hand-busy"
    race.wait(1)
    assert race.send(1, "mirror", card=73, on=37)["verdict"] == "claim"


def test_k7_2_haste_of_one_hand_is_no_other_s() -> None:
    race = Race(CLAIMER, misplays=False)
    race.send(2, "play", card=race.hand(2)[0], on=42)
    assert race.send(1, "mirror", card=73, on=37)["verdict"] == "claim"


@pytest.mark.parametrize("misplays", [True, False])
def test_k7_2_no_card_is_played_before_the_first_is_turned_over(misplays: bool) -> None:
    race = Race(CLAIMER, misplays=misplays, begins=False)
    volley(race, 300, card=73, on=37)
    assert race.table.length == 1, "there is nothing to misplay on"
    race.begin()
    came = volley(race, 1000, card=73, on=37)
    assert set(came) == {"hand-busy"}
    race.wait(AFTER_HASTE)
    assert volley(race, STEP, card=73, on=37) == ["claim"]


def test_k7_2_right_card_that_names_what_is_not_there_costs_no_card_but_time() -> None:
    """It can be no misplay (K4.1): it would be right."""
    race = Race(CLAIMER)
    before = race.table.position
    assert volley(race, STEP, card=73, on=42) == ["taken"]
    assert race.table.position == before
    assert code(race.refused(1, "mirror", card=73, on=37)) == "hand-busy"


@pytest.mark.parametrize("options", [{"misplays": False}, {"misplays": True}, {"calm": True}])
def test_card_of_an_earlier_round_costs_nothing(options: dict[str, Any]) -> None:
    """What was on the way comes when another round has begun; the page says of which round it was."""
    race = Race(CLAIMER, **options)
    race.keep_only(0, 42)
    race.send(0, "play", card=42, on=37, after=6000)
    race.wait(6000)
    for begins in (False, True):
        if begins:
            race.begin()
        assert code(race.refused(1, "play", card=race.hand(1)[0], on=98, round=1)) == "other-round"
    card = race.hand(1)[0]
    assert race.table.play.busy == ()
    assert card in race.hand(1)


def test_calm_mode_punishes_no_haste() -> None:
    race = Race(CLAIMER, calm=True)
    for seat in (0, 1, 2):
        assert code(race.refused(seat, "play", card=race.hand(seat)[0], on=98)) == "never-top"
    race.wait(6000)
    for seat in (0, 1, 2):
        assert code(race.refused(seat, "play", card=race.hand(seat)[0], on=98)) == "never-top"


def test_k7_4_nothing_costs_a_card_during_the_reaction_time() -> None:
    race = Race(CLAIMER)
    race.keep_only(0, 42)
    race.send(0, "play", card=42, on=37)
    assert code(race.refused(2, "play", card=race.hand(2)[0], on=98)) == "never-top"


def test_bot_takes_a_seat_with_a_hand_at_rest() -> None:
    race = Race(CLAIMER, misplays=False)
    race.send(1, "play", card=24, on=42)
    race.resign(1)
    assert race.table.own_state({1})["hands"]["1"]["hand"] == sorted(CLAIMER[1])
    assert set(race.table.play.busy) == {None}


# ---------------------------------------------------------------- misplays, and how fast a hand is


def test_k4_1_misplays_are_no_faster_than_a_hand() -> None:
    """86 in 1.2 seconds emptied a pile once."""
    race = Race(CLAIMER)
    pile = race.table.position.pile_size
    came = []
    for _ in range(86):
        card = race.hand(2)[0]
        try:
            came.append(race.send(2, "play", card=card, on=37, after=14)["verdict"])
        except RefusedError as error:
            came.append(error.refusal.code)
    assert came.count("misplay") == 3
    assert race.table.position.pile_size == pile - 3
    assert set(came) == {"misplay", "hand-busy"}
    assert list(replay(read_record(open_record(race.table))))[-1] == race.table.position


def test_record_of_misplays_faster_than_a_hand_is_refused() -> None:
    race = Race(CLAIMER)
    for _ in range(2):
        race.send(2, "play", card=race.hand(2)[0], on=37, after=AFTER_MISPLAY)
    text = open_record(race.table)
    assert "{at 1, saw 37}" in text
    read_record(text)
    with pytest.raises(RecordError, match=r"K7\.2: the table would say 'refused'"):
        read_record(text.replace("{at 1, saw 37}", "{at 0.999, saw 37}"))


def test_hand_that_takes_a_card_back_plays_no_other_meanwhile_but_in_calm_mode() -> None:
    race = Race(CLAIMER)
    race.send(1, "play", card=24, on=37)
    assert code(race.refused(1, "play", card=73, on=37)) == "hand-busy"
    assert race.send(0, "play", card=50, on=37)["verdict"] == "play", "the others' hands are free"
    late = race.send(1, "play", card=73, on=37)
    assert late["verdict"] == "late", "what comes too late is told at once"


# ---------------------------------------------------------------- one's own card is no excuse


def test_k7_2_second_card_of_a_hand_is_judged_on_the_first() -> None:
    race = Race(CLAIMER)
    race.send(0, "play", card=50, on=37)
    wrong = race.send(0, "play", card=60, on=37, after=5)
    assert (wrong["verdict"], wrong["on"]) == ("misplay", 37)
    text = open_record(race.table)
    assert list(replay(read_record(text)))[-1] == race.table.position
    with pytest.raises(RecordError, match="the table would say 'misplay'"):
        read_record(text.replace("60?{at 0.005, saw 37}", "late:60{at 0.005, saw 37, behind 0.005}"))


def test_k7_2_second_card_is_played_where_a_chain_goes_on() -> None:
    race = Race({0: [44, 20, 60]})
    race.send(0, "play", card=44, on=37)
    assert race.send(0, "play", card=20, on=37)["verdict"] == "play"
    assert list(replay(read_record(open_record(race.table))))[-1] == race.table.position


def test_k7_2_draw_after_one_s_own_card_is_no_late_draw() -> None:
    race = Race(CLAIMER)
    race.send(0, "play", card=50, on=37)
    assert code(race.refused(0, "draw", on=37)) == "not-your-turn"


def test_k4_2_late_mirror_is_no_misplay_though_one_s_own_card_was_quicker() -> None:
    race = Race({0: [73, 50]})
    race.send(0, "play", card=50, on=37)
    late = race.send(0, "mirror", card=73, on=37, after=4)
    assert (late["verdict"], late["behind"]) == ("late", 4)
    read_record(open_record(race.table))


def test_k7_2_second_card_is_wrong_also_where_a_mirror_covers_the_first() -> None:
    """On the first it was not seat 0's turn any more: it lost to nobody but itself."""
    race = Race({0: [42, 20], 1: [24]})
    race.send(0, "play", card=42, on=37)
    race.send(1, "mirror", card=24, on=42, effect="draw")
    assert race.send(0, "play", card=20, on=37)["verdict"] == "misplay"
    read_record(open_record(race.table))


def test_own_claim_makes_no_card_of_the_same_hand_late() -> None:
    race = Race({0: [73, 50, 60]})
    race.send(0, "mirror", card=73, on=37)
    for word, content in (("play", {"card": 60}), ("draw", {})):
        assert race.refused(0, word, on=37, **content).code == "table/not-now"


def test_card_played_by_the_clock_is_not_the_players_own() -> None:
    """Seat 0's card was on its way as its time ran out: it comes too late, and costs nothing (K7.5)."""
    race = Race({0: [50, 60]}, turn_clock=10)
    late = race.send(0, "play", card=60, on=37, after=10_004)
    assert (late["verdict"], late["behind"]) == ("late", 4)
    read_record(open_record(race.table))
