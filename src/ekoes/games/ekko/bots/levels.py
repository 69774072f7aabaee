"""The levels of the bots of EKKO: what each remembers, overlooks and decides, and how fast."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import exp, log
from statistics import NormalDist
from typing import Any

import numpy as np

from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Json
from ekoes.games.ekko.bots.search import SCRATCH, Hidden, best_decision, noticed_decision
from ekoes.games.ekko.position.action import Action, decode
from ekoes.games.ekko.rules.decisions import MOST_DECISIONS, list_decisions
from ekoes.games.ekko.rules.record import (
    CARDS,
    FITTING,
    MOST_PLAYERS,
    NOBODY,
    PHASES,
    STATE,
    is_multiple,
    mirror_of,
)
from ekoes.games.ekko.rules.turn import HAND_SIZE
from ekoes.games.kernels.bits import words_of


@dataclass(frozen=True, slots=True)
class Seen:
    """A parsed view.

    states: STATE[1], hands and cards put aside of other players empty, and the pile. unseen: uint8[…],
    the cards that the seat does not see, ascending. sizes, set_aside: int64[MOST_PLAYERS], by player: cards
    in hand and cards put aside.
    """

    seat: int
    view: Json
    states: np.ndarray[Any, Any]
    unseen: np.ndarray[Any, Any]
    sizes: np.ndarray[Any, Any]
    set_aside: np.ndarray[Any, Any]

    def hidden(self, *, remembers: bool = True) -> Hidden:
        """Return what the seat does not see. remembers: conclude from draws what others can't hold."""
        barred = barred_cards(self.view, self.seat) if remembers else np.zeros((0, 2), np.uint64)
        return self.unseen, barred, self.sizes, self.set_aside


def seen_by(seat: int, view: Json) -> Seen:
    """Parse ``position.view(seat)`` of a round that has been dealt."""
    states = np.zeros(1, STATE)
    zone, turn = view["zone"], view["turn"]
    for row, cards in (
        ("hands", view["hand"]),
        ("aside", view["aside"]),
        ("blocked", turn.get("blocked", ())),
    ):
        states[row][0, seat] = words_of(cards)
    states["zone"][0, : len(zone)] = zone
    states["scores"][0, : view["players"]] = view["scores"]
    numbers = {
        "players": view["players"],
        "target": view["target"],
        "number": turn["round"],
        "zone_size": len(zone),
        "pile_size": view["pile"],
        "dealer": turn["dealer"],
        "player": turn["player"],
        "last": turn["last"],
        "phase": PHASES.index(turn["phase"]),
        "asked": turn.get("asked", NOBODY),
        "again": turn.get("again", False),
        "leaving": turn.get("leaving", NOBODY),
    }
    for field, number in numbers.items():
        states[field][0] = number
    known = {*zone, *view["hand"], *view["aside"]}
    unseen = [card for card in range(1, CARDS + 1) if card not in known]
    return Seen(
        seat,
        view,
        states,
        np.array(unseen, np.uint8),
        _by_seat(view["sizes"]),
        _by_seat(view["set_aside"]),
    )


def _by_seat(counts: list[int]) -> np.ndarray[Any, Any]:
    row = np.zeros(MOST_PLAYERS, np.int64)
    row[: len(counts)] = counts
    return row


_FITTING = [int(low) | int(high) << 64 for low, high in FITTING]
"""By top card: the set of cards that are valid on it, bit c for card c."""
_WORD = 64

_Draws = dict[int, list[tuple[int, str]]]
"""Number of cards in the play zone -> the seats that drew then, and why, in order."""


def who_played(view: Json) -> list[int | None]:
    """Return the player of each card of the play zone; None where the view does not determine it.

    Turns go round, and a draw in turn names its player. The player of a mirror follows from the draws for
    it, or else from the next known turn (K3.3): until then seats are counted from 0.
    """
    players, zone, draws = view["players"], view["zone"], _draws(view)
    by: list[int | None] = []
    counted: list[int] = []  # cards whose players are counted from a seat that is still unknown
    seat = view["turn"]["dealer"]

    def is_turn_of(known: int) -> None:
        for index in counted:
            by[index] = ((by[index] or 0) + known - seat) % players
        counted.clear()

    for index, card in enumerate(zone):
        if index and card == mirror_of(zone[index - 1]):
            for lost in counted:
                by[lost] = None
            drawing = {each for each, why in draws[index + 1] if why == "effect"}
            counted[:] = [] if drawing else [index]
            seat = min({*range(players)} - drawing)
        elif counted:
            counted.append(index)
        by.append(seat)
        if not is_multiple(card):
            seat = (seat + 1) % players
        for each, why in draws[index + 1]:
            if why == "turn":
                is_turn_of(each)
                seat = (each + 1) % players
    is_turn_of(view["turn"]["player"])
    return by


def barred_cards(view: Json, seat: int) -> np.ndarray[tuple[int, int], np.dtype[np.uint64]]:
    """Return for each card in the other players' hands, seat by seat, the cards that it can't be.

    view: ``position.view(seat)``. Returns: uint64[cards, 2], sets of cards.
    """
    draws = _draws(view)
    hands = [[0] * HAND_SIZE[view["players"]] for _ in range(view["players"])]
    for index, (card, player) in enumerate(zip(view["zone"], who_played(view), strict=True)):
        if index and player is not None and hands[player]:
            _take(hands[player], card)
            is_mirror = card == mirror_of(view["zone"][index - 1])
            if is_mirror and hands[player] and not any(why == "effect" for _, why in draws[index + 1]):
                del hands[player][0]  # put aside, from an unknown slot
        _draw(hands, card, draws[index + 1])
    rows: list[tuple[int, int]] = []
    for player, slots in enumerate(hands):
        if player != seat:
            size = view["sizes"][player]
            known = slots if len(slots) == size else [0] * size  # else some card has an unknown player
            rows += [(bars & (1 << _WORD) - 1, bars >> _WORD) for bars in known]
    return np.array(rows, np.uint64).reshape(-1, 2)


def _take(slots: list[int], card: int) -> None:
    """Take a card that is played from the oldest slot that it can have come from."""
    del slots[next((index for index, bars in enumerate(slots) if not bars >> card & 1), 0)]


def _draw(hands: list[list[int]], top: int, draws: list[tuple[int, str]]) -> None:
    """Add the draws on a top card. A card drawn for a misplay was blocked, valid or not (K4.1)."""
    blocked: dict[int, int] = defaultdict(int)
    for player, why in draws:
        slots = hands[player]
        if why == "turn":
            for index in range(len(slots) - blocked[player]):
                slots[index] |= _FITTING[top]
        if why == "misplay":
            blocked[player] += 1
        slots.append(0)


def _draws(view: Json) -> _Draws:
    draws: _Draws = defaultdict(list)
    for player, length, why in view["drew"]:
        draws[length].append((player, why))
    return draws


_FINENESS = 2**32
RANDOM_DECISIONS = 20  # percentage of the others' decisions in rollouts


@dataclass(frozen=True, slots=True)
class Spread:
    """A human reaction time: a shifted log-normal distribution.

    median: milliseconds; spread: standard deviation of the logarithm of what is above ``least``.
    """

    median: int
    spread: float
    least: int = 350

    def delay(self, chance: Chance) -> int:
        """Draw a time in milliseconds."""
        share = (chance.below(_FINENESS) + 0.5) / _FINENESS
        return self.least + round((self.median - self.least) * exp(self.spread * NormalDist().inv_cdf(share)))

    def share_within(self, milliseconds: int) -> float:
        """Return the probability of a time of at most some milliseconds."""
        if milliseconds <= self.least:
            return 0.0
        beyond = (milliseconds - self.least) / (self.median - self.least)
        return NormalDist().cdf(log(beyond) / self.spread)


@dataclass(frozen=True, slots=True)
class Level:
    """A level of strength. decide: returns the code of a decision.

    pace: how long a turn takes; eye: how long until it notices that it holds the mirror; misses: percentage
    of mirrors that it does not notice at all.
    """

    decide: Callable[[Seen, Chance], int]
    pace: Spread
    eye: Spread
    misses: int

    def lost_races(self, milliseconds: int) -> int:
        """Return the percentage of mirrors that it loses to a player who takes this long."""
        return round(100 - (100 - self.misses) * self.eye.share_within(milliseconds))


def _decide_at_random(seen: Seen, chance: Chance) -> int:
    """Return a random decision."""
    codes = np.zeros(MOST_DECISIONS, np.int64)
    return int(codes[chance.below(list_decisions(seen.states, codes))])


def _decide_by_heuristic(seen: Seen, chance: Chance, *, sees: int) -> int:
    """Return the best decision by the heuristic. sees: percentage of decisions noticed."""
    return int(noticed_decision(seen.states, _stream(chance), sees))


def _decide_by_search(seen: Seen, chance: Chance, *, deals: int, remembers: bool) -> int:
    """Return the best decision by search. remembers: conclude from the others' draws what they can't hold."""
    hidden, scratch = seen.hidden(remembers=remembers), np.zeros(SCRATCH, STATE)
    return int(best_decision(seen.states, scratch, hidden, deals, RANDOM_DECISIONS, _stream(chance)))


def _stream(chance: Chance) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """Return a stream for kernels, seeded from a stream of Python."""
    return np.array([chance.bits() | 1], np.uint64)


LEVELS: dict[str, Level] = {
    "random": Level(_decide_at_random, Spread(2600, 0.4), Spread(4200, 0.6), misses=60),
    "beginner": Level(
        partial(_decide_by_heuristic, sees=25), Spread(2800, 0.4), Spread(3400, 0.5), misses=45
    ),
    "casual": Level(partial(_decide_by_heuristic, sees=44), Spread(2500, 0.35), Spread(2900, 0.5), misses=35),
    "skilled": Level(
        partial(_decide_by_heuristic, sees=78), Spread(2300, 0.35), Spread(2500, 0.45), misses=25
    ),
    "strong": Level(
        partial(_decide_by_search, deals=28, remembers=False), Spread(2000, 0.3), Spread(1800, 0.4), misses=12
    ),
    "master": Level(
        partial(_decide_by_search, deals=4000, remembers=True),
        Spread(1700, 0.3),
        Spread(1200, 0.35),
        misses=4,
    ),
}
"""Name -> level, weakest first."""


def decide(name: str, view: Json, seat: int, chance: Chance) -> Action:
    """Return the decision of a level for a seat to move. view: ``position.view(seat)``."""
    return decode(LEVELS[name].decide(seen_by(seat, view), chance))
