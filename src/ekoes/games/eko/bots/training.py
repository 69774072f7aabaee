"""Trains the networks of the evaluation by self-play, round by round, with all games in a folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from io import BytesIO
from math import prod, sqrt
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from ekoes.atomic_files import write_atomically
from ekoes.errors import PositionError
from ekoes.games.api.chance import Chance
from ekoes.games.eko.bots.evaluation import (
    COARSE_BITS,
    COLUMNS,
    FEATURES,
    FIRST_UNITS,
    MOST_WEIGHT,
    NETWORK,
    SECOND_UNITS,
    SETS,
    UNIT,
    Feature,
    describe,
    read_networks,
    write_networks,
)
from ekoes.games.eko.bots.search import PARAMS, TRIALS, grow
from ekoes.games.eko.bots.tree import NODE, NONE, PLACES, ROOT, VIEWS, Control
from ekoes.games.eko.position.layout import THREAD
from ekoes.games.eko.position.setup import set_up
from ekoes.games.eko.position.tiles import VARIANTS
from ekoes.games.eko.rules.record import FEWEST_PLAYERS, MOST_PLAYERS, STATE, Phase
from ekoes.games.eko.rules.turn import perform
from ekoes.games.kernels.bits import WORDS, next_random
from ekoes.games.kernels.jit import entry

_PERCENT = 100


@entry
def play_and_sample(
    boards: np.ndarray,
    games: np.ndarray,
    works: np.ndarray,
    trials: np.ndarray,
    networks: np.ndarray,
    params: np.ndarray,
    nodes: np.ndarray,
    control: np.ndarray,
    stream: np.ndarray,
    terms: np.ndarray,
    samples: np.ndarray,
    values: np.ndarray,
) -> int:
    """Play one game to its end and sample some of its positions.

    games: STATE[1], the first position, overwritten by the last. stream: uint64[1], not 0, written. terms:
    int64[4]: iterations of a search, percentage of random decisions, percentage of sampled positions, turn
    limit. samples: int8[…, MOST_PLAYERS, FEATURES]; values: float64[…, MOST_PLAYERS], the search's values;
    both written.

    Returns: the number of samples.
    """
    sets: Any = np.zeros((SETS, WORDS), np.uint64)
    rows: Any = np.zeros((MOST_PLAYERS, COLUMNS), np.int16)
    drawn: Any = np.zeros(0, np.int64)
    history: Any = np.zeros((MOST_PLAYERS, VIEWS, PLACES))
    state = games[0]
    count = 0
    while state.phase != Phase.OVER and state.number <= terms[3] and count < len(samples):
        for column in range(len(control)):
            control[column] = 0
        control[Control.LIMIT] = terms[0]
        grow(boards, games, works, trials, networks, params, drawn, history, nodes, control)
        seat = int(nodes[ROOT].seat)
        best = child = int(nodes[ROOT].child)
        is_random = next_random(stream, _PERCENT) < terms[1]
        best_score = -np.inf
        while child != NONE:
            score = np.float64(nodes[child].value[seat])
            if is_random:
                score += next_random(stream, 1 << 20) / float(1 << 21)
            else:
                score += nodes[child].visits
            if score > best_score:
                best, best_score = child, score
            child = int(nodes[child].sibling)
        if next_random(stream, _PERCENT) < terms[2] and state.phase != Phase.PLACE:
            describe(boards[0], state, works[0], sets, rows)
            for player in range(MOST_PLAYERS):
                values[count, player] = nodes[ROOT].value[player]
                for feature in range(FEATURES):
                    samples[count, player, feature] = rows[player, feature]
            count += 1
        perform(boards[0], state, works[0], nodes[best].code)
    return count


_MOST_ROWS = 4096  # of one game
_NODES = 1 << 15  # rows of a tree: a position can have over 8,000 decisions
_SEED_STEP = 1_000_003


_RANDOM_DECISIONS = 6  # per cent
_SAMPLED = 40  # per cent of positions in the training data
_PLAIN = 60  # per cent of games without variants


class Rows(NamedTuple):
    """Training data, a row for each position.

    features: int8[…, players, FEATURES]. thought: each player's chance to win by the search. won: each
    player's share of the win; equal shares without a winner. game: number of the game.
    """

    features: np.ndarray[Any, Any]
    thought: np.ndarray[Any, Any]
    won: np.ndarray[Any, Any]
    game: np.ndarray[Any, Any]


@dataclass
class SelfPlay:
    """Plays games of a number of players.

    iterations: of a search for each decision. network: NETWORK[1].
    """

    players: int
    seed: int
    iterations: int
    turn_limit: int
    network: np.ndarray[Any, Any]

    def __enter__(self) -> Self:
        """Allocate the tree and the samples, in the worker."""
        self._nodes = np.zeros(_NODES, NODE)
        self._samples = np.zeros((_MOST_ROWS, MOST_PLAYERS, FEATURES), np.int8)
        self._thought = np.zeros((_MOST_ROWS, MOST_PLAYERS))
        return self

    def __exit__(self, *_: object) -> None:
        """Do nothing."""

    def __call__(self, numbers: tuple[int, ...]) -> Rows:
        """Play games by their numbers."""
        played = [self._play(number) for number in numbers]
        return Rows(*(np.concatenate(column) for column in zip(*played, strict=True)))

    def _play(self, number: int) -> tuple[np.ndarray[Any, Any], ...]:
        players, chance = self.players, Chance(self.seed * _SEED_STEP + number)
        position = set_up({"players": players, "variants": self._variants(chance)}, chance.bits())
        states, control = position.states.copy(), np.zeros(len(Control), np.int64)
        count = play_and_sample(
            position.layout.record,
            states,
            THREAD.work,
            np.zeros(TRIALS, STATE),
            self.network,
            PARAMS,
            self._nodes,
            control,
            np.array([chance.bits() | 1], np.uint64),
            np.array([self.iterations, _RANDOM_DECISIONS, _SAMPLED, self.turn_limit]),
            self._samples,
            self._thought,
        )
        won = np.tile(_shares(states, players), (count, 1))
        features, thought = self._samples[:count, :players], self._thought[:count, :players]
        return features.copy(), thought.copy(), won, np.full(count, number)

    def _variants(self, chance: Chance) -> list[str]:
        if chance.below(_PERCENT) < _PLAIN:
            return []
        return [variant for variant in VARIANTS if chance.below(2)]


def _shares(states: np.ndarray[Any, Any], players: int) -> np.ndarray[Any, Any]:
    """Return each player's share of the win."""
    winners = int(states[0].winners) if states[0].phase == Phase.OVER else 0
    won = np.array([float((winners >> player) & 1) for player in range(players)])
    return won / won.sum() if winners else np.full(players, 1 / players)


_HELD_OUT = 10  # one game of so many is held out for validation
_RESULT_WEIGHT = 0.2  # of the result in the target; the rest is the value of the search, which has less noise
_LARGEST_BATCH = 1024  # positions
_FEWEST_BATCHES = 64  # of an epoch
_EPOCHS = 25
_LEARNING_RATE = 6e-3
_LEAST_SPREAD = 1e-2
_BETAS = np.array([[0.9], [0.999]])
_TINY = 1e-9


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted network and its validation on held-out games.

    loss: cross entropy in nats; thought: that of the search's values; hits: share of winners predicted.
    """

    network: np.ndarray[Any, Any]
    positions: int
    loss: float
    hits: float
    thought: float


def fit(rows: Rows) -> Fit:
    """Fit the network that best predicts the winners, by Adam (Kingma and Ba, 2015).

    The learning rate rises for a quarter of the steps, then falls to 0. A feature that is the same in all
    rows gets no weight.
    """
    chance = np.random.default_rng(0)
    held_out = rows.game % _HELD_OUT == 0
    learned = np.flatnonzero(~held_out)
    spread = rows.features.reshape(-1, FEATURES).std(axis=0)
    scale = np.where(spread > 0, np.maximum(spread, _LEAST_SPREAD), np.inf).astype(np.float32)
    goal = _RESULT_WEIGHT * rows.won + (1 - _RESULT_WEIGHT) * rows.thought
    weights = np.concatenate([chance.uniform(-1, 1, prod(shape)) / sqrt(width) for shape, width in _PARTS])
    moments = np.zeros((2, len(weights)))
    size = min(_LARGEST_BATCH, len(learned) // _FEWEST_BATCHES + 1)
    steps = _EPOCHS * len(learned) // size
    for step in range(1, steps + 1):
        batch = chance.choice(learned, size)
        gradient = _gradient(weights, rows.features[batch] / scale, goal[batch])
        moments += (1 - _BETAS) * (np.stack([gradient, gradient**2]) - moments)
        mean, square = moments / (1 - _BETAS**step)
        rate = _LEARNING_RATE * min(1.0, 4 * step / steps, 4 / 3 * (1 - step / steps))
        weights -= rate * mean / (np.sqrt(square) + _TINY)
    chances = _forward(weights, rows.features[held_out] / scale)[-1]
    won = rows.won[held_out]
    return Fit(
        network=_in_whole_numbers(weights, scale),
        positions=len(learned),
        loss=_cross_entropy(chances, won),
        hits=float(np.take_along_axis(won, chances.argmax(axis=1)[:, None], 1).mean()),
        thought=_cross_entropy(rows.thought[held_out], won),
    )


_PARTS = (
    ((2 * FEATURES, FIRST_UNITS), 2 * FEATURES),
    ((FIRST_UNITS,), 2 * FEATURES),
    ((FIRST_UNITS, SECOND_UNITS), FIRST_UNITS),
    ((SECOND_UNITS,), FIRST_UNITS),
    ((SECOND_UNITS,), SECOND_UNITS),
)
"""Shapes of the inputs' weights, bias, second layer, its bias and the output; and how much each unit sees."""


def _unpacked(weights: np.ndarray[Any, Any]) -> list[np.ndarray[Any, Any]]:
    """Return the parts of a network."""
    parts = np.split(weights.astype(np.float32), np.cumsum([prod(shape) for shape, _ in _PARTS])[:-1])
    return [part.reshape(shape) for part, (shape, _) in zip(parts, _PARTS, strict=True)]


def _forward(
    weights: np.ndarray[Any, Any], features: np.ndarray[Any, Any]
) -> tuple[np.ndarray[Any, Any], ...]:
    """Return the inputs, the units of both layers, and the chances. features: float32[…, …, FEATURES]."""
    inputs, bias, second, second_bias, output = _unpacked(weights)
    columns = _columns(features)
    first = np.maximum(columns @ inputs + bias, 0)
    units = np.maximum(first @ second + second_bias, 0)
    return columns, first, units, _softmax((units @ output).reshape(features.shape[:2]))


def _gradient(
    weights: np.ndarray[Any, Any], features: np.ndarray[Any, Any], goal: np.ndarray[Any, Any]
) -> np.ndarray[Any, Any]:
    """Return the gradient of the cross entropy, by backpropagation."""
    _, _, second, _, output = _unpacked(weights)
    columns, first, units, chances = _forward(weights, features)
    missed = ((chances - goal) / len(goal)).astype(np.float32).reshape(-1)
    above = missed[:, None] * output * (units > 0)
    below = above @ second.T * (first > 0)
    parts = columns.T @ below, below.sum(axis=0), first.T @ above, above.sum(axis=0), units.T @ missed
    return np.concatenate([part.ravel() for part in parts])


def _columns(features: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return a row for each player of each position: its own features, and the average of the others'."""
    others = (features.sum(axis=1, keepdims=True) - features) / (features.shape[1] - 1)
    return np.concatenate([features, others], axis=2).reshape(-1, 2 * FEATURES).astype(np.float32)


def _in_whole_numbers(weights: np.ndarray[Any, Any], scale: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return a network, NETWORK[1]. scale: float[FEATURES], what the features were divided by."""
    inputs, bias, second, second_bias, output = _unpacked(weights)
    network = np.zeros(1, NETWORK)
    most = np.iinfo(np.int16).max
    own = np.clip(np.rint(np.split(inputs, 2) / scale[:, None] * UNIT), -most, most)
    network["inputs"][0, :, :FEATURES] = own.transpose(0, 2, 1).reshape(2 * FIRST_UNITS, FEATURES)
    network["second"][0, :, :FIRST_UNITS] = np.clip(np.rint(second.T * UNIT), -MOST_WEIGHT, MOST_WEIGHT)
    network["second_bias"] = np.rint(second_bias * UNIT * (UNIT >> COARSE_BITS))
    network["bias"], network["output"] = np.rint(bias * UNIT), np.rint(output * UNIT)
    return network


def _softmax(strengths: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    powers = np.exp(strengths - strengths.max(axis=1, keepdims=True)).astype(np.float64)
    shares: np.ndarray[Any, Any] = powers / powers.sum(axis=1, keepdims=True)
    return shares


def _cross_entropy(chances: np.ndarray[Any, Any], wanted: np.ndarray[Any, Any]) -> float:
    return float(-(wanted * np.log(chances + _TINY)).sum(axis=1).mean())


_FIRST_WEIGHTS = {
    Feature.POINTS: 0.3,
    Feature.CAPITAL: 0.4,
    Feature.HEIGHT_1: 0.1,
    Feature.HEIGHT_2: 0.22,
    Feature.HEIGHT_3: 0.34,
    Feature.HEIGHT_4: 0.45,
    Feature.RESERVE: 0.06,
    Feature.FEW_STACKS: -0.3,
    Feature.EMPEROR_CAPTIVE: -0.3,
    Feature.GAIN: 0.2,
    Feature.EXPOSED_EMPEROR: -0.5,
    Feature.EXPOSED_DISCS: -0.03,
    Feature.WINS: 2.0,
}


def first_network() -> np.ndarray[Any, Any]:
    """Return the network of the first round: points and discs are good.

    A weighted sum takes two units of a layer: what is above 0, and what is below.
    """
    inputs, output = np.zeros((2 * FEATURES, FIRST_UNITS)), np.zeros(SECOND_UNITS)
    for unit, sign in enumerate((1.0, -1.0)):
        inputs[list(_FIRST_WEIGHTS), unit] = sign * np.array(list(_FIRST_WEIGHTS.values()))
        output[unit] = sign
    parts = inputs, np.zeros(FIRST_UNITS), np.eye(FIRST_UNITS, SECOND_UNITS), np.zeros(SECOND_UNITS), output
    return _in_whole_numbers(np.concatenate([part.ravel() for part in parts]), np.ones(FEATURES))


_PIECE = 20
"""Games in one file."""
_TABLES = range(FEWEST_PLAYERS, MOST_PLAYERS + 1)
_SHORTER = {2: 4, 3: 2, 4: 1}
"""Number of players -> games that take as long as one of four players."""

Pool = Callable[[SelfPlay, Iterable[tuple[int, ...]]], Iterator[Rows]]
Networks = dict[int, np.ndarray[Any, Any]]


@dataclass(frozen=True, slots=True)
class Course:
    """A training run. games: of four players in a round, more with fewer players; steps: of a search.

    turn_limit: a longer game has no winner.
    """

    rounds: int
    games: int
    steps: int
    seed: int
    turn_limit: int = 200

    @property
    def total(self) -> int:
        """The number of games."""
        return self.rounds * self.games * sum(_SHORTER.values())

    def run(self, folder: Path, pool: Pool, advance: Callable[[int], None]) -> Iterator[dict[str, Any]]:
        """Play and fit what is missing. Yields the figures of each round.

        pool: plays the games; advance: called with the number of games that are done now.
        """
        networks: Networks = dict.fromkeys(_TABLES, first_network())
        for number in range(self.rounds):
            note = folder / f"round-{number}.json"
            for players in _TABLES:
                self._play(folder, number, players, networks, pool, advance)
            if not note.exists():
                fits = {players: fit(_load(folder, number, players)) for players in _TABLES}
                found = {players: fit.network for players, fit in fits.items()}
                write_atomically(note, write_networks(found, self._made(number, fits)).encode())
            text = note.read_text("utf-8")
            networks = read_networks(text)
            yield json.loads(text)["made"]
        write_atomically(folder / "network.json", text.encode())

    def _play(
        self,
        folder: Path,
        number: int,
        players: int,
        networks: Networks,
        pool: Pool,
        advance: Callable[[int], None],
    ) -> None:
        """Play the games of a round that have no file yet."""
        seed = (self.seed * 100 + number) * 10 + players
        job = SelfPlay(players, seed, self.steps, self.turn_limit, networks[players])
        left = []
        games = self.games * _SHORTER[players]
        for first in range(0, games, _PIECE):
            piece = tuple(range(first, min(first + _PIECE, games)))
            if _file(folder, number, players, first).exists():
                advance(len(piece))
            else:
                left.append(piece)
        for rows in pool(job, left):
            write_atomically(
                _file(folder, number, players, int(rows.game.min()) // _PIECE * _PIECE), _packed(rows)
            )
            advance(_PIECE)

    def _made(self, number: int, fits: Mapping[int, Fit]) -> dict[str, Any]:
        """Return how the networks of a round were trained, and their validation."""
        figures = {
            str(players): {key: round(value, 4) for key, value in asdict(fit).items() if key != "network"}
            for players, fit in fits.items()
        }
        return {"round": number, **asdict(self), "figures": figures}


def begin_course(course: Course, folder: Path) -> None:
    """Create a folder, or check that it belongs to this course. Raises PositionError."""
    file, content = folder / "course.json", json.dumps(asdict(course))
    if file.exists() and file.read_text("utf-8") != content:
        raise PositionError(f"the games in {folder} belong to another course", key="--out")
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(file, content.encode())


def draw_course(folder: Path) -> None:
    """Draw the validation loss of each round."""
    from matplotlib.figure import Figure

    made = [json.loads(path.read_text("utf-8"))["made"] for path in sorted(folder.glob("round-*.json"))]
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    for players in _TABLES:
        losses = [entry["figures"][str(players)]["loss"] / np.log(players) for entry in made]
        axes.plot([entry["round"] for entry in made], losses, marker="o", label=f"{players} players")
    axes.set_xlabel("round")
    axes.set_ylabel("loss on unseen games (1: knows nothing)")
    axes.legend()
    figure.savefig(folder / "learning.png", dpi=120)


def _file(folder: Path, number: int, players: int, first: int) -> Path:
    return folder / f"round-{number}-{players}-{first:06}.npz"


def _packed(rows: Rows) -> bytes:
    file = BytesIO()
    np.savez_compressed(file, **rows._asdict())
    return file.getvalue()


def _load(folder: Path, number: int, players: int) -> Rows:
    """Return the training data of a round."""
    loaded = [np.load(path) for path in sorted(folder.glob(f"round-{number}-{players}-*.npz"))]
    return Rows(*(np.concatenate([each[column] for each in loaded]) for column in Rows._fields))
