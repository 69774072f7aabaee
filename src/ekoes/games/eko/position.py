"""A position of Ekö as people and programs hold it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ekoes.errors import IllegalActionError
from ekoes.games.chance import Chance
from ekoes.games.contract import Game, Json, Outcome, Refusal
from ekoes.games.eko.action import Action
from ekoes.games.eko.board import Board
from ekoes.games.eko.codec import decode, encode
from ekoes.games.eko.outcome import judge
from ekoes.games.eko.position_json import LAST_TURN, position_to_json
from ekoes.games.eko.refusal import explain
from ekoes.games.eko.rules.entry_points import perform_decision
from ekoes.games.eko.rules.record import STATE, Phase
from ekoes.games.eko.state import EkoState
from ekoes.games.registry import game
from ekoes.games.written import Written, copied

if TYPE_CHECKING:
    from ekoes.games.eko.layout import Layout

__all__ = ["EkoPosition", "LegalActions"]

_WRITTEN = 512
"""Positions that are written as JSON at the same time, for the store and for those who look on."""


class LegalActions(Sequence[Action]):
    """The legal actions of a position, made one by one when they are looked at."""

    __slots__ = ("_codes", "_layout")

    def __init__(self, codes: np.ndarray[Any, Any], layout: Layout) -> None:
        """Keep the codes. codes: int64[…]."""
        self._codes = codes
        self._layout = layout

    def __len__(self) -> int:
        return len(self._codes)

    def __iter__(self) -> Iterator[Action]:
        layout = self._layout
        return (decode(code, layout) for code in self._codes.tolist())

    def __contains__(self, action: object) -> bool:
        code = encode(action, self._layout)  # type: ignore[arg-type]
        return code in self._codes.tolist()

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> LegalActions: ...
    def __getitem__(self, index: int | slice) -> Action | LegalActions:
        if isinstance(index, slice):
            return LegalActions(self._codes[index], self._layout)
        return decode(int(self._codes[index]), self._layout)

    def __repr__(self) -> str:
        return f"LegalActions({list(self)!r})"


class EkoPosition(EkoState):
    """A position of Ekö; it never changes, ``play`` returns another one."""

    __slots__ = ("_codes",)

    def __init__(self, board: Board, states: np.ndarray[Any, Any]) -> None:
        """Hold a state. states: STATE[1], not to be written any more."""
        super().__init__(board, states)
        self._codes: np.ndarray[Any, Any] | None = None

    @property
    def game(self) -> Game:
        """The game of Ekö."""
        return game("eko")

    def legal(self, seat: int | None = None) -> Sequence[Action]:
        """Return all legal actions of a seat (None: of whoever is asked), as a lazy sequence."""
        if seat is not None and (seat,) != self.actors():
            return ()
        return LegalActions(self.codes, self.board.layout)

    def seat_of(self, action: Action) -> int:  # noqa: ARG002 - one seat is asked, whatever it does
        """Return the seat that is asked, or that was the last to be (E12)."""
        return (*self.actors(), self.player)[0]

    def play(self, seat: int, action: Action) -> EkoPosition:
        """Return the position after an action. Raises IllegalActionError naming the rule."""
        code = encode(action, self.board.layout)
        if (seat,) != self.actors() or code not in self.codes.tolist():
            self._refuse(seat, action)
        after = self.play_code(code)
        if after.turn_number > LAST_TURN:
            raise IllegalActionError(f"turns are counted to {LAST_TURN}", rule="E12.9")
        return after

    def why_not(self, seat: int, action: Action) -> Refusal | None:
        """Explain by rule why an action is illegal for a seat; None if it is legal."""
        if (seat,) == self.actors() and action in LegalActions(self.codes, self.board.layout):
            return None
        return explain(self, seat, action, self.legal(seat))

    def chance_action(self, chance: Chance) -> Action:  # noqa: ARG002
        """Raise IllegalActionError: chance decides before the first position alone (E3)."""
        raise IllegalActionError("chance decides nothing after the set-up", rule="E3.1")

    def outcome(self) -> Outcome | None:
        """Return who won and by which rule, or None while the game goes on. Rule: E11."""
        return judge(self) if self.phase == Phase.OVER else None

    def sight(self, seat: int) -> EkoPosition:  # noqa: ARG002 - all information is open (E1.6)
        """Return what a program that decides for a seat may know: everything (E1.6)."""
        return self

    def view(self, eye: int | None) -> Json:  # noqa: ARG002 - all information is open (E1.6)
        """Return what a seat or spectator sees: everything (E1.6)."""
        return _shared_json(self)

    def to_json(self) -> Json:
        """Return the position in the interchange form, for whoever asks alone; equal ones give equal text."""
        own: Json = copied(position_to_json(self))
        return own

    def to_state(self) -> Json:
        """Return the position as tables keep it: the interchange form says it all."""
        return _shared_json(self)

    @property
    def codes(self) -> np.ndarray[Any, Any]:
        """The legal decisions as codes, int64[…] (rules/code.py)."""
        found = self._codes
        if found is None:
            found = self._codes = self.board.list_codes(self.states)
        return found

    def forget(self) -> None:
        """Keep the state alone, until somebody asks for more again."""
        super().forget()
        self._codes = None

    def play_code(self, code: int) -> EkoPosition:
        """Return the position after a decision that is known to be legal."""
        after = np.empty(1, STATE)
        perform_decision(self.board.record, self.states, after, self.board.work, code)
        return EkoPosition(self.board, after)

    def _refuse(self, seat: int, action: Action) -> None:
        refusal = self.why_not(seat, action)
        if refusal is not None:
            raise IllegalActionError(refusal.message, code=f"action/{refusal.code}", rule=refusal.rule)

    def __reduce__(self) -> tuple[Callable[..., EkoPosition], tuple[object, ...]]:
        """Pickle as board and state; what was found out about them is found out anew."""
        return _position, (self.board, self.states.tobytes())

    def __repr__(self) -> str:
        return (
            f"<EkoPosition: {self.players} players, turn {self.turn_number} of player"
            f" {self.player}, {self.phase.name.lower()}>"
        )


@lru_cache(_WRITTEN)
def _shared_json(position: EkoPosition) -> Json:
    """Write a position once for all who look at it; nobody changes what they get."""
    return Written(position_to_json(position))


def _position(board: Board, state: bytes) -> EkoPosition:
    """Return a position that was pickled."""
    return EkoPosition(board, np.frombuffer(state, STATE).copy())
