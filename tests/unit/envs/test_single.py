"""Gymnasium: its own check, and games against bots."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import ekoes.envs
from ekoes.envs.single import BotEnv
from ekoes.errors import NotationError
from tests.kit.examples import one_quick

gymnasium.register_envs(ekoes.envs)


def play(env: Any, seed: int) -> tuple[float, int]:
    """Play random integers; return the reward and the number of decisions."""
    draw = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    decisions, done, reward = 0, False, 0.0
    while not done:
        assert info["action_mask"].any()
        _, reward, terminated, truncated, info = env.step(draw.choice(np.flatnonzero(info["action_mask"])))
        decisions, done = decisions + 1, terminated or truncated
    return reward, decisions


class AnyInteger(BotEnv):
    """Takes any integer, as Gymnasium's check draws them without a mask, for a legal one."""

    def step(self, action: Any) -> Any:
        legal = np.flatnonzero(self.action_masks())
        return super().step(legal[int(action) % len(legal)])


@pytest.mark.parametrize("game", ["eko", "ekko"])
def test_gymnasium_finds_nothing_wrong(game: str) -> None:
    check_env(AnyInteger(game, bot="random"), skip_render_check=True)


@pytest.mark.parametrize("name", ["ekoes/Eko-v0", "ekoes/Ekko-v0"])
def test_a_game_is_played_to_its_end_and_again(name: str) -> None:
    env = gymnasium.make(name, bot="random")
    first, other = play(env, 1), play(env, 2)
    assert first != other
    assert first == play(env, 1)
    assert first[0] in {1, -1}


@pytest.mark.parametrize(
    ("game", "bot"),
    one_quick(("ekko", "skilled"), [("eko", "greedy"), ("eko", "beginner"), ("ekko", "master")]),
)
def test_bots_play_the_other_seats(game: str, bot: str) -> None:
    env = BotEnv(game, bot=bot, seat=1)
    rewards = [play(env, seed)[0] for seed in range(6)]
    assert sum(rewards) < 0
    assert env.seat == 1


def test_the_seat_is_drawn_for_each_game() -> None:
    env = BotEnv("ekko", bot="random", players=4)
    seats = [env.reset(seed=1 if game == 0 else None) and env.seat for game in range(20)]
    assert set(seats) == {0, 1, 2, 3}
    again = [env.reset(seed=1 if game == 0 else None) and env.seat for game in range(20)]
    assert seats == again


def test_sb3_contrib_asks_for_masks_by_name() -> None:
    env = BotEnv("ekko", bot="random")
    _, info = env.reset(seed=1)
    assert (env.action_masks() == info["action_mask"]).all()


def test_what_is_not_legal_is_refused() -> None:
    env = BotEnv("ekko", bot="random")
    _, info = env.reset(seed=1)
    wrong = np.flatnonzero(info["action_mask"] == 0)[0]
    with pytest.raises(ValueError, match=r"is not legal: K"):
        env.step(wrong)
    play(env, 1)
    with pytest.raises(ValueError, match="call reset"):
        env.step(np.int64(0))


def test_an_unknown_bot_and_seat_are_refused() -> None:
    with pytest.raises(NotationError, match="no bot is called 'deep'"):
        BotEnv("ekko", bot="deep")
    with pytest.raises(ValueError, match="seat: 2 is not one of 0 … 1"):
        BotEnv("ekko", seat=2)


def test_a_round_that_the_others_end_before_the_first_decision_is_passed_over() -> None:
    env = BotEnv("ekko", bot="skilled", seat=0, players=2, target=1)
    _, info = env.reset(seed=1326)
    assert info["action_mask"].any()
    env.step(np.int64(np.argmax(info["action_mask"])))
