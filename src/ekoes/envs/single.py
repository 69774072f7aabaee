"""Gymnasium: one seat of a game; bots play the others.

``gymnasium.make("ekoes/Eko-v0", bot="skilled", players=3)``, after importing ``ekoes.envs``.
"""

from __future__ import annotations

from typing import Any, cast

import gymnasium
import numpy as np

from ekoes.bots import bot as bot_of
from ekoes.bots import stand_in
from ekoes.envs.match import SEEDS, Match, spaces_of
from ekoes.envs.spaces import Mask, Observation
from ekoes.games.api.chance import Chance


class BotEnv(gymnasium.Env[Observation, np.int64]):
    """A game against bots of one kind.

    game: ``eko`` or ``ekko``. bot: of ``ekoes.bots.bots(game)``; by default the one that takes over a seat.
    seat: None: drawn for each game. options: of the game (docs/games), and ``turn_limit`` in Ekö.

    ``info["action_mask"]``, int8[n], has the legal integers; ``step`` raises ValueError naming the decision,
    if it is not legal. The reward is that of the seat, at the end of the game.
    """

    metadata = {"render_modes": []}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        game: str,
        *,
        bot: str | None = None,
        seat: int | None = None,
        **options: Any,  # noqa: ANN401
    ) -> None:
        self.spaces = spaces_of(game, options)
        if seat is not None and seat not in range(self.spaces.players):
            raise ValueError(f"seat: {seat} is not one of 0 … {self.spaces.players - 1}")
        self.observation_space = cast("gymnasium.Space[Observation]", self.spaces.observation)
        self.action_space = self.spaces.actions
        self.render_mode = None
        self._bot = bot_of(game, bot or stand_in(game))
        self._wanted = seat

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game: ``game.new(options, seed)``. seed: None: drawn after the earlier ones.

        If the others end it before the seat has decided anything, another one is drawn.
        """
        super().reset(seed=seed, options=options)
        game = int(self.np_random.integers(SEEDS)) if seed is None else seed
        drawn = int(self.np_random.integers(self.spaces.players))
        self.seat = drawn if self._wanted is None else self._wanted
        self._chance = Chance(int(self.np_random.integers(SEEDS)))
        self._begin(game)
        while self._is_over():
            self._begin(int(self.np_random.integers(SEEDS)))
        return self._seen()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Decide, and let the bots play until the seat is to move again."""
        if self._is_over():
            raise ValueError("the game is over: call reset")
        self.match.play(int(action))
        self._let_bots_play()
        seen, info = self._seen()
        reward = float(self.match.rewards()[self.seat])
        return seen, reward, self.match.is_over, self.match.is_cut_off, info

    def action_masks(self) -> Mask:
        """Return the legal integers, int8[n], under the name that sb3-contrib calls."""
        return self.match.mask(self.seat)

    def _begin(self, game: int) -> None:
        """Begin a game, up to the seat's first decision or the end. game: its seed."""
        self.match = Match(self.spaces, game)
        self._let_bots_play()

    def _is_over(self) -> bool:
        return self.match.is_over or self.match.is_cut_off

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        return self.match.observe(self.seat), {"action_mask": self.action_masks()}

    def _let_bots_play(self) -> None:
        match = self.match
        while match.seat not in (None, self.seat) and not match.is_cut_off:
            sight = match.position.sight(match.seat)
            match.act(self._bot.choose(sight, match.seat, self._chance))
