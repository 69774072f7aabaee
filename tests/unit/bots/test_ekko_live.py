"""What EKKO's players do at a live table, and when (K7): no delay knows a card."""

from __future__ import annotations

from itertools import pairwise
from statistics import median
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ekoes.bots import bots as names_of
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Answer, Json
from ekoes.games.ekko.bots.levels import LEVELS, Level, Seen, decide
from ekoes.games.ekko.bots.player import EkkoBot, answer
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.live.machine import judge_card
from ekoes.games.ekko.live.state import Verdict
from ekoes.games.ekko.live.views import MIRROR, TURN, WINDOW
from ekoes.games.ekko.position.action import Action, Draw
from ekoes.games.ekko.position.position import EkkoPosition, Sight
from ekoes.games.kernels import COMPILED
from tests.kit.examples import IS_LONG, property_settings
from tests.rules.ekko.cards import deal_out
from tests.unit.ekko_games import some_position

NAMES = names_of("ekko") if COMPILED else names_of("ekko")[:-1]
SEEDS = range(200 if IS_LONG else 20)
"""A player with another delay, or none, has it with nearly each of them."""
TIMES = 60
"""So many tell players apart that notice more and less."""


positions = st.builds(
    some_position, st.integers(0, 2**32), st.integers(2, 8), st.integers(0, 80), live=st.just(True)
)


def acted(plan: Answer) -> Json:
    """What a plan that is not to let something pass comes to."""
    assert plan.action is not None
    return plan.action


def holding_the_mirror(**turn: Any) -> EkkoPosition:
    """Return a live position in which seat 1 holds the mirror of the top card, and seat 0 is in turn."""
    return deal_out("1 20", "5 50 73 92", "44 90 91 93", zone="37", **turn)


def planned(name: str, position: EkkoPosition, seat: int, asks: str, seed: int = 1) -> Answer:
    return EkkoBot(name).plan(Sight(seat, position.view(seat)), seat, asks, Chance(seed))


@property_settings(100, interpreted=8)
@given(name=st.sampled_from(NAMES), position=positions, seed=st.integers(0, 2**32))
def test_a_plan_in_turn_is_taken_by_the_table(name: str, position: EkkoPosition, seed: int) -> None:
    seat = position.actors()[0]
    plan = planned(name, position, seat, TURN, seed)
    assert plan == planned(name, position, seat, TURN, seed)
    assert acted(plan)["on"] == position.top
    if acted(plan)["type"] == "draw":
        assert position.why_not(seat, Draw()) is None
        return
    card = acted(plan)["card"]
    judged = judge_card(position, seat, card, acted(plan)["on"], position, misplays=True)
    assert judged.verdict is Verdict(acted(plan)["type"])


@property_settings(100, interpreted=8)
@given(name=st.sampled_from(NAMES), position=positions, seed=st.integers(0, 2**32))
def test_only_who_holds_the_mirror_plans_to_play_it(name: str, position: EkkoPosition, seed: int) -> None:
    for seat in range(position.players):
        plan = planned(name, position, seat, MIRROR, seed)
        if plan.action is not None:
            judged = judge_card(
                position, seat, acted(plan)["card"], acted(plan)["on"], position, misplays=True
            )
            assert judged.verdict is Verdict.MIRROR
            assert position.why_not(seat, EKKO.parse_action(acted(plan))) is None


@pytest.mark.parametrize("name", NAMES)
def test_k7_6_times_know_no_card(name: str) -> None:
    with_mirror = holding_the_mirror()
    without = some_position(3, 3, 0, live=True)
    for seed in SEEDS if COMPILED else range(5):
        for asks in (WINDOW, TURN):
            plans = [
                planned(name, each, 1 if asks == WINDOW else each.actors()[0], asks, seed)
                for each in (with_mirror, without)
            ]
            assert len({plan.delay for plan in plans}) == 1


@pytest.mark.parametrize("name", NAMES)
def test_k7_6_bot_thinks_about_a_mirror_whether_it_holds_it_or_not(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Held, with somebody else, in the pile, blocked, or put aside by the seat itself: it weighs once."""
    weighed: list[Seen] = []
    decides = Level.decide

    def weigh(level: Level, seen: Seen, chance: Chance) -> int:
        weighed.append(seen)
        return decides(level, seen, chance)

    monkeypatch.setattr(Level, "decide", weigh)
    held = holding_the_mirror()
    value = held.to_json()
    value["hands"][1].remove(73)
    elsewhere = value | {"pile": [*value["pile"], 73]}
    aside = value | {"aside": [[], [73], []]}
    blocked = holding_the_mirror(blocked=[[], [73], []])
    for position in (held, EKKO.from_json(elsewhere), EKKO.from_json(aside), blocked):
        planned(name, position, 1, MIRROR)
        assert 73 in weighed.pop().view["hand"]
    assert weighed == []


@pytest.mark.parametrize("holds", [False, True])
def test_k7_6_bot_without_haste_is_asked_whether_it_holds_a_mirror_or_not(*, holds: bool) -> None:
    asked = []

    class Spy:
        def choose(self, sight: Sight, seat: int, chance: Chance) -> Action:
            asked.append(sight.view(seat)["hand"])
            return decide("beginner", sight.view(seat), seat, chance)

    position = holding_the_mirror()
    seat = 1 if holds else 2
    wish = answer(Spy(), Sight(seat, position.view(seat)), seat, MIRROR, Chance(1))
    assert [73 in hand for hand in asked] == [True]
    assert holds or wish is None


@pytest.mark.parametrize("name", NAMES)
def test_a_mirror_comes_before_the_pass_of_equal_chance(name: str) -> None:
    position = holding_the_mirror()
    for seed in SEEDS if COMPILED else range(5):
        mirror = planned(name, position, 1, MIRROR, seed)
        if mirror.action is not None:
            assert mirror.delay < planned(name, position, 1, WINDOW, seed).delay


def mirrors(name: str, position: EkkoPosition, times: int) -> list[Json]:
    plans = (planned(name, position, 1, MIRROR, seed) for seed in range(times))
    return [plan.action for plan in plans if plan.action is not None]


def test_stronger_players_notice_more_and_sooner() -> None:
    levels = [LEVELS[name] for name in names_of("ekko")]
    for weaker, stronger in pairwise(levels):
        assert stronger.misses < weaker.misses
        assert stronger.eye.median < weaker.eye.median
    if COMPILED:
        names = ("master", "skilled", "beginner")
        master, skilled, beginner = (len(mirrors(name, holding_the_mirror(), TIMES)) for name in names)
        assert master > skilled > beginner


def test_the_times_are_spread_like_peoples() -> None:
    eye = LEVELS["skilled"].eye
    times = [eye.delay(Chance(seed)) for seed in range(2000)]
    assert median(times) == pytest.approx(eye.median, rel=0.05)
    assert min(times) > eye.least
    assert sum(times) / len(times) > median(times)  # now and then somebody takes long


def test_a_blocked_mirror_is_not_played() -> None:
    position = holding_the_mirror(blocked=[[], [73], []])
    for name in NAMES:
        assert mirrors(name, position, 20) == []


def test_the_mirror_is_played_on_a_last_card() -> None:
    value = holding_the_mirror().to_json()
    value["pile"] += value["hands"][2]
    value["hands"][2] = []
    value["turn"] |= {"leaving": 2}
    position = EKKO.from_json(value)
    intents = mirrors("skilled", position, 20)
    assert intents
    assert all((intent["card"], intent["on"]) == (73, 37) for intent in intents)
