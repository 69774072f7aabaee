"""A decision as the rules judge it."""

from __future__ import annotations

from typing import Any

from ekoes.errors import IllegalActionError
from ekoes.games.contract import Position
from ekoes.games.refused import RefusedError

__all__ = ["played"]


def played(position: Position, seat: int, action: Any) -> Position:  # noqa: ANN401 - each game has its own
    """Return the position after a decision; raises RefusedError.

    Who asks for what is not possible is told why by the rules.
    """
    try:
        return position.play(seat, action)
    except IllegalActionError:
        refusal = position.why_not(seat, action)
        if refusal is not None:
            raise RefusedError(refusal) from None
        raise
