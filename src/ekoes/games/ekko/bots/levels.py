"""The levels of the bots of EKKO: what each remembers, overlooks and decides, and how fast."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log
from statistics import NormalDist
from typing import Any

import numpy as np

from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Json
from ekoes.games.ekko.bots.memory import barred_cards
from ekoes.games.ekko.bots.search import SCRATCH, Hidden, best_decision, noticed_decision
from ekoes.games.ekko.position.action import Action, decode
from ekoes.games.ekko.rules.record import CARDS, MOST_PLAYERS, NOBODY, PHASES, STATE, WHYS
from ekoes.games.kernels.bits import WORDS, words_of


@dataclass(frozen=True, slots=True)
class Seen:
    """A parsed view.

    states: STATE[1], in which the pile and what the others hold or put aside is empty. unseen: uint8[…],
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
        barred = np.zeros((CARDS, WORDS), np.uint64)
        count = barred_cards(self.states, self.seat, self.sizes, barred) if remembers else 0
        return self.unseen, barred[:count], self.sizes, self.set_aside


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
    for place, (player, length, why) in enumerate(view["drew"]):
        for field, number in (("drew_seat", player), ("drew_at", length), ("drew_why", WHYS.index(why))):
            states[field][0, place] = number
    states["scores"][0, : view["players"]] = view["scores"]
    numbers = {
        "players": view["players"],
        "target": view["target"],
        "number": turn["round"],
        "zone_size": len(zone),
        "pile_size": view["pile"],
        "n_drew": len(view["drew"]),
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


_FINENESS = 2**32
RANDOM_DECISIONS = 20
"""Percentage of the others' decisions that are random in rollouts."""


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
    """A level of strength.

    pace: how long a turn takes; eye: how long until it notices that it holds the mirror; misses: percentage
    of mirrors that it does not notice at all. sees: percentage of decisions noticed, of which it takes the
    best by the heuristic. deals: if not 0, it searches instead, in so many sampled deals; remembers: the
    search concludes from the others' draws what they can't hold.
    """

    pace: Spread
    eye: Spread
    misses: int
    sees: int = 0
    deals: int = 0
    remembers: bool = False

    def decide(self, seen: Seen, chance: Chance) -> int:
        """Return the code of a decision."""
        stream = np.array([chance.bits() | 1], np.uint64)
        if not self.deals:
            return int(noticed_decision(seen.states, stream, self.sees))
        hidden, scratch = seen.hidden(remembers=self.remembers), np.zeros(SCRATCH, STATE)
        return int(best_decision(seen.states, scratch, hidden, self.deals, RANDOM_DECISIONS, stream))

    def lost_races(self, milliseconds: int) -> int:
        """Return the percentage of mirrors that it loses to a player who takes this long."""
        return round(100 - (100 - self.misses) * self.eye.share_within(milliseconds))


LEVELS: dict[str, Level] = {
    "random": Level(Spread(2600, 0.4), Spread(4200, 0.6), misses=60),
    "beginner": Level(Spread(2800, 0.4), Spread(3400, 0.5), misses=45, sees=25),
    "casual": Level(Spread(2500, 0.35), Spread(2900, 0.5), misses=35, sees=44),
    "skilled": Level(Spread(2300, 0.35), Spread(2500, 0.45), misses=25, sees=78),
    "strong": Level(Spread(2000, 0.3), Spread(1800, 0.4), misses=12, deals=28),
    "master": Level(Spread(1700, 0.3), Spread(1200, 0.35), misses=4, deals=4000, remembers=True),
}
"""Name -> level, weakest first; the weakest decides at random."""


def decide(name: str, view: Json, seat: int, chance: Chance) -> Action:
    """Return the decision of a level for a seat to move. view: ``position.view(seat)``."""
    return decode(LEVELS[name].decide(seen_by(seat, view), chance))
