"""Gymnasium: one seat of a game; bots play the others.

``gymnasium.make("ekoes/Eko-v0", bot="skilled", players=3)``, after importing ``ekoes.envs``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, cast, get_args

import gymnasium
import numpy as np

from ekoes.bots import chooser, stand_in
from ekoes.envs.match import MODES, RENDERING, SEEDS, Match, check_choice, spaces_of
from ekoes.envs.spaces import Mask, Observation
from ekoes.games.api.chance import Chance
from ekoes.games.api.parts import Chooser

Opponent = str | Chooser
Opponents = Opponent | Sequence[Opponent]
BotsBySeat = dict[int, Chooser]
Illegal = Literal["random", "lose", "raise"]


class Others:
    """The bots at the other seats of a game, given as to ``BotEnv``. Raises NotationError, ValueError."""

    def __init__(self, game: str, players: int, bot: Opponents | Callable[[], Opponents] | None) -> None:
        self._game, self._players = game, players
        self._find: Callable[[], Opponents]
        if bot is not None and callable(bot) and not hasattr(bot, "choose"):
            self._find = bot
        else:
            found = cast("Opponents", stand_in(game) if bot is None else bot)
            self._find = lambda: found
            self.seated(0)

    def seated(self, seat: int) -> BotsBySeat:
        """Return the bots of a game in which the seat is the learner's. Raises for too few or too many."""
        found = self._find()
        others = [other for other in range(self._players) if other != seat]
        several = found if isinstance(found, list | tuple) else [found] * len(others)
        if len(several) != len(others):
            raise ValueError(f"bot: there are {len(others)} other seats, not {len(several)}")
        return {other: chooser(self._game, one) for other, one in zip(others, several, strict=True)}


def check_seat(seat: int | None, players: int) -> None:
    """Raise ValueError unless a seat is one of the game's, or None: drawn for each game."""
    if seat is not None and seat not in range(players):
        raise ValueError(f"seat: {seat} is not one of 0 … {players - 1}")


class BotEnv(gymnasium.Env[Observation, np.int64]):
    """A game against bots.

    game: ``eko`` or ``ekko``. bot: who plays the other seats: a name of ``ekoes.bots.bots(game)``, an object
    with ``choose(sight, seat, chance)``, a list of these, one for each other seat in their order, or a
    function that is called for each game and returns one of them; by default the bot that takes over a seat.
    seat: None: drawn for each game. options: of the game (docs/games), and ``turn_limit`` in Ekö.

    ``info["action_mask"]``, int8[n], has the legal integers. illegal: what another one does: ``random``
    decides by chance, ``lose`` ends the game with the reward of a loser, ``raise`` raises ValueError naming
    the decision. The reward is that of the seat, at the end of the game.
    """

    metadata = {**RENDERING}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        game: str,
        *,
        bot: Opponents | Callable[[], Opponents] | None = None,
        seat: int | None = None,
        illegal: Illegal = "random",
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        self.spaces = spaces_of(game, options)
        check_seat(seat, self.spaces.players)
        check_choice("illegal", illegal, get_args(Illegal))
        check_choice("render_mode", render_mode, MODES)
        self.observation_space = cast("gymnasium.Space[Observation]", self.spaces.observation)
        self.action_space = self.spaces.actions
        self.render_mode = render_mode
        self._illegal, self._wanted = illegal, seat
        self._others = Others(game, self.spaces.players, bot)

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
        self._bots = self._others.seated(self.seat)
        self._lost = False
        self._begin(game)
        while self._is_over():
            self._begin(int(self.np_random.integers(SEEDS)))
        return self._seen()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Decide, and let the bots play until the seat is to move again."""
        if self._is_over():
            raise ValueError("the game is over: call reset")
        integer, mask = int(action), self.action_masks()
        if self._illegal == "raise" or self.match.is_legal(integer):
            self.match.play(integer)
        elif self._illegal == "random":
            self.match.play(int(self.np_random.choice(np.flatnonzero(mask))))
        else:
            self._lost = True
            seen, info = self._seen()
            return seen, -1 / (self.spaces.players - 1), True, False, info
        self._let_bots_play()
        seen, info = self._seen()
        reward = float(self.match.rewards()[self.seat])
        return seen, reward, self.match.is_over, self.match.is_cut_off, info

    def render(self) -> Any:  # noqa: ANN401 - as Gymnasium has it
        """Return the position as text with all cards, or as a spectator's picture, uint8[630, 1200, 3]."""
        return self.match.render(self.render_mode)

    def action_masks(self) -> Mask:
        """Return the legal integers, int8[n], under the name that sb3-contrib calls."""
        return self.match.mask(self.seat)

    def _begin(self, game: int) -> None:
        """Begin a game, up to the seat's first decision or the end. game: its seed."""
        self.match = Match(self.spaces, game)
        self._let_bots_play()

    def _is_over(self) -> bool:
        return self._lost or self.match.is_over or self.match.is_cut_off

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        return self.match.observe(self.seat), {"action_mask": self.action_masks()}

    def _let_bots_play(self) -> None:
        match = self.match
        while match.seat not in (None, self.seat) and not match.is_cut_off:
            sight = match.position.sight(match.seat)
            match.act(self._bots[match.seat].choose(sight, match.seat, self._chance))
