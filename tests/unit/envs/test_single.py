"""Gymnasium: its own check, and games against bots."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import ekoes.envs
from ekoes.bots import bot
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


@pytest.mark.parametrize("name", ["ekoes/Eko-v0", "ekoes/Ekko-v0"])
def test_gymnasium_finds_nothing_wrong(name: str) -> None:
    """Its check draws integers without the mask, and pictures in each mode."""
    check_env(gymnasium.make(name, bot="random").unwrapped)


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


def wrong_in(info: dict[str, Any]) -> np.int64:
    return np.int64(np.flatnonzero(info["action_mask"] == 0)[0])


def test_what_is_not_legal_is_refused_on_request() -> None:
    env = BotEnv("ekko", bot="random", illegal="raise")
    _, info = env.reset(seed=1)
    with pytest.raises(ValueError, match=r"is not legal: K"):
        env.step(wrong_in(info))
    play(env, 1)
    with pytest.raises(ValueError, match="call reset"):
        env.step(np.int64(0))


def test_what_is_not_legal_is_a_draw_by_chance() -> None:
    env, again = BotEnv("ekko", bot="random"), BotEnv("ekko", bot="random")
    _, info = env.reset(seed=1)
    again.reset(seed=1)
    before = env.match.position
    env.step(wrong_in(info))
    assert env.match.position != before
    again.step(np.int64(-7))
    assert env.match.position == again.match.position


def test_what_is_not_legal_loses_on_request() -> None:
    env = BotEnv("ekko", bot="random", players=3, illegal="lose")
    _, info = env.reset(seed=1)
    _, reward, terminated, truncated, info = env.step(wrong_in(info))
    assert (reward, terminated, truncated) == (-0.5, True, False)
    with pytest.raises(ValueError, match="call reset"):
        env.step(np.int64(0))
    assert env.reset(seed=1)[1]["action_mask"].any()


class Witness:
    """Plays like the bot `random`, and keeps the seats that it played."""

    def __init__(self) -> None:
        self.seats: set[int] = set()

    def choose(self, sight: Any, seat: int, chance: Any) -> Any:
        self.seats.add(seat)
        return bot("ekko", "random").choose(sight, seat, chance)


def test_own_bots_play_their_seats() -> None:
    first, second = Witness(), Witness()
    play(BotEnv("ekko", bot=[first, "random", second], seat=1, players=4), 1)
    assert (first.seats, second.seats) == ({0}, {3})
    with pytest.raises(ValueError, match="there are 3 other seats, not 2"):
        BotEnv("ekko", bot=["random", "random"], players=4)


def test_bot_that_can_be_called_too_is_asked_to_choose() -> None:
    class Module(Witness):
        def __call__(self, batch: object) -> None:
            raise AssertionError(batch)

    player = Module()
    play(BotEnv("ekko", bot=player), 1)
    assert player.seats


@pytest.mark.parametrize("wrong", [5, [5], lambda: None])
def test_what_does_not_choose_is_no_bot(wrong: Any) -> None:
    with pytest.raises(NotationError, match="'bot': is a name or an object with choose"):
        BotEnv("ekko", bot=wrong).reset(seed=1)


def test_opponents_may_be_others_in_each_game() -> None:
    made: list[Witness] = []

    def another() -> Witness:
        made.append(Witness())
        return made[-1]

    env = BotEnv("ekko", bot=another)
    for seed in range(3):
        play(env, seed)
    assert len(made) == 3
    assert all(one.seats for one in made)


@pytest.mark.parametrize("game", ["eko", "ekko"])
def test_a_position_is_drawn_as_text_or_picture(game: str) -> None:
    env = BotEnv(game, bot="random", render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == str(getattr(ekoes, game).Game.from_json(env.match.position.to_json()))
    env = BotEnv(game, bot="random", render_mode="rgb_array")
    env.reset(seed=1)
    picture = env.render()
    assert (picture.shape, picture.dtype) == ((630, 1200, 3), np.uint8)
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 10
    with pytest.raises(ValueError, match="render_mode: 'human' is not one of"):
        BotEnv(game, render_mode="human")


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
