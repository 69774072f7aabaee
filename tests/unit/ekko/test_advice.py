"""Hints for beginners at EKKO: what fits, one good card, what is said for it, and nothing that is hidden."""

from __future__ import annotations

from typing import Any

import pytest

from ekoes.errors import TableError
from ekoes.games.ekko.teaching import ADVICE
from tests.unit.tables.racing import Race

Json = dict[str, Any]


def advice_for(race: Race, seat: int = 0) -> Json:
    return ADVICE.advise(race.table.hint_state, seat)


def reasons(advice: Json) -> list[str]:
    return [each["reason"] for each in advice["reasons"]]


def test_k2_1_what_fits_and_the_card_that_leaves_least() -> None:
    advice = advice_for(Race({0: [95, 96, 12, 20, 30, 31]}, turned=37))
    assert (advice["top"], advice["fits"], advice["mirror"]) == (37, [95, 96], None)
    assert advice["action"] == {"type": "play", "card": 95}
    assert advice["reasons"] == [{"reason": "narrow", "n": 2}, {"reason": "keeps", "card": 96}]


def test_outer_card_is_kept_where_another_goes_as_well() -> None:
    advice = advice_for(Race({0: [97, 40, 12, 20, 30, 31]}, turned=37))
    assert advice["action"] == {"type": "play", "card": 40}
    assert advice["reasons"] == [{"reason": "keeps", "card": 97}]


def test_k2_1_only_card() -> None:
    advice = advice_for(Race({0: [80, 12, 13, 15, 16, 18]}, turned=37))
    assert advice["action"] == {"type": "play", "card": 80}
    assert reasons(advice) == ["only"]


def test_k2_2_nothing_fits() -> None:
    advice = advice_for(Race({0: [2, 3, 4, 5, 6, 7]}, turned=91))
    assert (advice["fits"], advice["action"], reasons(advice)) == ([], {"type": "draw"}, ["nothing-fits"])


def test_k2_3_multiple_of_11_and_once_more() -> None:
    advice = advice_for(Race({0: [33, 47, 2, 4, 6, 8]}, turned=21))
    assert advice["action"] == {"type": "play", "card": 33}
    assert reasons(advice)[:2] == ["again", "dear"]


def test_k3_2_mirror_in_and_out_of_turn() -> None:
    race = Race({0: [20, 30, 31, 32, 34, 36], 1: [73, 66, 2, 4, 6, 8]}, turned=37)
    advice = advice_for(race, 1)
    assert (advice["fits"], advice["mirror"]) == ([], 73)
    assert (advice["action"]["type"], advice["action"]["card"]) == ("mirror", 73)
    assert reasons(advice)[0] in {"two-fewer", "others-draw"}
    race.send(1, "play", card=73, on=37)
    advice = advice_for(race, 1)
    assert advice["action"]["type"] == "effect"
    race.send(1, **{"kind": advice["action"].pop("type"), **advice["action"]})
    assert race.stage == "race"


def test_who_is_not_in_turn_waits() -> None:
    advice = advice_for(Race({0: [80, 81, 82, 83, 84, 85]}, turned=37), 1)
    assert (advice["fits"], advice["mirror"], advice["action"]) == ([], None, None)
    assert reasons(advice) == ["no-mirror"]


def test_k7_4_who_holds_no_mirror_passes_in_a_window() -> None:
    race = Race({0: [80]}, turned=37, calm=True)
    assert advice_for(race, 1)["action"] == {"type": "pass"}


def test_k1_3_no_advice_before_the_first_card_is_turned_over() -> None:
    with pytest.raises(TableError, match="not asked"):
        advice_for(Race({0: [80]}, turned=37, begins=False))


@pytest.mark.parametrize("seat", [0, 1])
def test_k6_4_what_is_hidden_changes_no_word(seat: int) -> None:
    own: dict[int, list[int]] = {seat: [41, 50, 66, 73, 13, 20]}
    others = [{1 - seat: [2, 3, 4, 5, 6, 7]}, {1 - seat: [98, 97, 96, 95, 94, 93]}]
    first, second = (advice_for(Race(own | other, turned=37), seat) for other in others)
    assert first == second


def test_every_advice_is_taken_by_the_table() -> None:
    race = Race(players=2, pile=[70, 31, 86, 12, 55, 9, 64])
    for _ in range(12):
        seat = race.table.position.player
        if race.stage != "race" or seat is None:
            break
        action = advice_for(race, seat)["action"]
        length = race.table.length
        intent = {"card": action["card"], "on": race.table.position.top} if "card" in action else {}
        race.send(seat, "play" if intent else "draw", **(intent or {"on": race.table.position.top}))
        assert race.table.length > length
        assert race.last["verdict"] in {"play", "claim", "mirror", "draw"}
        if race.stage == "effect":
            race.send(seat, "effect", effect="draw")
