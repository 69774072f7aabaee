"""OpenSpiel: its own simulation, chance, and information states."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.observation import make_observation

import ekoes.envs.openspiel  # noqa: F401 - registers the games
from tests.kit.examples import one_quick

LONG = [
    "ekoes_ekko(players=4,target=5)",
    "ekoes_eko(turn_limit=30)",
    "ekoes_eko(players=3,setup=draft,turn_limit=5)",
    "ekoes_eko(variants=labyrinth+wind,turn_limit=4)",
]


@pytest.mark.parametrize("name", one_quick("ekoes_ekko(target=1)", LONG))
def test_openspiel_finds_nothing_wrong(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    is_quick = name == "ekoes_ekko(target=1)"
    pyspiel.random_sim_test(pyspiel.load_game(name), 1, not is_quick, False)


def play(name: str, seed: int = 1) -> Any:
    """Yield the states of a random game."""
    draw, state = random.Random(seed), pyspiel.load_game(name).new_initial_state()
    yield state
    while not state.is_terminal():
        legal = state.chance_outcomes() if state.is_chance_node() else [(n, 1) for n in state.legal_actions()]
        state.apply_action(draw.choice(legal)[0])
        yield state


@pytest.mark.parametrize("name", ["ekoes_ekko(players=3,target=5)", "ekoes_eko"])
def test_a_game_is_played_to_its_end(name: str) -> None:
    *_, state = play(name)
    assert sum(state.returns()) == pytest.approx(0, abs=1e-6)
    assert max(state.returns()) > 0
    assert len(state.history()) < state.get_game().max_game_length()


def test_k6_0_chance_draws_the_dealer_and_deals_each_card_once() -> None:
    states = play("ekoes_ekko(players=3)")
    first = next(states)
    assert first.chance_outcomes() == [(dealer, 1 / 3) for dealer in range(3)]
    for count, state in enumerate(states):
        if not state.is_chance_node():
            break
        assert len(state.chance_outcomes()) == 98 - count
    assert state.position.dealer == state.history()[0]
    order = [card + 1 for card in state.history()[1:]]
    assert sorted(order) == list(range(1, 99))
    assert sorted(order[:6]) == list(state.position.hands[(state.position.dealer + 1) % 3])


def test_k6_0_chance_is_refused_what_is_no_outcome_of_it_at_once() -> None:
    state = pyspiel.load_game("ekoes_ekko(players=3)").new_initial_state()
    for impossible, outcome in (([3, -2, 999], 2), ([-2, 98, 999], 5), ([5, 999], 7), ([5, 7], 0)):
        before = str(state), state.history()
        for action in impossible:
            with pytest.raises(ValueError, match=f"{action} is no outcome of chance"):
                state.apply_action(action)
        assert (str(state), state.history()) == before
        state.apply_action(outcome)


@pytest.mark.parametrize("name", ["ekoes_ekko(target=1)", "ekoes_eko"])
def test_a_seat_is_refused_an_illegal_action_at_once(name: str) -> None:
    state = next(state for state in play(name) if not state.is_chance_node())
    illegal = next(n for n in range(state.num_distinct_actions()) if n not in state.legal_actions())
    before = str(state)
    for action in (illegal, -2, state.num_distinct_actions()):
        with pytest.raises(ValueError, match=str(action)):
            state.apply_action(action)
        assert str(state) == before


def test_k6_4_an_information_state_is_what_a_seat_has_seen() -> None:
    for state in play("ekoes_ekko(players=2,target=1)"):
        if state.position is None or not state.position.hands[0]:
            continue
        known = json.loads(state.information_state_string(0))["seen"]
        hands = [entry["hand"] for entry in known if "hand" in entry]
        assert hands[-1] == list(state.position.hands[0])
        passes = [entry for entry in known if entry.get("action") == {"type": "pass"}]
        assert all(entry["seat"] == 0 for entry in passes)
        asides = [entry for entry in known if "aside" in entry.get("action", ())]
        assert all(entry["seat"] == 0 for entry in asides)


def test_observations_are_the_arrays_of_the_other_environments() -> None:
    *_, state = play("ekoes_eko(turn_limit=4)")
    observation = make_observation(state.get_game())
    observation.set_from(state, 1)
    seen = state.spaces.observe(state.position, 1)
    assert (observation.dict["board"] == seen["board"]).all()
    assert observation.tensor.tolist() == [*seen["board"].ravel(), *seen["scalars"]]
    assert state.observation_tensor(1) == pytest.approx(np.asarray(observation.tensor))


def test_what_a_move_loses_is_a_decision_of_its_own() -> None:
    name = "ekoes_eko(variants=labyrinth,turn_limit=30)"
    found = [state.action_to_string(state.legal_actions()[0]) for state in play(name) if state_chosen(state)]
    assert found
    assert all(text.startswith("loses:") for text in found)


def state_chosen(state: Any) -> bool:
    return not state.is_terminal() and bool(state.chosen >= 0)
