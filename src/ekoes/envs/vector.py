"""Gymnasium's vectors: many games of one seat each, in the arrays of a batch.

``gymnasium.make_vec("ekoes/Ekko-v0", 1024, bot="random")``, after importing ``ekoes.envs``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, cast, get_args

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ekoes.envs.batch import Array, BatchEnv
from ekoes.envs.kernels import BEGIN, NONE
from ekoes.envs.match import SEEDS, check_choice
from ekoes.envs.single import BotsBySeat, Illegal, Opponents, Others, check_seat
from ekoes.envs.spaces import Observation
from ekoes.games.api.chance import Chance

Policy = Callable[[Observation, Array], Array]


class BatchVectorEnv(VectorEnv[Observation, Array, Array]):
    """Many games side by side, of which the learner has one seat each. One that ends begins anew at once.

    game, bot, seat, illegal, options: as of ``BotEnv``. num_envs: the number of games. policy: plays the
    other seats instead of a bot: a function that takes observations and masks of the games in which one of
    them is to move, and returns their integers. threads, starts: as of ``BatchEnv``. A policy and the bot
    ``random`` play all games in one call, other bots one after the other.

    ``infos["action_mask"]`` is int8[games, n]. ``infos["final_obs"]`` has what the seat saw at the end of
    each game that ended. Observations and masks are the environment's own memory: whoever keeps one copies
    it.
    """

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": AutoresetMode.SAME_STEP}  # type: ignore[misc]

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        bot: Opponents | Callable[[], Opponents] | None = None,
        policy: Policy | None = None,
        seat: int | None = None,
        illegal: Illegal = "random",
        threads: int = 1,
        starts: int = 32,
        **options: object,
    ) -> None:
        self.batch = BatchEnv(game, num_envs, threads=threads, starts=starts, **options)
        spaces = self.batch.spaces
        check_seat(seat, spaces.players)
        check_choice("illegal", illegal, get_args(Illegal))
        if bot is not None and policy is not None:
            raise ValueError("policy: the other seats are played by a bot or by a policy, not by both")
        self.num_envs = num_envs
        self.single_observation_space = cast("gymnasium.Space[Observation]", spaces.observation)
        self.single_action_space = spaces.actions
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._illegal, self._wanted = illegal, seat
        self._policy, self._is_random = policy, bot == "random"
        self._others = Others(game, spaces.players, bot)
        self._seats = self.batch.viewers
        self._all = np.ones(num_envs, np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin all games. Equal seeds and integers give equal games. seed: None: drawn after the earlier."""
        super().reset(seed=seed, options=options)
        self.batch.reset(int(self.np_random.integers(SEEDS)))
        self._chance = Chance(int(self.np_random.integers(SEEDS)))
        self._bots: list[BotsBySeat] = [{} for _ in range(self.num_envs)]
        self._losses: dict[int, int] = {}
        self._clear()
        self._seat(self._all)
        self._let_others_play()
        self._clear()
        return self.batch.observations, self._infos()

    def step(self, actions: Array) -> tuple[Observation, Array, Array, Array, dict[str, Any]]:
        """Decide in each game, and let the others play until the seat is to move again.

        actions: whole numbers [games]. Raises ValueError naming game and decision if one is not legal and
        ``illegal`` is ``raise``; then nothing is performed.
        """
        wanted = np.array(actions, np.int64)
        self._clear()
        legal = self.batch.is_legal(wanted)
        if self._illegal == "raise":
            self.batch.check(wanted, legal)
        elif self._illegal == "lose":
            self._end(~legal, self.batch.observations, -1 / (self.batch.spaces.players - 1))
            wanted[~legal] = BEGIN
            self._terminated[~legal] = True
        else:
            wanted[~legal] = self.batch.draw()[~legal]
        self._step(wanted)
        if self._illegal == "lose":
            self._seat(~legal)
        self._let_others_play()
        found = (self._rewards, self._terminated, self._truncated)
        return self.batch.observations, *found, self._infos()

    def close_extras(self, **kwargs: Any) -> None:  # noqa: ANN401, ARG002 - as Gymnasium has it
        """End the threads."""
        self.batch.close()

    def _clear(self) -> None:
        """Forget the ends of games. What a step returned stays with who has it."""
        self._rewards = np.zeros(self.num_envs, np.float64)
        self._terminated, self._truncated = ~self._all, ~self._all
        self._finals: dict[int, Observation] = {}

    def _let_others_play(self) -> None:
        while len(rows := np.flatnonzero(self.batch.seats != self._seats)):
            wanted = np.full(self.num_envs, NONE, np.int64)
            wanted[rows] = self._choose(rows)
            self._step(wanted)

    def _step(self, wanted: Array) -> None:
        """Perform an integer in each game. A second end does not count: the seat had no turn before it."""
        batch = self.batch
        batch.step(wanted)
        ended = batch.terminated | batch.truncated
        first = ended & ~self._terminated & ~self._truncated
        self._end(first, batch.last_observations, batch.rewards[np.arange(self.num_envs), self._seats])
        self._terminated |= first & batch.terminated
        self._truncated |= first & batch.truncated
        self._seat(ended)

    def _end(self, games: Array, seen: Observation, rewards: Array | float) -> None:
        self._rewards[games] = np.broadcast_to(rewards, self.num_envs)[games]
        for game in np.flatnonzero(games):
            self._finals[int(game)] = {name: array[game].copy() for name, array in seen.items()}

    def _seat(self, games: Array) -> None:
        """Draw the learner's seats, and the bots of the others, for games that begin."""
        rows = np.flatnonzero(games)
        drawn = self.np_random.integers(self.batch.spaces.players, size=len(rows))
        self._seats[rows] = drawn if self._wanted is None else self._wanted
        if self._policy is None and not self._is_random:
            for row in rows:
                self._bots[row] = self._others.seated(int(self._seats[row]))

    def _choose(self, rows: Array) -> Array:
        """Return the integers of the others in some games."""
        if self._is_random:
            return self.batch.draw()[rows]
        if self._policy is None:
            return np.array([self._choice(int(row)) for row in rows], np.int64)
        seen = {name: array[rows] for name, array in self.batch.observations.items()}
        return self._policy(seen, self.batch.mask[rows])

    def _choice(self, row: int) -> int:
        """Return the integer of a bot. The second one of a move is kept for the next step."""
        if row in self._losses:
            return self._losses.pop(row)
        position, seat = self.batch.position(row), int(self.batch.seats[row])
        action = self._bots[row][seat].choose(position.sight(seat), seat, self._chance)
        integer, *losses = self.batch.spaces.integers(position, action)
        self._losses.update((row, loss) for loss in losses)
        return integer

    def _infos(self) -> dict[str, Any]:
        infos: dict[str, Any] = {"action_mask": self.batch.mask, "_action_mask": self._all}
        if self._finals:
            infos["final_obs"] = np.full(self.num_envs, None, object)
            infos["_final_obs"] = self._terminated | self._truncated
            for game, seen in self._finals.items():
                infos["final_obs"][game] = seen
        return infos
