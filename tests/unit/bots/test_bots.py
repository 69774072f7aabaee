"""The bots: what they may choose, what greedy sees, wins that are played and prevented."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ekoes.bots import Thought, bot, decide
from ekoes.bots import bots as names_of
from ekoes.errors import NotationError
from ekoes.games.api.chance import Chance
from ekoes.games.eko.bots.levels import SKILLED, Guard
from ekoes.games.eko.game import EKO
from ekoes.games.eko.position.action import parse_action
from ekoes.games.eko.position.position import EkoPosition
from ekoes.games.kernels import COMPILED
from tests.kit.examples import IS_LONG, property_settings
from tests.rules.eko.board import SHUFFLED, draw
from tests.unit.bots.matches import contest
from tests.unit.games import ALL_VARIANTS, random_game


@property_settings(60)
@given(
    name=st.sampled_from(names_of("eko")),
    seed=st.integers(0, 2**32),
    options=st.fixed_dictionaries(
        {
            "players": st.integers(2, 4),
            "variants": st.lists(st.sampled_from(ALL_VARIANTS), unique=True),
            "setup": st.sampled_from(["standard", "draft"]),
        }
    ),
    length=st.integers(0, 200),
)
def test_bots_choose_legal_actions_anywhere(
    name: str, seed: int, options: dict[str, Any], length: int
) -> None:
    *_, (position, seat, _) = random_game(seed, length + 1, **options)
    thought = Thought(iterations=5)
    action = decide(bot("eko", name), position, seat, Chance(seed), thought)
    assert position.why_not(seat, action) is None
    assert decide(bot("eko", name), position, seat, Chance(seed), thought) == action


def test_random_takes_every_legal_action_about_as_often() -> None:
    position = EKO.new({"players": 2}, 1)
    (seat,) = position.actors()
    chance = Chance(1)
    drawn = [bot("eko", "random").choose(position, seat, chance) for _ in range(1600)]
    assert {*drawn} == {*position.legal(seat)}
    assert all(60 <= drawn.count(action) <= 145 for action in position.legal(seat))


@pytest.mark.parametrize(
    ("options", "games"),
    [
        ({}, 500 if IS_LONG else 20),
        ({"variants": ALL_VARIANTS}, 60 if IS_LONG else 20),
        ({"setup": "draft"}, 60 if IS_LONG else 20),
        ({"players": 3}, 60 if IS_LONG else 20),
        ({"players": 4, "variants": ("portals", "labyrinth")}, 60 if IS_LONG else 20),
    ],
)
def test_greedy_beats_random_in_99_of_100_games(options: dict[str, Any], games: int) -> None:
    """In all of the twenty that `make test` plays."""
    players = options.get("players", 2)
    games = games if COMPILED else 2
    stats = contest("eko", ["greedy", *["random"] * (players - 1)], games, 1, options)
    assert stats.players[0].won >= 0.99 * games


def test_greedy_takes_a_stack_that_is_the_enemys_last() -> None:
    where = draw("2E@-1,2", "1E@0,2", tiles=SHUFFLED)
    action = bot("eko", "greedy").choose(where, 0, Chance(1))
    assert action == parse_action("-1,2>0,2", where)
    assert where.play(0, action).outcome() is not None


def test_greedy_captures_an_emperor_rather_than_another_disc() -> None:
    where = draw("3E@-1,2 1@4,-3", "1@0,2 1E@-1,1 1@-4,2", tiles=SHUFFLED)
    assert bot("eko", "greedy").choose(where, 0, Chance(1)) == parse_action("-1,2>-1,1", where)


def test_equal_contests_are_equal_and_count_every_game() -> None:
    def showings(seed: int) -> Any:
        stats = contest("eko", ["random", "random"], 6, seed, {})
        assert sum(stats.players[place].won for place in (0, 1)) + stats.drawn >= 6
        return stats.turns, stats.showings

    assert showings(1) == showings(1) != showings(2)


def test_an_unknown_bot_is_refused_by_name() -> None:
    with pytest.raises(NotationError, match="no bot is called 'clever'; there are: random, beginner,"):
        bot("eko", "clever")


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
