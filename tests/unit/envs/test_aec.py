"""PettingZoo: its own suites, and what its agents see."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, performance_benchmark, seed_test
from pettingzoo.utils import TerminateIllegalWrapper

from ekoes.envs import aec
from ekoes.games.eko.game import EKO
from tests.unit.games import ALL_VARIANTS

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("eko", {"players": 2}),
    ("eko", {"players": 4, "variants": list(ALL_VARIANTS)}),
    ("eko", {"players": 3, "setup": "draft", "turn_limit": 5}),
    ("ekko", {"players": 2}),
    ("ekko", {"players": 8, "target": 60}),
]


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """PettingZoo warns of every observation that is a dictionary, as its own board games have them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


@pytest.mark.parametrize("game", ["eko", "ekko"])
def test_pettingzoo_finds_nothing_wrong(game: str) -> None:
    api_test(aec.env(game), num_cycles=30)
    seed_test(lambda: aec.env(game), num_cycles=30)


@pytest.mark.long
@pytest.mark.parametrize(("game", "options"), GAMES)
def test_pettingzoo_finds_nothing_wrong_in_whole_games(game: str, options: dict[str, Any]) -> None:
    api_test(aec.env(game, **options), num_cycles=200)
    seed_test(lambda: aec.env(game, **options), num_cycles=200)


@pytest.mark.long
@pytest.mark.parametrize("game", ["eko", "ekko"])
def test_the_benchmark_of_pettingzoo_runs(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    performance_benchmark(aec.env(game))
    assert "turns per second" in capsys.readouterr().out


def play(env: Any, seed: int) -> dict[str, float]:
    """Play random integers; return what each agent got at the end."""
    draw, rewards = np.random.default_rng(seed), {}
    env.reset(seed=seed)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        if terminated or truncated:
            rewards[agent] = reward
            assert not seen["action_mask"].any()
            env.step(None)
        else:
            env.step(draw.choice(np.flatnonzero(seen["action_mask"])))
    return rewards


def test_a_position_is_drawn_as_a_spectator_sees_it() -> None:
    env = aec.env("ekko", render_mode="rgb_array")
    env.reset(seed=7)
    picture = env.render()
    assert picture.shape == (630, 1200, 3)
    env.reset(seed=8)
    assert (env.render() != picture).any()
    with pytest.raises(ValueError, match="render_mode: 'human' is not one of None, 'ansi', 'rgb_array'"):
        aec.env("ekko", render_mode="human")


@pytest.mark.parametrize("game", ["eko", "ekko"])
def test_rewards_come_at_the_end_and_add_up_to_nothing(game: str) -> None:
    rewards = play(aec.env(game, players=3), seed=4)
    assert set(rewards) == {"player_0", "player_1", "player_2"}
    assert max(rewards.values()) == 1
    assert sum(rewards.values()) == pytest.approx(0)


def test_e11_5_a_game_beyond_the_turn_limit_is_truncated() -> None:
    env = aec.env("eko", turn_limit=3)
    assert set(play(env, seed=1).values()) == {0.0}
    match = env.unwrapped.match
    assert match.position.turn_number == 4
    assert match.is_cut_off
    assert not match.is_over


def test_a_seed_is_that_of_the_game() -> None:
    def begin(seed: int | None) -> Any:
        env.reset(seed=seed)
        return env.match.position.to_json()

    env = aec.raw_env("eko", players=3)
    games = [begin(seed) for seed in (11, None, None)]
    assert games[0] == EKO.new({"players": 3}, 11).to_json()
    assert games == [begin(seed) for seed in (11, None, None)]
    assert games[1] != games[2]


def test_only_the_selected_agent_has_legal_integers() -> None:
    env = aec.env("ekko", players=4)
    env.reset(seed=1)
    masks = {agent: env.observe(agent)["action_mask"].any() for agent in env.agents}
    assert masks == {agent: agent == env.agent_selection for agent in env.agents}


def test_what_is_not_legal_is_refused_and_the_wrapper_of_pettingzoo_ends_the_game() -> None:
    env = aec.raw_env("ekko")
    env.reset(seed=1)
    wrong = int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"] == 0)[0])
    with pytest.raises(ValueError, match=rf"^{wrong} \(\d+\) is not legal: K"):
        env.step(wrong)
    wrapped = TerminateIllegalWrapper(env, illegal_reward=-1)
    wrapped.reset(seed=1)
    loser = wrapped.agent_selection
    wrapped.step(wrong)
    assert wrapped.rewards[loser] == -1
    assert all(wrapped.terminations.values())
