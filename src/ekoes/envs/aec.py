"""PettingZoo: every seat is an agent, in the order in which the rules ask them (AEC).

    env = aec.env("eko", players=3)

The parallel interface does not fit: one seat decides at a time. That holds for EKKO's race for the mirror too
(K6.1): one player at most holds the mirror of the top card, and is asked before the player in turn.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from ekoes.envs.match import MODES, RENDERING, SEEDS, Match, Picture, check_choice, spaces_of


def env(game: str, *, render_mode: str | None = None, **options: object) -> AECEnv:
    """Return an environment that checks the order of calls. Parameters: as of ``raw_env``."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(raw_env(game, render_mode=render_mode, **options)))


class raw_env(AECEnv):  # type: ignore[misc] # noqa: N801 - PettingZoo names it so
    """A game of several agents, ``player_0`` … by seat.

    game: ``eko`` or ``ekko``. render_mode: ``ansi`` or ``rgb_array``. options: of the game (docs/games), and
    ``turn_limit`` in Ekö.

    An observation is ``{"observation": …, "action_mask": int8[n]}``: what the seat sees, and the legal
    integers, only 0 if the seat is not to move. Rewards are given at the end of a game and add up to 0
    (docs/reference/environments.md). ``step`` raises ValueError naming the decision, if it is not legal.
    """

    metadata = {**RENDERING, "name": "ekoes", "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, game: str, *, render_mode: str | None = None, **options: object) -> None:
        super().__init__()
        self.spaces = spaces_of(game, options)
        self.metadata = self.metadata | {"name": game}
        self.possible_agents = [f"player_{seat}" for seat in range(self.spaces.players)]
        check_choice("render_mode", render_mode, MODES)
        self.render_mode = render_mode
        count = int(self.spaces.actions.n)
        self.observation_spaces = {
            agent: Dict(
                {
                    "observation": Dict(self.spaces.observation.spaces),
                    "action_mask": Box(0, 1, (count,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(count) for agent in self.possible_agents}
        self._random, _ = seeding.np_random()

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """Return the space of what an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """Return the space of an agent's integers."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin a game: ``game.new(options, seed)``. seed: None: drawn after the earlier ones."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        game = int(self._random.integers(SEEDS)) if seed is None else seed
        self.match = Match(self.spaces, game)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent sees, and its legal integers."""
        seat = self.possible_agents.index(agent)
        return {"observation": self.match.observe(seat), "action_mask": self.match.mask(seat)}

    def step(self, action: int | None) -> None:
        """Let the selected agent decide. Raises ValueError naming the decision, if it is not legal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} has to decide: None is for agents that are done")
        self.match.play(int(action))
        self._cumulative_rewards[agent] = 0.0
        rewards = self.match.rewards().tolist()
        self.rewards = dict(zip(self.possible_agents, rewards, strict=True))
        self.terminations = dict.fromkeys(self.agents, self.match.is_over)
        self.truncations = dict.fromkeys(self.agents, self.match.is_cut_off)
        self._select()
        self._accumulate_rewards()

    def render(self) -> str | Picture | None:
        """Return the position as text with all cards, or as a spectator's picture, uint8[630, 1200, 3]."""
        return self.match.render(self.render_mode)

    def _select(self) -> None:
        seat = self.match.seat
        if seat is not None:
            self.agent_selection = self.possible_agents[seat]
