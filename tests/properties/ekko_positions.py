"""Hypothesis strategies: positions of EKKO of every phase, as the engine reads them."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any

from hypothesis import strategies as st

from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE
from ekoes.games.ekko.book import as_live
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.position.action import Action
from ekoes.games.ekko.position.position import EkkoPosition
from tests.reference.ekko.cards import mirror_holder
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


def hidden_from(value: Json, eye: int | None) -> list[list[int]]:
    """The places whose cards this viewer does not know."""
    others = [seat for seat in range(value["players"]) if seat != eye]
    return [value["pile"], *(value[key][seat] for seat in others for key in ("hands", "aside"))]


def mixed(value: Json, eye: int | None, rng: Random) -> Json | None:
    """The position with all cards exchanged that a viewer does not know; those named nowhere too.

    None where such a position is impossible: who is asked for a mirror (K6.1) must hold it, which
    the eye can't see either.
    """
    there = copy.deepcopy(value)
    places = hidden_from(there, eye)
    known = {*value["zone"], *(value["hands"][eye] + value["aside"][eye] if eye is not None else [])}
    unknown = [card for card in range(1, 99) if card not in known]
    rng.shuffle(unknown)
    blocked = there["turn"].get("blocked")
    for place in places:
        place[:] = [unknown.pop() for _ in place]
    for key in ("hands", "aside"):
        there[key] = [sorted(cards) for cards in there[key]]
    if blocked:
        for seat, cards in enumerate(blocked):
            if seat != eye:
                cards[:] = rng.sample(there["hands"][seat], rng.randint(0, len(there["hands"][seat])))
                cards.sort()
    turn = there["turn"]
    if turn["phase"] in ("mirror", "play"):
        return _asked_anew(there, eye, was_asked=value["turn"].get("asked"))
    return there


def _asked_anew(there: Json, eye: int | None, *, was_asked: int | None) -> Json | None:
    """In sequence the mirror may lie elsewhere now: another one is asked, or nobody (K6.4)."""
    turn = there["turn"]
    turn.pop("asked", None)
    if turn["phase"] == "mirror" or was_asked is not None:
        if was_asked == eye:
            turn["asked"] = was_asked
            return there
        holder = mirror_holder(there)
        if holder is None and "leaving" in turn:
            return None  # K5.1: the round would be over
        turn["phase"] = "play" if holder is None or holder == eye else "mirror"
        if turn["phase"] == "mirror":
            turn["asked"] = holder
    return there
