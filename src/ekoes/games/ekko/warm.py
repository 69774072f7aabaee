"""Compile every kernel of EKKO, so that the first game does not wait."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ekoes.games.chance import Chance
from ekoes.games.contract import CHANCE
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.playouts import playouts

__all__ = ["warm_steps"]


def warm_steps() -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield what to do, step by step: a name for people and a call that compiles one kernel."""
    first = EKKO.new({"players": 2}, seed=1)
    dealt = first.play(CHANCE, first.chance_action(Chance(1)))
    yield "dealing cards", lambda: first.play(CHANCE, first.chance_action(Chance(1)))
    yield "legal cards", lambda: len(dealt.legal())
    yield "playing a card", lambda: dealt.play_code(dealt.codes[0])
    yield "random card games", lambda: playouts(first, 1, seed=1)
