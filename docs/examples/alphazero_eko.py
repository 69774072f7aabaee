"""Learn Ekö by search and self-play in one file, in the manner of AlphaZero: alphazero_eko.py FOLDER.

Needs `pip install "ekoes[train]"`. Many games for two go on at once in a batch. Before each decision a tree
is searched for each of them; a second batch plays the simulations of all games side by side, each from the
position that its game has now. FOLDER gets the network, `network.pt`.

Source: D. Silver et al., A general reinforcement learning algorithm that masters chess, shogi, and Go
through self-play, 2018.
"""

import argparse
from pathlib import Path
from time import monotonic

import gymnasium
import numpy as np
import torch
from torch import nn

import ekoes.envs  # registers the environments
from ekoes.envs.batch import BatchEnv

gymnasium.register_envs(ekoes.envs)
EXPLORATION, NOISE, NOISE_SHARE, MEMORY, PART = 1.5, 0.3, 0.25, 50_000, 256
WAIT = -1  # the integer by which a game of a batch stays as it is


def features(seen):
    """Return what the network sees: float32[games, inputs] (docs/reference/environment-eko.md)."""
    board, scalars = seen["board"], seen["scalars"]
    parts = [board.reshape(len(board), -1), scalars / 12]
    return torch.from_numpy(np.concatenate(parts, axis=1, dtype=np.float32))


class Network(nn.Module):
    """The policy over the legal integers, and the value for the seat to move, -1 to 1."""

    def __init__(self, inputs, integers):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inputs, 512), nn.ReLU(), nn.Linear(512, 256), nn.ReLU())
        self.policy, self.value = nn.Linear(256, integers), nn.Linear(256, 1)

    def forward(self, x, mask):
        hidden = self.body(x)
        logits = self.policy(hidden).masked_fill(mask == 0, -1e9)
        return logits, self.value(hidden)[:, 0].tanh()

    @torch.no_grad()
    def judge(self, batch):
        """Return priors, float32[games, n], and values, float32[games], of the positions of a batch."""
        logits, values = self(features(batch.observations), torch.from_numpy(batch.mask))
        return logits.softmax(1).numpy(), values.numpy()

    @torch.no_grad()
    def play(self, seen, mask):
        """Choose the likeliest integers: a policy of the environment."""
        return self(features(seen), torch.from_numpy(mask))[0].argmax(1).numpy()


class Trees:
    """A tree for each game. Arrays by game, node and integer; node 0 is the position of the game."""

    def __init__(self, games, nodes, integers):
        shape = (games, nodes, integers)
        self.priors, self.wins = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        self.visits, self.children = np.zeros(shape, np.int32), np.full(shape, WAIT, np.int32)
        self.seats = np.zeros((games, nodes), np.int8)
        self.rows = np.arange(games)

    def best(self, rows, nodes):
        """Return the integers that are tried next at some nodes (PUCT)."""
        visits = self.visits[rows, nodes]
        quality = self.wins[rows, nodes] / np.maximum(visits, 1)
        wish = self.priors[rows, nodes] * np.sqrt(1 + visits.sum(1, keepdims=True)) / (1 + visits)
        score = quality + EXPLORATION * wish
        return np.where(self.priors[rows, nodes] > 0, score, -np.inf).argmax(1)


def search(network, games, simulations, searched, random):
    """Return the visits of each integer in each game of a batch, int32[games, n].

    searched: a batch of as many games, which plays the simulations.
    """
    saved = games.save()
    trees = Trees(games.games, simulations + 1, games.mask.shape[1])
    priors, _ = network.judge(games)
    noise = random.gamma(NOISE, size=priors.shape) * games.mask
    noise /= noise.sum(1, keepdims=True)
    trees.priors[:, 0] = (1 - NOISE_SHARE) * priors + NOISE_SHARE * noise
    trees.seats[:, 0] = games.seats
    for node in range(1, simulations + 1):
        searched.load(saved)
        at, path = np.zeros(games.games, int), []
        values = np.zeros((games.games, 2), np.float32)  # of each seat
        goes_on = np.ones(games.games, bool)
        while goes_on.any():
            rows = trees.rows[goes_on]
            chosen = trees.best(rows, at[rows])
            path.append((rows, at[rows].copy(), chosen))
            actions = np.full(games.games, WAIT)
            actions[rows] = chosen
            searched.step(actions)
            ended = (searched.terminated | searched.truncated)[rows]
            values[rows[ended]] = searched.rewards[rows[ended]]
            children = trees.children[rows, at[rows], chosen]
            new = (children == WAIT) & ~ended
            trees.children[rows[new], at[rows[new]], chosen[new]] = node
            at[rows] = np.where(new, node, children)
            goes_on[rows[ended | new]] = False
            fresh = rows[new]
            trees.seats[fresh, node] = searched.seats[fresh]
        leaves = at == node
        priors, found = network.judge(searched)
        trees.priors[leaves, node] = priors[leaves]
        values[trees.rows[leaves], searched.seats[leaves]] = found[leaves]
        values[trees.rows[leaves], 1 - searched.seats[leaves]] = -found[leaves]
        for rows, nodes, chosen in path:
            trees.visits[rows, nodes, chosen] += 1
            trees.wins[rows, nodes, chosen] += values[rows, trees.seats[rows, nodes]]
    return trees.visits[:, 0]


def share_won(network, bot, games, options):
    """Return the share of games won against a bot by the network alone, without search; draws by half."""
    envs = gymnasium.make_vec("ekoes/Eko-v0", min(games, 32), bot=bot, **options)
    seen, infos = envs.reset(seed=0)
    results = []
    while len(results) < games:
        seen, rewards, ended, cut, infos = envs.step(network.play(seen, infos["action_mask"]))
        results += [(1 + reward) / 2 for reward in rewards[ended | cut]]
    return np.mean(results)


def learn(network, optimizer, memory, integers, random):
    """Take a step towards the visits of the searches and the results of the games."""
    part = [memory[row] for row in random.integers(len(memory), size=PART)]
    mask, wanted = np.zeros((PART, integers), np.int8), np.zeros((PART, integers), np.float32)
    for row, (_, legal, visits, _) in enumerate(part):
        mask[row, legal], wanted[row, legal] = 1, visits
    x, results = (np.stack([row[column] for row in part]) for column in (0, 3))
    logits, values = network(torch.from_numpy(x), torch.from_numpy(mask))
    policy = (torch.from_numpy(wanted) * logits.log_softmax(1)).sum(1).mean()
    loss = (values - torch.from_numpy(results)).square().mean() - policy
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--games", type=int, default=64)
    parser.add_argument("--simulations", type=int, default=32, help="for each decision")
    parser.add_argument("--turns", type=int, default=60, help="after which a game is cut off (rule E11.5)")
    parser.add_argument("--measured", type=int, default=100, help="games for each measurement")
    given = parser.parse_args()
    torch.manual_seed(1)
    random = np.random.default_rng(1)

    options = {"players": 2, "turn_limit": given.turns}
    games, searched = (BatchEnv("eko", given.games, **options) for _ in range(2))
    searched.reset(seed=1)
    network = Network(features(games.reset(seed=1)).shape[1], games.mask.shape[1])
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
    memory, open_rows = [], [[] for _ in range(given.games)]
    end, decisions, finished = monotonic() + 60 * given.minutes, 0, 0
    while monotonic() < end:
        visits = search(network, games, given.simulations, searched, random).astype(np.float32)
        visits /= visits.sum(1, keepdims=True)
        x, seats = features(games.observations).numpy(), games.seats.copy()
        legal = [np.flatnonzero(row) for row in games.mask]
        chosen = [random.choice(len(row), p=row / row.sum()) for row in visits.astype(float)]
        _, rewards, terminated, truncated = games.step(np.array(chosen))
        for game, rows in enumerate(open_rows):
            rows.append((x[game], legal[game], visits[game, legal[game]], seats[game]))
            if terminated[game] or truncated[game]:
                memory += [(*row, rewards[game, seat]) for *row, seat in rows]
                rows.clear()
                finished += 1
        del memory[:-MEMORY]
        decisions += given.games
        for _ in range(given.games // 32 if len(memory) >= PART else 0):
            learn(network, optimizer, memory, games.mask.shape[1], random)
        if decisions // given.games % 100 == 0:
            print(f"{decisions:,} decisions, {finished:,} games", flush=True)
    share = share_won(network, "beginner", given.measured, options)
    print(f"{decisions:,} decisions, {finished:,} games: {share:.1%} won against beginner", flush=True)
    given.folder.mkdir(parents=True, exist_ok=True)
    torch.save(network.state_dict(), given.folder / "network.pt")


if __name__ == "__main__":
    main()
