"""Weighing decisions of EKKO by playing the round out (a kernel).

The cards that a seat does not see are dealt anew, as they may lie; each decision is then tried on the
same deal, all play on by the rule of thumb, now and then without thinking, and the round's points are
compared. After a quarter of the deals and after half of them the worse half of the decisions is left
out; in the end the best one on average is it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ekoes.games.ekko.bots.deal import deal_unseen
from ekoes.games.ekko.bots.thumb import rule_of_thumb
from ekoes.games.ekko.rules.decisions import MOST_DECISIONS, asked, gather, perform
from ekoes.games.ekko.rules.record import Phase
from ekoes.games.kernels.stream import next_random
from ekoes.kernel import entry, helper

__all__ = ["SCRATCH", "best_decision", "thumb_decision"]

_ALL = 100
_FINALISTS = 2
SCRATCH = 2
"""Records of scratch that the search needs: a deal, and one to play it out on."""


@entry
def thumb_decision(roots: np.ndarray, stream: np.ndarray, sees: int, slips: int) -> int:
    """Return the code of what looks best among the decisions that come to mind.

    roots: STATE[1], read; stream: uint64[1], not 0, written. sees: of 100 decisions, those that come to mind;
    slips: of 100 choices, those that are made by chance.
    """
    codes = np.zeros(MOST_DECISIONS, np.int64)
    count = gather(roots[0], codes)
    if slips > 0 and next_random(stream, 100) < slips:
        return int(codes[next_random(stream, count)])
    if sees < _ALL:
        count = _come_to_mind(codes, count, sees, stream)
    return rule_of_thumb(roots[0], codes, count, stream)


@entry
def best_decision(
    roots: np.ndarray,
    states: np.ndarray,
    unseen: np.ndarray,
    barred: np.ndarray,
    sizes: np.ndarray,
    set_aside: np.ndarray,
    deals: int,
    thoughtless: int,
    stream: np.ndarray,
) -> int:
    """Return the code of the decision of whoever is asked that is best on average.

    roots: STATE[1] as a seat sees it, read; states: STATE[SCRATCH] and stream: uint64[1], not 0,
    written. unseen: uint8[…], a permutation of what the seat does not see, written. barred: as
    ``deal_unseen`` takes it, empty for a player who remembers nothing. sizes, set_aside: int64[MOST_PLAYERS].
    deals: how often the unseen cards are dealt; thoughtless: of 100 decisions of the others, those that
    they are thought to make by chance.
    """
    seat = asked(roots[0])
    options = np.zeros(MOST_DECISIONS, np.int64)
    codes = np.zeros(MOST_DECISIONS, np.int64)
    count = gather(roots[0], options)
    if count == 1:
        return int(options[0])
    worth = np.zeros(count)
    for deal in range(deals):
        if deal in (deals // 4, deals // 2):
            count = _keep_the_better(options, worth, count)
        states[0] = roots[0]
        deal_unseen(states[0], seat, unseen, barred, sizes, set_aside, stream)
        chance = stream[0]
        for index in range(count):
            stream[0] = chance
            states[1] = states[0]
            perform(states[1], seat, options[index])
            _finish_round(states[1], seat, codes, thoughtless, stream)
            worth[index] += _balance(roots[0], states[1], seat)
    return int(options[np.argmax(worth[:count])])


@helper
def _keep_the_better(options: np.ndarray, worth: np.ndarray, count: int) -> int:
    """Bring the better half of some decisions to the front, at least two; returns how many.

    The others are played out no more: so what is close is looked at longer.
    """
    left = max(_FINALISTS, (count + 1) // 2)
    while count > left:
        worst = np.argmin(worth[:count])
        count -= 1
        options[worst], worth[worst] = options[count], worth[count]
    return min(count, left)


@helper
def _come_to_mind(codes: np.ndarray, count: int, sees: int, stream: np.ndarray) -> int:
    """Keep the decisions that come to mind, in front; returns how many, at least one.

    codes: int64[count or more], written.
    """
    kept = 0
    for index in range(count):
        if next_random(stream, _ALL) < sees:
            codes[kept], codes[index] = codes[index], codes[kept]
            kept += 1
    if kept == 0:
        first = next_random(stream, count)
        codes[0], codes[first] = codes[first], codes[0]
        kept = 1
    return kept


@helper
def _finish_round(state: Any, seat: int, codes: np.ndarray, thoughtless: int, stream: np.ndarray) -> None:  # noqa: ANN401
    """Play on to the end of the round. seat: who always thinks; codes: int64[MOST_DECISIONS], scratch."""
    while state.phase not in (Phase.DEAL, Phase.OVER):
        player = asked(state)
        count = gather(state, codes)
        if player != seat and next_random(stream, 100) < thoughtless:
            code = codes[next_random(stream, count)]
        else:
            code = rule_of_thumb(state, codes, count, stream)
        perform(state, player, code)


@helper
def _balance(before: Any, after: Any, seat: int) -> float:  # noqa: ANN401
    """Return by how many points a round went better for a seat than for the others, on average."""
    others = 0.0
    for player in range(before.players):
        if player != seat:
            others += after.scores[player] - before.scores[player]
    return float(others / (before.players - 1) - (after.scores[seat] - before.scores[seat]))
