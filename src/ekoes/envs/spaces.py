"""Decisions as integers and positions as arrays: what the environments of both games share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Generic, Protocol, Self, cast

import numpy as np
from gymnasium.spaces import Dict, Discrete
from typing_extensions import TypeVar

from ekoes.envs.kernels import NONE, reward_winners
from ekoes.games.api.contract import Game, Json, Position
from ekoes.games.api.registry import load

Observation = dict[str, np.ndarray[Any, Any]]
"""The observation of a seat: arrays by name. Seats count clockwise from the one that sees, which is 0."""
Mask = np.ndarray[Any, np.dtype[np.int8]]

A = TypeVar("A", default=Any)


class Coded(Position[A], Protocol[A]):
    """A position whose legal decisions are numbered by codes."""

    @property
    def codes(self) -> Sequence[int] | np.ndarray[Any, Any]:
        """The codes of the legal decisions, in the order of ``legal``."""

    def play_code(self, code: int) -> Self:
        """Return the position after one of ``codes``."""


P = TypeVar("P", bound=Coded[Any], default=Any)


class Spaces(ABC, Generic[P, A]):
    """The integers and arrays of a game with certain options, the same for all its positions.

    game, options: as of ``Game.new``. players: their number. actions: ``Discrete(n)``. observation: ``Dict``.
    """

    game: Game[P, A]
    options: Json
    players: int
    actions: Discrete[np.int64]
    observation: Dict

    def __deepcopy__(self, memo: object) -> Self:
        """Return itself: it is immutable, and OpenSpiel copies its states by the thousand."""
        return self

    def new(self, seed: int) -> P:
        """Return the first position of a game; equal seeds give equal positions."""
        return self.game.new(self.options, seed)

    def arrays(self, *games: int) -> Observation:
        """Return the arrays of an observation, all 0. games: the length of a first axis, if any."""
        return {
            name: np.zeros((*games, *(space.shape or ())), space.dtype)
            for name, space in self.observation.spaces.items()
        }

    def is_cut_off(self, position: P) -> bool:  # noqa: ARG002
        """Return whether a game goes on beyond a turn limit."""
        return False

    def check(self, position: P) -> None:
        """Raise ValueError if a game is over, or the arrays and integers of its position are others."""
        if getattr(position, "game", None) is not self.game:
            raise ValueError(f"a position of {self.game.name} is needed")
        if not position.actors():
            raise ValueError("the game is over")
        if not self._fits(position):
            raise ValueError(f"the position has other options than {self.options}")

    def check_equal(self, other: Spaces) -> None:
        """Raise ValueError if arrays and integers are those of another game or of other options."""
        if (self.game.name, self.options) != (other.game.name, other.options):
            raise ValueError(f"{other.game.name} with the options {other.options} was saved")

    @abstractmethod
    def _fits(self, position: P) -> bool:
        """Return whether a position has the shape of these spaces."""

    @abstractmethod
    def observe(self, position: P, seat: int, chosen: int = NONE) -> Observation:
        """Return what a seat sees. chosen: a chosen move, if what it loses is to be decided."""

    @abstractmethod
    def number(self, position: P, chosen: int = NONE) -> np.ndarray[Any, Any]:
        """Return the integer of each of ``position.codes``, int64[…].

        chosen: a chosen move; those of its decisions are then what they lose, of others NONE.
        """

    @abstractmethod
    def named(self, position: P, integer: int) -> A | None:
        """Return the action of an integer, legal or not; None if it can mean nothing here."""

    @abstractmethod
    def code(self, position: P, action: A) -> int:
        """Return the code of an action (``position.codes``)."""

    def mask(self, position: P, chosen: int = NONE) -> Mask:
        """Return int8[n] with 1 for each legal integer, of the seat to move."""
        mask = np.zeros(int(self.actions.n), np.int8)
        numbers = self.number(position, chosen)
        mask[numbers[numbers != NONE]] = 1
        return mask

    def play(self, position: P, integer: int, chosen: int = NONE) -> tuple[P, int]:
        """Return the position after an integer, and the chosen move, if what it loses is to be decided.

        Raises: ValueError naming the decision, if it is not legal.
        """
        codes = np.asarray(position.codes)[self.number(position, chosen) == integer]
        if len(codes) == 1:
            return position.play_code(int(codes[0])), NONE
        if len(codes) == 0:
            raise ValueError(self.refusal(position, integer, chosen))
        return position, integer

    def integers(self, position: P, action: A) -> tuple[int, ...]:
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

    def action(self, position: P, integers: Sequence[int]) -> A:
        """Return the action of its integers, the inverse of ``integers``. Raises ValueError."""
        matching = np.full(len(position.codes), fill_value=True)
        chosen = NONE
        for integer in integers:
            matching &= self.number(position, chosen) == integer
            chosen = integer
        if np.count_nonzero(matching) != 1:
            raise ValueError(f"{tuple(integers)} is not one legal decision here")
        action: A = position.legal(position.actors()[0])[int(np.flatnonzero(matching)[0])]
        return action

    def refusal(self, position: P, integer: int, chosen: int = NONE) -> str:
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

    def shown(self, position: P) -> Json:
        """Return what a picture shows of a position."""
        return position.view(None)

    def text(self, position: P, integer: int) -> str:
        """Return an integer in the notation of the game, what a move loses as ``loses:`` with the integer."""
        action = self.named(position, integer)
        return f"loses:{integer}" if action is None else self._text(position, action)

    def _text(self, position: P, action: A) -> str:
        return cast("str", load(self.game.parts.notation).format_action(action, position))


def rewards_of(spaces: Spaces[Any, Any], winners: Sequence[int]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return each seat's reward at the end of a game, float64[players]; no winners: nobody won."""
    rewards = np.zeros(spaces.players, np.float64)
    reward_winners(sum(1 << seat for seat in winners), spaces.players, rewards)
    return rewards
