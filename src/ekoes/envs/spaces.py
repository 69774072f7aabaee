"""Decisions as integers and positions as arrays: what the environments of both games share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from gymnasium.spaces import Dict, Discrete

from ekoes.envs.kernels import NONE, reward_winners
from ekoes.games.api.contract import Game, Json
from ekoes.games.api.registry import load

Observation = dict[str, np.ndarray[Any, Any]]
"""The observation of a seat: arrays by name. Seats count clockwise from the one that sees, which is 0."""
Mask = np.ndarray[Any, np.dtype[np.int8]]


class Spaces(ABC):
    """The integers and arrays of a game with certain options, the same for all its positions.

    game, options: as of ``Game.new``. players: their number. actions: ``Discrete(n)``. observation: ``Dict``.
    turn_limit: turns after which a game is cut off; None: none.
    """

    game: Game
    options: Json
    players: int
    actions: Discrete[np.int64]
    observation: Dict
    turn_limit: int | None = None

    def __deepcopy__(self, memo: object) -> Spaces:
        """Nothing of it changes, and OpenSpiel copies its states by the thousand."""
        return self

    def new(self, seed: int) -> Any:  # noqa: ANN401
        """Return the first position of a game; equal seeds give equal positions."""
        return self.game.new(self.options, seed)

    def arrays(self, *games: int) -> Observation:
        """Return the arrays of an observation, all 0. games: the length of a first axis, if any."""
        return {
            name: np.zeros((*games, *(space.shape or ())), space.dtype)
            for name, space in self.observation.spaces.items()
        }

    def is_cut_off(self, position: Any) -> bool:  # noqa: ANN401
        """Return whether a game goes on beyond the turn limit (E11.5)."""
        return (
            self.turn_limit is not None and bool(position.actors()) and position.turn_number > self.turn_limit
        )

    @abstractmethod
    def observe(self, position: Any, seat: int, chosen: int = NONE) -> Observation:  # noqa: ANN401
        """Return what a seat sees. chosen: a chosen move, if what it loses is to be decided."""

    @abstractmethod
    def number(self, position: Any, chosen: int = NONE) -> np.ndarray[Any, Any]:  # noqa: ANN401
        """Return the integer of each of ``position.codes``, int64[…].

        chosen: a chosen move; those of its decisions are then what they lose, of others NONE.
        """

    @abstractmethod
    def named(self, position: Any, integer: int) -> Any:  # noqa: ANN401
        """Return the action of an integer, legal or not; None if it can mean nothing here."""

    @abstractmethod
    def code(self, position: Any, action: Any) -> int:  # noqa: ANN401
        """Return the code of an action (``position.codes``)."""

    def mask(self, position: Any, chosen: int = NONE) -> Mask:  # noqa: ANN401
        """Return int8[n] with 1 for each legal integer, of the seat to move."""
        mask = np.zeros(int(self.actions.n), np.int8)
        numbers = self.number(position, chosen)
        mask[numbers[numbers != NONE]] = 1
        return mask

    def play(self, position: Any, integer: int, chosen: int = NONE) -> tuple[Any, int]:  # noqa: ANN401
        """Return the position after an integer, and the chosen move, if what it loses is to be decided.

        Raises: ValueError naming the decision, if it is not legal.
        """
        codes = np.asarray(position.codes)[self.number(position, chosen) == integer]
        if len(codes) == 1:
            return position.play_code(int(codes[0])), NONE
        if len(codes) == 0:
            raise ValueError(self.refusal(position, integer, chosen))
        return position, integer

    def integers(self, position: Any, action: Any) -> tuple[int, ...]:  # noqa: ANN401
        """Return the integers of a legal action: one, or two if a move can lose discs in several ways.

        Raises: ValueError, if it is not legal.
        """
        place = np.flatnonzero(np.asarray(position.codes) == self.code(position, action))
        if len(place) == 0:
            raise ValueError(f"{self._text(position, action)} is not legal here")
        numbers = self.number(position)
        first = int(numbers[place[0]])
        if np.count_nonzero(numbers == first) == 1:
            return (first,)
        return first, int(self.number(position, first)[place[0]])

    def action(self, position: Any, integers: Sequence[int]) -> Any:  # noqa: ANN401
        """Return the action of its integers, the inverse of ``integers``. Raises ValueError."""
        matching = np.full(len(position.codes), fill_value=True)
        chosen = NONE
        for integer in integers:
            matching &= self.number(position, chosen) == integer
            chosen = integer
        if np.count_nonzero(matching) != 1:
            raise ValueError(f"{tuple(integers)} is not one legal decision here")
        return position.legal(position.actors()[0])[int(np.flatnonzero(matching)[0])]

    def refusal(self, position: Any, integer: int, chosen: int = NONE) -> str:  # noqa: ANN401
        """Return why an integer is not legal, in one line."""
        if not 0 <= integer < self.actions.n:
            return f"{integer} is not one of the integers 0 … {self.actions.n - 1}"
        if not position.actors():
            return f"{integer} is not legal: the game is over"
        if chosen != NONE:
            move = self.text(position, chosen)
            return f"{integer} is not legal: what the move {chosen} ({move}) loses is to be decided"
        action = self.named(position, integer)
        if action is None:
            return f"{integer} means no decision here"
        text = f"{integer} ({self._text(position, action)}) is not legal"
        reason = position.why_not(position.actors()[0], action)
        return text if reason is None else f"{text}: {reason}"

    def shown(self, position: Any) -> Json:  # noqa: ANN401
        """Return what a picture shows of a position."""
        shown: Json = position.view(None)
        return shown

    def text(self, position: Any, integer: int) -> str:  # noqa: ANN401
        """Return an integer in the notation of the game, what a move loses as ``loses:`` with the integer."""
        action = self.named(position, integer)
        return f"loses:{integer}" if action is None else self._text(position, action)

    def _text(self, position: Any, action: Any) -> str:  # noqa: ANN401
        return cast("str", load(self.game.parts.notation).format_action(action, position))


def rewards_of(spaces: Spaces, winners: Sequence[int]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return each seat's reward at the end of a game, float64[players]; no winners: nobody won."""
    rewards = np.zeros(spaces.players, np.float64)
    reward_winners(sum(1 << seat for seat in winners), spaces.players, rewards)
    return rewards
