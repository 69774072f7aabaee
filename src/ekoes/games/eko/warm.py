"""Compile every kernel of Ekö, so that the first game does not wait."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ekoes.games.eko.choices import choices, ways
from ekoes.games.eko.game import EKO
from ekoes.games.eko.perft import perft
from ekoes.games.eko.playouts import playouts
from ekoes.games.eko.position import EkoPosition

__all__ = ["warm_steps"]


def warm_steps() -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield what to do, step by step: a name for people and a call that compiles one kernel."""
    position = EKO.new({"players": 2}, seed=1)
    yield "legal decisions", lambda: len(position.legal())
    yield "playing a decision", lambda: position.play_code(int(position.codes[0]))
    yield "choices for a page", lambda: (choices(position, position.player), ways(position, 0))
    yield "reading positions", lambda: EKO.from_json(_after_set_up(position).to_json())
    yield "counting points", lambda: (position.points(0), position.ignores_tempests)
    yield "counting sequences", lambda: perft(position, 2)
    yield "random games", lambda: playouts(position, 1, seed=1)


def _after_set_up(position: EkoPosition) -> EkoPosition:
    """Return the first turn: what stands on a board is looked at more closely than a set-up."""
    while position.turn_number == 0:
        position = position.play_code(int(position.codes[0]))
    return position
