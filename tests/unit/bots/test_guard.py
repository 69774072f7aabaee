"""From `skilled` up a win within the turn is played, and one of the next player prevented."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ekoes.games.api.chance import Chance
from ekoes.games.eko.bots.levels import SKILLED, Guard
from ekoes.games.eko.position.position import EkoPosition
from ekoes.games.kernels import COMPILED
from tests.unit.games import random_game

WON = [(4, 216), (1, 92), (1, 168), (2, 116), (3, 144), (5, 112), (5, 224), (6, 232)]
"""Mined: games for two drawn at random, and decisions in them where who is asked can win within the turn."""

IN_DANGER = [(5, 188), (0, 100), (1, 116), (1, 160), (1, 252), (2, 108)]
"""Mined too: the next player could win in the next turn, and some decisions keep that off."""

TRIED = slice(None if COMPILED else 1)
"""In plain Python a position takes a minute."""


def mined(seed: int, decision: int) -> EkoPosition:
    return list(random_game(seed, decision + 1, players=2))[decision][0]


def ends(where: EkoPosition, seat: int) -> Iterator[EkoPosition]:
    """Yield all that a seat's turn can end with: the slow way, by the rules alone."""
    found, left = set(), [where]
    while left:
        position = left.pop()
        if position.outcome() or position.player != seat or position.turn_number != where.turn_number:
            yield position
            continue
        for action in position.legal():
            after = position.play(position.actors()[0], action)
            if after not in found:
                found.add(after)
                left.append(after)


def wins(position: EkoPosition, seat: int) -> bool:
    outcome = position.outcome()
    return outcome is not None and seat in outcome.winners


def can_win(where: EkoPosition, seat: int) -> bool:
    return any(wins(end, seat) for end in ends(where, seat))


def turn_of(where: EkoPosition, seat: int) -> EkoPosition:
    """Play a turn as `skilled` does."""
    number = where.turn_number
    while where.outcome() is None and where.player == seat and where.turn_number == number:
        where = where.play(where.actors()[0], SKILLED.think(where, seat, Chance(1), iterations=2))
    return where


@pytest.mark.parametrize(("seed", "decision"), WON[TRIED])
def test_a_win_within_the_turn_is_played(seed: int, decision: int) -> None:
    where = mined(seed, decision)
    assert can_win(where, where.player)
    assert wins(turn_of(where, where.player), where.player)


@pytest.mark.parametrize(("seed", "decision"), IN_DANGER[TRIED])
def test_a_win_of_the_next_player_is_prevented(seed: int, decision: int) -> None:
    where = mined(seed, decision)
    seat, guard = where.player, Guard(where)
    assert guard.win() is None
    assert any(guard.loses(action) for action in where.legal())
    after = turn_of(where, seat)
    assert not can_win(after, 1 - seat)


def test_what_is_not_tried_is_not_found() -> None:
    where = mined(4, 216)
    assert Guard(where).win() is not None
    spent = Guard(where, budget=1)
    assert spent.win() is None
    assert not spent.is_exact


@pytest.mark.parametrize(("seed", "decision"), IN_DANGER[TRIED])
def test_complete_search_says_so(seed: int, decision: int) -> None:
    guard = Guard(mined(seed, decision), budget=1_000_000)
    assert guard.win() is None
    assert guard.is_exact
