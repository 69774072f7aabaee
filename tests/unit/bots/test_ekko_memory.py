"""What is remembered of draws is true, and it is remembered."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE, Json
from ekoes.games.ekko.bots.levels import barred_cards, who_played
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.position.action import Mirror, Play
from ekoes.games.ekko.position.position import EkkoPosition
from ekoes.games.kernels.bits import members
from tests.kit.examples import property_settings

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
        shown = who_played(view)
        assert len(shown) == len(truth)
        assert all(player in (None, real) for player, real in zip(shown, truth, strict=True))
        bars = [frozenset(members(words)) for words in barred_cards(view, seat).tolist()]
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
        "zone": zone,
        "sizes": sizes,
        "drew": drew,
        "turn": {"dealer": 2, "player": 0, "last": 2} | turn,
    }


def test_k2_2_who_draws_in_turn_holds_nothing_that_was_valid() -> None:
    view = view_of([40, 9, 81], [(2, 3, "turn")], [5, 5, 7])
    assert who_played(view) == [2, 0, 1]
    bars = [set(members(words)) for words in barred_cards(view, 0).tolist()]
    assert bars == [set()] * 5 + [set(range(82, 99))] * 6 + [set()]


def test_player_of_a_mirror_is_inferred_from_who_draws() -> None:
    view = view_of([40, 37, 73], [(2, 3, "effect"), (0, 3, "effect")], [6, 5, 7], player=2)
    assert who_played(view) == [2, 0, 1]


def test_player_of_a_discarding_mirror_is_inferred_from_the_next_turn() -> None:
    assert who_played(view_of([40, 37, 73, 80], [], [5, 5, 4], player=1)) == [2, 0, 2, 0]
    assert who_played(view_of([40, 37, 73, 80], [(2, 4, "turn")], [5, 5, 7], player=0)) == [2, 0, 0, 1]


def test_two_such_mirrors_at_once_leave_the_first_untold() -> None:
    view = view_of([40, 37, 73, 80, 8], [], [5, 5, 5], player=1)
    assert who_played(view) == [2, 0, None, None, 0]


def test_what_was_drawn_for_a_misplay_may_have_been_valid() -> None:
    view = view_of([40, 9, 81], [(2, 3, "misplay"), (2, 3, "turn")], [5, 5, 8])
    bars = [set(members(words)) for words in barred_cards(view, 0).tolist()]
    assert bars == [set()] * 5 + [set(range(82, 99))] * 6 + [set()] * 2
