"""A course of lessons: rounds of games, each played by what the last one has taught; all of it in a folder.

A folder holds ``course.json``, ``round-R-N-F.npz`` (games of round R for N players from number F on),
``round-R.json`` (weights and figures after it) and, in the end, ``weights.json`` and ``learning.png``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, astuple, dataclass, fields
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from ekoes.errors import PositionError
from ekoes.games.eko.bots.search.weights import read_weights, write_weights
from ekoes.games.eko.bots.training.fit import Fit, first_weights, fit
from ekoes.games.eko.bots.training.play import Lesson, Rows, SelfPlay
from ekoes.games.eko.rules.record import FEWEST_PLAYERS, MOST_PLAYERS
from ekoes.keeping import keep

__all__ = ["Course", "begin_course", "draw_course"]

_PIECE = 20
"""Games that are kept together."""
_TABLES = range(FEWEST_PLAYERS, MOST_PLAYERS + 1)
_SHORTER = {2: 4, 3: 2, 4: 1}
"""How many games of so many players are played in the time of one of four."""

Hands = Callable[[SelfPlay, Iterable[tuple[int, ...]]], Iterator[Rows]]
Weights = dict[int, np.ndarray[Any, Any]]


@dataclass(frozen=True, slots=True)
class Course:
    """What is learned from. games: of four players in a round, of fewer there are more; steps: of the search.

    turn_limit: a longer game has no winner.
    """

    rounds: int
    games: int
    steps: int
    seed: int
    turn_limit: int = 200

    @property
    def total(self) -> int:
        """How many games are played."""
        return self.rounds * self.games * sum(_SHORTER.values())

    def run(self, folder: Path, hands: Hands, advance: Callable[[int], None]) -> Iterator[dict[str, Any]]:
        """Play and learn what is left. Yields the figures of each round.

        hands: who plays; advance: is told of games that are done.
        """
        weights: Weights = dict.fromkeys(_TABLES, first_weights())
        for number in range(self.rounds):
            note = folder / f"round-{number}.json"
            for players in _TABLES:
                self._play(folder, number, players, weights, hands, advance)
            if not note.exists():
                fits = {players: fit(_kept(folder, number, players)) for players in _TABLES}
                keep(note, write_weights(_tables(fits), self._made(number, fits)).encode())
            text = note.read_text("utf-8")
            weights = read_weights(text)
            yield json.loads(text)["made"]
        keep(folder / "weights.json", text.encode())

    def _play(
        self,
        folder: Path,
        number: int,
        players: int,
        weights: Weights,
        hands: Hands,
        advance: Callable[[int], None],
    ) -> None:
        """Play the games of a round that are not there yet."""
        lesson = Lesson(players, self._seed(number, players), self.steps, turn_limit=self.turn_limit)
        left = []
        games = self.games * _SHORTER[players]
        for first in range(0, games, _PIECE):
            piece = tuple(range(first, min(first + _PIECE, games)))
            if _file(folder, number, players, first).exists():
                advance(len(piece))
            else:
                left.append(piece)
        for rows in hands(SelfPlay(lesson, weights), left):
            keep(_file(folder, number, players, int(rows.game.min()) // _PIECE * _PIECE), _packed(rows))
            advance(_PIECE)

    def _seed(self, number: int, players: int) -> int:
        """Return the seed of the games of a round."""
        return (self.seed * 100 + number) * 10 + players

    def _made(self, number: int, fits: Mapping[int, Fit]) -> dict[str, Any]:
        """Return how weights were made, and how well they foretell."""
        figures = {
            str(players): {key: round(value, 4) for key, value in asdict(fit).items() if key != "weights"}
            for players, fit in fits.items()
        }
        return {"round": number, **asdict(self), "figures": figures}


def begin_course(course: Course, folder: Path) -> None:
    """Begin a folder, or find that it is of this course. Raises PositionError."""
    note, said = folder / "course.json", json.dumps(asdict(course))
    if note.exists() and note.read_text("utf-8") != said:
        raise PositionError(f"the games in {folder} are of another course", key="--out")
    folder.mkdir(parents=True, exist_ok=True)
    keep(note, said.encode())


def draw_course(folder: Path) -> None:
    """Draw how well each round foretells who wins."""
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


def _tables(fits: Mapping[int, Fit]) -> Weights:
    return {players: found.weights for players, found in fits.items()}


def _file(folder: Path, number: int, players: int, first: int) -> Path:
    return folder / f"round-{number}-{players}-{first:06}.npz"


def _packed(rows: Rows) -> bytes:
    file = BytesIO()
    np.savez_compressed(file, **dict(zip(_columns(), astuple(rows), strict=True)))
    return file.getvalue()


def _kept(folder: Path, number: int, players: int) -> Rows:
    """Return all that the games of a round have told."""
    loaded = [np.load(path) for path in sorted(folder.glob(f"round-{number}-{players}-*.npz"))]
    return Rows(*(np.concatenate([each[column] for each in loaded]) for column in _columns()))


def _columns() -> list[str]:
    return [field.name for field in fields(Rows)]
