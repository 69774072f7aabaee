"""A position of EKKO as people and programs hold it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ekoes.errors import IllegalActionError
from ekoes.games.chance import Chance
from ekoes.games.contract import CHANCE, Game, Json, Outcome, Refusal
from ekoes.games.ekko.action import Action, Close, Deal, Mirror, Misplay, Play
from ekoes.games.ekko.codec import decode, encode
from ekoes.games.ekko.outcome import judge
from ekoes.games.ekko.position_json import LAST_ROUND, position_to_json, state_to_json, view_of
from ekoes.games.ekko.refusal import explain, refusal
from ekoes.games.ekko.rules.decisions import MOST_DECISIONS
from ekoes.games.ekko.rules.entry_points import deal_round, list_decisions, perform_decision
from ekoes.games.ekko.rules.record import CARDS, STATE, Phase
from ekoes.games.ekko.sight import Sight
from ekoes.games.ekko.state import EkkoState
from ekoes.games.registry import game

__all__ = ["EkkoPosition", "shuffled_cards"]


def shuffled_cards(chance: Chance) -> tuple[int, ...]:
    """Return the 98 cards in a random order. Rule: K6.0."""
    order = list(range(1, CARDS + 1))
    chance.shuffle(order)
    return tuple(order)


class EkkoPosition(EkkoState):
    """A position of EKKO; it never changes, ``play`` returns another one."""

    __slots__ = ("_actors", "_codes")

    def __init__(self, states: np.ndarray[Any, Any]) -> None:
        """Hold a state. states: STATE[1], not to be written any more."""
        super().__init__(states)
        self._actors: tuple[int, ...] | None = None
        self._codes: tuple[int, ...] | None = None

    @property
    def game(self) -> Game:
        """The game of EKKO."""
        return game("ekko")

    def actors(self) -> tuple[int, ...]:
        """Return who is asked: chance for a deal or a close, a mirror's holder, or the player in turn.

        At a live table whoever holds the mirror may play it without being asked (K7.1).
        """
        if self._actors is None:
            self._actors = self._asked()
        return self._actors

    def _asked(self) -> tuple[int, ...]:
        phase = self._number("phase")
        if phase == Phase.OVER:
            return ()
        if phase == Phase.DEAL or (phase == Phase.PLAY and self.leaving is not None):
            return (CHANCE,)
        return (self._number("asked" if phase == Phase.MIRROR else "player"),)

    def legal(self, seat: int | None = None) -> Sequence[Action]:
        """Return all legal actions of a seat (None: of whoever is asked). Rule: K6.1, K6.2.

        The order of a deal is left out: any order of the 98 cards is legal.
        """
        if seat is not None and (seat,) != self.actors():
            return ()
        return [decode(code) for code in self.codes]

    def seat_of(self, action: Action) -> int:
        """Return whose action this would be: of whoever holds its card, of chance, or of who is asked."""
        if isinstance(action, Deal | Close):
            return CHANCE
        if isinstance(action, Mirror | Misplay) or (isinstance(action, Play) and self.leaving is not None):
            for seat, hand in enumerate(self.hands):
                if action.card in hand:
                    return seat
        return (*self.actors(), CHANCE)[0]

    def play(self, seat: int, action: Action) -> EkkoPosition:
        """Return the position after an action. Raises IllegalActionError naming the rule."""
        if not self._is_listed(seat, action):
            reason = self.why_not(seat, action)
            if reason is not None:
                raise IllegalActionError(reason.message, code=f"action/{reason.code}", rule=reason.rule)
        after = np.empty(1, STATE)
        if isinstance(action, Deal):
            deal_round(self.states, after, np.array(action.order, np.uint8))
        else:
            perform_decision(self.states, after, seat, encode(action))
        if after["number"][0] > LAST_ROUND:
            raise IllegalActionError(f"rounds are counted to {LAST_ROUND}", rule="K1.2")
        return EkkoPosition(after)

    def _is_listed(self, seat: int, action: Action) -> bool:
        """Whether an action is plainly one of ``legal``; a deal and the claims of a live table are not."""
        is_plain = not isinstance(action, Deal) and (not isinstance(action, Mirror) or action.on is None)
        return is_plain and (seat,) == self.actors() and encode(action) in self.codes

    def play_code(self, code: int) -> EkkoPosition:
        """Return the position after a decision, no deal, that is known to be one of ``codes``."""
        after = np.empty(1, STATE)
        perform_decision(self.states, after, self.actors()[0], code)
        return EkkoPosition(after)

    def why_not(self, seat: int, action: Action) -> Refusal | None:
        """Explain by rule why an action is illegal for a seat; None if it is legal."""
        return explain(self, seat, action)

    def chance_action(self, chance: Chance) -> Action:
        """Draw a deal (K6.0), or close a reaction time (K7.4). Raises IllegalActionError elsewhere."""
        if self.phase == Phase.DEAL:
            return Deal(shuffled_cards(chance))
        if self.leaving is None or self.phase != Phase.PLAY:
            reason = refusal("already-dealt")
            raise IllegalActionError(reason.message, code=f"action/{reason.code}", rule=reason.rule)
        return Close()

    def outcome(self) -> Outcome | None:
        """Return who won, or None while the game goes on. Rule: K5.6."""
        return judge(self) if self.phase == Phase.OVER else None

    def sight(self, seat: int) -> Sight:
        """Return what a program that decides for a seat may know. Rule: K6.4."""
        return Sight(seat, self.view(seat))

    def view(self, eye: int | None) -> Json:
        """Return what a seat, or a spectator (None), may see. Rule: K6.4."""
        return view_of(self, eye)

    def to_json(self) -> Json:
        """Return the complete position in the interchange form; equal positions give equal text."""
        return position_to_json(self)

    def to_state(self) -> Json:
        """Return the position as tables keep it, with who drew and how the last round ended (K6.4)."""
        return state_to_json(self)

    @property
    def codes(self) -> tuple[int, ...]:
        """The legal decisions of whoever is asked, as codes (rules/code.py)."""
        found = self._codes
        if found is None:
            out = np.empty(MOST_DECISIONS, np.int64)
            found = self._codes = tuple(out[: list_decisions(self.states, out)].tolist())
        return found

    def forget(self) -> None:
        """Keep the state alone, until somebody asks for more again."""
        super().forget()
        self._codes = None

    def __reduce__(self) -> tuple[Callable[..., EkkoPosition], tuple[object, ...]]:
        """Pickle as the state; what was found out about it is found out anew."""
        return _position, (self.states.tobytes(),)

    def __repr__(self) -> str:
        return f"<EkkoPosition: {self.players} players, round {self.round}, {self.phase.name.lower()}>"


def _position(state: bytes) -> EkkoPosition:
    """Return a position that was pickled."""
    return EkkoPosition(np.frombuffer(state, STATE).copy())
