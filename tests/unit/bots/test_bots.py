"""The bots: what they may choose, what greedy sees, and that it beats random."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ekoes.bots import Thought, bot, decide
from ekoes.bots import bots as names_of
from ekoes.errors import NotationError
from ekoes.games.api.chance import Chance
from ekoes.games.eko.game import EKO
from ekoes.games.eko.notation import parse_action
from ekoes.games.kernels import COMPILED
from tests.kit.examples import property_settings
from tests.unit.bots.matches import contest
from tests.unit.bots.positions import position
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
        ({}, 100),
        pytest.param({}, 500, marks=pytest.mark.long),
        ({"variants": ALL_VARIANTS}, 60),
        ({"setup": "draft"}, 60),
        ({"players": 3}, 60),
        ({"players": 4, "variants": ("portals", "labyrinth")}, 60),
    ],
)
def test_greedy_beats_random_in_99_of_100_games(options: dict[str, Any], games: int) -> None:
    players = options.get("players", 2)
    games = games if COMPILED else 2
    stats = contest("eko", ["greedy", *["random"] * (players - 1)], games, 1, options)
    assert stats.players[0].won >= 0.99 * games


def test_greedy_takes_a_stack_that_is_the_enemys_last() -> None:
    where = position({"-1,2": (0, 2, True), "0,2": (1, 1, True)})
    action = bot("eko", "greedy").choose(where, 0, Chance(1))
    assert action == parse_action("-1,2>0,2", where)
    assert where.play(0, action).outcome() is not None


def test_greedy_captures_an_emperor_rather_than_another_disc() -> None:
    where = position(
        {
            "-1,2": (0, 3, True),
            "0,2": (1, 1, False),
            "-1,1": (1, 1, True),
            "4,-3": (0, 1, False),
            "-4,2": (1, 1, False),
        }
    )
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
