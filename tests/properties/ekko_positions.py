"""Hypothesis strategies: positions of EKKO of every phase, as the engine reads them."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from hypothesis import strategies as st

from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.position.action import Action
from ekoes.games.ekko.position.position import EkkoPosition
from ekoes.games.ekko.table.book import as_live
from tests.reference.ekko.generate import some_live_action, synthetic

Json = dict[str, Any]


chances = st.integers(0, 2**40).map(Random)
"""Seeded, and not drawn number by number: a shuffle of 98 cards is nothing that hypothesis should shrink."""


@st.composite
def new_games(draw: st.DrawFn) -> EkkoPosition:
    """Before the first deal, in sequence (K6) or at a live table (K7)."""
    options = {
        "players": draw(st.integers(2, 8)),
        "target": draw(st.sampled_from([1, 5, 25])),
        "live": draw(st.booleans()),
    }
    return EKKO.new(options, draw(st.integers(0, 2**40)))


@st.composite
def puzzles(draw: st.DrawFn) -> EkkoPosition:
    """In the midst of a round, with few cards in the hands and in the pile."""
    rng, live = draw(chances), draw(st.booleans())
    position = EKKO.from_json(synthetic(rng, draw(st.integers(2, 8)), live=live))
    return as_live(position) if live else position


@st.composite
def positions(draw: st.DrawFn) -> EkkoPosition:
    """A position, and some decisions on from it."""
    position = draw(st.one_of(puzzles(), new_games()))
    rng = draw(chances)
    for _ in range(draw(st.integers(0, 40))):
        action = some_action(rng, position)
        if action is None:
            break
        position = position.play(position.seat_of(action), action)
    return position


def some_action(rng: Random, position: EkkoPosition) -> Action | None:
    """Something that may happen now; None when the game is over."""
    if position.actors() == (CHANCE,):
        return position.chance_action(Chance(rng.getrandbits(60)))
    if position.live:
        value = some_live_action(rng, position.to_json())
        return None if value is None else EKKO.parse_action(value)
    actions = position.legal()
    return rng.choice(actions) if actions else None


def read_like(value: Json, other: EkkoPosition) -> EkkoPosition:
    """A position from its JSON, in sequence or at a live table like the other one."""
    position = EKKO.from_json(value)
    return as_live(position) if other.live else position


def text_of(position: EkkoPosition, eye: int | None) -> str:
    """A viewer's view, as the text that is sent."""
    return json.dumps(position.view(eye))
