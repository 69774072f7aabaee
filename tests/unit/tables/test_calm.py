"""Calm mode: all players get the same window, and claims are judged together."""

from __future__ import annotations

from typing import Any

import pytest

from ekoes.errors import PositionError, TableError
from ekoes.games.api.contract import RefusedError
from ekoes.games.ekko.presenter import PRESENTER
from ekoes.tables.create import new_table
from ekoes.tables.orders import Sit
from ekoes.tables.settings import Seat
from tests.kit.tables import refusal
from tests.unit.tables.racing import Race, people

HOT_SEAT = tuple(Seat("here", "", seat, session="all") for seat in range(3))


def calm(hands: dict[int, list[int]], turned: int = 37, **options: Any) -> Race:
    return Race(hands, turned, calm=True, **options)


def test_window_opens_after_the_first_card_and_closes_by_its_clock() -> None:
    race = calm({0: [50]})
    assert (race.stage, race.state["remaining"], race.state["of"]) == ("window", 6000, 6000)
    race.wait(5999)
    assert race.stage == "window"
    race.wait(1)
    assert race.stage == "race"
    assert race.table.length == 1


def test_no_window_when_the_mirror_is_visibly_unavailable() -> None:
    assert calm({0: [50]}, turned=33).stage == "race"
    race = calm({0: [73], 1: [90]})
    race.send(0, "mirror", card=73, on=37, effect="draw")
    race.wait(6000)
    assert race.state["position"]["zone"] == [37, 73]
    assert race.stage == "race", "the mirror of 73 lies in the play zone"


def test_window_follows_a_draw_that_ended_a_turn() -> None:
    race = calm({0: [1, 2, 3, 5, 6, 7]})
    race.wait(6000)
    race.send(0, "draw", on=37)
    assert race.stage == "window"


def test_claim_is_hidden_until_the_window_ends() -> None:
    race = calm({1: [73]})
    race.send(1, "mirror", card=73, on=37, after=1000)
    race.send(2, "pass", on=37, after=1000)
    assert race.state["decided"] == [1, 2]
    assert (race.state["claim"], race.state["receipt"], race.table.length) == (None, None, 1)
    assert race.table.own_state({1})["hands"]["1"]["claimed"] == 73
    assert "claimed" not in race.table.own_state({2})["hands"]["2"]
    race.wait(4000)
    assert (race.stage, race.state["claim"]) == ("effect", {"seat": 1, "card": 73, "on": 37})
    race.send(1, "effect", effect="draw")
    verdicts = [entry["verdict"] for entry in race.table.entries_json()]
    assert verdicts == ["deal", "claim", "mirror"]
    assert race.table.log[1].at < race.table.log[2].at


def test_k3_4_a_mirror_that_is_the_last_card_is_played_as_the_window_ends() -> None:
    race = calm({0: [50], 1: [73]})
    race.keep_only(1, 73)
    race.send(1, "mirror", card=73, on=37, after=1000)
    assert race.refused(0, "play", card=50, on=37).code == "table/not-now", "no card is late in a window"
    race.wait(5000)
    assert (race.stage, race.state["position"]["turn"]["round"]) == ("look", 2)
    verdicts = [entry["verdict"] for entry in race.table.entries_json()]
    assert verdicts == ["deal", "claim", "mirror", "deal"]


def test_window_ends_when_all_players_have_decided() -> None:
    race = calm({1: [73]})
    for seat in (0, 2):
        race.send(seat, "pass", on=37)
    assert race.stage == "window"
    race.send(1, "mirror", card=73, on=37, effect="draw")
    assert (race.stage, race.last["verdict"]) == ("race", "mirror")


def test_window_without_a_clock_waits_for_all_players() -> None:
    race = calm({}, window=None, turn_clock=None)
    assert (race.state["remaining"], race.state["of"]) == (None, None)
    race.wait(10**7)
    assert race.stage == "window"
    for seat in range(3):
        race.send(seat, "pass", on=37)
    assert race.stage == "race"


def test_decision_stands() -> None:
    race = calm({1: [73]})
    race.send(1, "pass", on=37)
    assert race.refused(1, "play", card=73, on=37).code == "table/not-now"
    race = calm({1: [73]})
    race.send(1, "play", card=73, on=37)
    race.send(1, "pass", on=37)
    assert race.table.play.claim is not None


def test_other_cards_are_refused_without_penalty_in_a_window() -> None:
    race = calm({0: [50, 1], 1: [90]})
    assert race.refused(0, "play", card=50, on=37).code == "table/not-now"
    for seat, card in ((0, 1), (1, 90)):
        assert isinstance(race.refused(seat, "play", card=card, on=37), RefusedError)
    race = calm({0: [1, 2, 3, 5, 6, 7]})
    assert race.refused(0, "draw", on=37).code == "table/not-now"


def test_after_the_window_the_player_in_turn_plays_alone() -> None:
    race = calm({0: [50, 1], 1: [73]})
    race.wait(6000)
    error = race.refused(1, "mirror", card=73, on=37)
    assert isinstance(error, RefusedError)
    assert error.refusal.code == "nothing-asked"
    assert race.send(1, "pass", on=37)["verdict"] == "deal", "a pass that nobody waits for leaves no trace"
    assert race.send(0, "play", card=1, on=37)["verdict"] == "misplay"
    assert race.send(0, "play", card=50, on=37)["verdict"] == "play"
    assert race.stage == "window"


def test_mirror_in_the_own_turn_is_still_a_mirror() -> None:
    race = calm({0: [73]})
    race.wait(6000)
    assert race.send(0, "play", card=73, on=37)["verdict"] == "claim"
    assert race.stage == "effect"


def test_window_serves_as_reaction_time() -> None:
    race = calm({0: [50], 1: [5]})
    race.wait(6000)
    race.keep_only(0, 50)
    race.send(0, "play", card=50, on=37)
    assert (race.stage, race.state["of"]) == ("leaving", 6000)
    race.send(1, "mirror", card=5, on=50, effect="draw")
    race.send(2, "pass", on=50, after=10)
    assert race.stage == "race"
    verdicts = [entry["verdict"] for entry in race.table.entries_json()]
    assert verdicts[-4:] == ["play", "claim", "pass", "mirror"]
    moments = [entry.at for entry in race.table.log]
    assert moments == sorted(moments)


def test_reaction_time_without_a_claim_ends_the_round() -> None:
    race = calm({0: [50]})
    race.wait(6000)
    race.keep_only(0, 50)
    race.send(0, "play", card=50, on=37)
    race.send(1, "pass", on=50)
    assert race.last["verdict"] == "play"
    race.wait(6000)
    assert [e["verdict"] for e in race.table.entries_json()][-3:] == ["pass", "close", "deal"]


# ---------------------------------------------------------------- hints


def test_hints_show_valid_cards_in_the_own_turn_and_the_mirror_in_calm_mode_alone() -> None:
    hands = {0: [1, 50, 60, 73], 1: [98]}

    def playable(race: Race, seat: int) -> Any:
        return race.table.own_state({seat})["hands"][str(seat)]["playable"]

    race = Race(hands, hints=True)
    assert playable(race, 0) == [card for card in race.hand(0) if card > 37 and card != 73]
    assert playable(race, 1) == []
    race = calm(hands, hints=True)
    assert (playable(race, 0), playable(race, 1)) == ([73], [])
    race.send(0, "pass", on=37)
    assert playable(race, 0) == []
    race.wait(6000)
    assert playable(race, 0) == [card for card in race.hand(0) if card > 37]
    assert "playable" not in Race(hands).table.own_state({0})["hands"]["0"]


def test_k2_2_the_mirror_is_shown_where_nothing_else_is_valid_and_drawing_is_refused() -> None:
    race = Race({0: [1, 73], 1: [98]}, hints=True)
    race.keep_only(0, 1, 73)
    with pytest.raises(RefusedError) as refused:
        race.send(0, "draw", on=37)
    assert refused.value.refusal.rule == "K2.2"
    assert race.table.own_state({0})["hands"]["0"]["playable"] == [73]


# ---------------------------------------------------------------- one browser


def test_hot_seat_needs_the_calm_mode_and_has_no_clocks() -> None:
    with pytest.raises(TableError) as error:
        new_table("ekko", {"players": 3}, 1, HOT_SEAT)
    assert (error.value.code, error.value.key) == ("table/hot-seat", "calm")
    table = new_table("ekko", {"players": 3, "calm": True}, 1, HOT_SEAT)
    assert (table.options["turn_clock"], table.options["window"]) == (None, None)
    again = new_table("ekko", table.options, 1, HOT_SEAT)
    assert again == table


def test_hot_seat_is_played_by_one_session() -> None:
    race = Race({0: [50]}, seats=HOT_SEAT, calm=True)
    assert sorted(race.table.own_state({0, 1, 2})["hands"]) == ["0", "1", "2"]
    for seat in range(3):
        race.send(seat, "pass", on=37)
    race.send(0, "play", card=50, on=37)
    assert race.stage == "window"


def test_browser_takes_a_second_seat_in_calm_mode_alone() -> None:
    seats = (people(1)[0], Seat("open", "", 1))
    order = Sit(key="s", seat=1)
    race = Race(seats=seats, players=2, begins=False)
    assert refusal(race.give, order, "p0") == "table/hot-seat"
    race = Race(seats=seats, players=2, begins=False, calm=True)
    race.give(order, "p0")
    assert race.stage == "look"


# ---------------------------------------------------------------- options


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("players", 1),
        ("players", 9),
        ("players", None),
        ("target", 0),
        ("target", "25"),
        ("misplays", 1),
        ("reaction", 0),
        ("reaction", 11),
        ("reaction", None),
        ("reaction", 2.5),
        ("turn_clock", 4),
        ("turn_clock", 601),
        ("window", 1),
        ("window", 121),
        ("calm", "yes"),
        ("hints", None),
        ("live", True),
        ("speed", 1),
    ],
)
def test_option_that_cannot_be(key: str, value: object) -> None:
    with pytest.raises(PositionError) as error:
        PRESENTER.settings({key: value})
    assert (error.value.code, error.value.key) == ("position/options", key)
