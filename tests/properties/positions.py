"""Hypothesis strategies: random layouts and positions of every phase, as the engine reads them."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

from ekoes.games.eko.game import EKO
from ekoes.games.eko.position.position import EkoPosition
from tests.reference.generate import random_tiles, random_variants, set_up, synthetic

Json = dict[str, Any]


@st.composite
def position_values(draw: st.DrawFn) -> Json:
    """The JSON of a position: of the set-up, or in the midst of a game."""
    rng = Random(draw(st.integers(0, 2**40)))
    players = draw(st.integers(2, 4))
    tiles = random_tiles(rng, players, random_variants(rng))
    kind = draw(st.sampled_from(["standard", "draft", "game", "game", "game", "game"]))
    return synthetic(rng, players, tiles) if kind == "game" else set_up(rng, players, tiles, kind)


@st.composite
def positions(draw: st.DrawFn) -> EkoPosition:
    """A position, and some decisions on from it."""
    position = EKO.from_json(draw(position_values()))
    for _ in range(draw(st.integers(0, 12))):
        actions = position.legal()
        if not actions:
            break
        position = position.play(position.actors()[0], actions[draw(st.integers(0, len(actions) - 1))])
    return position
