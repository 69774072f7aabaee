"""Views reveal no hidden card (K6.4, K7.6): with other hidden cards they stay the same, byte for byte."""

from __future__ import annotations

import copy
from random import Random

from hypothesis import assume, given
from hypothesis import strategies as st

from ekoes.envs.spaces_ekko import EkkoSpaces
from ekoes.errors import IllegalActionError
from ekoes.games.api.contract import CHANCE
from ekoes.games.api.values import difference
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.live.machine import may_be_mirrored
from ekoes.games.ekko.position.action import Action, Deal, Mirror, Misplay, Pass
from ekoes.games.ekko.position.position import EkkoPosition
from ekoes.games.ekko.rules.record import Phase
from ekoes.protocol import encode
from tests.kit.examples import property_settings
from tests.properties.ekko_positions import (
    chances,
    hidden_from,
    mixed,
    new_games,
    positions,
    read_like,
    some_action,
    text_of,
)

examples = property_settings(100, interpreted=40)


def eyes(position: EkkoPosition) -> list[int | None]:
    return [None, *range(position.players)]


@examples
@given(positions(), chances)
def test_hidden_cards_change_nothing_in_a_view(position: EkkoPosition, rng: Random) -> None:
    value = position.to_json()
    plain = read_like(value, position)
    for eye in eyes(position):
        there = mixed(value, eye, rng)
        if there is not None:
            other = read_like(there, position)
            assert text_of(other, eye) == text_of(plain, eye)
            assert may_be_mirrored(other.zone) == may_be_mirrored(plain.zone)
            assert position.phase == Phase.MIRROR or other.actors() == plain.actors()


@examples
@given(positions(), chances)
def test_no_view_depends_on_the_order_of_the_pile(position: EkkoPosition, rng: Random) -> None:
    value = position.to_json()
    there = copy.deepcopy(value)
    rng.shuffle(there["pile"])
    one, other = EKKO.from_json(value), EKKO.from_json(there)
    assert [text_of(one, eye) for eye in eyes(one)] == [text_of(other, eye) for eye in eyes(other)]


@examples
@given(new_games(), chances, st.integers(1, 60))
def test_stored_history_reveals_no_hidden_card(start: EkkoPosition, rng: Random, length: int) -> None:
    """Two rounds of other hidden cards, played alike: the same views after every step (`drew` too)."""
    order = list(range(1, 99))
    rng.shuffle(order)
    one, way = start.play(CHANCE, Deal(tuple(order))), []  # type: EkkoPosition, list[Action]
    for _ in range(length):
        action = some_action(rng, one) or Pass()
        after = one.play(one.seat_of(action), action)
        if after.phase in (Phase.DEAL, Phase.OVER):
            break
        way.append(action)
        one = after
    eye = rng.choice(eyes(start))
    for _ in range(20):
        exchanged = exchange(order, one, eye, rng)
        if exchanged is not None:
            compare_ways(start, order, exchanged, way, eye)


def exchange(order: list[int], at_last: EkkoPosition, eye: int | None, rng: Random) -> list[int] | None:
    """The order with two cards exchanged that this viewer has never seen; None if there are no two."""
    hidden = [card for place in hidden_from(at_last.to_json(), eye) for card in place]
    if len(hidden) < 2:
        return None
    one, other = rng.sample(hidden, 2)
    names = {one: other, other: one}
    return [names.get(card, card) for card in order]


def compare_ways(
    start: EkkoPosition, order: list[int], exchanged: list[int], way: list[Action], eye: int | None
) -> None:
    """Play both; stop where the rules don't take it: somebody would have had to do something else."""
    one, other = start.play(CHANCE, Deal(tuple(order))), start.play(CHANCE, Deal(tuple(exchanged)))
    for action in way:
        before = one.view(eye), other.view(eye)
        seat, names = one.seat_of(action), dict(zip(order, exchanged, strict=True))
        one = one.play(seat, action)
        try:
            other = play_alike(other, seat, action, names)
        except IllegalActionError:
            return
        if other.phase in (Phase.DEAL, Phase.OVER):
            return  # K5.1: nobody holds the mirror of a last card there
        assert text_of(other, eye) == text_of(one, eye)
        sent = [encode(difference(was, now.view(eye))) for was, now in zip(before, (one, other), strict=True)]
        assert sent[0] == sent[1], "what has changed is told in the same bytes"


def play_alike(position: EkkoPosition, seat: int, action: Action, names: dict[int, int]) -> EkkoPosition:
    """The same with the other cards: what was put aside or misplayed may have another name."""
    if isinstance(action, Mirror) and action.aside is not None:
        action = Mirror(action.card, action.effect, names[action.aside], action.on)
    if isinstance(action, Misplay):
        action = Misplay(names[action.card])
    if isinstance(action, Pass) != (position.phase == Phase.MIRROR) and not isinstance(action, Mirror):
        if isinstance(action, Pass):
            return position
        position = position.play(position.seat_of(Pass()), Pass())
    return position.play(seat, action)


@property_settings(100, interpreted=40)
@given(positions(), chances)
def test_hidden_cards_change_nothing_in_the_arrays_of_a_seat(position: EkkoPosition, rng: Random) -> None:
    assume(not position.live)
    value, spaces = position.to_json(), EkkoSpaces({"players": position.players})
    plain = read_like(value, position)
    for eye in range(position.players):
        there = mixed(value, eye, rng)
        if there is None:
            continue
        other = read_like(there, position)
        one, two = spaces.observe(plain, eye), spaces.observe(other, eye)
        assert {name: array.tobytes() for name, array in one.items()} == {
            name: array.tobytes() for name, array in two.items()
        }
        if plain.actors() == other.actors() == (eye,):
            assert spaces.mask(plain).tobytes() == spaces.mask(other).tobytes()
