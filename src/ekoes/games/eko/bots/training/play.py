"""Games to learn from: each is a function of the lesson and its number, so any worker may play any."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from ekoes.games.chance import Chance
from ekoes.games.eko.bots.search.features import FEATURES
from ekoes.games.eko.bots.search.grow import TRIALS
from ekoes.games.eko.bots.search.self_play import play_and_tell
from ekoes.games.eko.bots.search.think import TASTE
from ekoes.games.eko.bots.search.tree import NODE, Control
from ekoes.games.eko.rules.record import MOST_PLAYERS, STATE, Phase
from ekoes.games.eko.setup import set_up
from ekoes.games.eko.tiles import VARIANTS

__all__ = ["Lesson", "Rows", "SelfPlay"]

_MOST_ROWS = 4096  # of one game
_ROWS = 1024  # of a tree, for each step of a search
_SEED_STEP = 1_000_003


@dataclass(frozen=True, slots=True)
class Lesson:
    """How games are played.

    steps: of a search for each decision; surprises: of 100 decisions, so many are any; told: of 100
    positions, so many are kept; plain: of 100 games, so many have no variants.
    """

    players: int
    seed: int
    steps: int = 12
    surprises: int = 6
    told: int = 40
    plain: int = 60
    turn_limit: int = 200


@dataclass(frozen=True, slots=True)
class Rows:
    """What games have told, a row for each position; by player.

    features: int8[…, players, FEATURES]. thought: chances as the search saw them. won: 1 of who won, its
    part of who shared it; of a game without a winner everybody's part. game: its number.
    """

    features: np.ndarray[Any, Any]
    thought: np.ndarray[Any, Any]
    won: np.ndarray[Any, Any]
    game: np.ndarray[Any, Any]


class SelfPlay:
    """Plays games of a lesson. weights: number of players -> float64[2, FEATURES]."""

    def __init__(self, lesson: Lesson, weights: Mapping[int, np.ndarray[Any, Any]]) -> None:
        """Take what does not change from game to game."""
        self.lesson = lesson
        self.weights = weights[lesson.players]

    def __enter__(self) -> Self:
        """Make room, in the worker."""
        self._nodes = np.zeros(_ROWS * (self.lesson.steps + 4), NODE)
        self._told = np.zeros((_MOST_ROWS, MOST_PLAYERS, FEATURES), np.int8)
        self._thought = np.zeros((_MOST_ROWS, MOST_PLAYERS))
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is left behind."""

    def __call__(self, numbers: tuple[int, ...]) -> Rows:
        """Play games by their numbers."""
        played = [self._play(number) for number in numbers]
        return Rows(*(np.concatenate(column) for column in zip(*played, strict=True)))

    def _play(self, number: int) -> tuple[np.ndarray[Any, Any], ...]:
        lesson, players = self.lesson, self.lesson.players
        chance = Chance(lesson.seed * _SEED_STEP + number)
        position = set_up({"players": players, "variants": self._variants(chance)}, chance.bits())
        states, control = position.states.copy(), np.zeros(len(Control), np.int64)
        count = play_and_tell(
            position.board.record,
            states,
            position.board.work,
            np.zeros(TRIALS, STATE),
            self.weights,
            TASTE,
            self._nodes,
            control,
            np.array([chance.bits() | 1], np.uint64),
            np.array([lesson.steps, lesson.surprises, lesson.told, lesson.turn_limit]),
            self._told,
            self._thought,
        )
        won = np.tile(_shares(states, players), (count, 1))
        told, thought = self._told[:count, :players], self._thought[:count, :players]
        return told.copy(), thought.copy(), won, np.full(count, number)

    def _variants(self, chance: Chance) -> list[str]:
        if chance.below(100) < self.lesson.plain:
            return []
        return [variant for variant in VARIANTS if chance.below(2)]


def _shares(states: np.ndarray[Any, Any], players: int) -> np.ndarray[Any, Any]:
    """Return what each player has of the game."""
    winners = int(states[0].winners) if states[0].phase == Phase.OVER else 0
    won = np.array([float((winners >> player) & 1) for player in range(players)])
    return won / won.sum() if winners else np.full(players, 1 / players)
