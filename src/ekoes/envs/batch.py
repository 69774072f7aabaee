"""Thousands of games side by side, a decision of each in one call, in numpy arrays.

    batch = BatchEnv("eko", 4096, threads=2)
    observations = batch.reset(seed=1)
    observations, rewards, terminated, truncated = batch.step(batch.draw())

The arrays are the environment's own memory, written again by every step: nothing is copied. Whoever keeps one
copies it; ``torch.from_dlpack(batch.mask)`` and the like share the memory too.
"""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from ekoes.envs import kernels_ekko, kernels_eko
from ekoes.envs.kernels import BEGIN, NONE, WORD, draw_legal
from ekoes.envs.match import spaces_of
from ekoes.envs.spaces import Observation, Spaces
from ekoes.envs.spaces_eko import EkoSpaces, static_planes
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Position
from ekoes.games.ekko.position.position import EkkoPosition
from ekoes.games.ekko.rules.record import STATE as EKKO_STATE
from ekoes.games.eko.position.position import EkoPosition
from ekoes.games.eko.rules.record import STATE

Array = np.ndarray[Any, Any]


class BatchEnv:
    """Many games of the same options. A game that ends begins anew in the same step.

    game: ``eko`` or ``ekko``. games: their number. threads: that share them; equal seeds and integers give
    equal games whatever their number. starts: in Ekö, how many first positions ``reset`` draws, of which each
    game begins with one at random. options: of the game (docs/games), and ``turn_limit`` in Ekö.

    By game, after ``reset`` and each ``step``:
    observations: what the seat to move sees, as in the other environments. seats: int8[games], the seat to
    move. mask: int8[games, n], the legal integers. rewards: float32[games, players], of the latest step.
    terminated, truncated: bool[games], whether the latest step ended the game; the rest is of the next one.
    """

    def __init__(
        self,
        game: str,
        games: int,
        *,
        threads: int = 1,
        starts: int = 32,
        **options: object,
    ) -> None:
        for name, number in (("games", games), ("threads", threads), ("starts", starts)):
            if number < 1:
                raise ValueError(f"{name}: must be at least 1")
        self.spaces = spaces_of(game, options)
        self.games = games
        self.observations = self.spaces.arrays(games)
        count = int(self.spaces.actions.n)
        self._masks = np.zeros((games, -(-count // WORD) * WORD), np.int8)
        self.mask = self._masks[:, :count]
        self.seats = np.zeros(games, np.int8)
        self.rewards = np.zeros((games, self.spaces.players), np.float32)
        self.terminated = np.zeros(games, np.bool_)
        self.truncated = np.zeros(games, np.bool_)
        self._streams = np.ones(games, np.uint64)
        self._draws = np.ones(games, np.uint64)
        self._rows = np.arange(games)
        self._core: _Core = (
            _EkoCore(self.spaces, games, starts)
            if isinstance(self.spaces, EkoSpaces)
            else _EkkoCore(self.spaces, games)
        )
        found = (self.rewards, self.terminated, self.truncated)
        self._out: tuple[Array, ...] = (*self.observations.values(), self._masks, self.seats, *found)
        self._parts = [(part * games // threads, (part + 1) * games // threads) for part in range(threads)]
        self._pool = ThreadPoolExecutor(threads)
        self._chance = Chance(secrets.randbits(63))
        self._is_begun = False

    def reset(self, seed: int | None = None) -> Observation:
        """Begin all games, and return the observations. Equal seeds give equal games.

        seed: None: drawn after the earlier ones; at first any.
        """
        if seed is not None:
            self._chance = Chance(seed)
        self._core.begin(self._chance)
        for streams in (self._streams, self._draws):
            streams[:] = [self._chance.bits() | 1 for _ in range(self.games)]
        self._is_begun = True
        self._step(np.full(self.games, BEGIN, np.int64))
        return self.observations

    def step(self, actions: Array) -> tuple[Observation, Array, Array, Array]:
        """Perform an integer in each game; return observations, rewards, terminated and truncated.

        actions: whole numbers [games]; -1: the game waits, and stays as it is. Raises ValueError naming game
        and decision if one is not legal: then nothing is performed.
        """
        self._check_begun()
        wanted = np.asarray(actions)
        if wanted.shape != (self.games,) or wanted.dtype.kind not in "iu":
            raise ValueError(f"actions: {self.games} whole numbers are needed, one for each game")
        wanted = np.ascontiguousarray(wanted, np.int64)
        inside = wanted.view(np.uint64) < self.mask.shape[1]
        legal = self.mask[self._rows, np.where(inside, wanted, 0)].view(np.bool_) & inside | (wanted == NONE)
        if not legal.all():
            game = int(np.argmin(legal))
            integer, chosen = int(wanted[game]), self._core.chosen(game)
            raise ValueError(f"game {game}: {self.spaces.refusal(self.position(game), integer, chosen)}")
        self._step(wanted)
        return self.observations, self.rewards, self.terminated, self.truncated

    def draw(self) -> Array:
        """Return a random legal integer of each game, int64[games], evenly drawn."""
        self._check_begun()
        out, words = np.empty(self.games, np.int64), self._masks.view(np.uint64)
        self._run(lambda begin, end: draw_legal(words, self._draws, begin, end, out))
        return out

    def position(self, game: int) -> Any:  # noqa: ANN401 - the caller knows of which game it is
        """Return the position of a game, to look at or to study it."""
        return self._core.position(game)

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown()

    def _check_begun(self) -> None:
        if not self._is_begun:
            raise ValueError("no game has begun: call reset")

    def _step(self, actions: Array) -> None:
        streams, out = self._streams, self._out
        self._run(lambda begin, end: self._core.step(streams, begin, end, actions, out))

    def _run(self, work: Callable[[int, int], object]) -> None:
        """Let each thread work on its part of the games; kernels release the GIL."""
        if len(self._parts) == 1:
            work(0, self.games)
        else:
            for done in [self._pool.submit(work, *part) for part in self._parts]:
                done.result()


class _Core(ABC):
    """The records of the games of a batch, and the kernel that steps them."""

    @abstractmethod
    def begin(self, chance: Chance) -> None:
        """Draw the first positions."""

    @abstractmethod
    def step(self, streams: Array, begin: int, end: int, actions: Array, out: tuple[Array, ...]) -> None:
        """Perform an integer in some games, or BEGIN or NONE. out: the batch's arrays, observations first."""

    @abstractmethod
    def position(self, game: int) -> Position:
        """Return the position of a game."""

    def chosen(self, game: int) -> int:  # noqa: ARG002
        """Return the chosen move of a game."""
        return NONE


class _EkoCore(_Core):
    def __init__(self, spaces: EkoSpaces, games: int, starts: int) -> None:
        self._spaces, self._starts = spaces, starts
        self._states = np.zeros(games, STATE)
        self._start = np.zeros(games, np.int32)
        self._chosen = np.full(games, NONE, np.int64)

    def begin(self, chance: Chance) -> None:
        firsts = [self._spaces.new(chance.bits()) for _ in range(self._starts)]
        self._layouts = [first.layout for first in firsts]
        self._boards = np.concatenate([layout.record for layout in self._layouts])
        self._planes = np.stack([static_planes(layout) for layout in self._layouts])
        self._roots = np.concatenate([first.states for first in firsts])

    def step(self, streams: Array, begin: int, end: int, actions: Array, out: tuple[Array, ...]) -> None:
        kernels_eko.step_games(
            self._boards,
            self._planes,
            self._roots,
            self._start,
            self._states,
            self._layouts[0].work,
            streams,
            self._chosen,
            self._spaces.zones,
            self._spaces.turn_limit,
            begin,
            end,
            actions,
            *out,
        )

    def position(self, game: int) -> EkoPosition:
        return EkoPosition(self._layouts[self._start[game]], self._states[game : game + 1].copy())

    def chosen(self, game: int) -> int:
        return int(self._chosen[game])


class _EkkoCore(_Core):
    def __init__(self, spaces: Spaces, games: int) -> None:
        self._roots = spaces.new(0).states
        self._states = np.zeros(games, EKKO_STATE)

    def begin(self, chance: Chance) -> None:
        """Draw nothing: each game draws its dealer."""

    def step(self, streams: Array, begin: int, end: int, actions: Array, out: tuple[Array, ...]) -> None:
        *seen, _truncated = out  # there is no turn limit
        kernels_ekko.step_games(self._roots, self._states, streams, begin, end, actions, *seen)

    def position(self, game: int) -> EkkoPosition:
        return EkkoPosition(self._states[game : game + 1].copy())
