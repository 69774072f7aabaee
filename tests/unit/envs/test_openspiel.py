"""OpenSpiel: its own simulation, chance, and information states."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms.gambit import export_gambit
from open_spiel.python.observation import make_observation

import ekoes.envs.openspiel  # noqa: F401 - registers the games
from tests.kit.examples import one_quick

LONG = [
    "ekoes_small_ekko(players=3,cards=10,hand=3)",
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
        seen = {name: value for entry in known for name, value in entry.items()}
        assert seen["hand"] == list(state.position.hands[0])
        assert seen["turned"] == list(state.position.zone[:1])
        assert (seen["dealer"], seen["scores"]) == (state.position.dealer, list(state.position.scores))
        passes = [entry for entry in known if entry.get("action") == {"type": "pass"}]
        assert all(entry["seat"] == 0 for entry in passes)
        asides = [entry for entry in known if "aside" in entry.get("action", ())]
        assert all(entry["seat"] == 0 for entry in asides)


def test_k6_4_a_seat_holds_possible_what_differs_in_cards_that_it_does_not_see() -> None:
    decisions = 0
    for state in play("ekoes_ekko(players=3,target=1)"):
        seat = state.current_player()
        if seat < 0:
            continue
        decisions += 1
        other = state.resample_from_infostate(seat, random.Random(1).random)
        assert other.information_state_string(seat) == state.information_state_string(seat)
        assert other.position.view(seat) == state.position.view(seat)
        assert other.legal_actions() == state.legal_actions()
        for there in (other, state):
            position = there.position
            cards = [*position.pile, *position.zone, *sum((*position.hands, *position.aside), ())]
            assert sorted(cards) == list(range(1, 99))
            *_, last = (entry for entry in there.known[(seat + 1) % 3] if "hand" in entry)
            assert last["hand"] == list(position.hands[(seat + 1) % 3])
        assert other.position != state.position
        other.apply_action(other.legal_actions()[-1])
    assert decisions > 1


def decisions(state: Any) -> Any:
    """Yield all states in which a seat decides, from this one on."""
    if state.current_player() >= 0:
        yield state
    for action in state.legal_actions():
        yield from decisions(state.child(action))


def test_a_small_game_is_solved_and_its_information_states_are_those_of_its_array() -> None:
    game = pyspiel.load_game("ekoes_small_ekko(cards=5)")
    legal: dict[str, list[int]] = {}
    texts: dict[tuple[float, ...], str] = {}
    for state in decisions(game.new_initial_state()):
        seen = state.information_state_string()
        assert legal.setdefault(seen, state.legal_actions()) == state.legal_actions()
        assert texts.setdefault(tuple(state.information_state_tensor()), seen) == seen
        assert len(state.history()) < game.max_game_length()
    assert len(texts) == len(legal) == 114
    tree = pyspiel.load_efg_game(export_gambit(game))
    solver = pyspiel.CFRPlusSolver(tree)
    for _ in range(100):
        solver.evaluate_and_update_policy()
    assert pyspiel.exploitability(tree, solver.tabular_average_policy()) < 1e-3


@pytest.mark.parametrize("options", ["cards=4", "cards=13", "hand=0", "players=4,cards=8"])
def test_a_small_game_needs_a_card_to_turn_over(options: str) -> None:
    with pytest.raises(ValueError, match=r"cards: up to 12, of which one is left after [24] hands"):
        pyspiel.load_game(f"ekoes_small_ekko({options})")


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
