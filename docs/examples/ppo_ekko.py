"""Learn EKKO by PPO in one file, in the manner of CleanRL: ppo_ekko.py FOLDER.

Needs `pip install "ekoes[train]"`. The learner plays a round of two against its own latest policy, in many
games at once. FOLDER gets the network for PyTorch, `policy.pt`, and as ONNX, `ekko-policy.onnx`.
"""

import argparse
from pathlib import Path
from time import monotonic

import gymnasium
import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

import ekoes.envs  # registers the environments
from ekoes.envs.match import spaces_of

gymnasium.register_envs(ekoes.envs)
GAME = {"players": 2, "target": 1}  # a target of 1 point: a single round
GAMMA, LAMBDA, CLIP, ENTROPY, EPOCHS, PARTS = 1.0, 0.95, 0.2, 0.01, 2, 8


class Network(nn.Module):
    """The logits of all integers, and the value for the seat that sees, from observations and masks."""

    def __init__(self, inputs, integers):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inputs, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU())
        self.policy, self.value = nn.Linear(256, integers), nn.Linear(256, 1)

    def forward(self, cards, draws, scalars, action_mask):
        hidden = self.body(features(cards, draws, scalars))
        return self.policy(hidden).masked_fill(action_mask == 0, -1e9), self.value(hidden)[:, 0]

    @torch.no_grad()
    def play(self, seen, mask):
        """Play the other seat: a policy of the environment."""
        return Categorical(logits=self(*tensors(seen, mask))[0]).sample().numpy()


def features(cards, draws, scalars):
    """Return what the layers see: float32[games, 511] (docs/reference/environment-ekko.md)."""
    top = scalars[:, 16:17] == torch.arange(1, 99)
    parts = [cards[:, :2].flatten(1), cards[:, 2] > 0, top, draws[:, 0, 1], scalars / 98]
    return torch.cat([part.float() for part in parts], dim=1)


def tensors(seen, mask):
    """Return copies, as steps write the arrays again."""
    return [torch.tensor(array) for array in (seen["cards"], seen["draws"], seen["scalars"], mask)]


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

    network = Network(511, spaces_of("ekko", GAME).actions.n)
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
            observed = tensors(seen, infos["action_mask"])
            with torch.no_grad():
                logits, value = network(*observed)
            policy = Categorical(logits=logits)
            actions = policy.sample()
            seen, rewards, ended, _, infos = envs.step(actions.numpy())
            reward = torch.tensor(rewards, dtype=torch.float32)
            rows.append((*observed, actions, policy.log_prob(actions), value, reward, torch.tensor(ended)))
        *observed, actions, before, values, rewards, ended = map(torch.stack, zip(*rows, strict=True))
        with torch.no_grad():
            last = network(*tensors(seen, infos["action_mask"]))[1]
        gains = advantages(rewards, values, ended, last)
        data = [t.flatten(0, 1) for t in (*observed, actions, before, gains, gains + values)]
        for _ in range(EPOCHS):
            for part in torch.randperm(len(data[0])).chunk(PARTS):
                *observed, actions, before, gain, wanted = (t[part] for t in data)
                logits, value = network(*observed)
                policy = Categorical(logits=logits)
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
    torch.onnx.export(
        network.eval(),
        tuple(tensors(seen, infos["action_mask"])),
        given.folder / "ekko-policy.onnx",
        input_names=["cards", "draws", "scalars", "action_mask"],
        output_names=["logits", "value"],
        dynamic_shapes=4 * [{0: "games"}],
        external_data=False,
        verbose=False,
    )


if __name__ == "__main__":
    main()
