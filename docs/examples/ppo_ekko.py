"""Learn EKKO by PPO in one file, in the manner of CleanRL: ppo_ekko.py FOLDER.

Needs `pip install "ekoes[train]"`. The learner plays a round of two against its own latest policy, in many
games at once. FOLDER gets the network, `policy.pt`.
"""

import argparse
from pathlib import Path
from time import monotonic

import gymnasium
import numpy as np
import torch
from torch import nn

import ekoes.envs  # registers the environments
from ekoes.envs.match import spaces_of

gymnasium.register_envs(ekoes.envs)
GAME = {"players": 2, "target": 1}  # a target of 1 point: a single round
GAMMA, LAMBDA, CLIP, ENTROPY, EPOCHS, PARTS = 1.0, 0.95, 0.2, 0.01, 2, 8


def features(seen):
    """Return what the network sees: float32[games, 513] (docs/reference/environment-ekko.md)."""
    cards, draws, scalars = seen["cards"], seen["draws"], seen["scalars"].astype(np.float32)
    top = np.eye(99, dtype=np.float32)[scalars[:, 16].astype(int), 1:]
    played = [cards[:, :2].reshape(len(cards), -1), cards[:, 2] > 0, top, draws[:, 0, 1]]
    return torch.from_numpy(np.concatenate([*played, scalars / 98], axis=1, dtype=np.float32))


class Network(nn.Module):
    """The policy over the legal integers, and the value of a position."""

    def __init__(self, inputs, integers):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inputs, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU())
        self.policy, self.value = nn.Linear(256, integers), nn.Linear(256, 1)

    def forward(self, x, mask):
        hidden = self.body(x)
        logits = self.policy(hidden).masked_fill(mask == 0, -1e9)
        return torch.distributions.Categorical(logits=logits), self.value(hidden)[:, 0]

    @torch.no_grad()
    def play(self, seen, mask):
        """Play the other seat: a policy of the environment."""
        return self(features(seen), torch.from_numpy(mask))[0].sample().numpy()


def advantages(rewards, values, ended, last):
    """Return generalised advantages, float32[steps, games] (Schulman et al., 2016)."""
    found, ahead = torch.zeros_like(rewards), torch.zeros_like(last)
    for step in reversed(range(len(rewards))):
        following = last if step + 1 == len(rewards) else values[step + 1]
        goes_on = ~ended[step]
        delta = rewards[step] + GAMMA * following * goes_on - values[step]
        ahead = found[step] = delta + GAMMA * LAMBDA * goes_on * ahead
    return found


def share_won(network, bot, rounds):
    """Return the share of rounds won against a bot, draws by half."""
    envs = gymnasium.make_vec("ekoes/Ekko-v0", 64, bot=bot, **GAME)
    seen, infos = envs.reset(seed=0)
    results = []
    while len(results) < rounds:
        seen, rewards, ended, _, infos = envs.step(network.play(seen, infos["action_mask"]))
        results += [(1 + reward) / 2 for reward in rewards[ended]]
    return np.mean(results)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--games", type=int, default=512)
    parser.add_argument("--steps", type=int, default=64, help="of each game between two updates")
    parser.add_argument("--rounds", type=int, default=1000, help="for each measurement")
    given = parser.parse_args()
    torch.manual_seed(1)

    shape = spaces_of("ekko", GAME)
    network = Network(features(shape.arrays(1)).shape[1], shape.actions.n)
    envs = gymnasium.make_vec("ekoes/Ekko-v0", given.games, policy=network.play, **GAME)
    optimizer = torch.optim.Adam(network.parameters(), lr=5e-4)
    seen, infos = envs.reset(seed=1)
    end, decisions, measured = monotonic() + 60 * given.minutes, 0, -1
    while monotonic() < end:
        if (hundred := decisions // 2_000_000) > measured:
            measured = hundred
            share = share_won(network, "skilled", given.rounds)
            print(f"{decisions:,} decisions: {share:.1%} won against skilled", flush=True)
        rows = []
        for _ in range(given.steps):
            x, mask = features(seen), torch.tensor(infos["action_mask"])  # a copy: steps write it again
            with torch.no_grad():
                policy, value = network(x, mask)
                actions = policy.sample()
            seen, rewards, ended, _, infos = envs.step(actions.numpy())
            reward = torch.tensor(rewards, dtype=torch.float32)
            rows.append((x, mask, actions, policy.log_prob(actions), value, reward, torch.tensor(ended)))
        x, mask, actions, before, values, rewards, ended = map(torch.stack, zip(*rows, strict=True))
        with torch.no_grad():
            last = network(features(seen), torch.tensor(infos["action_mask"]))[1]
        gains = advantages(rewards, values, ended, last)
        data = [t.flatten(0, 1) for t in (x, mask, actions, before, gains, gains + values)]
        for _ in range(EPOCHS):
            for part in torch.randperm(len(data[0])).chunk(PARTS):
                x, mask, actions, before, gain, wanted = (t[part] for t in data)
                policy, value = network(x, mask)
                ratio = (policy.log_prob(actions) - before).exp()
                gain = (gain - gain.mean()) / (gain.std() + 1e-8)
                better = torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
                loss = 0.5 * (value - wanted).square().mean() - better - ENTROPY * policy.entropy().mean()
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(network.parameters(), 0.5)
                optimizer.step()
        decisions += given.games * given.steps
    share = share_won(network, "skilled", given.rounds)
    print(f"{decisions:,} decisions: {share:.1%} won against skilled", flush=True)
    given.folder.mkdir(parents=True, exist_ok=True)
    torch.save(network.state_dict(), given.folder / "policy.pt")


if __name__ == "__main__":
    main()
