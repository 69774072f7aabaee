"""How a game that is over ended (K5.6)."""

from __future__ import annotations

from ekoes.games.contract import Outcome
from ekoes.games.ekko.state import EkkoState

__all__ = ["judge"]


def judge(position: EkkoState) -> Outcome:
    """Return the outcome of a position that is over: reason ``lowest-total`` or ``tie``."""
    winners = position.winners
    return Outcome(winners, "lowest-total" if len(winners) == 1 else "tie", "K5.6")
