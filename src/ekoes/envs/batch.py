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
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ekoes.envs import kernels_ekko, kernels_eko
from ekoes.envs.kernels import BEGIN, LOOK, NONE, WORD, draw_legal
from ekoes.envs.match import spaces_of
from ekoes.envs.spaces import Observation, Spaces
from ekoes.envs.spaces_eko import EkoSpaces, static_planes
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Position
from ekoes.games.ekko.position.position import EkkoPosition
from ekoes.games.ekko.rules.record import STATE as EKKO_STATE
from ekoes.games.eko.position.layout import THREAD, Layout
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
    last_observations: what was seen at the end of each game that the latest step ended, before the next one
    began. viewers: int8[games], to be written: the seat that sees it; -1: the seat to move, or that decided
    last.
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
        self.observations, self.last_observations = self.spaces.arrays(games), self.spaces.arrays(games)
        self.viewers = np.full(games, NONE, np.int8)
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
        seen = (*self.observations.values(), *self.last_observations.values(), self.viewers)
        found = (self.rewards, self.terminated, self.truncated)
        self._out: tuple[Array, ...] = (*seen, self._masks, self.seats, *found)
        self._parts = [(part * games // threads, (part + 1) * games // threads) for part in range(threads)]
        self._pool = ThreadPoolExecutor(threads)
        self._chance = Chance(secrets.randbits(63))
        self._is_begun = False

    def reset(self, seed: int | None = None) -> Observation:
        """Begin all games, and return the observations. Equal seeds give equal games.

        seed: None: the chance of the earlier games goes on; at first a random one.
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

        actions: whole numbers [games]; -1: the game waits, and stays as it is; -2: it begins anew. Raises
        ValueError naming game and decision if one is not legal: then nothing is performed.
        """
        self._check_begun()
        wanted = np.asarray(actions)
        if wanted.shape != (self.games,) or wanted.dtype.kind not in "iu":
            raise ValueError(f"actions: {self.games} whole numbers are needed, one for each game")
        wanted = np.ascontiguousarray(wanted, np.int64)
        self.check(wanted, self.is_legal(wanted) | (wanted == NONE) | (wanted == BEGIN))
        self._step(wanted)
        return self.observations, self.rewards, self.terminated, self.truncated

    def is_legal(self, actions: Array) -> Array:
        """Return whether each game's integer is legal, bool[games]. actions: int64[games]."""
        inside = actions.view(np.uint64) < self.mask.shape[1]
        legal: Array = self.mask[self._rows, np.where(inside, actions, 0)].view(np.bool_) & inside
        return legal

    def check(self, actions: Array, legal: Array) -> None:
        """Raise ValueError naming the first game whose integer is not legal, and the decision."""
        if not legal.all():
            game = int(np.argmin(legal))
            integer, chosen = int(actions[game]), int(self._core.chosen[game])
            raise ValueError(f"game {game}: {self.spaces.refusal(self.position(game), integer, chosen)}")

    def draw(self) -> Array:
        """Return a random legal integer of each game, int64[games], evenly drawn."""
        self._check_begun()
        out, words = np.empty(self.games, np.int64), self._masks.view(np.uint64)
        self._run(lambda begin, end: draw_legal(words, self._draws, begin, end, out))
        return out

    def position(self, game: int) -> Any:  # noqa: ANN401 - the caller knows of which game it is
        """Return the position of a game, to look at or to study it."""
        return self._core.position(game)

    def save(self) -> SavedGames:
        """Return all games as they are now, to load them again."""
        self._check_begun()
        return self._core.save(self._streams)

    def load(self, found: SavedGames | Sequence[Any], games: Array | None = None) -> Observation:
        """Go on from other positions, and return the observations. No game ends by this.

        found: saved games, of which what comes by chance will be the same again, or positions of the game,
        one for each game. games: whole numbers, the games that are replaced; by default all. Raises
        ValueError if a position is over or of other options; then nothing is loaded.
        """
        self._check_begun()
        rows = self._rows if games is None else self._rows[games]
        if len(found) != len(rows):
            raise ValueError(f"{len(found)} positions were given for {len(rows)} games")
        if not len(rows):
            return self.observations
        if isinstance(found, SavedGames):
            self.spaces.check_equal(found.spaces)
            self._streams[rows] = found.streams
        else:
            for position in found:
                self.spaces.check(position)
            found = self._core.saved(found)
        self._core.load(found, rows)
        actions = np.full(self.games, NONE, np.int64)
        actions[rows] = LOOK
        self._step(actions)
        return self.observations

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


@dataclass(frozen=True)
class SavedGames:
    """Games of a batch at one moment. ``saved[rows]`` are some of them, a game also several times.

    ``len(saved)`` is their number. It can be pickled, and loaded into any batch of the same options.
    """

    spaces: Spaces
    states: Array
    streams: Array
    chosen: Array
    starts: Array
    layouts: tuple[Layout, ...]

    def __len__(self) -> int:
        return len(self.states)

    def __getitem__(self, rows: Array | slice) -> SavedGames:
        found = (self.states[rows], self.streams[rows], self.chosen[rows], self.starts[rows])
        return SavedGames(self.spaces, *found, self.layouts)


class _Core(ABC):
    """The records of the games of a batch, and the kernel that steps them.

    By game: states, chosen moves, and starts, indices into the boards.
    """

    def __init__(self, spaces: Spaces, games: int, state: np.dtype[Any]) -> None:
        self.spaces = spaces
        self._states = np.zeros(games, state)
        self._start = np.zeros(games, np.int32)
        self._layouts: list[Layout] = []
        self.chosen = np.full(games, NONE, np.int64)

    @abstractmethod
    def begin(self, chance: Chance) -> None:
        """Draw the first positions."""

    @abstractmethod
    def step(self, streams: Array, begin: int, end: int, actions: Array, out: tuple[Array, ...]) -> None:
        """Perform an integer in some games, or BEGIN, LOOK or NONE. out: the batch's arrays, in order."""

    @abstractmethod
    def position(self, game: int) -> Position:
        """Return the position of a game."""

    def saved(self, positions: Sequence[Any]) -> SavedGames:
        """Return positions as games of a batch."""
        count = len(positions)
        states = np.concatenate([position.states for position in positions])
        chosen, starts = np.full(count, NONE, np.int64), np.zeros(count, np.int32)
        return SavedGames(self.spaces, states, np.ones(count, np.uint64), chosen, starts, ())

    def save(self, streams: Array) -> SavedGames:
        """Return a copy of the games."""
        arrays = (self._states.copy(), streams.copy(), self.chosen.copy(), self._start.copy())
        return SavedGames(self.spaces, *arrays, tuple(self._layouts))

    def load(self, found: SavedGames, rows: Array) -> None:
        """Replace some games."""
        self._states[rows], self.chosen[rows], self._start[rows] = found.states, found.chosen, found.starts


class _EkoCore(_Core):
    def __init__(self, spaces: EkoSpaces, games: int, starts: int) -> None:
        super().__init__(spaces, games, STATE)
        self._spaces, self._starts = spaces, starts

    def begin(self, chance: Chance) -> None:
        firsts = [self._spaces.new(chance.bits()) for _ in range(self._starts)]
        self._layouts = [first.layout for first in firsts]
        self._gather_boards()
        self._roots = np.concatenate([first.states for first in firsts])

    def step(self, streams: Array, begin: int, end: int, actions: Array, out: tuple[Array, ...]) -> None:
        kernels_eko.step_games(
            self._boards,
            self._planes,
            self._roots,
            self._start,
            self._states,
            THREAD.work,
            streams,
            self.chosen,
            self._spaces.zones,
            self._spaces.turn_limit,
            begin,
            end,
            actions,
            *out,
        )

    def position(self, game: int) -> EkoPosition:
        return EkoPosition(self._layouts[self._start[game]], self._states[game : game + 1].copy())

    def saved(self, positions: Sequence[EkoPosition]) -> SavedGames:
        layouts = tuple(dict.fromkeys(position.layout for position in positions))
        starts = [layouts.index(position.layout) for position in positions]
        return replace(super().saved(positions), starts=np.array(starts, np.int32), layouts=layouts)

    def load(self, found: SavedGames, rows: Array) -> None:
        """Replace some games. Boards that are new here are kept, but no game begins on them."""
        used = np.unique(found.starts)
        self._layouts += dict.fromkeys(
            layout for layout in (found.layouts[board] for board in used) if layout not in self._layouts
        )
        self._gather_boards()
        places = np.zeros(len(found.layouts), np.int32)
        places[used] = [self._layouts.index(found.layouts[board]) for board in used]
        super().load(replace(found, starts=places[found.starts]), rows)

    def _gather_boards(self) -> None:
        self._boards = np.concatenate([layout.record for layout in self._layouts])
        self._planes = np.stack([static_planes(layout) for layout in self._layouts])


class _EkkoCore(_Core):
    def __init__(self, spaces: Spaces, games: int) -> None:
        super().__init__(spaces, games, EKKO_STATE)
        self._roots = spaces.new(0).states

    def begin(self, chance: Chance) -> None:
        """Draw nothing: each game draws its dealer."""

    def step(self, streams: Array, begin: int, end: int, actions: Array, out: tuple[Array, ...]) -> None:
        *seen, _truncated = out  # there is no turn limit
        kernels_ekko.step_games(self._roots, self._states, streams, begin, end, actions, *seen)

    def position(self, game: int) -> EkkoPosition:
        return EkkoPosition(self._states[game : game + 1].copy())
