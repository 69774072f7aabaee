"""Views of EKKO read again: all that a player afar gets (K6.4), and what a program makes of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from ekoes.bots import bot, bots, decisions_seen, sight_from_view
from ekoes.errors import EkoesError, PositionError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE, Json
from ekoes.games.ekko.bots import player
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.live.state import LiveState
from ekoes.games.ekko.position.action import Deal, Draw, Effect, Mirror, Pass, Play
from ekoes.games.ekko.position.position_reader import position_from_view
from ekoes.games.ekko.presenter import PRESENTER
from tests.unit.ekko_games import random_ekko

GAMES = [(seed, players) for players in (2, 3, 5, 8) for seed in range(3)]


def again(value: Json) -> Json:
    """A view as it comes out of a pipe."""
    return dict(json.loads(json.dumps(value)))


@pytest.mark.parametrize(("seed", "players"), GAMES)
def test_every_view_of_a_seat_that_is_asked_is_read_as_it_was(seed: int, players: int) -> None:
    phases = set()
    for position, seat, _ in random_ekko(seed, 400, players=players, target=60):
        if seat != CHANCE:
            phases.add(position.phase)
            view = again(position.view(seat))
            assert sight_from_view(EKKO, view, seat) == position.sight(seat)
            assert position_from_view(view, seat).view(seat) == view
    assert len(phases) == 2


@pytest.mark.parametrize("name", bots("ekko"))
def test_a_player_chooses_from_the_view_what_it_chooses_from_the_position(name: str) -> None:
    for position, seat, _ in random_ekko(4, 20, players=4):
        if seat != CHANCE:
            sight = sight_from_view(EKKO, again(position.view(seat)), seat)
            player = bot("ekko", name)
            assert player.choose(sight, seat, Chance(5)) == player.choose(position, seat, Chance(5))


@pytest.fixture
def view() -> Json:
    """What the player in turn of a dealt game for three sees."""
    position = EKKO.new({"players": 3}, 1)
    position = position.play(CHANCE, position.chance_action(Chance(1)))
    (seat,) = position.actors()
    return again(position.view(seat)) | {"seat": seat}


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"game": "eko"}, "game"),
        ({"version": 2}, "version"),
        ({"players": 9}, "players"),
        ({"hands": []}, "hands"),
        ({"hand": None}, "hand"),
        ({"hand": [1, 1, 3, 4, 5, 6]}, "hand"),
        ({"hand": [99, 1, 2, 3, 4, 5]}, "hand"),
        ({"aside": [2.0]}, "aside"),
        ({"pile": -1}, "pile"),
        ({"pile": 98}, "pile"),
        ({"pile": [1, 2]}, "pile"),
        ({"sizes": [6, 6]}, "sizes"),
        ({"sizes": [1, 1, 1]}, "sizes"),
        ({"set_aside": [40, 40, 40]}, "set_aside"),
        ({"scores": [0, 0]}, "scores"),
        ({"zone": []}, "zone"),
        ({"drew": [[0, 1]]}, "drew[0]"),
        ({"drew": [[3, 1, "turn"]]}, "drew[0]"),
        ({"drew": [[0, 2, "turn"]]}, "drew[0]"),
        ({"drew": [[0, 1, "boredom"]]}, "drew[0]"),
        ({"drew": [[0, 1, "turn"]] * 99}, "drew"),
        ({"turn": {}}, "turn.phase"),
        ({"winners": [0]}, "winners"),
    ],
)
def test_an_impossible_view_is_refused_by_its_key(view: Json, changes: Json, key: str) -> None:
    seat = view.pop("seat")
    assert refused(view | changes, seat) == key


@pytest.mark.parametrize("key", ["pile", "hand", "drew", "turn", "sizes"])
def test_a_view_has_all_its_keys(view: Json, key: str) -> None:
    seat = view.pop("seat")
    del view[key]
    assert refused(view, seat) == key


def test_only_a_seat_that_is_asked_and_its_own_view_will_do(view: Json) -> None:
    seat = view.pop("seat")
    others = [other for other in (-1, 0, 1, 2, 3, True) if other is not seat and other != seat]
    assert {refused(view, other) for other in others} <= {"seat", "sizes"}
    over = view | {"turn": view["turn"] | {"player": (seat + 1) % 3}}
    assert refused(over, seat) == "seat"


def test_a_blocked_card_is_one_in_hand(view: Json) -> None:
    seat = view.pop("seat")
    own, other = view["hand"][0], view["zone"][0]
    assert sight_from_view(EKKO, view | {"turn": view["turn"] | {"blocked": [own]}}, seat)
    assert refused(view | {"turn": view["turn"] | {"blocked": [other]}}, seat) == "turn.blocked"


def refused(view: Any, seat: int) -> str | None:
    """The key that a view is refused for."""
    with pytest.raises(EkoesError) as caught:
        sight_from_view(EKKO, view, seat)
    return caught.value.key


def test_a_round_trip_with_draws_changes_what_no_seat_sees() -> None:
    for position, _, _ in random_ekko(3, 200, target=1000):
        read = EKKO.from_json(position.to_json(draws=True))
        for eye in (None, *range(position.players)):
            assert read.view(eye) == position.view(eye)
        assert "drew" not in position.to_json()
        assert EKKO.from_json(position.to_json()).to_json(draws=True) == position.to_json()


@pytest.mark.parametrize("draws", [[], None, [[0, 1, "boredom"]], [[3, 1, "turn"]], [[0, 99, "turn"]]])
def test_impossible_draws_of_a_position_are_refused(draws: Any) -> None:
    position = next(position for position, seat, _ in random_ekko(1) if seat != CHANCE)
    with pytest.raises(PositionError) as caught:
        EKKO.from_json(position.to_json() | {"drew": draws})
    assert caught.value.key in {"drew", "drew[0]"}


DECISIONS = [
    (CHANCE, Deal()),
    (0, Play(12)),
    (CHANCE, Deal()),
    (1, Pass()),
    (0, Play(67)),
    (1, Mirror(76, Effect.DISCARD, 20)),
    (2, Mirror(67, Effect.DRAW)),
    (0, Draw()),
]


def test_a_seat_saw_the_round_so_far_without_what_was_hidden() -> None:
    plain = [
        {"seat": 0, "action": {"type": "play", "card": 67}},
        {"seat": 1, "action": {"type": "mirror", "card": 76, "effect": "discard"}},
        {"seat": 2, "action": {"type": "mirror", "card": 67, "effect": "draw"}},
        {"seat": 0, "action": {"type": "draw"}},
    ]
    own = [{"seat": 1, "action": {"type": "pass"}}, *plain]
    own[2] = {"seat": 1, "action": {"type": "mirror", "card": 76, "effect": "discard", "aside": 20}}
    assert decisions_seen(EKKO, DECISIONS, 0) == plain
    assert decisions_seen(EKKO, DECISIONS, 2) == plain
    assert decisions_seen(EKKO, DECISIONS, 1) == own
    assert decisions_seen(EKKO, [], 1) == []


BEGAN = datetime(2024, 5, 1, tzinfo=UTC)


def states(calm: bool) -> Iterator[LiveState]:
    """Every state of a game that is played by the clock alone."""
    settings = PRESENTER.settings({"players": 3, "target": 3, "calm": calm})
    state: Any = PRESENTER.begin(settings, 1, frozenset({0, 1, 2}))
    chance, at = Chance(7), BEGAN
    while state.outcome is None:
        if state.needs_deal:
            state = PRESENTER.deal(state, state.position.chance_action(chance), at)
        else:
            at = state.ends_at() or at + timedelta(seconds=1)
            state = PRESENTER.time_out(state, at)
        yield state


@pytest.mark.parametrize("calm", [False, True])
def test_a_seat_is_asked_and_sees_afar_what_a_bot_there_is_asked_and_sees(calm: bool) -> None:
    asked = 0
    for state in states(calm):
        shown = PRESENTER.shared_state(state, BEGAN)
        options = state.options.to_json()
        for seat in range(3):
            view = shown | PRESENTER.own_state(state, {seat})
            words = [ask.asks for ask in PRESENTER.asked(state, seat)]
            assert [word for word, _ in player.asked(view, options, seat)] == words
            for _ in words:
                asked += 1
                assert player.sight(view, seat).view(seat) == state.position.view(seat)
    assert asked > 50


def test_a_seat_is_ready_as_soon_as_it_sees_its_hand() -> None:
    shared = (PRESENTER.shared_state(state, BEGAN) for state in states(calm=False))
    shown = next(state for state in shared if state["stage"] == "look")
    assert player.greeting(shown, 0) == {"type": "ready", "round": 1}
    assert player.greeting(shown | {"ready": [0]}, 0) is None
    assert player.greeting(shown | {"stage": "race"}, 0) is None
