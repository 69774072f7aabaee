"""A position of EKKO: set-up, rules, views (K6.4), and the interchange form, version 1."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from ekoes.errors import IllegalActionError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE, Game, Json, Outcome, Refusal
from ekoes.games.api.reading import Strict, read_options
from ekoes.games.api.registry import game
from ekoes.games.ekko.position.action import Action, Close, Deal, Mirror, Misplay, Play, decode, encode
from ekoes.games.ekko.position.refusal import explain, refusal
from ekoes.games.ekko.position.state import EkkoState, Numbers
from ekoes.games.ekko.rules.decisions import MOST_DECISIONS, deal_round, list_decisions, perform_decision
from ekoes.games.ekko.rules.record import (
    CARDS,
    DEFAULT_TARGET,
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    NOBODY,
    PHASES,
    STATE,
    WHYS,
    Phase,
)


@dataclass(frozen=True, slots=True)
class Sight:
    """The view of a seat without the position, for bots in other processes."""

    seat: int
    seen: Json

    def view(self, eye: int) -> Json:
        """Return what the seat sees. Raises ValueError for any other seat."""
        if eye != self.seat:
            raise ValueError(f"this is what seat {self.seat} sees, not seat {eye}")
        return self.seen


VERSION = 1
LAST_ROUND = 1_000_000
"""The highest number of a round."""


def _turn(numbers: Numbers, blocked: Sequence[Any], *, is_asking: bool) -> Json:
    """Return whose turn it is. is_asking: whether the seat that is asked for a mirror is named."""
    turn: Json = {"round": numbers.number, "dealer": numbers.dealer}
    if numbers.phase != Phase.DEAL:
        turn["player"], turn["last"] = numbers.player, numbers.last
    is_hidden = numbers.phase == Phase.MIRROR and not is_asking
    turn["phase"] = PHASES[Phase.PLAY if is_hidden else numbers.phase]
    if numbers.asked != NOBODY and is_asking:
        turn["asked"] = numbers.asked
    if numbers.again:
        turn["again"] = True
    if numbers.leaving != NOBODY:
        turn["leaving"] = numbers.leaving
    if any(blocked):
        turn["blocked"] = blocked
    return turn


def shuffled_cards(chance: Chance) -> tuple[int, ...]:
    """Return the 98 cards in a random order. Rule: K6.0."""
    order = list(range(1, CARDS + 1))
    chance.shuffle(order)
    return tuple(order)


class EkkoPosition(EkkoState):
    """A position of EKKO; immutable, ``play`` returns another one."""

    __slots__ = ("_actors",)

    def __init__(self, states: np.ndarray[Any, Any]) -> None:
        """states: STATE[1], read-only from now on."""
        super().__init__(states)
        self._actors: tuple[int, ...] | None = None

    @property
    def game(self) -> Game:
        """The game of EKKO."""
        return game("ekko")

    def actors(self) -> tuple[int, ...]:
        """Return the seat to move: chance for a deal or a close, a mirror's holder, or the player in turn.

        At a live table the mirror's holder is not asked (K7.1).
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
        """Return all legal actions of a seat (None: of the seat to move). Rule: K6.1, K6.2.

        The order of a deal is left out: any order of the 98 cards is legal.
        """
        if seat is not None and (seat,) != self.actors():
            return ()
        return [decode(code) for code in self.codes]

    def seat_of(self, action: Action) -> int:
        """Return the seat of an action: the holder of its card, chance, or the seat to move."""
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
            raise IllegalActionError(f"the last possible round is {LAST_ROUND}", rule="K1.2")
        return EkkoPosition(after)

    def _is_listed(self, seat: int, action: Action) -> bool:
        """Return whether an action is in ``legal``; a deal and the mirrors of a live table never are."""
        is_plain = not isinstance(action, Deal) and (not isinstance(action, Mirror) or action.on is None)
        return is_plain and (seat,) == self.actors() and encode(action) in self.codes

    def play_code(self, code: int) -> EkkoPosition:
        """Return the position after one of ``codes``, not a deal."""
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
        """Return the outcome, None while the game goes on. Rule: K5.6."""
        if self.phase != Phase.OVER:
            return None
        return Outcome(self.winners, "lowest-total" if len(self.winners) == 1 else "tie", "K5.6")

    def sight(self, seat: int) -> Sight:
        """Return what a bot at a seat may know. Rule: K6.4."""
        return Sight(seat, self.view(seat))

    def view(self, eye: int | None) -> Json:
        """Return what a seat, or a spectator (None), may see. Rule: K6.4, K7.6.

        Only the seat asked for a mirror sees that it is asked; all others see the player in turn about to
        play. Raises ValueError for a seat that there is not, such as CHANCE.
        """
        if eye is not None and not 0 <= eye < self.players:
            raise ValueError(f"there is no seat {eye}")
        state = self.plain
        numbers, blocked = state.numbers, [] if eye is None else list(state.blocked[eye])
        value: Json = {
            "game": "ekko",
            "version": VERSION,
            "players": numbers.players,
            "target": numbers.target,
            "pile": numbers.pile_size,
            "zone": list(state.zone),
            "sizes": list(map(len, state.hands)),
            **({} if eye is None else {"hand": list(state.hands[eye])}),
            "set_aside": list(map(len, state.aside)),
            **({} if eye is None else {"aside": list(state.aside[eye])}),
            "scores": list(self.scores),
            "drew": self._drew(),
            "turn": _turn(numbers, blocked, is_asking=numbers.asked == eye),
        }
        return value if numbers.phase != Phase.OVER else value | {"winners": list(self.winners)}

    def to_json(self, *, draws: bool = False) -> Json:
        """Return the complete position in the interchange form; equal positions give equal JSON.

        draws: add who drew in this round, which the rules don't need but every seat has seen (K6.4).
        """
        state, numbers = self.plain, self.plain.numbers
        value: Json = {
            "game": "ekko",
            "version": VERSION,
            "players": numbers.players,
            "target": numbers.target,
            "pile": list(state.pile),
            "zone": list(state.zone),
            "hands": list(map(list, state.hands)),
            "aside": list(map(list, state.aside)),
            "scores": list(self.scores),
            **({"drew": self._drew()} if draws and numbers.n_drew else {}),
            "turn": _turn(numbers, list(map(list, state.blocked)), is_asking=True),
        }
        return value if numbers.phase != Phase.OVER else value | {"winners": list(self.winners)}

    def _drew(self) -> list[list[object]]:
        return [[seat, zone, WHYS[why]] for seat, zone, why in self.plain.numbers.drew()]

    def to_state(self) -> Json:
        """Return the position for storage, including draws and the end of the latest round (K6.4)."""
        end = self.round_end
        row = end and {
            "points": [*end.points],
            "sizes": [*end.sizes],
            "ending": int(end.ending),
            "by": end.by,
        }
        return {
            "position": self.to_json(draws=True),
            "live": self.live,
            "round_end": row,
        }

    @cached_property
    def codes(self) -> tuple[int, ...]:
        """The legal decisions of the seat to move, as codes (rules/decisions.py)."""
        out = np.empty(MOST_DECISIONS, np.int64)
        return tuple(out[: list_decisions(self.states, out)].tolist())

    def __reduce__(self) -> tuple[Callable[..., EkkoPosition], tuple[object, ...]]:
        return _unpickle, (self.states.tobytes(),)

    def __repr__(self) -> str:
        return f"<EkkoPosition: {self.players} players, round {self.round}, {self.phase.name.lower()}>"


def _unpickle(state: bytes) -> EkkoPosition:
    return EkkoPosition(np.frombuffer(state, STATE).copy())


HIGHEST_TARGET = 1000


class EkkoOptions(Strict):
    """The options of a game of EKKO.

    players: 2 to 8 (K1.1). target: the total that ends the game (K5.6). live: holders play mirrors when they
    notice them (K7.1) instead of being asked (K6.1).
    """

    players: Annotated[int, Field(ge=FEWEST_PLAYERS, le=MOST_PLAYERS)] = FEWEST_PLAYERS
    target: Annotated[int, Field(ge=1, le=HIGHEST_TARGET)] = DEFAULT_TARGET
    live: bool = False


def set_up(options: Mapping[str, Any], seed: int) -> EkkoPosition:
    """Return the first position, before the first deal. seed: for the draw of the dealer. Rule: K1."""
    wanted = read_options(EkkoOptions, options)
    states = blank_states(wanted.players, wanted.target)
    states["dealer"] = Chance(seed).below(wanted.players)
    states["live"] = wanted.live
    return EkkoPosition(states)


def blank_states(players: int, target: int) -> np.ndarray[Any, Any]:
    """Return STATE[1] of round 1 with no card dealt."""
    states = np.zeros(1, STATE)
    for field in ("player", "last", "asked", "leaving", "ended_by"):
        states[field] = NOBODY
    states["phase"] = Phase.DEAL
    states["players"] = players
    states["target"] = target
    states["number"] = 1
    return states
