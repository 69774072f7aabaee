"""Train a network for EKKO by MaskablePPO, against itself: train_ekko.py FOLDER.

Needs `pip install "ekoes[train]"`. Stops after --minutes; called again, it goes on from the model in FOLDER.
`tensorboard --logdir FOLDER` shows the training while it runs.
"""

import argparse
import csv
from pathlib import Path
from time import monotonic

import gymnasium
import matplotlib.pyplot as plt
import numpy as np
import torch
from gymnasium.spaces import Box
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv

import ekoes.envs  # noqa: F401 - registers the environments

GAME = {"players": 2, "target": 1}  # a target of 1 point: a single round


def features(seen):
    """Return what the network sees: float32[games, 497] (docs/reference/environment-ekko.md)."""
    cards, draws, scalars = seen["cards"], seen["draws"], seen["scalars"].astype(np.float32)
    top = np.zeros((len(cards), 98), np.float32)
    card = scalars[:, 16].astype(int)
    has_top = np.flatnonzero(card)
    top[has_top, card[has_top] - 1] = 1
    hands, out, flags = scalars[:, [0, 7]] / 5, scalars[:, [14, 15]] / 98, scalars[:, [4, 19, 20]]
    parts = [cards[:, :2].reshape(len(cards), -1), cards[:, 2] > 0, top, draws[:, 0, 1], hands, out, flags]
    return np.concatenate(parts, axis=1, dtype=np.float32)


class SelfPlay(VecEnv):
    """Many rounds side by side, as Stable-Baselines3 has them. The latest policy plays the other seat."""

    def __init__(self, games):
        self.envs = gymnasium.make_vec("ekoes/Ekko-v0", games, policy=self._play_other, **GAME)
        super().__init__(games, Box(0, np.inf, (497,), np.float32), self.envs.single_action_space)

    def _play_other(self, seen, mask):
        return self.policy.predict(features(seen), action_masks=mask)[0]

    def reset(self):
        self.begun = np.zeros(self.num_envs, int)
        seen, self.infos = self.envs.reset()
        return features(seen)

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        seen, rewards, ended, _, self.infos = self.envs.step(self.actions)
        self.begun += 1
        infos = [{} for _ in range(self.num_envs)]
        for game in np.flatnonzero(ended):
            infos[game]["episode"] = {"r": rewards[game], "l": self.begun[game], "t": 0}
        self.begun[ended] = 0
        return features(seen), rewards, ended, infos

    def env_method(self, method_name, *args, indices=None, **kwargs):
        return list(self.infos["action_mask"].astype(bool))

    def get_attr(self, attr_name, indices=None):
        return [None] * self.num_envs

    def set_attr(self, attr_name, value, indices=None):
        raise NotImplementedError

    def env_is_wrapped(self, wrapper_class, indices=None):
        return [False] * self.num_envs

    def close(self):
        self.envs.close()


def share_won(policy, bot, rounds):
    """Return the share of rounds won against a bot, draws by half."""
    envs = gymnasium.make_vec("ekoes/Ekko-v0", 64, bot=bot, **GAME)
    seen, infos = envs.reset(seed=0)
    results = []
    while len(results) < rounds:
        actions = policy.predict(features(seen), action_masks=infos["action_mask"], deterministic=True)[0]
        seen, rewards, ended, _, infos = envs.step(actions)
        results += [(1 + reward) / 2 for reward in rewards[ended]]
    return np.mean(results)


class Curve(BaseCallback):
    """Saves the model and its share of rounds won, and stops in time."""

    def __init__(self, folder, seconds, every, rounds):
        super().__init__()
        self.folder, self.seconds, self.every, self.rounds = folder, seconds, every, rounds

    def _on_training_start(self):
        self.end, self.next = monotonic() + self.seconds, 0

    def _on_step(self):
        return monotonic() < self.end

    def _on_rollout_start(self):
        if self.num_timesteps >= self.next:
            self.next = self.num_timesteps + self.every
            self.note()

    def _on_training_end(self):
        self.note()
        draw(self.folder, self.rounds)

    def note(self):
        share = share_won(self.model.policy, "skilled", self.rounds)
        self.logger.record("eval/won_against_skilled", share)
        self.model.save(self.folder / "model.zip")
        with (self.folder / "curve.csv").open("a", newline="") as file:
            csv.writer(file).writerow([self.num_timesteps, round(share, 4)])
        print(f"{self.num_timesteps:,} decisions: {share:.1%} won against skilled", flush=True)


def draw(folder, rounds):
    """Draw the curve with its 95 % intervals."""
    with (folder / "curve.csv").open() as file:
        decisions, shares = zip(*[map(float, row) for row in csv.reader(file)], strict=True)
    errors = [1.96 * (share * (1 - share) / rounds) ** 0.5 for share in shares]
    plt.figure(figsize=(7, 3.5))
    plt.errorbar(decisions, shares, errors, marker="o", capsize=3)
    plt.axhline(0.5, color="grey", linewidth=0.8)
    plt.xlabel("decisions")
    plt.ylabel("rounds won against skilled")
    plt.savefig(folder / "curve.png", dpi=110, bbox_inches="tight")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--games", type=int, default=512)
    parser.add_argument("--steps", type=int, default=64, help="of each game between two updates")
    parser.add_argument("--every", type=int, default=1_000_000, help="decisions between points of the curve")
    parser.add_argument("--rounds", type=int, default=400, help="for each point of the curve")
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(given.threads)
    env = SelfPlay(given.games)
    saved = given.folder / "model.zip"
    if saved.exists():
        model = MaskablePPO.load(saved, env, device="cpu")
    else:
        model = MaskablePPO(
            "MlpPolicy",
            env,
            learning_rate=5e-4,
            n_steps=given.steps,
            batch_size=min(4096, given.games * given.steps),
            n_epochs=2,
            gamma=1.0,
            gae_lambda=0.95,
            ent_coef=0.01,
            policy_kwargs={"net_arch": [256]},
            tensorboard_log=str(given.folder),
            device="cpu",
            seed=1,
        )
    env.policy = model.policy
    curve = Curve(given.folder, 60 * given.minutes, given.every, given.rounds)
    model.learn(10**12, callback=curve, reset_num_timesteps=not saved.exists(), tb_log_name="ppo")


if __name__ == "__main__":
    main()
