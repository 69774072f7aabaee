"""The players of EKKO: what they may choose, that they see their own view alone, who beats whom."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ekoes.bots import bot, stand_in
from ekoes.bots import bots as names_of
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.position.action import Draw, Effect, Mirror, Pass, Play
from ekoes.games.ekko.position.position import EkkoPosition
from ekoes.games.kernels import COMPILED
from tests.kit.examples import property_settings
from tests.properties.ekko_positions import mixed
from tests.unit.bots.matches import contest

NAMES = names_of("ekko") if COMPILED else names_of("ekko")[:-1]
"""The strongest weighs too long where kernels are interpreted."""


def some_position(seed: int, players: int, decisions: int) -> EkkoPosition:
    """Return a position in which a player is asked, after some random decisions."""
    chance = Chance(seed)
    position = EKKO.new({"players": players, "target": 1000}, seed)
    while decisions > 0 or position.actors() == (CHANCE,):
        (seat,) = position.actors()
        dealt = seat == CHANCE
        action = position.chance_action(chance) if dealt else chance.choice(position.legal(seat))
        position = position.play(seat, action)
        decisions -= 1
    return position


positions = st.builds(some_position, st.integers(0, 2**32), st.integers(2, 8), st.integers(0, 120))


@property_settings(150, interpreted=10)
@given(name=st.sampled_from(NAMES), position=positions, seed=st.integers(0, 2**32))
def test_players_choose_legal_actions_anywhere(name: str, position: EkkoPosition, seed: int) -> None:
    (seat,) = position.actors()
    action = bot("ekko", name).choose(position, seat, Chance(seed))
    assert position.why_not(seat, action) is None
    assert bot("ekko", name).choose(position, seat, Chance(seed)) == action


@property_settings(150, interpreted=10)
@given(name=st.sampled_from(NAMES), position=positions, seed=st.integers(0, 2**32))
def test_k6_4_what_a_seat_may_not_see_changes_no_choice(name: str, position: EkkoPosition, seed: int) -> None:
    (seat,) = position.actors()
    hidden = mixed(position.to_json(), seat, Random(seed))
    assume(hidden is not None)
    other = EKKO.from_json(hidden)
    assume(other.actors() == (seat,))
    choices = [bot("ekko", name).choose(each, seat, Chance(seed)) for each in (read_again(position), other)]
    assert choices[0] == choices[1]


def read_again(position: EkkoPosition) -> EkkoPosition:
    return EKKO.from_json(position.to_json())


def situation(hands: list[list[int]], zone: list[int], **turn: Any) -> EkkoPosition:
    """Return a position of a first round; the pile holds all other cards, seat 0 is in turn."""
    seen = {*zone, *(card for hand in hands for card in hand)}
    players = len(hands)
    value = {
        "game": "ekko",
        "version": 1,
        "players": players,
        "target": 25,
        "pile": [card for card in range(98, 0, -1) if card not in seen],
        "zone": zone,
        "hands": hands,
        "aside": [[]] * players,
        "scores": [0] * players,
        "turn": {"round": 1, "dealer": 1, "player": 0, "last": players - 1, "phase": "play"} | turn,
    }
    return EKKO.from_json(value)


THOUGHTFUL = ("skilled", "strong", "master") if COMPILED else ("skilled",)


@pytest.mark.parametrize("name", ["skilled", "master"] if COMPILED else ["skilled"])
def test_the_last_two_cards_go_together_by_a_mirror(name: str) -> None:
    position = situation([[50, 73], [1, 2, 4, 6]], [37], phase="mirror", asked=0)
    action = bot("ekko", name).choose(position, 0, Chance(1))
    assert action == Mirror(73, Effect.DISCARD, 50)


@pytest.mark.parametrize("name", THOUGHTFUL)
def test_a_multiple_of_11_that_leads_out_is_played(name: str) -> None:
    position = situation([[33, 40], [1, 2, 4, 6]], [60])
    assert bot("ekko", name).choose(position, 0, Chance(1)) == Play(33)


@pytest.mark.parametrize("name", THOUGHTFUL)
def test_a_leaving_player_is_held_by_the_mirror(name: str) -> None:
    hands = [[8, 12, 73, 91], [], [3, 5, 9, 21, 44]]
    position = situation(hands, [37], phase="mirror", asked=0, leaving=1, player=2, last=1)
    action = bot("ekko", name).choose(position, 0, Chance(1))
    assert isinstance(action, Mirror)


@pytest.mark.parametrize("name", NAMES)
def test_without_a_valid_card_a_player_draws(name: str) -> None:
    position = situation([[50, 60], [1, 2, 4]], [97])
    assert bot("ekko", name).choose(position, 0, Chance(1)) == Draw()


def test_random_passes_plays_and_puts_aside_alike() -> None:
    position = situation([[50, 73], [1, 2, 4, 6]], [37], phase="mirror", asked=0)
    chance = Chance(1)
    drawn = [bot("ekko", "random").choose(position, 0, chance) for _ in range(600)]
    options = (Pass(), Mirror(73, Effect.DRAW), Mirror(73, Effect.DISCARD, 50))
    assert {*drawn} == {*options}
    assert all(150 <= drawn.count(option) <= 250 for option in options)


def test_a_weak_player_overlooks_and_does_not_play_at_random() -> None:
    position = situation([[50, 73], [1, 2, 4, 6]], [37], phase="mirror", asked=0)
    choices = [bot("ekko", "casual").choose(position, 0, Chance(seed)) for seed in range(300)]
    best, drawn, passed = Mirror(73, Effect.DISCARD, 50), Mirror(73, Effect.DRAW), Pass()
    assert {*choices} == {best, drawn, passed}
    assert choices.count(best) > choices.count(drawn) > choices.count(passed) > 0


def share(names: list[str], games: int, seed: int = 1) -> float:
    """Return how many of the games the first of some players won alone."""
    stats = contest("ekko", names, games, seed, {})
    assert sum(record.alone for record in stats.players.values()) + stats.shared == games
    return stats.players[0].alone / games


@pytest.mark.long
def test_the_strongest_beats_random_at_a_table_of_five() -> None:
    assert not COMPILED or share(["master", *["random"] * 4], 150) >= 0.42


@pytest.mark.long
def test_the_strongest_beats_random_in_duels() -> None:
    assert not COMPILED or share(["master", "random"], 150) >= 0.76


def test_the_stand_in_is_one_of_the_players() -> None:
    assert stand_in("ekko") in names_of("ekko")
