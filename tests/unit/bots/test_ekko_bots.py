"""The players of EKKO: what they may choose, see and remember, and who beats whom."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ekoes.bots import bot, stand_in
from ekoes.bots import bots as names_of
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE, Json
from ekoes.games.ekko.bots.levels import seen_by
from ekoes.games.ekko.bots.memory import who_played
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.position.action import Draw, Effect, Mirror, Pass, Play
from ekoes.games.ekko.position.position import EkkoPosition
from ekoes.games.ekko.rules.record import CARDS, NOBODY
from ekoes.games.kernels import COMPILED
from ekoes.games.kernels.bits import members
from tests.kit.examples import property_settings
from tests.properties.ekko_positions import mixed
from tests.rules.ekko.cards import deal_out
from tests.unit.bots.matches import contest
from tests.unit.ekko_games import some_position

NAMES = names_of("ekko") if COMPILED else names_of("ekko")[:-1]
"""The strongest weighs too long where kernels are interpreted."""


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


THOUGHTFUL = ("skilled", "strong", "master") if COMPILED else ("skilled",)


@pytest.mark.parametrize("name", ["skilled", "master"] if COMPILED else ["skilled"])
def test_the_last_two_cards_go_together_by_a_mirror(name: str) -> None:
    position = deal_out("50 73", "1 2 4 6", zone="37", phase="mirror", asked=0)
    action = bot("ekko", name).choose(position, 0, Chance(1))
    assert action == Mirror(73, Effect.DISCARD, 50)


@pytest.mark.parametrize("name", THOUGHTFUL)
def test_a_multiple_of_11_that_leads_out_is_played(name: str) -> None:
    position = deal_out("33 40", "1 2 4 6", zone="60")
    assert bot("ekko", name).choose(position, 0, Chance(1)) == Play(33)


@pytest.mark.parametrize("name", THOUGHTFUL)
def test_a_leaving_player_is_held_by_the_mirror(name: str) -> None:
    hands = "8 12 73 91", "", "3 5 9 21 44"
    position = deal_out(*hands, zone="37", phase="mirror", asked=0, leaving=1, player=2, last=1)
    action = bot("ekko", name).choose(position, 0, Chance(1))
    assert isinstance(action, Mirror)


@pytest.mark.parametrize("name", NAMES)
def test_without_a_valid_card_a_player_draws(name: str) -> None:
    position = deal_out("50 60", "1 2 4", zone="97")
    assert bot("ekko", name).choose(position, 0, Chance(1)) == Draw()


def test_random_passes_plays_and_puts_aside_alike() -> None:
    position = deal_out("50 73", "1 2 4 6", zone="37", phase="mirror", asked=0)
    chance = Chance(1)
    drawn = [bot("ekko", "random").choose(position, 0, chance) for _ in range(600)]
    options = (Pass(), Mirror(73, Effect.DRAW), Mirror(73, Effect.DISCARD, 50))
    assert {*drawn} == {*options}
    assert all(150 <= drawn.count(option) <= 250 for option in options)


def test_a_weak_player_overlooks_and_does_not_play_at_random() -> None:
    position = deal_out("50 73", "1 2 4 6", zone="37", phase="mirror", asked=0)
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


_LARGEST_HAND = 9  # trying all ways to match larger ones takes long


def rounds(seed: int, players: int) -> Iterator[tuple[EkkoPosition, list[int]]]:
    """Yield each position of a random game in which a player is asked, and who put the cards there."""
    chance = Chance(seed)
    position = EKKO.new({"players": players, "target": 10}, seed)
    by: list[int] = []
    while position.actors():
        (seat,) = position.actors()
        if seat == CHANCE:
            by = [position.dealer]
            position = position.play(seat, position.chance_action(chance))
            continue
        yield position, by
        action = chance.choice(position.legal(seat))
        by = [*by, seat] if isinstance(action, Play | Mirror) else by
        position = position.play(seat, action)


def players_of(view: Json) -> list[int | None]:
    """Return who put the cards of the play zone there, as far as seat 0 can know."""
    by = np.zeros(CARDS, np.int64)
    who_played(seen_by(0, view).states, by)
    return [None if player == NOBODY else player for player in by[: len(view["zone"])].tolist()]


def barred(seat: int, view: Json) -> list[frozenset[int]]:
    """Return what each card in the other hands can't be."""
    _, bars, _, _ = seen_by(seat, view).hidden()
    return [frozenset(members(words)) for words in bars.tolist()]


def can_be(hand: frozenset[int], bars: list[frozenset[int]]) -> bool:
    """Whether the cards of a hand can be put into slots, none into one that is barred to it."""
    if not bars:
        return True
    return any(card not in bars[0] and can_be(hand - {card}, bars[1:]) for card in hand)


@property_settings(25, interpreted=3)
@given(seed=st.integers(0, 2**32), players=st.integers(2, 8))
def test_what_is_remembered_is_true(seed: int, players: int) -> None:
    for position, truth in rounds(seed, players):
        (seat,) = position.actors()
        view = position.view(seat)
        shown = players_of(view)
        assert len(shown) == len(truth)
        assert all(player in (None, real) for player, real in zip(shown, truth, strict=True))
        bars = barred(seat, view)
        for player, hand in enumerate(position.hands):
            if player != seat:
                slots, bars = bars[: len(hand)], bars[len(hand) :]
                assert len(slots) == len(hand)
                assert len(hand) > _LARGEST_HAND or can_be(frozenset(hand), slots)
        assert not bars


def view_of(zone: list[int], drew: list[tuple[int, int, str]], sizes: list[int], **turn: int) -> Json:
    """Return the view of seat 0 in a round that seat 2 has dealt."""
    return {
        "players": 3,
        "target": 25,
        "pile": 0,
        "hand": [],
        "aside": [],
        "set_aside": [0, 0, 0],
        "scores": [0, 0, 0],
        "zone": zone,
        "sizes": sizes,
        "drew": drew,
        "turn": {"round": 1, "phase": "play", "dealer": 2, "player": 0, "last": 2} | turn,
    }


def test_k2_2_who_draws_in_turn_holds_nothing_that_was_valid() -> None:
    view = view_of([40, 9, 81], [(2, 3, "turn")], [5, 5, 7])
    assert players_of(view) == [2, 0, 1]
    assert barred(0, view) == [frozenset()] * 5 + [frozenset(range(82, 99))] * 6 + [frozenset()]


def test_player_of_a_mirror_is_inferred_from_who_draws() -> None:
    view = view_of([40, 37, 73], [(2, 3, "effect"), (0, 3, "effect")], [6, 5, 7], player=2)
    assert players_of(view) == [2, 0, 1]


def test_player_of_a_discarding_mirror_is_inferred_from_the_next_turn() -> None:
    assert players_of(view_of([40, 37, 73, 80], [], [5, 5, 4], player=1)) == [2, 0, 2, 0]
    assert players_of(view_of([40, 37, 73, 80], [(2, 4, "turn")], [5, 5, 7], player=0)) == [2, 0, 0, 1]


def test_two_such_mirrors_at_once_leave_the_first_untold() -> None:
    view = view_of([40, 37, 73, 80, 8], [], [5, 5, 5], player=1)
    assert players_of(view) == [2, 0, None, None, 0]


def test_what_was_drawn_for_a_misplay_may_have_been_valid() -> None:
    view = view_of([40, 9, 81], [(2, 3, "misplay"), (2, 3, "turn")], [5, 5, 8])
    assert barred(0, view) == [frozenset()] * 5 + [frozenset(range(82, 99))] * 6 + [frozenset()] * 2
