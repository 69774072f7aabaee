"""Vectors of games: each plays as a game alone does, and the learner decides for its own seat only."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

import ekoes.envs
from ekoes.envs.spaces_eko import EkoSpaces
from ekoes.envs.vector import BatchVectorEnv
from ekoes.errors import NotationError
from tests.unit.games import ALL_VARIANTS

gymnasium.register_envs(ekoes.envs)

Mask = np.ndarray[Any, Any]


def draw_from(chance: np.random.Generator, mask: Mask) -> Mask:
    return np.asarray((chance.random(mask.shape) * mask).argmax(axis=1))


def play(env: Any, steps: int, seed: int = 5) -> list[Any]:
    """Play random integers; return what came of each step, after checking it."""
    chance = np.random.default_rng(seed)
    batch, found = env.unwrapped.batch, []
    seen, infos = env.reset(seed=seed)
    assert seen in env.observation_space
    for _ in range(steps):
        assert (batch.seats == batch.viewers).all()
        actions = draw_from(chance, infos["action_mask"])
        seen, rewards, terminated, truncated, infos = env.step(actions)
        ended = terminated | truncated
        assert seen in env.observation_space
        assert ((rewards != 0) == terminated).all()
        assert ("final_obs" in infos) == ended.any()
        if ended.any():
            assert (infos["_final_obs"] == ended).all()
            assert all((infos["final_obs"][game] is not None) == ended[game] for game in range(env.num_envs))
        found.append([seen["scalars"].tobytes(), rewards.copy(), terminated, truncated, batch.seats.copy()])
    return found


@pytest.mark.parametrize(
    ("name", "options"),
    [("ekoes/Ekko-v0", {"target": 3, "players": 3}), ("ekoes/Eko-v0", {"turn_limit": 6, "starts": 2})],
)
def test_games_are_played_to_their_ends_and_the_same_again(name: str, options: dict[str, Any]) -> None:
    env = gymnasium.make_vec(name, 16, bot="random", **options)
    first, again = play(env, 60), play(env, 60)
    assert sum((step[2] | step[3]).sum() for step in first) > 10
    for one, other in zip(first, again, strict=True):
        assert all(np.array_equal(left, right) for left, right in zip(one, other, strict=True))
    assert {int(seat) for step in first for seat in step[4]} == set(range(options.get("players", 2)))
    env.close()


def test_the_end_is_what_the_seat_saw() -> None:
    """At the end somebody has reached the target; the next game begins without points (K5)."""
    env = BatchVectorEnv("ekko", 8, bot="random", players=2, target=4)
    _, infos = env.reset(seed=1)
    chance, ends = np.random.default_rng(1), 0
    while ends < 8:
        seen, rewards, *_, infos = env.step(draw_from(chance, infos["action_mask"]))
        for game in np.flatnonzero(infos.get("_final_obs", np.zeros(8))):
            own, other = infos["final_obs"][game]["scalars"][[2, 9]]
            assert max(own, other) >= 4 > max(seen["scalars"][game, [2, 9]])
            assert np.sign(rewards[game]) == np.sign(other - own)
            ends += 1


@pytest.mark.parametrize("bots", [["skilled"], ["beginner", "skilled"]], ids=len)
def test_bots_play_the_other_seats(bots: list[str]) -> None:
    env = gymnasium.make_vec("ekoes/Ekko-v0", 12, bot=bots, players=len(bots) + 1, seat=0)
    rewards = [step[1].sum() for step in play(env, 150)]
    assert sum(rewards) < 0


def test_a_bot_of_eko_decides_what_its_moves_lose() -> None:
    env = BatchVectorEnv("eko", 2, bot="greedy", starts=1, variants=list(ALL_VARIANTS), turn_limit=30)
    assert isinstance(env.batch.spaces, EkoSpaces)
    assert env.batch.spaces.zones > 0
    assert play(env, 60)


def test_a_policy_plays_the_others_in_one_call() -> None:
    sizes, chance = [], np.random.default_rng(2)

    def policy(seen: dict[str, Mask], mask: Mask) -> Mask:
        assert len(seen["cards"]) == len(mask)
        sizes.append(len(mask))
        return draw_from(chance, mask)

    env = gymnasium.make_vec("ekoes/Ekko-v0", 32, policy=policy, players=4)
    play(env, 30)
    assert max(sizes) > 8
    assert min(sizes) >= 1


@pytest.mark.parametrize("illegal", ["random", "lose", "raise"])
def test_what_is_not_legal_does_what_is_wanted(illegal: Any) -> None:
    env = BatchVectorEnv("ekko", 3, bot="random", illegal=illegal, seat=1)
    _, infos = env.reset(seed=1)
    before = env.batch.position(1)
    actions = infos["action_mask"].argmax(axis=1)
    actions[1] = -1
    if illegal == "raise":
        with pytest.raises(ValueError, match=r"^game 1: -1 is not one of the integers"):
            env.step(actions)
        assert env.batch.position(1) == before
        return
    _, rewards, terminated, _, infos = env.step(actions)
    assert terminated[1] == (illegal == "lose")
    assert rewards[1] == (-1 if illegal == "lose" else 0)
    assert env.batch.position(1) != before
    if illegal == "lose":
        assert infos["final_obs"][1] is not None
        assert env.batch.position(1).round == 1


def test_gymnasium_wraps_it() -> None:
    env = RecordEpisodeStatistics(gymnasium.make_vec("ekoes/Ekko-v0", 8, bot="random", target=1))
    play(env, 60)
    assert len(env.return_queue) > 8
    told = DictInfoToList(gymnasium.make_vec("ekoes/Ekko-v0", 2, bot="random"))
    _, infos = told.reset(seed=1)
    assert [sorted(info) for info in infos] == [["action_mask"]] * 2


def test_what_is_asked_wrongly_is_named() -> None:
    with pytest.raises(ValueError, match="seat: 2 is not one of 0 … 1"):
        BatchVectorEnv("ekko", 2, seat=2)
    with pytest.raises(ValueError, match="policy: the other seats"):
        BatchVectorEnv("ekko", 2, bot="random", policy=lambda _, mask: mask.argmax(axis=1))
    with pytest.raises(NotationError, match="no bot is called 'nobody'"):
        BatchVectorEnv("ekko", 2, bot="nobody")
